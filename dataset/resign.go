package dataset

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
)

// A Resign is a resignation rule: a player resigns if several of its choices in a row have
// low scores. Agents that report no score never resign. The zero value means no
// rule.
type Resign struct {
	Score int32 `json:"score"` // scores of −Score or less are low, in hundredths of a point
	Plies int   `json:"plies"` // number of choices in a row
	// PlayOn is the share of games that are played to the end anyway, so that the data show
	// how often the rule is wrong. See Assignment.PlayOn.
	PlayOn float64 `json:"play_on"`
}

// Validate checks the numbers of a rule; the zero value is valid.
func (r Resign) Validate() error {
	switch {
	case r == Resign{}:
		return nil
	case r.Score < 1:
		return fmt.Errorf("resignation: score is %d, must be 1 or more", r.Score)
	case r.Plies < 1:
		return fmt.Errorf("resignation: plies is %d, must be 1 or more", r.Plies)
	case !(r.PlayOn >= 0 && r.PlayOn <= 1):
		return fmt.Errorf("resignation: play_on is %v, must be 0 to 1", r.PlayOn)
	}
	return nil
}

// Holds reports whether the rule applies to the player to move after steps: its last
// r.Plies choices all have a score of −r.Score or less.
func (r Resign) Holds(steps []Step, mover env.Player) bool {
	missing := r.Plies
	for i := len(steps) - 1; i >= 0 && missing > 0; i-- {
		s := &steps[i]
		if s.Player != mover {
			continue
		}
		if s.Search.Has&HasScore == 0 || s.Search.Score > -r.Score {
			return false
		}
		missing--
	}
	return r.Plies > 0 && missing == 0
}

// A Resignation describes the effect of a resignation rule. The games that were played on
// show how often it was wrong.
type Resignation struct {
	Resigned int64 `json:"resigned"`  // games that a player resigned
	PlayedOn int64 `json:"played_on"` // games that were played on to an end under the rules
	// Undecided is the number of games that were played on but truncated or forfeited.
	Undecided int64 `json:"undecided"`
	// Won and Drawn are the games played on that the player who would have resigned won or
	// drew.
	Won   int64          `json:"won"`
	Drawn int64          `json:"drawn"`
	Error stats.Interval `json:"error"` // share of Won and Drawn in PlayedOn
}

// add adds an episode in which the rule applied.
func (r *Resignation) add(ep *Episode) {
	switch {
	case ep.Reason == env.Resigned && ep.ResignPly == ep.Plies():
		r.Resigned++
		return
	case ep.Truncated || ep.Reason.Forfeit() || ep.ResignPly >= ep.Plies(): // the last is a fault that package replay reports
		r.Undecided++
		return
	}
	r.PlayedOn++
	switch ep.Result.For(ep.Steps[ep.ResignPly].Player) {
	case 1:
		r.Won++
	case 0:
		r.Drawn++
	}
}
