package games

import (
	"embed"
	"fmt"
	"strings"

	"github.com/sandtable-farm/sandtable/env/variant"
)

// A Guide explains how to play a game with its default rules: paragraphs of text, and
// examples between them.
type Guide struct {
	Parts []GuidePart
}

// A GuidePart is a paragraph, or an example if Example is not nil.
type GuidePart struct {
	Text    string
	Example *Example
}

// An Example is a picture of a guide: a move in a position.
type Example struct {
	Name     string   // of the picture, unique in its guide
	Caption  string   // names moves in backquotes
	Variant  string   // variant string
	Position string   // position text before the move; empty for the start
	Move     string   // move text of the move that the picture shows
	Also     []string // other legal moves that the caption names
	Barred   []string // moves that the caption names as not legal
	Takes    string   // squares of the captured or destroyed pieces, in order
	Ends     string   // how the game ends with the move, empty if it continues
}

//go:embed guide/*.md
var guideFiles embed.FS

// GuideOf returns the guide of a game. A line [NAME] in the file of the game stands for
// the example of that name.
func GuideOf(engine variant.Engine) (*Guide, error) {
	text, err := guideFiles.ReadFile("guide/" + engine.Name + ".md")
	if err != nil {
		return nil, fmt.Errorf("guide of %s: %w", engine.Name, err)
	}
	var g Guide
	for paragraph := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n\n") {
		name, is := strings.CutPrefix(paragraph, "[")
		if !is {
			g.Parts = append(g.Parts, GuidePart{Text: paragraph})
			continue
		}
		example, err := exampleNamed(engine.Name, strings.TrimSuffix(name, "]"))
		if err != nil {
			return nil, err
		}
		g.Parts = append(g.Parts, GuidePart{Example: example})
	}
	return &g, nil
}

func exampleNamed(game, name string) (*Example, error) {
	for _, e := range examples(game) {
		if e.Name == name {
			return &e, nil
		}
	}
	return nil, fmt.Errorf("guide of %s: example %s is unknown", game, name)
}

// picturePath is the place of an example's picture, relative to the page of its game.
func (e *Example) picturePath() string { return "pictures/" + e.Name + ".svg" }
