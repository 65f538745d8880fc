//go:build e2e

package deploy_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// command runs a program, which must exist and succeed.
func command(t *testing.T, stdin, name string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Fatalf("%s is needed: %v", name, err)
	}
	cmd := exec.Command(name, args...)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	return string(out)
}

// kustomize builds the Kubernetes set.
func kustomize(t *testing.T) string {
	t.Helper()
	cmd := exec.Command("go", "run", "sigs.k8s.io/kustomize/kustomize/v5@v5.8.0", "build", "kubernetes")
	var problems strings.Builder
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, problems.String())
	}
	return string(out)
}

func TestKubernetesSetIsBuiltAndValid(t *testing.T) {
	built := kustomize(t)
	out := command(t, built, "python3", "testdata/kubernetes.py")
	if want := "7 objects: Deployment Job Job Namespace NetworkPolicy PersistentVolumeClaim ScaledObject"; !strings.Contains(out, want) {
		t.Errorf("the set has %s, must have %s", out, want)
	}

	wrong := strings.Replace(built, "terminationGracePeriodSeconds:", "terminationGraceSeconds:", 1)
	cmd := exec.Command("python3", "testdata/kubernetes.py")
	cmd.Stdin = strings.NewReader(wrong)
	if out, err := cmd.CombinedOutput(); err == nil {
		t.Errorf("an unknown field is accepted:\n%s", out)
	}
}

func TestComposeFileFitsItsSpecification(t *testing.T) {
	command(t, "", "check-jsonschema", "--builtin-schema", "vendor.compose-spec", "compose/compose.yaml")
}

func TestSystemdAcceptsTheUnits(t *testing.T) {
	folder := t.TempDir()
	units := files(t, "systemd/*.service")
	programs := regexp.MustCompile(`/usr/local/bin/[a-z-]+`) // systemd wants programs that exist
	for path, text := range units {
		if err := os.WriteFile(filepath.Join(folder, filepath.Base(path)), []byte(programs.ReplaceAllString(text, "/bin/true")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for path := range units {
		unit := filepath.Join(folder, filepath.Base(path))
		if out := command(t, "", "systemd-analyze", "verify", "--man=no", "--recursive-errors=no", strings.Replace(unit, "@.", "@9464.", 1)); out != "" {
			t.Errorf("%s: %s", path, out)
		}
		// The exposure is 0 to 100; a service without any protection has 96.
		command(t, "", "systemd-analyze", "security", "--offline=yes", "--no-pager", "--threshold=20", unit)
	}
}

// Debian's promtool knows no pods; it checks the rest of that configuration.
func TestPromtoolAcceptsTheScrapeConfigurations(t *testing.T) {
	pods := regexp.MustCompile(`kubernetes_sd_configs:\n +- role: pod\n +namespaces:\n +names: \[sandtable\]\n`)
	for path, text := range files(t, "prometheus/*.yml") {
		folder := t.TempDir()
		write := func(name, text string) {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		write(filepath.Base(path), pods.ReplaceAllString(text, "static_configs: [{targets: [pod]}]\n"))
		for rules, text := range files(t, "../../dashboards/prometheus/*ing.yml", "../../dashboards/prometheus/alerts.yml") {
			write(filepath.Base(rules), text)
		}
		command(t, "", "promtool", "check", "config", filepath.Join(folder, filepath.Base(path)))
	}
}
