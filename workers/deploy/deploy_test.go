package deploy_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/prometheus/promql/parser"

	"github.com/sandtable-farm/sandtable/workers/metrics"
)

// files reads the files that match patterns, by path.
func files(t *testing.T, patterns ...string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, pattern := range patterns {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(paths), err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			all[path] = string(data)
		}
	}
	return all
}

// bytes reads a size such as 4Gi, 3GiB or 4g.
func bytes(t *testing.T, text string) int64 {
	t.Helper()
	var n int64
	var unit string
	if _, err := fmt.Sscanf(text, "%d%s", &n, &unit); err != nil {
		t.Fatalf("%q is not a size: %v", text, err)
	}
	shift, known := map[string]int{"M": 20, "Mi": 20, "MiB": 20, "m": 20, "G": 30, "Gi": 30, "GiB": 30, "g": 30}[unit]
	if !known {
		t.Fatalf("%q has an unknown unit", text)
	}
	return n << shift
}

// The agents of a worker get what --memory says. The process needs more, and the limit of
// its machine or container ends it without a word when it is reached.
func TestLimitsOfMemoryLeaveRoomBesideTheAgents(t *testing.T) {
	agents := regexp.MustCompile(`--memory"?,? "?([0-9]+\w+)`)
	limits := regexp.MustCompile(`(?:MemoryMax=|memory: |mem_limit: )([0-9]+\w+)`)
	seen := 0
	for path, text := range files(t, "systemd/*.service", "kubernetes/*.yaml", "compose/compose.yaml") {
		memory := agents.FindStringSubmatch(text)
		if memory == nil {
			continue
		}
		all := limits.FindAllStringSubmatch(text, -1)
		if len(all) == 0 {
			t.Errorf("%s has --memory and no limit", path)
		}
		for _, limit := range all {
			seen++
			if room := bytes(t, limit[1]) - bytes(t, memory[1]); room < 512<<20 {
				t.Errorf("%s: the limit %s leaves %d MiB beside --memory %s, must be 512 or more", path, limit[1], room>>20, memory[1])
			}
		}
	}
	if seen < 4 {
		t.Errorf("only %d limits found", seen)
	}
}

func TestEverythingThatTheComposeFileMountsExists(t *testing.T) {
	mounts := regexp.MustCompile(`(?m)^ +- (\.[^:]*):[^:]+:ro$`).FindAllStringSubmatch(files(t, "compose/compose.yaml")["compose/compose.yaml"], -1)
	if len(mounts) < 6 {
		t.Fatalf("only %d mounts found", len(mounts))
	}
	for _, m := range mounts {
		if _, err := os.Stat(filepath.Join("compose", m[1])); err != nil {
			t.Error(err)
		}
	}
}

func TestTheImageIsBuiltWithTheGoOfTheModule(t *testing.T) {
	module := regexp.MustCompile(`(?m)^go ([0-9]+\.[0-9]+)`).FindStringSubmatch(files(t, "../../go.mod")["../../go.mod"])
	if want := "FROM golang:" + module[1] + " "; !strings.Contains(files(t, "Dockerfile")["Dockerfile"], want) {
		t.Errorf("the Dockerfile does not begin with %q", want)
	}
}

// Workers are scaled by a metric that coordinators show.
func TestScalingAsksForAMetricOfAFarm(t *testing.T) {
	query := regexp.MustCompile(`(?m)^ +query: (.*)$`).FindStringSubmatch(files(t, "kubernetes/scaling.yaml")["kubernetes/scaling.yaml"])
	expr, err := parser.NewParser(parser.Options{}).ParseExpr(query[1])
	if err != nil {
		t.Fatal(err)
	}
	families, err := metrics.New(metrics.RoleCoordinator).Gather()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, f := range families {
		known[f.GetName()] = true
	}
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		if v, ok := node.(*parser.VectorSelector); ok && !known[v.Name] {
			t.Errorf("no coordinator shows %s", v.Name)
		}
		return nil
	})
}

// A secret in a file of the repository would be everybody's.
func TestNoFileHasASecret(t *testing.T) {
	given := regexp.MustCompile(`(?im)^[^#\n]*?(password|token|secret)["']?[ \t]*[:=][ \t]*["']?([^\s"',}]+)`)
	allowed := regexp.MustCompile(`^(\$|/|change-me|sandtable-|false$)`)
	for path, text := range files(t, "systemd/*.s*", "systemd/examples/*", "kubernetes/*", "compose/*.yaml", "compose/.env.example", "compose/grafana/*", "nats/*", "prometheus/*") {
		for _, found := range given.FindAllStringSubmatch(text, -1) {
			if !allowed.MatchString(found[2]) {
				t.Errorf("%s: %s", path, found[0])
			}
		}
	}
}
