package report

import "io"

// A Page is a document.
type Page struct {
	Title  string
	Blocks []Block
}

// A Block is a part of a page: a [Heading], [Paragraph], [Table] or [Figure].
type Block interface {
	html(w *html) error
	markdown(w *lines)
	text(w *lines)
}

// A Heading begins a section; Level is 2 or 3, the title being 1.
type Heading struct {
	Level int
	Text  string
	// Leisure marks headings that Text omits.
	Leisure bool
}

// A Paragraph is one or more sentences.
type Paragraph struct {
	Text string
	// Leisure marks explanations, which Text omits.
	Leisure bool
}

// A Table has named columns, the first of which names the rows.
type Table struct {
	Columns []string
	Rows    [][]string // may be shorter than Columns; an empty row separates groups
	Caption string     // what the numbers show and do not show; Text omits it
	Leisure bool       // Text omits the table
}

// A Figure is a drawing with its numbers as a table. Text omits it.
type Figure struct {
	Draw  func(io.Writer) error // writes SVG
	Table Table                 // its caption is that of the figure
	// Known says that the page shows the numbers elsewhere, so that Markdown omits the
	// table.
	Known bool
}

func (p *Page) heading(level int, text string) { p.add(Heading{Level: level, Text: text}) }

func (p *Page) say(text string) { p.add(Paragraph{Text: text}) }

func (p *Page) explain(text string) { p.add(Paragraph{Text: text, Leisure: true}) }

func (p *Page) add(b Block) { p.Blocks = append(p.Blocks, b) }
