package tankchess_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/tankchess"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// fuzzed are variants small enough to fuzz quickly; together they have every
// terrain, gun and way to escape.
func fuzzed() []string {
	return []string{
		"tankchess/16x16", "tankchess/lakes", "tankchess/20x20/zh",
		`tankchess/16x16{"layout":{"size":8,"white":{"CLT":["d1"],"LT":["b1"],"MT":["f1"],"HT":null},"obstacles":["d4"],"water":["b4"],"low":["g4"],"hedges":["c5"]}}`,
		`tankchess/16x16/zh{"layout":{"size":9,"white":{"CLT":["d1"],"LT":["b1","c2"],"MT":null,"HT":null},"black":{"CLT":["e9"],"HT":["a9SE"]},"obstacles":[]}}`,
	}
}

// FuzzSetPosition demands that a text is accepted just where the reference
// accepts it, reads back the same, and can be played on from.
func FuzzSetPosition(f *testing.F) {
	type subject struct {
		game  env.Game
		rules tankchess.Rules
	}
	var subjects []subject
	for i, name := range fuzzed() {
		v := load(f, name)
		subjects = append(subjects, subject{v.Game, rulesOf(f, v)})
		rand := env.NewRand(uint64(i))
		f.Add(uint8(i), v.Game.Spec().StartText)
		for range 4 {
			f.Add(uint8(i), randomPosition(rand.IntN, newReferenceGame(subjects[i].rules)))
		}
	}
	for _, text := range []string{
		"", "CLT@d1N", "CLT@d1N CLT@d8S w 0 0", "CLT@off CLT@d8S w 0 0", "CLT@off CLT@d8S b 0 0", "CLT@d1# CLT@d8S w 0 0", "CLT@d1# CLT@d8S b 0 0",
		"CLT@d1#,LT@d2N CLT@off w 0 0", "LT@a1N,CLT@d1N CLT@d8S w 0 0", "CLT@d1N,CLT@d2N CLT@d8S w 0 0", "CLT@d1N,LT@off CLT@d8S w 0 0",
		"CLT@d1N,HT@a1N CLT@d8S w 0 0", "CLT@d4N CLT@d8S w 0 0", "CLT@b4N CLT@d8S w 0 0", "CLT@g4N CLT@d8S w 0 0", "CLT@d8N CLT@d8S w 0 0",
		"CLT@d1N CLT@d8S w 00 0", "CLT@d1N CLT@d8S w -1 0", "CLT@d1N CLT@d8S w 1000000000 1000000000", "CLT@d1N CLT@d8S w 1000000001 0",
		"CLT@d01N CLT@d8S w 0 0", "CLT@d1n CLT@d8S w 0 0", "CLT@d1N, CLT@d8S w 0 0", "@d1N CLT@d8S w 0 0", "CLT@D1N CLT@d8S w 0 0",
	} {
		f.Add(uint8(3), text)
	}
	f.Fuzz(func(t *testing.T, which uint8, text string) {
		on := subjects[int(which)%len(subjects)]
		c := newComparison(env.NewRand(uint64(len(text))).IntN)
		c.use(on.game, on.rules)
		s := env.NewState(on.game)
		before := env.PositionText(s)
		_, refused := c.reference.read(text)
		if err := s.SetPosition(text); (err == nil) != (refused == nil) {
			t.Fatalf("%q: the engine says %v, the reference %v", text, err, refused)
		} else if err != nil {
			if env.PositionText(s) != before || !strings.Contains(err.Error(), "position") {
				t.Fatalf("%q is refused with %v and leaves %s", text, err, env.PositionText(s))
			}
			return
		}
		if err := c.play(text, 5); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzParseAction demands that just the texts of the legal moves are accepted.
func FuzzParseAction(f *testing.F) {
	for _, text := range []string{
		"", "h3>f5/NW", "d1>d2/N", "d1>off", "d1>d2", "d1>d2/N(d8)", "d1>d2/N()", "d1 > d2/N", "d1>d2/n", "d1>d2/N ", "d1>d1/N", "d1-d2/N", "d01>d2/N",
		"f1>f2/N(d4)", "z9>z9/Q", "d1>OFF", "d1>off/N", "d1>d2/N(d8", "d1>d2/N(d8))", "d1>d2/N(d8)(d8)", ">", "d1>", "d1>/N", "h1>h2/N", "c3>c4/N", "b1>b2/NE(e5)",
	} {
		for which := range fuzzed() {
			f.Add(uint8(which), uint64(which), text)
		}
	}
	var games []env.Game
	var references []*referenceGame
	for _, name := range fuzzed() {
		v := load(f, name)
		games, references = append(games, v.Game), append(references, newReferenceGame(rulesOf(f, v)))
	}
	f.Fuzz(func(t *testing.T, which uint8, seed uint64, text string) {
		i := int(which) % len(games)
		from := randomPosition(env.NewRand(seed).IntN, references[i])
		s := env.NewState(games[i])
		if err := s.SetPosition(from); err != nil {
			t.Fatal(err)
		}
		r, err := references[i].read(from)
		if err != nil {
			t.Fatal(err)
		}
		want := env.NoAction
		for _, m := range r.legal {
			if r.moveText(m) == text {
				want = env.Action(m.action)
			}
		}
		got, err := s.ParseAction(text)
		if got != want || (err == nil) != (want >= 0) {
			t.Fatalf("%s: %q parses as %d (%v), want %d", from, text, got, err, want)
		}
		if env.PositionText(s) != from {
			t.Fatalf("parsing %q changes %s to %s", text, from, env.PositionText(s))
		}
	})
}

// FuzzRuleFiles reads files: what is accepted has to play like the reference, what
// is refused says why.
func FuzzRuleFiles(f *testing.F) {
	for _, name := range fuzzed() {
		f.Add(load(f, name).Rules)
	}
	rand := env.NewRand(9)
	for range 12 {
		f.Add(oddFile(f, rand.IntN))
	}
	f.Add([]byte(`{"base":"tankchess/16x16","pieces":{"HT":{"speed":2}},"layout":{"size":24}}`))
	f.Add([]byte(`{"base":"tankchess/lakes","layout":{"water":null,"white":{"LT":["a0","a1NNE",""]}}}`))
	f.Fuzz(func(t *testing.T, file []byte) {
		v, err := variant.Load([]variant.Engine{tankchess.Engine()}, "@fuzzed.json", func(string) ([]byte, error) { return file, nil })
		if err != nil {
			if !strings.HasPrefix(err.Error(), "variant @fuzzed.json") {
				t.Fatalf("refused with %v", err)
			}
			return
		}
		c := newComparison(env.NewRand(uint64(len(file))).IntN)
		c.use(v.Game, rulesOf(t, v))
		if err := c.play(v.Game.Spec().StartText, 4); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	})
}

// oddFile writes a random rule set in which one field, drawn at random, has a
// value that is odd and mostly wrong.
func oddFile(t testing.TB, pick picker) []byte {
	rules := randomRules(pick)
	var doc map[string]any
	if err := json.Unmarshal(asJSON(t, rules), &doc); err != nil {
		t.Fatal(err)
	}
	odd := []any{0, -1, 7, 25, 1000000, "", "alone", "a1", nil, true, []any{}, []any{"a1", "a1"}, map[string]any{}, map[string]any{"CLT": []any{"h1N"}}}
	at := doc
	for {
		key := sortedKeys(at)[pick(len(at))]
		inner, is := at[key].(map[string]any)
		if !is || len(inner) == 0 || pick(4) == 0 {
			at[key] = odd[pick(len(odd))]
			break
		}
		at = inner
	}
	data, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestFilesWithAnOddFieldNeverPanic goes through more of them than the seeds of
// the fuzzer.
func TestFilesWithAnOddFieldNeverPanic(t *testing.T) {
	pick := picker(env.NewRand(21).IntN)
	accepted, refused := 0, 0
	for range oddFiles {
		file := oddFile(t, pick)
		v, err := variant.Load([]variant.Engine{tankchess.Engine()}, "@odd.json", func(string) ([]byte, error) { return file, nil })
		if err != nil {
			refused++
			continue
		}
		accepted++
		c := newComparison(pick)
		c.use(v.Game, rulesOf(t, v))
		if err := c.play(v.Game.Spec().StartText, 4); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	if accepted < oddFiles/20 || refused < oddFiles/2 {
		t.Errorf("%d files accepted and %d refused", accepted, refused)
	}
}
