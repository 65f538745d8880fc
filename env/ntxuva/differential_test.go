package ntxuva_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/ntxuva"
	"github.com/sandtable-farm/sandtable/env/variant"
)

func rulesOf(t testing.TB, text string) (ntxuva.Rules, env.Game) {
	t.Helper()
	v := load(t, text)
	var rules ntxuva.Rules
	if err := json.Unmarshal(v.Rules, &rules); err != nil {
		t.Fatal(err)
	}
	return rules, v.Game
}

// randomRules draws every parameter.
func randomRules(t testing.TB, rng *env.Rand) ntxuva.Rules {
	t.Helper()
	choose := func(words ...string) string { return words[rng.IntN(len(words))] }
	return ntxuva.Rules{
		Header:     variant.Header{Game: "ntxuva"},
		Columns:    2 + rng.IntN(7),
		Seeds:      1 + rng.IntN(2),
		Singles:    choose("when_forced", "always"),
		SingleStep: choose("empty_only", "relay"),
		Endless:    choose("illegal", "pass", "draw"),
		Capture:    choose("pair", "attack_only"),
		NoProgress: 1 + rng.IntN(60),
		Repetition: 2 + rng.IntN(3),
	}
}

func startText(r ntxuva.Rules) string {
	side := strings.TrimSuffix(strings.Repeat(fmt.Sprint(r.Seeds, ","), 2*r.Columns), ",")
	return side + " " + side + " s 0 0"
}

// playBoth plays a random game of the engine and the reference and compares them
// at every ply. Legal is not always asked before Apply.
func playBoth(rng *env.Rand, r *reference, s, copied env.State) error {
	for ply := 0; r.reason == "none" && ply < 300; ply++ {
		actions := r.legal()
		a := actions[rng.IntN(len(actions))]
		if rng.IntN(2) == 0 {
			if err := r.agree(s); err != nil {
				return err
			}
		}
		if rng.IntN(4) == 0 {
			copied.CopyFrom(s)
			s, copied = copied, s
		}
		s.Apply(a)
		r.apply(a)
	}
	return r.agree(s)
}

// randomPosition scatters at most the pieces of the start, often many in few houses.
func randomPosition(rng *env.Rand, rules ntxuva.Rules) string {
	var sides []string
	for range 2 {
		counts := make([]int, 2*rules.Columns)
		span := 1 + rng.IntN(len(counts))
		for range rng.IntN(2*rules.Columns*rules.Seeds + 1) {
			counts[rng.IntN(span)]++
		}
		sides = append(sides, strings.ReplaceAll(strings.Trim(fmt.Sprint(counts), "[]"), " ", ","))
	}
	return fmt.Sprintf("%s %s %s %d %d", sides[0], sides[1], []string{"s", "n"}[rng.IntN(2)], rng.IntN(8), rng.IntN(50))
}

func differ(t *testing.T, rules ntxuva.Rules, game env.Game, seed uint64, games int) {
	t.Helper()
	rng := env.NewRand(seed)
	states := game.NewStates(2)
	for i := range games {
		position := startText(rules)
		if i%3 != 0 {
			position = randomPosition(rng, rules)
		}
		if err := states[0].SetPosition(position); err != nil {
			t.Fatal(err)
		}
		if err := playBoth(rng, newReference(t, rules, position), states[0], states[1]); err != nil {
			t.Fatalf("%+v from %s: %v", rules, position, err)
		}
	}
}

func TestAgreesWithReferenceOnPresets(t *testing.T) {
	engine := ntxuva.Engine()
	for _, name := range append(engine.PresetNames(), customRules...) {
		rules, game := rulesOf(t, name)
		differ(t, rules, game, 1, differentialGames)
	}
}

// TestAgreesWithReferenceOnRandomRules also holds Validate to the reference:
// the only fault of such rules is a start position without a legal start.
func TestAgreesWithReferenceOnRandomRules(t *testing.T) {
	engine := ntxuva.Engine()
	rng := env.NewRand(3)
	for range 3 * differentialGames {
		rules := randomRules(t, rng)
		playable := newReference(t, rules, startText(rules)).reason == "none"
		if err := rules.Validate(); (err == nil) != playable {
			t.Fatalf("%+v: Validate says %v, playable is %v", rules, err, playable)
		}
		if playable {
			differ(t, rules, engine.New(&rules), rng.Uint64(), 6)
		}
	}
}

// TestWideKernelAgreesWithPacked plays the boards of the packed kernel on the
// wide one too.
func TestWideKernelAgreesWithPacked(t *testing.T) {
	rng := env.NewRand(4)
	for range 3 * differentialGames {
		rules := randomRules(t, rng)
		rules.Columns, rules.Seeds = 2+rng.IntN(5), 1+rng.IntN(2)
		if rules.Validate() == nil {
			differ(t, rules, ntxuva.WideGame(rules), rng.Uint64(), 3)
			differ(t, rules, ntxuva.PackedGame(rules), rng.Uint64(), 3)
		}
	}
	rules, _ := rulesOf(t, "ntxuva/basic")
	packed, wide := env.NewState(ntxuva.PackedGame(rules)), env.NewState(ntxuva.WideGame(rules))
	for range 100 * differentialGames {
		position := randomPosition(rng, rules)
		if err := errors.Join(packed.SetPosition(position), wide.SetPosition(position)); err != nil {
			t.Fatal(err)
		}
		if a, b := packed.Legal(nil), wide.Legal(nil); !slices.Equal(a, b) {
			t.Fatalf("%s: the packed kernel finds %v legal, the wide one %v", position, a, b)
		}
	}
}

func FuzzAgainstReference(f *testing.F) {
	f.Add(uint64(1))
	f.Add(uint64(77))
	f.Fuzz(func(t *testing.T, seed uint64) {
		rules := randomRules(t, env.NewRand(seed))
		if rules.Validate() == nil {
			differ(t, rules, ntxuva.Engine().New(&rules), seed, 3)
		}
	})
}
