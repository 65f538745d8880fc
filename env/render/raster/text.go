package raster

import (
	"fmt"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

type fonts struct {
	regular, bold *sfnt.Font
	buffer        sfnt.Buffer
}

func loadFonts() (*fonts, error) {
	regular, err := sfnt.Parse(goregular.TTF)
	if err != nil {
		return nil, fmt.Errorf("font: %w", err)
	}
	bold, err := sfnt.Parse(gobold.TTF)
	if err != nil {
		return nil, fmt.Errorf("font: %w", err)
	}
	return &fonts{regular: regular, bold: bold}, nil
}

// outlines draws the outlines of a text that begins at from, or whose middle is there,
// on its base line.
func (f *fonts) outlines(n *pen, text string, from point, size float64, bold, middle bool) error {
	face := f.regular
	if bold {
		face = f.bold
	}
	// Outlines are loaded in font units and scaled afterwards, so that their
	// coordinates are exact.
	em := fixed.I(int(face.UnitsPerEm()))
	scale := size / float64(em)
	width := 0.0
	var glyphs []sfnt.GlyphIndex
	for _, r := range text {
		glyph, err := face.GlyphIndex(&f.buffer, r)
		if err != nil {
			return fmt.Errorf("letter %q: %w", r, err)
		}
		advance, err := face.GlyphAdvance(&f.buffer, glyph, em, font.HintingNone)
		if err != nil {
			return fmt.Errorf("letter %q: %w", r, err)
		}
		glyphs, width = append(glyphs, glyph), width+float64(advance)*scale
	}
	if middle {
		from.x -= width / 2
	}
	for _, glyph := range glyphs {
		segments, err := face.LoadGlyph(&f.buffer, glyph, em, nil)
		if err != nil {
			return fmt.Errorf("text %q: %w", text, err)
		}
		drawGlyph(n, segments, from, scale)
		advance, err := face.GlyphAdvance(&f.buffer, glyph, em, font.HintingNone)
		if err != nil {
			return fmt.Errorf("text %q: %w", text, err)
		}
		from.x += float64(advance) * scale
	}
	return nil
}

// drawGlyph draws the outline of a letter. TrueType outlines have no cubic curves.
func drawGlyph(n *pen, segments sfnt.Segments, from point, scale float64) {
	at := func(p fixed.Point26_6) point { return point{from.x + float64(p.X)*scale, from.y + float64(p.Y)*scale} }
	for i, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if i > 0 {
				n.close()
			}
			n.moveTo(at(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			n.lineTo(at(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			n.quadTo(at(s.Args[0]), at(s.Args[1]))
		}
	}
	if len(segments) > 0 {
		n.close()
	}
}
