package compare

import (
	"errors"
	"fmt"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env/games"
)

// ErrPlayed is what the error of Compare and Decide wraps where what was played is
// not what the plan asks for.
var ErrPlayed = errors.New("this is not what the plan asks for")

// Compare reports on what was played of each variant with each budget up to a look of
// the plan, from 0; fewer games than planned are told in Health. Its errors wrap
// ErrPlayed, or are those of the plan and of rules that this program does not know.
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
	if r.Sequential, err = a.sequential(); err != nil {
		return nil, err
	}
	r.Summary = a.summary(r)
	return r, nil
}

// analysis checks what was played and makes ready to look at it.
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
		return nil, fmt.Errorf("%w: %d variants were played, must be %d", ErrPlayed, len(played), len(p.Variants))
	}
	runs, seeds := map[string]string{}, map[uint64]string{}
	for v := range played {
		if len(played[v]) != len(p.Budgets) {
			return nil, fmt.Errorf("%w: %s was played with %d budgets, must be %d", ErrPlayed, p.Variants[v].Name, len(played[v]), len(p.Budgets))
		}
		for b := range played[v] {
			if err := p.check(&played[v][b], v, b, p.GamesAt(look), runs, seeds); err != nil {
				return nil, fmt.Errorf("%s with %d nodes: %w", p.Variants[v].Name, p.Budgets[b].Nodes, err)
			}
		}
	}
	return a, nil
}

// check refuses what is not of the plan, and games that count twice.
func (p *Plan) check(played *Played, variant, budget int, games int64, runs map[string]string, seeds map[uint64]string) error {
	of, with := p.Variants[variant], p.Budgets[budget]
	arm := func(what string, s *dataset.Settings, agents [2]string) error {
		switch {
		case s.Digest != of.Digest:
			return fmt.Errorf("%w: %s is of the rules %s, must be of %s", ErrPlayed, what, s.Digest, of.Digest)
		case s.Agents != agents:
			return fmt.Errorf("%w: %s is by %s, must be by %s", ErrPlayed, what, strings.Join(s.Agents[:], " and "), strings.Join(agents[:], " and "))
		case s.OpeningPlies != p.OpeningPlies || s.MaxPlies != p.MaxPlies:
			return fmt.Errorf("%w: %s has opening_plies %d and max_plies %d, must have %d and %d", ErrPlayed, what, s.OpeningPlies, s.MaxPlies, p.OpeningPlies, p.MaxPlies)
		}
		here := fmt.Sprintf("%s of %s with %d nodes", what, of.Name, with.Nodes)
		if other, ok := runs[s.Run()]; ok {
			return fmt.Errorf("%w: %s is the same run as %s, so their difference would be nothing but 0", ErrPlayed, here, other)
		}
		if other, ok := seeds[s.Seed]; ok {
			return fmt.Errorf("%w: %s and %s have the same seed, so they are not independent", ErrPlayed, here, other)
		}
		runs[s.Run()], seeds[s.Seed] = here, here
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

// sequential returns nil of a plan without looks.
func (a *analysis) sequential() (*Sequential, error) {
	if len(a.plan.Looks) == 0 {
		return nil, nil
	}
	decided, standings, err := a.plan.Decide(a.look, a.played)
	if err != nil {
		return nil, err
	}
	looks, err := stats.Sequential{Level: stats.Level}.Looks(a.levels.information)
	if err != nil {
		return nil, err
	}
	s := &Sequential{Look: a.look + 1, Looks: looks, Games: a.plan.GamesAt(a.look), Planned: a.plan.Games, Decided: decided}
	open := 0
	for i := range standings {
		if !standings[i].Decided {
			open++
		}
	}
	at := fmt.Sprintf("look %d of %d, after %s of %s games of each variant with each budget", s.Look, a.plan.LookCount(), dataset.Count(s.Games), dataset.Count(s.Planned))
	switch {
	case decided:
		s.Answer = fmt.Sprintf("The comparison ended at %s: every difference is told apart from none, or lies within its margin.", at)
	case a.look+1 == a.plan.LookCount():
		s.Answer = fmt.Sprintf("The comparison ended at %s: %d of %d differences are undecided.", at, open, len(standings))
	default:
		s.Answer = fmt.Sprintf("The comparison goes on from %s: %d of %d differences are undecided.", at, open, len(standings))
	}
	s.Answer += fmt.Sprintf(" Looking early has its price: single intervals are at %.4f, so that they hold at all looks at once with %.2f.", a.level(), stats.Level)
	return s, nil
}

// summary says what came of it in a paragraph.
func (a *analysis) summary(r *Report) string {
	var variants, budgets []string
	for _, v := range a.plan.Variants {
		variants = append(variants, v.Name)
	}
	for _, b := range a.plan.Budgets {
		budgets = append(budgets, fmt.Sprint(b.Nodes))
	}
	text := strings.Join(variants, ", ")
	if len(variants) == 1 {
		text += " is described"
	} else {
		text = fmt.Sprintf("%d variants were compared (%s)", len(variants), text)
	}
	text += fmt.Sprintf(" by %s games of an agent against itself each", dataset.Count(a.plan.GamesAt(a.look)))
	if len(budgets) > 1 || a.plan.Budgets[0].Nodes > 0 {
		text += fmt.Sprintf(", with %s nodes a move", strings.Join(budgets, " and "))
	}
	text += "."
	if r.Against != nil {
		text += " " + strings.Join(r.Against.Answers, " ")
	} else {
		for _, o := range r.Outcomes {
			text += " " + o.Answer
		}
	}
	if r.Interaction != nil {
		text += " " + r.Interaction.Answer
	}
	if n := len(r.Health.Warnings); n > 0 {
		text += fmt.Sprintf(" There are %d warnings about the data to read first.", n)
	}
	return text
}
