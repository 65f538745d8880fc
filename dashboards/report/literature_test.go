package report

import (
	"bytes"
	"flag"
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/compare"
)

var rewrite = flag.Bool("rewrite", false, "rewrite METHODS.md")

func TestThePageOfMethodsIsWrittenFromTheReports(t *testing.T) {
	const name = "METHODS.md"
	var page bytes.Buffer
	if err := Methods().Markdown(&page); err != nil {
		t.Fatal(err)
	}
	if *rewrite {
		if err := os.WriteFile(name, page.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(data, page.Bytes()) {
		t.Errorf("%s is out of date: go test ./dashboards/report -rewrite", name)
	}
}

func TestEveryWorkIsNamedAndEveryNameHasAWork(t *testing.T) {
	var texts []string
	for _, t := range []Table{balanceEstimators(), handicapEstimators(), compareEstimators(), metricTable(compare.Metrics())} {
		texts = append(texts, slices.Concat(t.Rows...)...)
	}
	texts = append(texts, slices.Concat(balanceMethods(), handicapMethods(), compareMethods(anyLooks))...)
	for _, text := range texts {
		for _, year := range regexp.MustCompile(`\b(19|20)\d\d\b`).FindAllString(text, -1) {
			if !slices.ContainsFunc(literature[:], func(r reference) bool { return r.year == year && r.namedIn(text) }) {
				t.Errorf("no work of %s is listed that is named in %q", year, text)
			}
		}
	}
	for _, r := range literature {
		if !slices.ContainsFunc(texts, r.namedIn) {
			t.Errorf("nothing names %v", r)
		}
	}
}
