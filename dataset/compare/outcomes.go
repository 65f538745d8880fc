package compare

import (
	"cmp"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
)

func (a *analysis) outcomes() []Outcomes {
	list := []Outcomes{}
	for v, b := range a.plan.arms(0) {
		m := a.selfPlay(v, b)
		list = append(list, Outcomes{
			Variant: a.plan.Variants[v].Name, Nodes: a.plan.Budgets[b].Nodes, Games: m.means[firstScore].Len(),
			Estimates: m.estimates(Outcome, a.level()), Reasons: m.ends(a.rules[v].Game.Spec(), a.level()),
		})
	}
	return list
}

// ends returns the reasons for which games ended, the most frequent first.
func (m *Measures) ends(spec *env.Spec, level float64) []Reason {
	list, games := []Reason{}, m.means[firstScore].Len()
	for of, r := range m.reasons {
		list = append(list, Reason{
			Reason: of.String(), Games: r.games, Share: stats.Wilson(r.games, games, level), Draws: r.draws, FirstScore: r.score.Interval(level),
			HouseRule: slices.ContainsFunc(spec.Ends, func(e env.End) bool { return e.Reason == of && e.HouseRule }),
		})
	}
	slices.SortFunc(list, func(a, b Reason) int { return cmp.Or(cmp.Compare(b.Games, a.Games), cmp.Compare(a.Reason, b.Reason)) })
	return list
}

func (a *analysis) provenance() Provenance {
	p := Provenance{Variants: []VariantData{}, Arms: []ArmData{}, SameGame: a.sameGame()}
	for i, v := range a.rules {
		spec := v.Game.Spec()
		d := VariantData{Name: a.plan.Variants[i].Name, Digest: a.plan.Variants[i].Digest, Game: spec.Game, Players: spec.Players, Changes: []RuleChange{}}
		if i > 0 && spec.Game == a.rules[0].Game.Spec().Game {
			for _, change := range variant.Differences(a.rules[0], v) {
				d.Changes = append(d.Changes, RuleChange{Field: change.Field, From: change.From, To: change.To})
			}
		}
		p.Variants = append(p.Variants, d)
	}
	for v, b := range a.plan.arms(0) {
		p.Arms = append(p.Arms, a.arms(v, b)...)
	}
	return p
}

// sameGame reports whether all variants are variants of one game.
func (a *analysis) sameGame() bool {
	return !slices.ContainsFunc(a.rules, func(v *variant.Variant) bool { return v.Game.Spec().Game != a.rules[0].Game.Spec().Game })
}

// arms describes the games of a variant with a budget.
func (a *analysis) arms(variant, budget int) []ArmData {
	name, nodes, m := a.plan.Variants[variant].Name, a.plan.Budgets[budget].Nodes, a.selfPlay(variant, budget)
	list := []ArmData{{
		Variant: name, Nodes: nodes, Agents: m.settings.Agents, Run: m.settings.Run(), Seed: m.settings.Seed,
		Asked: a.plan.GamesAt(a.look), Played: m.played, Truncated: m.truncated, Resigned: m.resigned, Failed: m.failed,
		Distinct: m.distinct, Openings: m.openings,
	}}
	if a.plan.LadderPairs == 0 {
		return list
	}
	l := a.played[variant][budget].Ladder
	return append(list, ArmData{
		Variant: name, Nodes: nodes, Ladder: true, Agents: l.settings.Agents, Run: l.settings.Run(), Seed: l.settings.Seed,
		Asked: a.plan.LadderPairs, Played: l.played, Truncated: l.truncated, Resigned: l.resigned, Failed: l.failed,
		Distinct: l.distinct, Openings: l.openings,
	})
}
