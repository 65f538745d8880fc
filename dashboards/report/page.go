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
	// Leisure marks the heading of what a terminal does without.
	Leisure bool
}

// A Paragraph is a sentence or more.
type Paragraph struct {
	Text string
	// Leisure marks what explains: a terminal does without it.
	Leisure bool
}

// A Table has a row of names of its columns, the first of which names the rows.
type Table struct {
	Columns []string
	Rows    [][]string // may be shorter than Columns; empty ones part groups of rows
	Caption string     // what it says and does not say; for leisure
}

// A Figure is a drawing. Its numbers are those of the Table, with whose caption it is
// told.
type Figure struct {
	Draw  func(io.Writer) error // SVG
	Table Table
	// Known says that the page shows the numbers elsewhere, so that Markdown leaves the table out.
	Known bool
}

func (p *Page) heading(level int, text string) { p.add(Heading{Level: level, Text: text}) }

func (p *Page) say(text string) { p.add(Paragraph{Text: text}) }

func (p *Page) explain(text string) { p.add(Paragraph{Text: text, Leisure: true}) }

func (p *Page) add(b Block) { p.Blocks = append(p.Blocks, b) }
