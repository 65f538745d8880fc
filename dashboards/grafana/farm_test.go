package grafana_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dashboards/grafana"
)

var rewrite = flag.Bool("rewrite", false, "rewrite golden files")

// visualisations returns the panels other than row headers.
func visualisations(t *testing.T) []grafana.Panel {
	t.Helper()
	var all []grafana.Panel
	for _, p := range grafana.Farm().Panels {
		if p.Type != "row" {
			all = append(all, p)
		}
	}
	if len(all) < 15 {
		t.Fatalf("only %d panels", len(all))
	}
	return all
}

func TestFarmJSONIsWrittenFromTheDashboard(t *testing.T) {
	got, err := grafana.Farm().JSON()
	if err != nil {
		t.Fatal(err)
	}
	const golden = "farm.json"
	if *rewrite {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is out of date; run the test with -rewrite", golden)
	}
}

func TestDashboardHasWhatGrafanaExpects(t *testing.T) {
	text, err := grafana.Farm().JSON()
	if err != nil {
		t.Fatal(err)
	}
	var d map[string]any
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	if d["schemaVersion"] != 42.0 {
		t.Errorf("schemaVersion is %v", d["schemaVersion"])
	}
	if uid := d["uid"].(string); uid == "" || len(uid) > 40 {
		t.Errorf("uid is %q, must have 1 to 40 characters", uid)
	}
	for _, field := range []string{"panels", "tags"} {
		if list, ok := d[field].([]any); !ok || len(list) == 0 {
			t.Errorf("%s is %v", field, d[field])
		}
	}
	for _, field := range []string{"templating", "annotations"} {
		if list, ok := d[field].(map[string]any)["list"].([]any); !ok || len(list) == 0 {
			t.Errorf("%s has no list", field)
		}
	}
}

func TestPanelsHaveUniqueNumbersAndTitles(t *testing.T) {
	ids, titles := map[int]bool{}, map[string]bool{}
	for _, p := range grafana.Farm().Panels {
		if p.ID < 1 || ids[p.ID] {
			t.Errorf("%s has the number %d, which is used or not positive", p.Title, p.ID)
		}
		if p.Title == "" || titles[p.Title] && p.Title != "Bytes per ply" {
			t.Errorf("panel %d has the title %q, which is used or empty", p.ID, p.Title)
		}
		ids[p.ID], titles[p.Title] = true, true
	}
}

func TestPanelsFillTheGridWithoutOverlap(t *testing.T) {
	taken := map[[2]int]string{}
	for _, p := range grafana.Farm().Panels {
		g := p.GridPos
		if g.X < 0 || g.Y < 0 || g.W < 1 || g.H < 1 || g.X+g.W > 24 {
			t.Errorf("%s lies outside the grid: %+v", p.Title, g)
		}
		for x := g.X; x < g.X+g.W; x++ {
			for y := g.Y; y < g.Y+g.H; y++ {
				if other, is := taken[[2]int{x, y}]; is {
					t.Fatalf("%s overlaps %s", p.Title, other)
				}
				taken[[2]int{x, y}] = p.Title
			}
		}
	}
	lines := map[int]int{}
	for at := range taken {
		lines[at[1]]++
	}
	for y := range len(lines) {
		if lines[y] != 24 {
			t.Errorf("line %d fills %d of 24 columns", y, lines[y])
		}
	}
}

func TestEveryPanelExplainsItself(t *testing.T) {
	for _, p := range visualisations(t) {
		if !strings.HasSuffix(p.Description, ".") {
			t.Errorf("%s: the description %q is not a sentence", p.Title, p.Description)
		}
		if p.FieldConfig.Defaults.Unit == "" {
			t.Errorf("%s has no unit", p.Title)
		}
		if len(p.Targets) == 0 {
			t.Errorf("%s has no query", p.Title)
		}
		refs := map[string]bool{}
		for _, q := range p.Targets {
			if q.LegendFormat == "" && p.Type != "table" {
				t.Errorf("%s: %s has no legend", p.Title, q.Expr)
			}
			if refs[q.RefID] || q.RefID == "" {
				t.Errorf("%s uses the query name %q twice or leaves it empty", p.Title, q.RefID)
			}
			refs[q.RefID] = true
			if q.Range == q.Instant {
				t.Errorf("%s: %s must be either a range or an instant query", p.Title, q.Expr)
			}
		}
	}
}

func TestEveryPanelFollowsTheVariables(t *testing.T) {
	for _, p := range visualisations(t) {
		if p.Datasource.UID != "${datasource}" {
			t.Errorf("%s has the data source %q", p.Title, p.Datasource.UID)
		}
		for _, q := range p.Targets {
			if q.Datasource.UID != "${datasource}" {
				t.Errorf("%s queries the data source %q", p.Title, q.Datasource.UID)
			}
			if opened, filtered := strings.Count(q.Expr, "{"), strings.Count(q.Expr, `{job=~"$job"`); opened == 0 || opened != filtered {
				t.Errorf("%s: %s does not filter by $job everywhere", p.Title, q.Expr)
			}
		}
	}
	var names []string
	for _, v := range grafana.Farm().Templating.List {
		names = append(names, v.Name)
	}
	if got := strings.Join(names, " "); got != "datasource job instance" {
		t.Errorf("the variables are %s", got)
	}
}

func TestEachKindOfPanelHasItsOptions(t *testing.T) {
	for _, p := range grafana.Farm().Panels {
		fits := false
		switch p.Options.(type) {
		case grafana.TimeSeries:
			fits = p.Type == "timeseries"
		case grafana.Stat:
			fits = p.Type == "stat"
		case grafana.BarGauge:
			fits = p.Type == "bargauge"
		case grafana.Table:
			fits = p.Type == "table"
		case nil:
			fits = p.Type == "row"
		}
		if !fits {
			t.Errorf("%s of type %s has options %T", p.Title, p.Type, p.Options)
		}
	}
}

func TestQueriesHaveNoVariableLeft(t *testing.T) {
	queries := grafana.Farm().Queries()
	seen := map[string]bool{}
	for _, q := range queries {
		if strings.Contains(q, "$") || seen[q] {
			t.Errorf("%s has a variable left or occurs twice", q)
		}
		seen[q] = true
	}
	if !seen[`sandtable_build_info{job=~".+"}`] || !seen[`go_goroutines{job=~".+", instance=~".+"}`] {
		t.Errorf("queries of variables or panels are missing in\n%s", strings.Join(queries, "\n"))
	}
}
