package report

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"strings"
)

// html collects the text of a page.
type html struct{ bytes.Buffer }

// style works on screen and on paper, and does not depend on colour.
const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#111;background:#fff}
p{overflow-wrap:anywhere}h1{font-size:1.7rem}h2{border-bottom:2px solid #111;margin-top:2.5rem}h3{margin-top:1.8rem}
table{border-collapse:collapse;font-size:.85rem;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:.15rem .7rem .15rem 0;border-bottom:1px solid #ccc;vertical-align:top}td span{white-space:nowrap}
div.wide{overflow-x:auto}p.caption,figcaption{font-size:.9rem;color:#333}
figure{margin:1.5rem 0;break-inside:avoid}figure svg{max-width:100%;height:auto}
svg text{font-family:"Liberation Sans",Arial,Helvetica,sans-serif!important}
summary{cursor:pointer;font-size:.9rem}tr,h2,h3{break-inside:avoid}
@page{margin:12mm}
@media print{body{max-width:none;margin:0;padding:0;font-size:10pt}h1,h2,h3{break-after:avoid}details{display:none}
div.wide{overflow:visible}table{font-size:7.5pt}p.caption,figcaption{font-size:9pt}td,th{padding-right:.4rem}td span{white-space:normal}}`

// HTML writes the page as one file that loads no other.
func (p *Page) HTML(out io.Writer) error {
	w := new(html)
	title := escaped(p.Title)
	fmt.Fprintf(w, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"+
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>%s</title>\n<style>\n%s\n</style>\n</head>\n<body>\n<h1>%s</h1>\n",
		title, style, title)
	for _, b := range p.Blocks {
		if err := b.html(w); err != nil {
			return err
		}
	}
	w.WriteString("</body>\n</html>\n")
	_, err := out.Write(w.Bytes())
	return err
}

func escaped(text string) string { return template.HTMLEscapeString(text) }

func (h Heading) html(w *html) error {
	fmt.Fprintf(w, "<h%d>%s</h%d>\n", h.Level, escaped(h.Text), h.Level)
	return nil
}

func (p Paragraph) html(w *html) error {
	fmt.Fprintf(w, "<p>%s</p>\n", escaped(p.Text))
	return nil
}

func (t Table) html(w *html) error {
	t.grid(w)
	if t.Caption != "" {
		fmt.Fprintf(w, "<p class=\"caption\">%s</p>\n", escaped(t.Caption))
	}
	return nil
}

// grid writes the table without its caption.
func (t Table) grid(w *html) {
	w.WriteString("<div class=\"wide\"><table>\n<thead><tr>") // repeated on each printed page
	for _, name := range t.Columns {
		fmt.Fprintf(w, "<th scope=\"col\">%s</th>", escaped(name))
	}
	w.WriteString("</tr></thead>\n<tbody>\n")
	for _, cells := range t.Rows {
		w.WriteString("<tr>")
		for i := range t.Columns {
			cell := ""
			if i < len(cells) {
				cell = cells[i]
			}
			at := len(cell)
			if strings.HasSuffix(cell, ")") {
				at = max(0, strings.LastIndex(cell, "("))
			}
			// The span keeps an interval on one line.
			fmt.Fprintf(w, "<td>%s<span>%s</span></td>", escaped(cell[:at]), escaped(cell[at:]))
		}
		w.WriteString("</tr>\n")
	}
	w.WriteString("</tbody></table></div>\n")
}

func (f Figure) html(w *html) error {
	var svg bytes.Buffer
	if err := f.Draw(&svg); err != nil {
		return fmt.Errorf("figure: %w", err)
	}
	// The text before the element is only for separate files.
	drawing := svg.String()
	if i := strings.Index(drawing, "<svg"); i > 0 {
		drawing = drawing[i:]
	}
	fmt.Fprintf(w, "<figure>\n%s\n<figcaption>%s</figcaption>\n", drawing, escaped(f.Table.Caption))
	if !f.Known {
		w.WriteString("<details><summary>numbers</summary>\n")
		f.Table.grid(w)
		w.WriteString("</details>\n")
	}
	w.WriteString("</figure>\n")
	return nil
}
