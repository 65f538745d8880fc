package games_test

import (
	"bytes"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/render"
)

// eachExample calls do with every example of every guide, its state before the move.
func eachExample(t *testing.T, do func(t *testing.T, game string, e *games.Example, s env.State)) {
	for _, engine := range games.Engines() {
		guide, err := games.GuideOf(engine)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range guide.Parts {
			if part.Example == nil {
				continue
			}
			t.Run(engine.Name+"/"+part.Example.Name, func(t *testing.T) {
				v, err := games.Lookup(part.Example.Variant)
				if err != nil {
					t.Fatal(err)
				}
				s := env.NewState(v.Game)
				if part.Example.Position != "" {
					if err := s.SetPosition(part.Example.Position); err != nil {
						t.Fatal(err)
					}
				}
				do(t, engine.Name, part.Example, s)
			})
		}
	}
}

func legal(s env.State, text string) bool {
	return slices.ContainsFunc(s.Legal(nil), func(a env.Action) bool { return env.ActionText(s, a) == text })
}

// status is the first line of a state's caption, the side to move or how the game ended.
func status(s env.State) string {
	var d env.Diagram
	s.(env.Diagrammer).Diagram(&d)
	return d.Caption[0]
}

// The moves that a guide names are legal or not, and do what the guide says.
func TestMovesInTheGuidesAreAsTheGuidesSay(t *testing.T) {
	quoted := regexp.MustCompile("`([^`]+)`")
	eachExample(t, func(t *testing.T, _ string, e *games.Example, s env.State) {
		may := append([]string{e.Move}, e.Also...)
		for _, move := range may {
			if !legal(s, move) {
				t.Errorf("%s is not legal", move)
			}
		}
		for _, move := range e.Barred {
			if legal(s, move) {
				t.Errorf("%s is legal", move)
			}
		}
		var named []string
		for _, m := range quoted.FindAllStringSubmatch(e.Caption, -1) {
			named = append(named, m[1])
		}
		want := append(may, e.Barred...)
		slices.Sort(named)
		slices.Sort(want)
		if !slices.Equal(named, want) {
			t.Errorf("the caption names %v, the example holds %v", named, want)
		}
		action, err := s.ParseAction(e.Move)
		if err != nil {
			t.Fatal(err)
		}
		var d env.Diagram
		s.(env.Diagrammer).Diagram(&d)
		var takes []string
		for _, event := range s.(env.Tracer).Trace(action, nil) {
			if event.Kind != env.Captured && event.Kind != env.Destroyed {
				continue
			}
			if cell := d.Cells[event.To]; d.Squares {
				takes = append(takes, string(env.AppendSquare(nil, int(event.To), d.Width)))
			} else {
				takes = append(takes, cell.Label)
			}
		}
		if got := strings.Join(takes, " "); got != e.Takes {
			t.Errorf("%s takes %q, want %q", e.Move, got, e.Takes)
		}
		if got := status(s); e.Ends != "" && got != e.Ends || e.Ends == "" && !strings.HasSuffix(got, " to move") {
			t.Errorf("after %s: %s, want %q", e.Move, got, e.Ends)
		}
	})
}

func TestPicturesOfTheGuidesAreUpToDate(t *testing.T) {
	eachExample(t, func(t *testing.T, game string, e *games.Example, s env.State) {
		action, err := s.ParseAction(e.Move)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		o := render.Options{Width: 420, Theme: render.Colour}
		o.Play(s, action)
		if err := render.SVG(&out, s, o); err != nil {
			t.Fatal(err)
		}
		golden(t, filepath.Join("..", game, "pictures", e.Name+".svg"), out.String())
	})
}

func TestGuidesAreShort(t *testing.T) {
	for _, engine := range games.Engines() {
		guide, err := games.GuideOf(engine)
		if err != nil {
			t.Fatal(err)
		}
		words, pictures := 0, 0
		for _, part := range guide.Parts {
			words += len(strings.Fields(part.Text))
			if part.Example != nil {
				pictures++
			}
		}
		if words < 150 || words > 250 || pictures < 2 || pictures > 3 {
			t.Errorf("%s: %d words and %d pictures, want 150 to 250 words and 2 or 3 pictures", engine.Name, words, pictures)
		}
	}
}

// A line explains each piece, of custom rules too.
func TestPiecesAreExplained(t *testing.T) {
	for _, c := range []struct{ variant, piece, want string }{
		{"trench/standard", "G", "General (G): moves 1 to 5 squares in all directions, 5 points when captured."},
		{"trench/standard", "L", "Colonel (L): moves 1 to 4 squares in all directions except SW, 4 points when captured."},
		{"trench/standard", "P", "Soldier (P): moves 1 square N, E, S or W, 1 point when captured."},
		{"tankchess/20x20", "HM", "Heavy Mortar (HM): 3 steps per move, armour 1 in front, 0 at the side, 0 at the rear, fires ahead over anything at 3 to 5 squares with power 5, worth 3."},
		{`tankchess/16x16{"pieces":{"LT":{"speed":7,"gun":{"arcs":[4],"least":1}}}}`, "LT",
			"Light Tank (LT): 7 steps per move, armour 1 in front, 0 at the side, 0 at the rear, fires back at 1 squares or more with power 1, worth 1."},
		{"tankbattle/standard", "C", "Commander (C): moves 1 to 10 squares in all directions, may enter contaminated squares, " +
			"3 points on the start square of the enemy commander, 2 in the enemy base, 1 elsewhere."},
	} {
		v, err := games.Lookup(c.variant)
		if err != nil {
			t.Fatal(err)
		}
		spec := v.Game.Spec()
		i, err := spec.PieceType(c.piece)
		if err != nil {
			t.Fatal(err)
		}
		if got := games.PieceLine(spec, spec.Pieces[i]); got != c.want {
			t.Errorf("%s: got  %s\nwant %s", c.variant, got, c.want)
		}
	}
}
