package report

import (
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset/compare"
)

// Methods returns the page of the methods of all reports: formulas, assumptions and
// references.
func Methods() *Page {
	p := &Page{Title: "Methods of the reports"}
	p.explain("This page describes how sandtable balance, balance --handicap and compare compute their numbers. " +
		"The JSON output gives each number with its confidence interval, the number of observations n and the name of the method. Package dataset/stats implements the methods.")
	var all []string
	for _, of := range []struct {
		name   string
		texts  []string
		tables []Table
	}{
		{"Balance of data sets", balanceMethods(), []Table{balanceEstimators()}},
		{"Handicaps", handicapMethods(), []Table{handicapEstimators()}},
		{"Comparisons of rule variants", compareMethods(anyLooks), []Table{compareEstimators(), metricTable(compare.Metrics())}},
	} {
		p.heading(2, of.name)
		all = append(all, p.formulas(of.texts, of.tables)...)
	}
	p.references(2, all)
	return p
}

// method adds the section on methods, with its references.
func (p *Page) method(texts []string, tables ...Table) {
	p.add(Heading{Level: 2, Text: "Method", Leisure: true})
	p.references(3, p.formulas(texts, tables))
}

// formulas adds tables and explanations, and returns all their texts.
func (p *Page) formulas(texts []string, tables []Table) []string {
	all := slices.Clone(texts)
	for _, t := range tables {
		p.add(t)
		all = append(all, slices.Concat(t.Rows...)...)
	}
	for _, text := range texts {
		p.explain(text)
	}
	return all
}

// references adds the references that texts cite.
func (p *Page) references(level int, texts []string) {
	p.add(Heading{Level: level, Text: "References", Leisure: true})
	for _, r := range literature {
		if slices.ContainsFunc(texts, r.namedIn) {
			p.explain(r.String())
		}
	}
}

// A reference is a publication.
type reference struct{ authors, year, work string }

func (r reference) String() string { return r.authors + " " + r.year + ", " + r.work + "." }

// namedIn reports whether a text cites the reference, by its first author and year.
func (r reference) namedIn(text string) bool {
	first, _, _ := strings.Cut(r.authors, " ")
	return strings.Contains(text, strings.TrimSuffix(first, ",")) && strings.Contains(text, r.year)
}
