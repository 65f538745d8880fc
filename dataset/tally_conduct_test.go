package dataset_test

import (
	"reflect"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
)

// between makes a game one of two agents.
func between(ep *dataset.Episode, first, second string) *dataset.Episode {
	ep.Agents = [2]string{first, second}
	return ep
}

func TestSummaryCountsForfeitsByAgentAndReason(t *testing.T) {
	s := summary(
		between(game(0, 1, env.Crashed, 9), "a", "b"),
		between(game(1, -1, env.Crashed, 9), "b", "a"),
		between(game(2, -1, env.Crashed, 9), "a", "b"),
		between(game(3, 1, env.TimeForfeit, 9), "a", "b"),
		between(game(4, 1, env.General, 9), "a", "b"),
	)
	want := []dataset.ForfeitCount{{Agent: "a", Reason: "crashed", Episodes: 1}, {Agent: "b", Reason: "crashed", Episodes: 2}, {Agent: "b", Reason: "time_forfeit", Episodes: 1}}
	if !reflect.DeepEqual(s.Forfeits, want) {
		t.Errorf("forfeits are %+v, want %+v", s.Forfeits, want)
	}
	if s.First.Wins != 3 || s.First.Losses != 2 {
		t.Errorf("forfeits are no results: first player has %+v", s.First)
	}
	if s.Resignation != nil {
		t.Errorf("resignation without the rule: %+v", s.Resignation)
	}
}

func TestSummaryTellsHowOftenTheResignationRuleWasWrong(t *testing.T) {
	held := func(number int64, result env.Result, reason env.Reason, ply int, resigner env.Player) *dataset.Episode {
		ep := game(number, result, reason, 20)
		ep.ResignPly = ply
		if ply < 20 {
			ep.Steps[ply].Player = resigner
		}
		return ep
	}
	cut := held(8, 0, env.NoReason, 5, env.First)
	cut.Terminated, cut.Truncated = false, true
	s := summary(
		held(0, 1, env.Resigned, 20, env.Second), held(1, -1, env.Resigned, 20, env.First), held(2, 1, env.Resigned, 20, env.Second),
		held(3, -1, env.Points, 5, env.First),     // right
		held(4, 1, env.Points, 5, env.Second),     // right
		held(5, 1, env.Points, 5, env.First),      // wrong: won
		held(6, 0, env.Repetition, 5, env.Second), // wrong: drawn
		held(7, -1, env.Resigned, 5, env.First),   // an agent gave up by itself
		cut,
		game(9, 1, env.Resigned, 20),           // an agent gave up where the rule never held
		held(10, 1, env.Points, 20, env.First), // damage: nobody resigned at the end
	)
	want := dataset.Resignation{Resigned: 3, PlayedOn: 4, Undecided: 3, Won: 1, Drawn: 1, Error: stats.Wilson(2, 4, stats.Level)}
	if s.Resignation == nil || *s.Resignation != want {
		t.Errorf("resignation is %+v, want %+v", s.Resignation, want)
	}
	if len(s.Forfeits) != 1 || s.Forfeits[0].Episodes != 5 {
		t.Errorf("forfeits are %+v", s.Forfeits)
	}
}

func TestOnlyResultsOfPlayAreDecided(t *testing.T) {
	for _, c := range []struct {
		ep   dataset.Episode
		want bool
	}{
		{dataset.Episode{Terminated: true, Reason: env.Points}, true},
		{dataset.Episode{Terminated: true, Reason: env.Resigned}, true},
		{dataset.Episode{Terminated: true, Reason: env.IllegalAction}, false},
		{dataset.Episode{Truncated: true}, false},
	} {
		if got := c.ep.Decided(); got != c.want {
			t.Errorf("a game that ended by %s, cut off %v: %v", c.ep.Reason, c.ep.Truncated, got)
		}
	}
}
