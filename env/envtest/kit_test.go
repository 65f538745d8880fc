package envtest_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
	"github.com/sandtable-farm/sandtable/env/envtest"
	"github.com/sandtable-farm/sandtable/env/variant"
)

func toyEngine() variant.Engine {
	return variant.Engine{
		Name: "skirmish", Title: "Skirmish", Version: 1, Default: "standard", Presets: presetsFS(),
		Rules: func() variant.RuleSet { return new(rules) },
		New:   newGame,
	}
}

func load(t *testing.T, name string) *variant.Variant {
	t.Helper()
	v, err := variant.Load([]variant.Engine{toyEngine()}, name, nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func flawed(flaw string) *game {
	r := &rules{NoProgress: 9}
	r.Name, r.Digest = "skirmish/standard", "sha256:5ca1ab1e"
	return skirmish(r, flaw)
}

func TestASoundGamePasses(t *testing.T) { envtest.Engine(t, toyEngine()) }

func TestEachFlawIsFound(t *testing.T) {
	flaws := []struct{ flaw, check string }{
		{"start text", "spec"},
		{"piece counts", "spec"},
		{"unsorted legal", "legal actions"},
		{"legal twice", "legal actions"},
		{"legal overwrites", "legal actions"},
		{"legal after the end", "legal actions"},
		{"max legal", "legal actions"},
		{"legal allocates", "allocations"},
		{"shared cells", "spec"},
		{"cells swapped", "action cells"},
		{"factors missing", "spec"},
		{"factors beyond the actions", "spec"},
		{"factor without squares", "spec"},
		{"slot plane out of range", "spec"},
		{"slot plane of the enemy", "action factors"},
		{"squares mirrored", "action factors"},
		{"result", "results"},
		{"an end left out", "results"},
		{"never ends", "random play ends"},
		{"reset", "reset"},
		{"shared history", "fresh states"},
		{"shared copies", "copies"},
		{"copy without history", "copies"},
		{"hidden luck", "same seed, same game"},
		{"action texts shared", "action texts"},
		{"parser panics", "damaged action texts"},
		{"loose positions", "damaged position texts"},
		{"position half set", "damaged position texts"},
		{"hash with history", "position texts"},
		{"hash collision", "hash"},
		{"hash with counters", "hash and counters"},
		{"observation not cleared", "observations"},
		{"observation above maximum", "observations"},
		{"side unseen", "observations decide legal actions"},
		{"enemy unseen", "observations decide legal actions"},
		{"quiet unseen", "observations show quiet plies"},
		{"repetition unseen", "observations show repetition"},
		{"uniform plane varies", "observations"},
		{"mask not cleared", "packed masks"},
		{"mask without the last action", "packed masks"},
		{"list beside a mask", "packed masks"},
		{"bits not cleared", "packed observations"},
		{"bits of the other side", "packed observations"},
		{"scalars swapped", "packed observations"},
		{"pieces by square", "pieces"},
		{"piece without a count", "pieces"},
		{"piece with a facing", "pieces"},
		{"a piece is not added", "piece sums"},
		{"another piece is removed", "removed pieces"},
		{"removal with history", "removed pieces"},
		{"removal ends the game", "removed pieces"},
		{"removal refused half done", "removed pieces"},
		{"removal of nothing", "removed pieces"},
		{"pieces in the mover's frame", "frames"},
		{"diagram without pieces", "diagram"},
		{"diagram grows", "diagram"},
		{"trace plays otherwise", "trace"},
		{"events left out", "trace"},
		{"a capture is quiet", "noisy actions"},
		{"feature left out", "features"},
		{"feature of one side", "features"},
		{"snapshot without history", "snapshots"},
		{"snapshot without checksum", "damaged snapshots"},
		{"snapshot without the number of keys", "damaged snapshots"},
		{"snapshot changes before it checks", "damaged snapshots"},
		{"symmetry", "symmetries"},
		{"sampler prefers", "sampler"},
	}
	for _, f := range flaws {
		if engine.Invariants && f.check == "allocations" {
			continue // the checks of that build allocate, so the kit does not count
		}
		t.Run(f.flaw, func(t *testing.T) {
			subject, err := envtest.NewSubject(flawed(f.flaw), "b2/3/2a a 0 0")
			if err != nil {
				t.Fatal(err)
			}
			for _, check := range envtest.Checks() {
				if check.Name == f.check {
					if err := check.Find(subject); err == nil {
						t.Errorf("the check %q does not find it", f.check)
					}
					return
				}
			}
			t.Fatalf("there is no check %q", f.check)
		})
	}
}

func TestAFlawlessGameHasNoneOfTheFlaws(t *testing.T) {
	subject, err := envtest.NewSubject(flawed(""), "b2/3/2a b 0 7")
	if err != nil {
		t.Fatal(err)
	}
	for _, check := range envtest.Checks() {
		if err := check.Find(subject); err != nil {
			t.Errorf("%s: %v", check.Name, err)
		}
	}
}

func TestAStartThatDoesNotParseIsNamed(t *testing.T) {
	if _, err := envtest.NewSubject(flawed(""), "nonsense"); err == nil || !strings.Contains(err.Error(), "start 1") {
		t.Errorf("error is %v", err)
	}
}

func TestForeignSnapshotsAreFound(t *testing.T) {
	read := func(flaw string) error {
		var list []*variant.Variant
		for _, digest := range []string{"sha256:5ca1ab1e", "sha256:0ddba115"} {
			r := &rules{NoProgress: 40}
			r.Digest = digest
			list = append(list, &variant.Variant{Name: digest, Digest: digest, Game: skirmish(r, flaw)})
		}
		return envtest.ForeignSnapshots(list)
	}
	if err := read(""); err != nil {
		t.Error(err)
	}
	if err := read("snapshot without digest"); err == nil {
		t.Error("a snapshot of other rules is read, and not found")
	}
}

func TestPerftCountsFinishedPositionsOnlyAtDepthZero(t *testing.T) {
	g := flawed("")
	s := env.NewState(g)
	if err := s.SetPosition("3/3/a2 b 0 9"); err != nil {
		t.Fatal(err)
	}
	for depth, want := range []uint64{1, 0, 0} {
		if got := env.Perft(g, s, depth); got != want {
			t.Errorf("perft %d of a finished position is %d, must be %d", depth, got, want)
		}
	}
}

func TestPerftSplitAddsUp(t *testing.T) {
	g := flawed("")
	s := env.NewState(g)
	var slow func(env.State, int) uint64
	slow = func(s env.State, depth int) uint64 {
		if depth == 0 {
			return 1
		}
		sum := uint64(0)
		for _, a := range s.Legal(nil) {
			next := env.NewState(g)
			next.CopyFrom(s)
			next.Apply(a)
			sum += slow(next, depth-1)
		}
		return sum
	}
	for depth := 1; depth <= 4; depth++ {
		sum := uint64(0)
		for i, move := range env.PerftSplit(g, s, depth) {
			if move.Action != s.Legal(nil)[i] {
				t.Errorf("depth %d: split %d is of action %d", depth, i, move.Action)
			}
			sum += move.Count
		}
		if want := slow(s, depth); sum != want || env.Perft(g, s, depth) != want {
			t.Errorf("perft %d is %d and the split adds up to %d, must be %d", depth, env.Perft(g, s, depth), sum, want)
		}
	}
	if text := env.PositionText(s); text != g.spec.StartText {
		t.Errorf("perft left the state at %q", text)
	}
}

// caseAt works out a case, so that the tests can spoil it.
func caseAt(g *game) envtest.Case {
	s := env.NewState(g)
	c := envtest.Case{Variant: "skirmish/standard", Position: g.spec.StartText, Actions: s.Legal(nil)}
	c.Perft = []uint64{env.Perft(g, s, 1), env.Perft(g, s, 2)}
	c.Moves = []string{"a1-a2", "a1-b2", "b1-a2", "b1-b2", "b1-c2", "c1-b2", "c1-c2"}
	return c
}

func TestCasesNameWhatDiffers(t *testing.T) {
	g := flawed("")
	spoil := map[string]func(*envtest.Case){
		"":              func(*envtest.Case) {},
		"legal actions": func(c *envtest.Case) { c.Actions[0]++ },
		"moves":         func(c *envtest.Case) { c.Moves[3] = "b1-b3" },
		"perft 2":       func(c *envtest.Case) { c.Perft[1]-- },
		"number":        func(c *envtest.Case) { c.Position = "bbb/3/aaa a x 0" },
	}
	for word, change := range spoil {
		c := caseAt(g)
		change(&c)
		err := c.Check(g)
		if (word == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), word) {
			t.Errorf("spoiling %q: error is %v", word, err)
		}
	}
}

func TestGamesNameWhatDiffers(t *testing.T) {
	g := flawed("")
	record := func() envtest.GameRecord {
		return envtest.GameRecord{Start: "b2/3/a2 a 0 0", Moves: []string{"a1-a2", "a3-a2"}, Actions: []env.Action{0, 16},
			Result: [2]int{-1, 1}, Reason: "annihilated", Final: "3/b2/3 a 0 2"}
	}
	spoil := map[string]func(*envtest.GameRecord){
		"":                 func(*envtest.GameRecord) {},
		"must be action 3": func(r *envtest.GameRecord) { r.Actions[0] = 3 },
		"no legal move":    func(r *envtest.GameRecord) { r.Moves[1] = "a3-a1" },
		"by points":        func(r *envtest.GameRecord) { r.Reason = "points" },
		"[0 0]":            func(r *envtest.GameRecord) { r.Result = [2]int{0, 0} },
		"final position":   func(r *envtest.GameRecord) { r.Final = "3/b2/3 a 0 3" },
		"2 moves and 1":    func(r *envtest.GameRecord) { r.Actions = r.Actions[:1] },
		"a position is":    func(r *envtest.GameRecord) { r.Start = "?" },
	}
	for word, change := range spoil {
		r := record()
		change(&r)
		err := r.Check(g)
		if (word == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), word) {
			t.Errorf("spoiling %q: error is %v", word, err)
		}
	}
}

func TestCaseAndGameFilesAreRead(t *testing.T) {
	v := load(t, "skirmish/standard")
	lookup := func(name string) *variant.Variant {
		if name == v.Name {
			return v
		}
		return nil
	}
	c := caseAt(flawed(""))
	write := func(list any) string {
		data, err := json.Marshal(list)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "list.json")
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	envtest.Cases(t, lookup, write([]envtest.Case{c, {Variant: "chess"}}))
	envtest.Games(t, lookup, write([]envtest.GameRecord{{Variant: v.Name, Start: c.Position, Reason: "none", Final: c.Position}}))
}
