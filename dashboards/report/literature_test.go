package report

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/compare"
)

// kinds are the sections of METHODS.md with texts.
var kinds = []string{"Quantities", "Lights", "Metrics of comparisons", "Balance of data sets", "Handicaps", "Comparisons of rule variants", "Ratings"}

func TestTheMethodsDefineEveryMetricOfComparisons(t *testing.T) {
	var rows [][]string
	for _, text := range methodSection("Metrics of comparisons") {
		if table, ok := methodBlock(text).(Table); ok && table.Columns[0] == "metric" {
			rows = table.Rows
		}
	}
	for i, m := range compare.Metrics() {
		row := rows[i]
		if want := []string{textOf(m.Name).name, m.Name, m.Unit + ", " + m.Range}; !slices.Equal(row[:3], want) || row[3] == "" || row[4] == "" || len(rows) != len(compare.Metrics()) {
			t.Errorf("the row of %s is %q", m.Name, row)
		}
		if what, greater := definition(m.Name); what != row[3] || greater != row[4] {
			t.Errorf("%s is %q (%q), want %q", m.Name, what, greater, row)
		}
	}
}

// METHODS.md is read as it is written, so that it shows what the reports show.
func TestTheMethodsAreReadAsTheyAreWritten(t *testing.T) {
	for _, kind := range append(kinds, "References") {
		for _, text := range methodSection(kind) {
			w := new(lines)
			methodBlock(text).markdown(w)
			if got := w.String(); got != "\n"+text+"\n" {
				t.Errorf("%s is written as %s", text, got)
			}
		}
	}
}

func TestEveryWorkIsNamedAndEveryNameHasAWork(t *testing.T) {
	var texts []string
	for _, kind := range kinds {
		texts = append(texts, methodSection(kind)...)
	}
	literature := methodSection("References")
	for _, text := range strings.FieldsFunc(strings.Join(texts, "\n"), func(r rune) bool { return r == '\n' || r == '|' }) {
		for _, year := range regexp.MustCompile(`\b(19|20)\d\d\b`).FindAllString(text, -1) {
			if !slices.ContainsFunc(literature, func(work string) bool { return strings.Contains(work, " "+year+", ") && cites(text, work) }) {
				t.Errorf("no work of %s is listed that is named in %q", year, text)
			}
		}
	}
	for _, work := range literature {
		if !slices.ContainsFunc(texts, func(text string) bool { return cites(text, work) }) {
			t.Errorf("nothing names %v", work)
		}
	}
}
