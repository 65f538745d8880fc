package shape

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
)

const newline = "\n"

// AppendSVG appends the picture as an SVG file.
func (p *Picture) AppendSVG(dst []byte) []byte {
	dst = fmt.Appendf(dst, `<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %s %s" role="img"`+
		` font-family="'DejaVu Sans', Verdana, Helvetica, Arial, sans-serif">`+"\n",
		Number(p.PixelWidth), Number(p.PixelHeight), Number(p.Width), Number(p.Height))
	dst = fmt.Appendf(dst, "<title>%s</title>\n<defs>\n", escape(p.Title))
	for _, pattern := range p.Patterns {
		dst = fmt.Appendf(dst, `<pattern id="%s" width="%[2]s" height="%[2]s" patternUnits="userSpaceOnUse">`, pattern.ID, Number(pattern.Side))
		dst = appendAll(dst, pattern.Shapes, "")
		dst = append(dst, "</pattern>\n"...)
	}
	dst = append(dst, "</defs>\n"...)
	dst = appendAll(dst, p.Shapes, newline)
	return append(dst, "</svg>\n"...)
}

// appendAll appends shapes, each followed by end.
func appendAll(dst []byte, shapes []Shape, end string) []byte {
	for _, s := range shapes {
		dst = s.appendSVG(dst, end)
	}
	return dst
}

func (s Path) appendSVG(dst []byte, end string) []byte {
	dst = fmt.Appendf(dst, `<path d="%s"`, s.D)
	return append(s.Paint.append(dst), "/>"+end...)
}

func (s Rect) appendSVG(dst []byte, end string) []byte {
	dst = append(dst, "<rect"...)
	for _, a := range [...]Property{{Name: "x", Number: s.X}, {Name: "y", Number: s.Y}, {Name: "width", Number: s.Width},
		{Name: "height", Number: s.Height}, {Name: "rx", Number: s.Radius}} {
		dst = a.appendUnlessZero(dst)
	}
	return append(s.Paint.append(dst), "/>"+end...)
}

func (s Circle) appendSVG(dst []byte, end string) []byte {
	dst = append(dst, "<circle"...)
	for _, a := range [...]Property{{Name: "cx", Number: s.X}, {Name: "cy", Number: s.Y}, {Name: "r", Number: s.Radius}} {
		dst = a.appendUnlessZero(dst)
	}
	return append(s.Paint.append(dst), "/>"+end...)
}

func (s Text) appendSVG(dst []byte, end string) []byte {
	dst = fmt.Appendf(dst, `<text x="%s" y="%s"`, Number(s.X), Number(s.Y))
	return fmt.Appendf(s.Paint.append(dst), ">%s</text>%s", escape(s.Content), end)
}

func (s Group) appendSVG(dst []byte, end string) []byte {
	dst = append(dst, "<g"...)
	if at := s.Place; at != nil {
		dst = fmt.Appendf(dst, ` transform="translate(%s %s) `, Number(at.X), Number(at.Y))
		if at.Scale != 0 {
			dst = fmt.Appendf(dst, `scale(%s)"`, Number(at.Scale))
		} else {
			dst = fmt.Appendf(dst, `rotate(%d)"`, at.Degrees)
		}
	}
	within := end
	if s.Inline {
		within = ""
	}
	dst = append(s.Paint.append(dst), ">"+within...)
	return append(appendAll(dst, s.Shapes, within), "</g>"+end...)
}

func (p Paint) append(dst []byte) []byte {
	for _, property := range p {
		dst = property.append(dst)
	}
	return dst
}

func (p Property) append(dst []byte) []byte {
	text := p.Text
	if text == "" {
		text = Number(p.Number)
	}
	return fmt.Appendf(dst, ` %s="%s"`, p.Name, text)
}

func (p Property) appendUnlessZero(dst []byte) []byte {
	if Round(p.Number) == 0 {
		return dst
	}
	return p.append(dst)
}

// Round rounds a length to two decimals. Adding 0 turns −0 into 0.
func Round(x float64) float64 { return math.Round(x*100)/100 + 0 }

// Number formats a length with at most two decimals.
func Number(x float64) string { return strconv.FormatFloat(Round(x), 'f', -1, 64) }

func escape(text string) string {
	var out bytes.Buffer
	if err := xml.EscapeText(&out, []byte(text)); err != nil {
		panic(fmt.Sprintf("writing to memory failed: %v", err))
	}
	return out.String()
}
