package report

import (
	"io"

	"github.com/sandtable-farm/sandtable/dashboards/plot"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// A Page is a document that answers first: its first screen needs no statistics, and the
// blocks have the details.
type Page struct {
	Title  string
	First  First
	Blocks []Block
	Open   bool // HTML does not fold the blocks
}

// A Block is a part of a page: a [Heading], [Paragraph], [Table] or [Figure].
type Block interface {
	html(w *html) error
	markdown(w *lines)
	text(w *lines)
}

// A Heading begins a section; Level is 2 or 3, the title being 1. A heading of level 2 is a
// question, and HTML folds the blocks that answer it.
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

// section begins a section with its answer.
func (p *Page) section(title, answer string) {
	p.heading(2, title)
	p.say(answer)
}

// sure says how sure the numbers of a page are, and what its lights mean.
func (p *Page) sure() {
	p.heading(2, "How sure is this?")
	p.say("Each number is an estimate. The two numbers in brackets after it are the bounds between which the true number probably lies: about 19 of 20 such pairs of bounds contain it, and one misses it. " +
		"“Too few games to tell” means that these bounds allow both answers; more games bring them closer. n is the number of observations, such as games. " +
		"The advised number of games finds a difference that matters in four of five cases.")
	p.add(Table{Columns: []string{"light", "good", "bad"}, Rows: lightBounds(), Caption: "A light is “unclear” (○) if the bounds allow both good and bad, and “check this” (▲) otherwise."})
}

func (p *Page) say(text string) { p.add(Paragraph{Text: text}) }

func (p *Page) explain(text string) { p.add(Paragraph{Text: text, Leisure: true}) }

// draw adds a figure whose numbers the page shows elsewhere.
func (p *Page) draw(caption string, draw func(io.Writer) error) {
	p.add(Figure{Draw: draw, Table: Table{Caption: caption}, Known: true})
}

// estimates draws estimates, if there are any, with a line at mark.
func (p *Page) estimates(title, axis string, mark float64, list []plot.Estimate, caption string) {
	if len(list) > 0 {
		p.draw(caption, func(w io.Writer) error { return plot.Estimates(w, title, axis, mark, list) })
	}
}

// nearScores draws scores, if there are any, around ½.
func (p *Page) nearScores(title string, list []plot.Estimate, caption string) {
	if len(list) > 0 {
		p.draw(caption, func(w io.Writer) error { return plot.NearScores(w, title, list) })
	}
}

// A curves is an unfinished figure of curves.
type curves struct {
	title, x, y string
	columns     []string
	list        []plot.Curve
	rows        [][]string
}

// begin begins a curve.
func (c *curves) begin(name string) { c.list = append(c.list, plot.Curve{Name: name}) }

// point adds a point to the last curve, and a row of cells and its n.
func (c *curves) point(x int, share stats.Interval, cells ...string) {
	of := &c.list[len(c.list)-1]
	of.Points = append(of.Points, plot.CurvePoint{X: float64(x), Interval: share})
	c.rows = append(c.rows, append(cells, Count(share.N)))
}

// curves adds a figure of curves, if there are any.
func (p *Page) curves(c *curves, caption string) {
	if len(c.list) > 0 {
		p.add(Figure{
			Draw:  func(w io.Writer) error { return plot.Shares(w, c.title, c.x, c.y, c.list) },
			Table: Table{Columns: c.columns, Rows: c.rows, Caption: caption},
		})
	}
}

func (p *Page) add(b Block) { p.Blocks = append(p.Blocks, b) }
