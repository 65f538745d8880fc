package games_test

import (
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
)

// positions calls visit with running positions of random games, half of whose moves are
// captures or shots where there are any.
func positions(t *testing.T, variant string, count int, visit func(game env.Game, s env.State)) {
	t.Helper()
	v, err := games.Lookup(variant)
	if err != nil {
		t.Fatal(err)
	}
	s, r := env.NewState(v.Game), env.NewRand(5)
	for range count {
		visit(v.Game, s)
		moves := s.(env.Noisy).Noisy(nil)
		if len(moves) == 0 || r.IntN(2) == 0 {
			moves = s.Legal(nil)
		}
		if s.Apply(moves[r.IntN(len(moves))]); s.Player() == env.NoPlayer {
			s.Reset()
		}
	}
}

var searched = [...]string{"trench/standard", "trench/general", "ntxuva/basic", "tankchess/16x16", "tankchess/20x20", "tankbattle/standard"}

func TestThePrizeIsWhatACaptureWins(t *testing.T) {
	for _, variant := range searched {
		prizes, decisive := 0, 0
		positions(t, variant, 400, func(game env.Game, s env.State) {
			mover, after := s.Player(), env.NewState(game)
			for _, a := range s.(env.Noisy).Noisy(nil) {
				prize := s.(env.Prizer).Prize(a)
				after.CopyFrom(s)
				after.Apply(a)
				if prize == env.Decisive {
					decisive++
					if result, _ := after.Result(); result.For(mover) != 1 {
						t.Errorf("%s, %s: %s does not win", variant, env.PositionText(s), env.ActionText(s, a))
					}
					continue
				}
				prizes++
				if won := env.Score(after.(env.Scorer), mover) - env.Score(s.(env.Scorer), mover); prize != won {
					t.Errorf("%s, %s: %s wins %d, its prize is %d", variant, env.PositionText(s), env.ActionText(s, a), won, prize)
				}
			}
		})
		if prizes == 0 {
			t.Errorf("%s: no captures", variant)
		}
		t.Logf("%s: %d prizes, %d decisive", variant, prizes, decisive)
	}
}

func TestTwoPassesLeadBack(t *testing.T) {
	for _, variant := range searched {
		positions(t, variant, 200, func(game env.Game, s env.State) {
			after := env.NewState(game)
			passer, ok := after.(env.Passer)
			if !ok {
				return
			}
			after.CopyFrom(s)
			if passer.Pass(); after.Player() == env.NoPlayer {
				return
			}
			if after.Player() != s.Player().Opponent() || after.Hash() == s.Hash() {
				t.Errorf("%s, %s: after a pass, %v is to move", variant, env.PositionText(s), after.Player())
			}
			if passer.Pass(); after.Player() != env.NoPlayer && after.Hash() != s.Hash() {
				t.Errorf("%s, %s: two passes lead to %s", variant, env.PositionText(s), env.PositionText(after))
			}
		})
	}
}

func TestFinishFindsAnEscape(t *testing.T) {
	const rest = "LT@c3N,LT@f3N,LT@l5#,LT@l7#,MT@g3N,MT@j1N,MT@f11N,HT@c1N,HT@m1N CLT@j16NE,LT@n14S,LT@k14S,LT@i7W,LT@e11SE,MT@k16#,MT@i15E,MT@h14NW,HT@n16S,HT@d16S w 4 18"
	for square, escapes := range map[string]bool{"c16N": true, "c15N": true, "b10W": false} {
		s, spec := positionOf(t, "tankchess/16x16", "CLT@"+square+","+rest)
		a := s.(env.Finisher).Finish()
		if legal := slices.Contains(s.Legal(nil), env.Action(spec.Actions-1)); legal != escapes || (a != env.NoAction) != escapes {
			t.Errorf("%s: finds %d, an escape is legal: %v, must be %v", square, a, legal, escapes)
			continue
		}
		if !escapes {
			continue
		}
		s.Apply(a)
		if result, reason := s.Result(); result.For(env.First) != 1 || reason != env.Escaped {
			t.Errorf("%s: the game ends by %v, %v", square, result, reason)
		}
	}
}

// Brief features equal the features except for those that have a span, which are rarely
// beyond it.
func TestBriefFeaturesAreFeatures(t *testing.T) {
	for _, variant := range searched {
		beyond, counted := 0, 0
		positions(t, variant, 3000, func(game env.Game, s env.State) {
			brief, ok := s.(env.BriefFeatures)
			if !ok {
				return
			}
			n := len(game.Spec().Features)
			got, spans, want := make([]int32, n), make([]int32, n), make([]int32, n)
			brief.BriefFeatures(got, spans, s.Player())
			s.(env.Features).Features(want, s.Player())
			for i := range want {
				switch {
				case spans[i] == 0 && got[i] != want[i], spans[i] != 0 && got[i] != 0:
					t.Errorf("%s, %s: feature %d is %d, briefly %d", variant, env.PositionText(s), i, want[i], got[i])
				case spans[i] != 0:
					counted++
					if max(want[i], -want[i]) > spans[i] {
						beyond++
					}
				}
			}
		})
		if t.Logf("%s: %d of %d numbers are beyond their spans", variant, beyond, counted); 100*beyond > counted {
			t.Errorf("%s: %d of %d numbers are beyond their spans", variant, beyond, counted)
		}
	}
}
