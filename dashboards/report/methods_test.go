package report_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/dataset/balance"
)

// Every method that a number of a report names is explained on its page.
func TestEveryMethodIsExplained(t *testing.T) {
	found := map[string]bool{}
	for _, variant := range []string{"trench/standard", "tankchess/16x16"} {
		for _, others := range []*balance.Results{nil, {Name: "people", Wins: 3}, {Name: "people", Wins: 300, Draws: 100, Losses: 300}} {
			r := analysis(t, variant, 260, balance.Options{Against: others, Replicates: 20})
			data, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			method := written(t, report.Methods().Markdown)
			for _, m := range regexp.MustCompile(`"method":"([^"]*)"`).FindAllStringSubmatch(string(data), -1) {
				found[m[1]] = true
				name := regexp.MustCompile(`, chi-square.*|, tables drawn.*|, delta method`).ReplaceAllString(m[1], "")
				name, _ = strings.CutPrefix(name, "newcombe, ")
				if !strings.Contains(method, "“"+name+"”") {
					t.Errorf("%s: %q is not explained", variant, m[1])
				}
			}
		}
	}
	for _, want := range []string{"bootstrap, percentile, clusters", "fieller, cluster-robust", "gamma, clusters", "clopper-pearson, clusters"} {
		if !found[want] {
			t.Errorf("no number is by %q; there are %v", want, found)
		}
	}
}
