package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// textWidth is the width of explanations, in characters.
const textWidth = 80

// writeHowToPlay explains a variant: the guide of its game, then its pieces, its ends and
// the parameters that differ from the default preset.
func writeHowToPlay(to io.Writer, v *variant.Variant) error {
	spec := v.Game.Spec()
	engines := games.Engines()
	engine := engines[slices.IndexFunc(engines, func(e variant.Engine) bool { return e.Name == spec.Game })]
	guide, err := games.GuideOf(engine)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(to)
	fmt.Fprintf(out, "How to play %s\n", engine.Title)
	for _, part := range guide.Parts {
		if e := part.Example; e != nil {
			caption := "Example. "
			if e.Position != "" {
				caption = fmt.Sprintf("Example, from the position %s. ", e.Position)
			}
			writeWrapped(out, "\n", "  ", caption+strings.ReplaceAll(e.Caption, "`", ""))
		} else {
			writeWrapped(out, "\n", "", part.Text)
		}
	}
	fmt.Fprintf(out, "\nPieces of %s\n", v.Name)
	for _, piece := range spec.Pieces {
		writeWrapped(out, "", "  ", games.PieceLine(spec, piece))
	}
	fmt.Fprintf(out, "\nEnds of %s\n", v.Name)
	for _, end := range spec.Ends {
		writeWrapped(out, "", "  ", fmt.Sprintf("%s (%s): %s.", end.Reason, games.HouseRule(end), end.Description))
	}
	standard, err := games.Lookup(engine.PresetNames()[0])
	if err != nil {
		return err
	}
	if differences := variant.Differences(standard, v); len(differences) > 0 {
		writeWrapped(out, "\n", "", fmt.Sprintf("The text above the pieces describes %s. %s differs in", standard.Name, v.Name))
		for _, d := range differences {
			writeWrapped(out, "", "  ", d.Field)
		}
	}
	return out.Flush()
}

// writeWrapped writes a paragraph in lines of at most textWidth characters. It writes
// before first and starts each line with an indent, which is deeper after the first one.
func writeWrapped(out io.Writer, before, indent, text string) {
	line := indent
	fmt.Fprint(out, before)
	for i, word := range strings.Fields(text) {
		if i > 0 && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > textWidth {
			fmt.Fprintln(out, line)
			line = indent + indent
		} else if i > 0 {
			line += " "
		}
		line += word
	}
	fmt.Fprintln(out, line)
}
