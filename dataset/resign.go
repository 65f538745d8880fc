package dataset

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
)

// A Resign says when a player gives a game up, by the scores that it told of its
// own choices. Agents that tell no score never do. The zero value is no rule.
type Resign struct {
	Score int32 `json:"score"` // holds a player to be lost at minus this or less, in hundredths of a point
	Plies int   `json:"plies"` // for so many of its own choices in a row
	// PlayOn is the share of games that are played on to their end all the same,
	// so that the data tell how often the rule is wrong. See Assignment.PlayOn.
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

// Holds reports whether the rule holds for the player to move after steps: it
// chose at least r.Plies times, and told a score of −r.Score or less at each of
// the last ones.
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

// A Resignation says how a resignation rule did. Its error is known from the
// games that were played on although it held.
type Resignation struct {
	Resigned int64 `json:"resigned,string"`  // games that ended where the rule first held
	PlayedOn int64 `json:"played_on,string"` // games that then went on to an end by the rules of the game
	// Undecided games went on, too, but were cut off or forfeited, and tell nothing.
	Undecided int64 `json:"undecided,string"`
	// Won and Drawn are the games played on that the player who would have
	// resigned did not lose.
	Won   int64          `json:"won,string"`
	Drawn int64          `json:"drawn,string"`
	Error stats.Interval `json:"error"` // their share of the games played on
}

// add adds an episode in which the rule held.
func (r *Resignation) add(ep *Episode) {
	switch {
	case ep.Reason == env.Resigned && ep.ResignPly == ep.Plies():
		r.Resigned++
		return
	case ep.Truncated || ep.Reason.Forfeit() || ep.ResignPly >= ep.Plies(): // the last is damage, for replay to find
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
