package prometheus_test

import (
	"flag"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dashboards/prometheus"
)

var rewrite = flag.Bool("rewrite", false, "rewrite golden files")

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestRuleFilesAreWrittenFromTheRules(t *testing.T) {
	for name, group := range map[string]prometheus.Group{
		"recording.yml": prometheus.Recording(),
		"alerts.yml":    prometheus.Alerts(),
	} {
		if *rewrite {
			if err := os.WriteFile(name, []byte(group.YAML()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if read(t, name) != group.YAML() {
			t.Errorf("%s is out of date; run the test with -rewrite", name)
		}
	}
}

func TestFilesContainTheConfigurationAndItsRules(t *testing.T) {
	config, err := fs.ReadFile(prometheus.Files(), "prometheus.yml")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`(?m)^  - (\w+\.yml)$`).FindAllStringSubmatch(string(config), -1)
	if len(named) != 2 {
		t.Fatalf("prometheus.yml names %d rule files", len(named))
	}
	for _, n := range named {
		if _, err := fs.Stat(prometheus.Files(), n[1]); err != nil {
			t.Errorf("prometheus.yml names %s: %v", n[1], err)
		}
	}
}

func TestRecordedNamesHaveLevelMetricAndOperations(t *testing.T) {
	pattern := regexp.MustCompile(`^(job|run|game|variant|le)(_(job|run|game|variant|le))*:sandtable_[a-z_]+:[a-z0-9_]+$`)
	seen := map[string]bool{}
	for _, r := range prometheus.Recording().Rules {
		if !pattern.MatchString(r.Record) || r.Alert != "" {
			t.Errorf("%q is not a valid name of a recorded series", r.Record)
		}
		if seen[r.Record] {
			t.Errorf("%s is recorded twice", r.Record)
		}
		seen[r.Record] = true
	}
}

func TestEveryAlertSaysWhatHappensAndWhatHelps(t *testing.T) {
	sentence := regexp.MustCompile(`^\S.*\.$`)
	seen := map[string]bool{}
	for _, r := range prometheus.Alerts().Rules {
		if !regexp.MustCompile(`^Sandtable[A-Z]\w+$`).MatchString(r.Alert) || r.Record != "" || seen[r.Alert] {
			t.Errorf("%q is not a valid name of an alert, or is used twice", r.Alert)
		}
		seen[r.Alert] = true
		if r.Severity != "critical" && r.Severity != "warning" {
			t.Errorf("%s has the severity %q", r.Alert, r.Severity)
		}
		if r.Summary == "" || strings.HasSuffix(r.Summary, ".") {
			t.Errorf("%s: the summary %q is not a headline", r.Alert, r.Summary)
		}
		for _, text := range []string{r.Description, r.Runbook} {
			if !sentence.MatchString(text) {
				t.Errorf("%s: %q is not a sentence", r.Alert, text)
			}
		}
	}
}

// promtool runs testdata/alerts_test.yml. This test checks that the file covers every alert.
func TestEveryAlertIsTestedToFireAndNotToFire(t *testing.T) {
	fires, quiet := map[string]bool{}, map[string]bool{}
	for _, check := range strings.Split(read(t, "testdata/alerts_test.yml"), "alertname: ")[1:] {
		name, rest, _ := strings.Cut(check, "\n")
		if strings.HasPrefix(strings.TrimSpace(rest), "exp_alerts: []") {
			quiet[name] = true
		} else {
			fires[name] = true
		}
	}
	for _, r := range prometheus.Alerts().Rules {
		if !fires[r.Alert] || !quiet[r.Alert] {
			t.Errorf("%s is tested to fire: %v, not to fire: %v", r.Alert, fires[r.Alert], quiet[r.Alert])
		}
	}
}
