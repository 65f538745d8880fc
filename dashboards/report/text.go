package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// lines collects text.
type lines struct{ strings.Builder }

// Text writes the page for a terminal.
func (p *Page) Text(out io.Writer) error {
	w := new(lines)
	fmt.Fprintln(w, p.Title)
	for _, b := range p.Blocks {
		b.text(w)
	}
	_, err := io.WriteString(out, w.String())
	return err
}

func (h Heading) text(w *lines) {
	if h.Leisure {
		return
	}
	text := h.Text
	if h.Level == 2 {
		text = strings.ToUpper(text)
	}
	fmt.Fprintf(w, "\n%s\n", text)
}

func (p Paragraph) text(w *lines) {
	if !p.Leisure {
		fmt.Fprintln(w, p.Text)
	}
}

func (t Table) text(w *lines) {
	if t.Leisure {
		return
	}
	w.WriteByte('\n')
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{t.Columns}, t.Rows...) {
		fmt.Fprintln(table, strings.TrimRight(strings.Join(row, "\t"), "\t"))
	}
	_ = table.Flush() // writing to lines does not fail
}

func (Figure) text(*lines) {}
