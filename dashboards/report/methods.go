package report

import (
	_ "embed" // for METHODS.md
	"regexp"
	"strings"
)

// methodsPage has a section for each kind of report, with its estimators, definitions and
// assumptions, and the references at the end.
//
//go:embed METHODS.md
var methodsPage string

// Methods returns the page of the methods.
func Methods() *Page {
	title, text, _ := strings.Cut(strings.TrimPrefix(methodsPage, "# "), "\n")
	p := &Page{Title: title, Open: true}
	for _, block := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if heading, ok := strings.CutPrefix(block, "## "); ok {
			p.heading(2, heading)
			continue
		}
		p.add(methodBlock(block))
	}
	return p
}

// methods refers to the page of the methods.
func (p *Page) methods() {
	p.heading(2, "How are the numbers computed?")
	p.say("The page of methods lists for each quantity the estimator, the interval, the assumptions and the reference. This command writes it: sandtable methods --report methods.html")
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
		return Paragraph{Text: unmarked(text)}
	}
	t := Table{Columns: methodCells(lines[0])}
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
