package replay

import (
	"fmt"
	"math"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
)

// Check verifies one episode: it has the seed, agents, start and pair that the settings
// assign to its number, and playing its actions gives every fact that it records. The error
// is a *dataset.Fault without a file.
func (r *Replayer) Check(ep *dataset.Episode) error {
	c := checker{Fault: dataset.Fault{Episode: ep.Number, Ply: dataset.None}, resignPly: dataset.NoPly}
	r.checkAssignment(&c, ep)
	ply := 0
	for s, err := range r.Positions(ep) {
		if c.failed {
			break
		}
		if err != nil {
			return err
		}
		if ply == len(ep.Steps) {
			c.Ply = dataset.None
			r.checkEnd(&c, ep, s)
			break
		}
		c.Ply = ply
		r.checkStep(&c, ep, s, &ep.Steps[ply])
		ply++
	}
	if c.failed {
		return &c.Fault
	}
	return nil
}

// A checker records the first fault.
type checker struct {
	dataset.Fault
	failed    bool
	playOn    bool // the game is played on if the resignation rule applies
	resignPly int  // the first ply before which the resignation rule applied, so far
}

// same records a fault if found and want differ.
func same[T comparable](c *checker, what string, found, want T) {
	if found != want && !c.failed {
		c.fail(what, fmt.Sprint(found), fmt.Sprint(want))
	}
}

func (c *checker) fail(what, found, want string) {
	if !c.failed {
		c.failed = true
		c.What, c.Found, c.Want = what, found, want
	}
}

func (r *Replayer) checkAssignment(c *checker, ep *dataset.Episode) {
	a := r.settings.Assign(ep.Number)
	if a.Start == "" {
		a.Start = r.game.Spec().StartText
	}
	same(c, "pair", ep.Pair, a.Pair)
	same(c, "seed", ep.Seed, a.Seed)
	same(c, "agent_0", ep.Agents[env.First], a.Agents[env.First])
	same(c, "agent_1", ep.Agents[env.Second], a.Agents[env.Second])
	same(c, "start", ep.Start, a.Start)
	same(c, "opening_plies", ep.OpeningPlies, a.OpeningPlies)
	c.playOn = a.PlayOn
	if max := r.settings.MaxPlies; max > 0 && ep.Plies() > max {
		c.fail("plies", fmt.Sprint(ep.Plies()), fmt.Sprintf("at most %d, the limit", max))
	}
	if ep.Plies() < ep.OpeningPlies {
		c.fail("plies", fmt.Sprint(ep.Plies()), fmt.Sprintf("at least the %d of the opening", ep.OpeningPlies))
	}
}

// checkStep checks a ply in the position s before it. Positions checks that the action is
// legal.
func (r *Replayer) checkStep(c *checker, ep *dataset.Episode, s env.State, step *dataset.Step) {
	if s.Player() == env.NoPlayer {
		c.fail("action", fmt.Sprint(step.Action), "none, because the game is over")
		return
	}
	source := dataset.FromAgent
	if c.Ply < ep.OpeningPlies {
		source = dataset.FromOpening
	}
	same(c, "player", step.Player, s.Player())
	same(c, "legal_count", int(step.LegalCount), len(r.legal))
	same(c, "hash", step.Hash, s.Hash())
	same(c, "source", step.Source, source)
	r.noteResignation(c, ep.Steps[:c.Ply], s.Player())
	if c.resignPly == c.Ply && !c.playOn {
		c.fail("action", fmt.Sprint(step.Action), "none, because the player to move resigns")
	}
	if step.Search.Has != 0 {
		r.checkSearch(c, &step.Search)
	}
}

// noteResignation records whether the resignation rule applies for the first time, to the
// player to move after steps.
func (r *Replayer) noteResignation(c *checker, steps []dataset.Step, mover env.Player) {
	if c.resignPly == dataset.NoPly && r.settings.Resign.Holds(steps, mover) {
		c.resignPly = len(steps)
	}
}

// checkSearch checks that search statistics have possible values.
func (r *Replayer) checkSearch(c *checker, s *dataset.Search) {
	if v := float64(s.Value); s.Has&dataset.HasValue != 0 && !(math.Abs(v) <= 1) {
		c.fail("value", fmt.Sprint(v), "-1 to 1")
	}
	if s.Has&dataset.HasNodes != 0 && s.Nodes < 0 {
		c.fail("nodes", fmt.Sprint(s.Nodes), "0 or more")
	}
	if s.Has&dataset.HasDepth != 0 && s.Depth < 0 {
		c.fail("depth", fmt.Sprint(s.Depth), "0 or more")
	}
	for _, v := range s.Visits {
		if _, legal := slices.BinarySearch(r.legal, v.Action); !legal {
			c.fail("visit_actions", fmt.Sprint(v.Action), fmt.Sprintf("one of the %d legal ones", len(r.legal)))
		}
		if v.Count < 0 {
			c.fail("visit_counts", fmt.Sprint(v.Count), "0 or more")
		}
	}
}

// checkEnd checks the end of an episode in its final position.
func (r *Replayer) checkEnd(c *checker, ep *dataset.Episode, s env.State) {
	mover, limit := s.Player(), r.settings.MaxPlies
	over, cut := mover == env.NoPlayer, limit > 0 && ep.Plies() == limit
	result, reason := s.Result()
	if !over && !cut {
		r.noteResignation(c, ep.Steps, mover)
		switch {
		case c.resignPly == ep.Plies() && !c.playOn:
			reason = env.Resigned
		case ep.Reason.Forfeit():
			reason = ep.Reason // a forfeit does not follow from the rules
		}
		if reason.Forfeit() {
			over, result = true, env.WinFor(mover.Opponent())
		}
	}
	same(c, "terminated", ep.Terminated, over)
	same(c, "truncated", ep.Truncated, !over)
	switch {
	case over, cut:
	case limit == 0:
		c.fail("plies", fmt.Sprint(ep.Plies()), "more, because the game is not over and the run has no limit")
	default:
		c.fail("plies", fmt.Sprint(ep.Plies()), fmt.Sprintf("%d, the limit, because the game is not over", limit))
	}
	same(c, "resign_ply", ep.ResignPly, c.resignPly)
	same(c, "result", ep.Result, result)
	same(c, "reason", ep.Reason, reason)
	var points [2]int
	if scorer, ok := s.(env.Scorer); ok {
		points = [2]int{scorer.Points(env.First), scorer.Points(env.Second)}
	}
	same(c, "points_0", ep.Points[0], points[0])
	same(c, "points_1", ep.Points[1], points[1])
	same(c, "final_hash", ep.FinalHash, s.Hash())
}
