package report

import (
	_ "embed" // for METHODS.md
	"regexp"
	"slices"
	"strings"
)

// methodsPage has a section for each kind of report, with its estimators, definitions and
// assumptions, and the references at the end.
//
//go:embed METHODS.md
var methodsPage string

// method adds a section of METHODS.md with the references that it cites.
func (p *Page) method(texts []string) {
	p.add(Heading{Level: 2, Text: "Method", Leisure: true})
	for _, text := range texts {
		p.add(methodBlock(text))
	}
	p.add(Heading{Level: 3, Text: "References", Leisure: true})
	for _, reference := range methodSection("References") {
		if slices.ContainsFunc(texts, func(text string) bool { return cites(text, reference) }) {
			p.add(methodBlock(reference))
		}
	}
}

// methodSection returns the paragraphs and tables of a section, in Markdown.
func methodSection(title string) []string {
	_, text, _ := strings.Cut(methodsPage, "\n## "+title+"\n")
	text, _, _ = strings.Cut(text, "\n## ")
	return strings.Split(strings.TrimSpace(text), "\n\n")
}

// methodBlock reads a paragraph or a table.
func methodBlock(text string) Block {
	lines := strings.Split(text, "\n")
	if !strings.HasPrefix(text, "| ") {
		return Paragraph{Text: unmarked(text), Leisure: true}
	}
	t := Table{Columns: methodCells(lines[0]), Leisure: true}
	for _, line := range lines[2:] { // after the line of dashes
		t.Rows = append(t.Rows, methodCells(line))
	}
	return t
}

// methodCells returns the cells of a line of a table.
func methodCells(line string) []string {
	cells := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "| "), " |"), " | ")
	return each(cells, func(cell *string) string { return unmarked(*cell) })
}

// author finds the first author and the year of a reference.
var author = regexp.MustCompile(`^(\pL+).*? (\d{4}), `)

// cites reports whether a text names the first author and the year of a reference.
func cites(text, reference string) bool {
	work := author.FindStringSubmatch(reference)
	return strings.Contains(text, work[1]) && strings.Contains(text, work[2])
}
