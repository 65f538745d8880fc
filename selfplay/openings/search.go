package openings

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
)

// A Search says which openings are wanted. The number of workers has no influence
// on what is found, and more openings begin with the fewer ones.
type Search struct {
	Variant *variant.Variant
	Judge   agent.Spec // an Analyst without a limit of time
	Plies   int        // random ones from the start of the variant
	Within  int        // greatest score for either side, in hundredths of a point (eval.Unit)
	Count   int        // of openings
	Seed    uint64
	Workers int
	// Progress, unless nil, is told how many openings were found so far and how many
	// plies were played for them.
	Progress func(found, plies int64)
}

// triesForEach is how many balanced random openings are judged, on the average, for
// each that is wanted before a search gives up.
const triesForEach = 200

// greatest bounds the numbers of a search.
const greatest = math.MaxInt32

// plan is a run of episodes that begin as openings do and go on for one ply, whose
// search score is the judgement.
func (s *Search) plan() (*selfplay.Plan, error) {
	return selfplay.NewPlan(selfplay.Config{
		Variant: s.Variant, Agents: [2]agent.Spec{s.Judge, s.Judge},
		Opening: selfplay.Opening{Plies: s.Plies, Balanced: true}, MaxPlies: s.Plies + 1, Seed: s.Seed,
	})
}

// Validate checks what can be checked before the search.
func (s *Search) Validate() error {
	switch {
	case s.Plies < 1 || s.Plies > greatest:
		return fmt.Errorf("plies is %d, must be 1 to %d", s.Plies, greatest)
	case s.Count < 1 || s.Count > greatest:
		return fmt.Errorf("count is %d, must be 1 to %d", s.Count, greatest)
	case s.Within < 0:
		return fmt.Errorf("the greatest score is %d, must be 0 or more", s.Within)
	case s.Judge.Timed():
		return fmt.Errorf("agent %s thinks in seconds: the same search would not find the same openings again", s.Judge)
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
		return fmt.Errorf("agent %s has no score in points for a position; alphabeta and mcts do", s.Judge)
	}
	return err
}

// errEnough ends the playing when enough is found.
var errEnough = errors.New("enough openings")

// Run returns position texts of the openings, all different.
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
	state := env.NewState(s.Variant.Game)
	tries := int64(s.Count) * triesForEach
	err = selfplay.PlayAll(ctx, plan, "", 0, tries, s.Workers, func(ep *dataset.Episode) error {
		plies += int64(ep.Plies())
		if judged := &ep.Steps[s.Plies]; !seen[judged.Hash] && s.levels(&judged.Search) {
			seen[judged.Hash] = true
			found = append(found, position(state, ep.Steps[:s.Plies]))
		}
		if s.Progress != nil {
			s.Progress(int64(len(found)), plies)
		}
		if len(found) == s.Count {
			return errEnough
		}
		return nil
	})
	switch {
	case errors.Is(err, errEnough):
		return found, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, err
	}
	return nil, fmt.Errorf("only %d of %d random openings of %d plies are different and level for %s; allow a greater score or more plies",
		len(found), tries, s.Plies, s.Judge)
}

// levels tells whether the judge sees neither side ahead.
func (s *Search) levels(told *dataset.Search) bool {
	return told.Has&dataset.HasScore != 0 && int(told.Score) <= s.Within && int(told.Score) >= -s.Within
}

// position returns the position text after plies from the start.
func position(s env.State, plies []dataset.Step) string {
	s.Reset()
	for i := range plies {
		s.Apply(plies[i].Action)
	}
	return env.PositionText(s)
}
