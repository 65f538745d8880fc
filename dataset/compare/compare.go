package compare

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env/games"
)

// ErrPlayed is the error of Compare and Decide for games that do not match the plan.
var ErrPlayed = errors.New("games do not match the plan")

// Compare reports on the games of each variant with each budget up to a look of the
// plan, counted from 0. Health counts the planned games that are missing. Errors wrap
// ErrPlayed, or are those of the plan and of unknown rules.
func Compare(plan *Plan, look int, played [][]Played) (*Report, error) {
	a, err := plan.analysis(look, played)
	if err != nil {
		return nil, err
	}
	for i := range plan.Variants {
		v, err := games.FromRules(plan.Variants[i].Rules, plan.Variants[i].Digest)
		if err != nil {
			return nil, fmt.Errorf("variant %s: %w", plan.Variants[i].Name, err)
		}
		a.rules = append(a.rules, v)
	}
	r := &Report{
		Plan: plan, Level: a.level(), Provenance: a.provenance(), Outcomes: a.outcomes(), Against: a.againstBaseline(), Interaction: a.interaction(),
		Values: a.values(), Feel: a.feel(), Skill: a.skill(), Health: a.health(), Metrics: Metrics(),
	}
	r.Sequential, err = a.sequential()
	return r, err
}

// analysis checks the games against the plan.
func (p *Plan) analysis(look int, played [][]Played) (*analysis, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	a := &analysis{plan: p, look: look, played: played}
	var err error
	if a.levels, err = p.levels(look); err != nil {
		return nil, err
	}
	if a.last, err = p.levels(p.LookCount() - 1); err != nil {
		return nil, err
	}
	if len(played) != len(p.Variants) {
		return nil, fmt.Errorf("%w: there are games of %d variants, must be of %d", ErrPlayed, len(played), len(p.Variants))
	}
	runs, seeds := map[string]string{}, map[uint64]string{}
	for v := range played {
		if len(played[v]) != len(p.Budgets) {
			return nil, fmt.Errorf("%w: %s has games with %d budgets, must be with %d", ErrPlayed, p.Variants[v].Name, len(played[v]), len(p.Budgets))
		}
		for b := range played[v] {
			if err := p.check(&played[v][b], v, b, p.GamesAt(look), runs, seeds); err != nil {
				return nil, fmt.Errorf("%s with %d nodes: %w", p.Variants[v].Name, p.Budgets[b].Nodes, err)
			}
		}
	}
	return a, nil
}

// check refuses games that do not match the plan, and games that would count twice.
func (p *Plan) check(played *Played, variant, budget int, games int64, runs map[string]string, seeds map[uint64]string) error {
	of, with := p.Variants[variant], p.Budgets[budget]
	arm := func(what string, s *dataset.Settings, agents [2]string) error {
		switch {
		case s.Digest != of.Digest:
			return fmt.Errorf("%w: the rules of %s are %s, must be %s", ErrPlayed, what, s.Digest, of.Digest)
		case s.Agents != agents:
			return fmt.Errorf("%w: the agents of %s are %s, must be %s", ErrPlayed, what, strings.Join(s.Agents[:], " and "), strings.Join(agents[:], " and "))
		case s.OpeningPolicy != p.OpeningPolicy || !slices.Equal(s.Starts, of.Starts):
			return fmt.Errorf("%w: the opening policy or the start positions of %s are not those of the plan", ErrPlayed, what)
		case s.OpeningPlies != p.OpeningPlies || s.MaxPlies != p.MaxPlies:
			return fmt.Errorf("%w: %s has opening_plies %d and max_plies %d, must have %d and %d", ErrPlayed, what, s.OpeningPlies, s.MaxPlies, p.OpeningPlies, p.MaxPlies)
		}
		name := fmt.Sprintf("%s of %s with %d nodes", what, of.Name, with.Nodes)
		if other, ok := runs[s.Run()]; ok {
			return fmt.Errorf("%w: %s is the same run as %s", ErrPlayed, name, other)
		}
		if other, ok := seeds[s.Seed]; ok {
			return fmt.Errorf("%w: %s and %s have the same seed, must be independent", ErrPlayed, name, other)
		}
		runs[s.Run()], seeds[s.Seed] = name, name
		return nil
	}
	switch {
	case played.SelfPlay == nil:
		return fmt.Errorf("%w: there is no self-play", ErrPlayed)
	case played.SelfPlay.played > games:
		return fmt.Errorf("%w: self-play has %d games, must have %d at this look", ErrPlayed, played.SelfPlay.played, games)
	case p.LadderPairs > 0 && played.Ladder == nil:
		return fmt.Errorf("%w: there is no ladder", ErrPlayed)
	}
	if err := arm("self-play", played.SelfPlay.settings, [2]string{with.Agent, with.Agent}); err != nil {
		return err
	}
	if p.LadderPairs == 0 {
		return nil
	}
	return arm("the ladder", played.Ladder.settings, [2]string{with.Double, with.Agent})
}

// sequential returns nil for a plan without looks.
func (a *analysis) sequential() (*Sequential, error) {
	if len(a.plan.Looks) == 0 {
		return nil, nil
	}
	decided, standings, err := a.plan.Decide(a.look, a.played)
	if err != nil {
		return nil, err
	}
	looks, err := stats.Sequential{Level: stats.Level}.Looks(a.plan.information()[:a.look+1])
	if err != nil {
		return nil, err
	}
	undecided := slices.DeleteFunc(slices.Clone(standings), func(s Standing) bool { return s.Decided })
	return &Sequential{
		Look: a.look + 1, Looks: looks, Games: a.plan.GamesAt(a.look), Planned: a.plan.Games, Decided: decided,
		Undecided: len(undecided), Comparisons: len(standings),
	}, nil
}
