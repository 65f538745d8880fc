package envtest

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
)

const (
	playthroughSeed  = 20130401
	playthroughPlies = 60 // written in full; the rest of the game as moves only
)

// Playthrough compares the transcript of a seeded random game of the variant with the
// golden file dir/PRESET.txt.
func Playthrough(t *testing.T, v *variant.Variant, dir string) {
	Golden(t, playthroughFile(v, dir), Transcript(v))
}

func playthroughFile(v *variant.Variant, dir string) string {
	_, preset, _ := strings.Cut(v.Name, "/")
	return filepath.Join(dir, filepath.FromSlash(preset)+".txt")
}

// strays reports files under dir that are not the playthrough of a variant.
func strays(t *testing.T, variants []*variant.Variant, dir string) {
	known := map[string]bool{}
	for _, v := range variants {
		known[playthroughFile(v, dir)] = true
	}
	err := filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && !known[file] {
			t.Errorf("%s does not belong to a preset", file)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// Transcript returns the facts of a variant and one seeded random game as text.
func Transcript(v *variant.Variant) []byte {
	w := &writer{spec: v.Game.Spec()}
	w.facts(v)
	w.game(env.NewState(v.Game))
	return w.out.Bytes()
}

type writer struct {
	out     bytes.Buffer
	spec    *env.Spec
	squares []string // names, by number
}

func (w *writer) line(format string, args ...any) { fmt.Fprintf(&w.out, format+"\n", args...) }

func (w *writer) facts(v *variant.Variant) {
	spec := w.spec
	w.line("variant: %s", v.Name)
	w.line("digest: %s", v.Digest)
	w.line("description: %s", spec.Description)
	w.line("source: %s", spec.Source)
	w.line("version: %d", spec.Version)
	w.line("players: %s, %s", spec.Players[0], spec.Players[1])
	w.line("board: %d×%d", spec.Width, spec.Height)
	w.line("actions: %d in %d planes, at most %d legal", spec.Actions, len(spec.ActionPlanes), spec.MaxLegal)
	w.line("planes:")
	for i, p := range spec.Planes {
		w.line("  %d %s, 0 to %d: %s", i, p.Name, p.Max, p.Description)
	}
	w.line("pieces:")
	for _, p := range spec.Pieces {
		attributes := ""
		for _, a := range p.Attributes {
			attributes += fmt.Sprintf(", %s %d", a.Name, a.Value)
		}
		w.line("  %s %s: %d and %d%s", p.Symbol, p.Name, p.Count[0], p.Count[1], attributes)
	}
	w.line("ends:")
	for _, e := range spec.Ends {
		house := ""
		if e.HouseRule {
			house = " (house rule)"
		}
		w.line("  %v%s: %s", e.Reason, house, e.Description)
	}
	if len(spec.Features) > 0 {
		w.line("features: %s", strings.Join(spec.Features, ", "))
	}
}

// names fills in what the squares are called: by their labels where the game
// draws houses.
func (w *writer) names(s env.State) {
	var d env.Diagram
	if drawer, ok := s.(env.Diagrammer); ok {
		drawer.Diagram(&d)
	}
	for i := range w.spec.Width * w.spec.Height {
		name := string(env.AppendSquare(nil, i, w.spec.Width))
		if i < len(d.Cells) && !d.Squares {
			name = d.Cells[i].Label
		}
		w.squares = append(w.squares, name)
	}
}

func (w *writer) game(s env.State) {
	w.names(s)
	r := env.NewRand(playthroughSeed)
	for ply := 0; ; ply++ {
		legal := s.Legal(nil)
		full := ply < playthroughPlies || len(legal) == 0
		if ply == playthroughPlies && len(legal) > 0 {
			w.line("\n# the rest of the game by its moves")
		}
		if full {
			w.position(s, ply, legal)
		}
		if len(legal) == 0 || ply == plyLimit {
			break
		}
		a := legal[r.IntN(len(legal))]
		if full {
			w.line("played: %d %s", a, env.ActionText(s, a))
		} else {
			w.line("%d %s", a, env.ActionText(s, a))
		}
		w.play(s, a, full)
	}
	result, reason := s.Result()
	w.line("result: %+d for %s, %+d for %s", result.For(env.First), w.spec.Players[0], result.For(env.Second), w.spec.Players[1])
	w.line("reason: %v", reason)
}

func (w *writer) position(s env.State, ply int, legal []env.Action) {
	w.line("\n# ply %d", ply)
	w.line("position: %s", env.PositionText(s))
	if p := s.Player(); p != env.NoPlayer {
		w.line("to move: %s", w.spec.Players[p])
	}
	w.line("hash: %016x", s.Hash())
	w.line("seen: %s %s", w.digest(s, env.First), w.digest(s, env.Second))
	if scorer, ok := s.(env.Scorer); ok {
		w.line("points: %d %d", scorer.Points(env.First), scorer.Points(env.Second))
	}
	if noisy, ok := s.(env.Noisy); ok {
		w.line("noisy: %d", len(noisy.Noisy(nil)))
	}
	if f, ok := s.(env.Features); ok {
		values := make([]int32, len(w.spec.Features))
		f.Features(values, env.First)
		w.line("features: %v", values)
	}
	if len(legal) > 0 {
		w.line("legal: %d:%s", len(legal), w.list(s, legal))
	}
}

// list returns actions with their texts. For a long list it returns some, and the
// beginning of the SHA-256 of all.
func (w *writer) list(s env.State, legal []env.Action) string {
	const many, some = 200, 12
	texts := func(actions []env.Action) string {
		var text strings.Builder
		for _, a := range actions {
			fmt.Fprintf(&text, " %d=%s", a, env.ActionText(s, a))
		}
		return text.String()
	}
	if len(legal) <= many {
		return texts(legal)
	}
	all := sha256.Sum256([]byte(texts(legal)))
	return fmt.Sprintf("%s, all %x", texts(spread(legal, some)), all[:8])
}

// digest is the beginning of the SHA-256 of an observation.
func (w *writer) digest(s env.State, viewer env.Player) string {
	planes := make([]uint8, w.spec.ObservationSize())
	s.Observe(planes, viewer)
	return fmt.Sprintf("%x", sha256.Sum256(planes))[:16]
}

func (w *writer) play(s env.State, a env.Action, full bool) {
	tracer, ok := s.(env.Tracer)
	if !ok || !full {
		s.Apply(a)
		return
	}
	for _, e := range tracer.Trace(a, nil) {
		w.line("  %s", w.event(e))
	}
}

// event returns an event as text.
func (w *writer) event(e env.Event) string {
	text := e.Kind.String()
	if e.Piece != env.None {
		text += fmt.Sprintf(" %s #%d", w.spec.Pieces[e.Piece].Symbol, e.PieceID)
	}
	if e.From != env.None {
		text += " from " + w.squares[e.From]
	}
	if e.To != env.None {
		text += " to " + w.squares[e.To]
	}
	if e.Victim != env.None {
		text += fmt.Sprintf(" victim %s #%d", w.spec.Pieces[e.Victim].Symbol, e.VictimID)
	}
	if e.Face != env.NoFace {
		text += fmt.Sprintf(" face %d", e.Face)
	}
	return text + fmt.Sprintf(" count %d", e.Count)
}
