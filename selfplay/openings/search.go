package openings

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
)

// A Search describes the openings to find. The number of workers does not affect the
// result, and a search for more openings finds those of a smaller search first.
type Search struct {
	Variant *variant.Variant
	Judge   agent.Spec // an agent.Analyst without a time limit
	Plies   int        // number of random plies from the start of the variant
	Within  int        // greatest score for either side, in hundredths of a point (eval.Unit)
	Count   int        // number of openings
	Seed    uint64
	Workers int
	// Progress, unless nil, is called with the number of openings found and of plies
	// played so far.
	Progress func(found, plies int64)
}

// triesForEach is the number of balanced random openings, per opening wanted, after which
// a search gives up.
const triesForEach = 200

// greatest bounds the numbers of a search.
const greatest = math.MaxInt32

// plan returns a run of episodes of one opening and one more ply, whose search score
// judges the opening.
func (s *Search) plan() (*selfplay.Plan, error) {
	return selfplay.NewPlan(selfplay.Config{
		Variant: s.Variant, Agents: [2]agent.Spec{s.Judge, s.Judge},
		Opening: selfplay.Opening{Plies: s.Plies, Balanced: true}, MaxPlies: s.Plies + 1, Seed: s.Seed,
	})
}

// Validate checks the search.
func (s *Search) Validate() error {
	switch {
	case s.Plies < 1 || s.Plies > greatest:
		return fmt.Errorf("plies is %d, must be 1 to %d", s.Plies, greatest)
	case s.Count < 1 || s.Count > greatest:
		return fmt.Errorf("count is %d, must be 1 to %d", s.Count, greatest)
	case s.Within < 0:
		return fmt.Errorf("the greatest score is %d, must be 0 or more", s.Within)
	case s.Judge.Timed():
		return fmt.Errorf("agent %s has a time limit, so the search would not be reproducible", s.Judge)
	}
	judge, err := s.Judge.New(s.Variant.Game)
	if err != nil {
		return err
	}
	_, ok := judge.(agent.Analyst)
	if c, open := judge.(io.Closer); open {
		err = c.Close()
	}
	if !ok {
		return fmt.Errorf("agent %s does not evaluate positions by a search; alphabeta and mcts do", s.Judge)
	}
	return err
}

// Run returns the position texts of the openings, which all differ. When ctx is done, it
// returns the first of them that it has found, and the cause.
func (s *Search) Run(ctx context.Context) ([]string, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	plan, err := s.plan()
	if err != nil {
		return nil, err
	}
	var found []string
	var plies int64
	seen := map[uint64]bool{}
	state, ahead := env.NewState(s.Variant.Game), newLookout(s.Variant.Game)
	tries := int64(s.Count) * triesForEach
	err = selfplay.PlayAll(ctx, plan, "", 0, tries, s.Workers, func(ep *dataset.Episode) error {
		plies += int64(ep.Plies())
		if judged := &ep.Steps[s.Plies]; !seen[judged.Hash] && s.levels(&judged.Search) {
			seen[judged.Hash] = true
			if text := position(state, ep.Steps[:s.Plies]); !ahead.exposed(state) {
				found = append(found, text)
			}
		}
		if s.Progress != nil {
			s.Progress(int64(len(found)), plies)
		}
		if len(found) == s.Count {
			return selfplay.ErrEnough
		}
		return nil
	})
	switch {
	case ctx.Err() != nil && err != nil:
		return found, err
	case err != nil:
		return nil, err
	case len(found) == s.Count:
		return found, nil
	}
	return nil, fmt.Errorf("only %d of %d random openings of %d plies are distinct and level according to %s, with few moves that lose at once; allow a larger score or more plies",
		len(found), tries, s.Plies, s.Judge)
}

// levels reports whether the judge sees neither side ahead.
func (s *Search) levels(found *dataset.Search) bool {
	return found.Has&dataset.HasScore != 0 && int(found.Score) <= s.Within && int(found.Score) >= -s.Within
}

// position returns the position text after plies from the start, and leaves the state there.
func position(s env.State, plies []dataset.Step) string {
	s.Reset()
	for i := range plies {
		s.Apply(plies[i].Action)
	}
	return env.PositionText(s)
}
