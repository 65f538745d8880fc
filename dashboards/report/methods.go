package report

import (
	"strings"

	"github.com/sandtable-farm/sandtable/dataset/compare"
)

// Methods makes the page of the methods of all reports: formulas, assumptions and
// references.
func Methods() *Page {
	p := &Page{Title: "Methods of the reports"}
	p.explain("What stands behind the numbers of sandtable balance, balance --handicap and compare, in the words of their reports. " +
		"Each number is told with its interval, what it rests on and the name of its method, each test with its assumptions; the functions themselves are in dataset/stats.")
	var all []string
	for _, of := range []struct {
		name  string
		texts []string
	}{
		{"Balance of data sets", balanceMethods()},
		{"Handicaps", handicapMethods()},
		{"Comparisons of rule variants", compareMethods(anyLooks, compare.Metrics())},
	} {
		p.heading(2, of.name)
		for _, text := range of.texts {
			p.explain(text)
		}
		all = append(all, of.texts...)
	}
	p.references(2, all)
	return p
}

// method adds the formulas and where they come from.
func (p *Page) method(texts []string) {
	p.add(Heading{Level: 2, Text: "Method", Leisure: true})
	for _, text := range texts {
		p.explain(text)
	}
	p.references(3, texts)
}

// references adds those that texts name.
func (p *Page) references(level int, texts []string) {
	p.add(Heading{Level: level, Text: "References", Leisure: true})
	for _, r := range literature {
		for _, text := range texts {
			if r.namedIn(text) {
				p.explain(r.String())
				break
			}
		}
	}
}

// A reference is a source of formulas.
type reference struct{ authors, year, work string }

func (r reference) String() string { return r.authors + " " + r.year + ", " + r.work + "." }

// namedIn reports whether a text names the first author and the year.
func (r reference) namedIn(text string) bool {
	first, _, _ := strings.Cut(r.authors, " ")
	return strings.Contains(text, strings.TrimSuffix(first, ",")) && strings.Contains(text, r.year)
}
