package compare_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/compare"
)

var rewrite = flag.Bool("rewrite", false, "write the generated table")

func TestTheReadmeListsTheMetrics(t *testing.T) {
	const name, begin, end = "README.md", "<!-- metrics -->\n", "<!-- end -->"
	var table strings.Builder
	table.WriteString("| name | family | what | unit, range | more of it | margin |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, m := range compare.Metrics() {
		family, margin := string(m.Family), ""
		if m.Primary {
			family += ", primary"
		}
		switch {
		case m.Relative:
			margin = fmt.Sprintf("%g %% of the baseline's", 100*m.Margin)
		case m.Margin > 0:
			margin = fmt.Sprint(m.Margin)
		}
		fmt.Fprintf(&table, "| `%s` | %s | %s | %s, %s | %s | %s |\n", m.Name, family, m.What, m.Unit, m.Range, m.Direction, margin)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), begin)
	_, after, also := strings.Cut(rest, end)
	if !ok || !also {
		t.Fatalf("%s has no place for the metrics", name)
	}
	want := before + begin + table.String() + end + after
	if *rewrite {
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want != string(data) {
		t.Errorf("%s is out of date: go test ./dataset/compare -rewrite", name)
	}
}
