package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Markdown writes the page as Markdown, with tables in place of figures.
func (p *Page) Markdown(out io.Writer) error {
	w := new(lines)
	fmt.Fprintf(w, "# %s\n", marked(p.Title))
	p.firstMarkdown(w)
	for _, b := range p.Blocks {
		b.markdown(w)
	}
	_, err := io.WriteString(out, w.String())
	return err
}

// escapes are texts and what stands for them in Markdown.
var escapes = [...]string{`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "<", "&lt;", "`", "\\`"} // constant

// marked escapes text for Markdown, and unmarked reads it.
func marked(text string) string {
	return strings.NewReplacer(append(escapes[:], "\n", " ")...).Replace(text)
}

func unmarked(text string) string {
	back := slices.Clone(escapes[:])
	slices.Reverse(back)
	return strings.NewReplacer(back...).Replace(text)
}

func (h Heading) markdown(w *lines) {
	fmt.Fprintf(w, "\n%s %s\n", strings.Repeat("#", h.Level), marked(h.Text))
}

func (p Paragraph) markdown(w *lines) { fmt.Fprintf(w, "\n%s\n", marked(p.Text)) }

func (t Table) markdown(w *lines) {
	w.WriteByte('\n')
	row := func(cells []string) {
		for i := range t.Columns {
			cell := ""
			if i < len(cells) {
				cell = cells[i]
			}
			fmt.Fprintf(w, "| %s ", marked(cell))
		}
		w.WriteString("|\n")
	}
	row(t.Columns)
	w.WriteString(strings.Repeat("| --- ", len(t.Columns)) + "|\n")
	for _, cells := range t.Rows {
		if len(cells) > 0 {
			row(cells)
		}
	}
	if t.Caption != "" {
		fmt.Fprintf(w, "\n%s\n", marked(t.Caption))
	}
}

func (f Figure) markdown(w *lines) {
	if !f.Known {
		f.Table.markdown(w)
	}
}
