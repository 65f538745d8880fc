package report

import (
	"bytes"
	_ "embed" // for style.css
	"fmt"
	"html/template"
	"io"
	"regexp"
	"strings"
)

// html collects the text of a page.
type html struct{ bytes.Buffer }

// style works on phones, wide screens and paper, in light and dark, and does not depend on
// colour.
//
//go:embed style.css
var style string

// HTML writes the page as one file that loads no other. Its first screen is open, and the
// blocks are folded by question.
func (p *Page) HTML(out io.Writer) error {
	w := new(html)
	title := escaped(p.Title)
	fmt.Fprintf(w, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"+
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>%s</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>%s</h1>\n",
		title, style, title)
	if len(p.First.Answers) > 0 {
		if err := p.firstHTML(w); err != nil {
			return err
		}
	}
	folded := false
	unfold := func() {
		if folded {
			w.WriteString("</details>\n")
		}
	}
	for _, b := range p.Blocks {
		if h, ok := b.(Heading); ok && h.Level == 2 && !p.Open {
			if !folded {
				w.WriteString("<h2>Questions</h2>\n<p class=\"paper\">Folded answers are not printed.</p>\n")
			}
			unfold()
			folded = true
			fmt.Fprintf(w, "<details>\n<summary>%s</summary>\n", escaped(h.Text))
			continue
		}
		if err := b.html(w); err != nil {
			return err
		}
	}
	unfold()
	w.WriteString("</body>\n</html>\n")
	_, err := out.Write(w.Bytes())
	return err
}

func escaped(text string) string { return template.HTMLEscapeString(text) }

// prose escapes a text and keeps numbers and their unit on one line.
func prose(text string) string { return strings.ReplaceAll(escaped(text), " %", "\u00a0%") }

// unbroken escapes a command, whose lines break only at its spaces.
func unbroken(command string) string {
	return "<span>" + strings.Join(strings.Split(escaped(command), " "), "</span> <span>") + "</span>"
}

func (h Heading) html(w *html) error {
	fmt.Fprintf(w, "<h%d>%s</h%d>\n", h.Level, escaped(h.Text), h.Level)
	return nil
}

func (p Paragraph) html(w *html) error {
	fmt.Fprintf(w, "<p>%s</p>\n", prose(p.Text))
	return nil
}

func (t Table) html(w *html) error {
	t.grid(w)
	if t.Caption != "" {
		fmt.Fprintf(w, "<p class=\"caption\">%s</p>\n", prose(t.Caption))
	}
	return nil
}

// interval matches the end of a cell that holds an interval, which stays on one line.
var interval = regexp.MustCompile(`^(.*?)(\([^()]*\))$`)

// grid writes the table without its caption.
func (t Table) grid(w *html) {
	w.WriteString("<div class=\"wide\"><table>\n<thead><tr>") // repeated on each printed page
	class := make([]string, len(t.Columns))
	for i, name := range t.Columns {
		if t.numeric(i) {
			class[i] = ` class="number"`
		}
		fmt.Fprintf(w, "<th scope=\"col\"%s>%s</th>", class[i], escaped(name))
	}
	w.WriteString("</tr></thead>\n<tbody>\n")
	for _, cells := range t.Rows {
		w.WriteString("<tr>")
		for i := range t.Columns {
			cell, end := "", ""
			if i < len(cells) {
				cell = cells[i]
			}
			if parts := interval.FindStringSubmatch(cell); parts != nil {
				cell, end = parts[1], parts[2]
			}
			fmt.Fprintf(w, "<td%s>%s<span>%s</span></td>", class[i], prose(cell), prose(end))
		}
		w.WriteString("</tr>\n")
	}
	w.WriteString("</tbody></table></div>\n")
}

// numeric reports whether the cells of a column, but not of the first, begin with numbers.
func (t Table) numeric(column int) bool {
	some := false
	for _, cells := range t.Rows {
		if column >= len(cells) || cells[column] == "" || cells[column] == "-" {
			continue
		}
		if !strings.ContainsRune("0123456789+-−", []rune(cells[column])[0]) {
			return false
		}
		some = true
	}
	return some && column > 0
}

// figure begins a figure of a class with its drawing and its caption.
func (w *html) figure(class string, draw func(io.Writer) error, caption string) error {
	var svg bytes.Buffer
	if err := draw(&svg); err != nil {
		return fmt.Errorf("figure: %w", err)
	}
	// The text before the element is only for separate files.
	drawing := svg.String()
	if i := strings.Index(drawing, "<svg"); i > 0 {
		drawing = drawing[i:]
	}
	fmt.Fprintf(w, "<figure class=\"%s\">\n<div class=\"wide\">%s</div>\n<figcaption>%s</figcaption>\n", class, strings.TrimSpace(drawing), prose(caption))
	return nil
}

func (f Figure) html(w *html) error {
	if err := w.figure("plot", f.Draw, f.Table.Caption); err != nil {
		return err
	}
	if !f.Known {
		w.WriteString("<details><summary>numbers</summary>\n")
		f.Table.grid(w)
		w.WriteString("</details>\n")
	}
	w.WriteString("</figure>\n")
	return nil
}
