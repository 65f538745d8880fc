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
		Distinct: m.distinct, Early: m.early, Openings: m.openings,
	}}
	if a.plan.LadderPairs == 0 {
		return list
	}
	l := a.played[variant][budget].Ladder
	return append(list, ArmData{
		Variant: name, Nodes: nodes, Ladder: true, Agents: l.settings.Agents, Run: l.settings.Run(), Seed: l.settings.Seed,
		Asked: a.plan.LadderPairs, Played: l.played, Truncated: l.truncated, Resigned: l.resigned, Failed: l.failed,
		Distinct: l.distinct, Early: l.early, Openings: l.openings,
	})
}

const (
	// FewGames is the number of games or pairs below which intervals are rough.
	FewGames    = 50
	mostDoubted = 0.01 // greatest share of repeated games, or of games decided early, without a warning
)

// A Problem is the kind of a warning.
type Problem string

const (
	MissingGames   Problem = "missing_games"   // Count of Of planned games, or pairs, are missing
	FewResults     Problem = "few_results"     // only Count games have a result, or pairs count
	CutOffGames    Problem = "cut_off"         // Count of Of games reached the ply limit
	FailedGames    Problem = "failed"          // Count of Of games were lost by a program that failed
	RepeatedGames  Problem = "repeated_games"  // only Count of Of games are distinct
	DecidedEarly   Problem = "decided_early"   // Count of Of games ended within two plies of the agents' taking over
	NoChance       Problem = "no_chance"       // games with one of the Count openings are identical
	FewOpenings    Problem = "few_openings"    // the games start from only Count positions, more than one
	DifferentGames Problem = "different_games" // the variants are not of one game
)

// A Warning is a reason to doubt the games of a variant with a budget, or, with
// DifferentGames, the whole comparison.
type Warning struct {
	Problem   Problem
	Variant   string
	Nodes     int64
	Ladder    bool // it is about the ladder, otherwise about self-play
	Count, Of int64
}

// health counts the reasons for doubt.
func (a *analysis) health() Health {
	h := Health{Arms: []ArmHealth{}}
	for v, b := range a.plan.arms(0) {
		m := a.selfPlay(v, b)
		arm := ArmHealth{
			Variant: a.plan.Variants[v].Name, Nodes: a.plan.Budgets[b].Nodes, Games: m.played, Missing: a.plan.GamesAt(a.look) - m.played,
			Truncated: stats.Wilson(m.truncated, m.played, a.level()), Forfeited: stats.Wilson(m.resigned+m.failed, m.played, a.level()),
			Distinct: share(m.distinct, m.played), Early: stats.Wilson(m.early, m.played, a.level()), Openings: share(m.openings, m.played),
		}
		h.Arms = append(h.Arms, arm)
		own := m.warnings(a.plan.GamesAt(a.look))
		if a.plan.LadderPairs > 0 {
			own = append(own, a.played[v][b].Ladder.warnings(a.plan.LadderPairs)...)
		}
		for _, w := range own {
			w.Variant, w.Nodes = arm.Variant, arm.Nodes
			h.Warnings = append(h.Warnings, w)
		}
	}
	if !a.sameGame() {
		h.Warnings = append(h.Warnings, Warning{Problem: DifferentGames})
	}
	return h
}

// warnings collects the warnings that apply to self-play, or to the ladder.
type warnings struct {
	ladder bool
	list   []Warning
}

func (w *warnings) add(applies bool, problem Problem, count, of int64) {
	if applies {
		w.list = append(w.list, Warning{Problem: problem, Ladder: w.ladder, Count: count, Of: of})
	}
}

// warnings returns the warnings about self-play of which the given number of games was
// planned.
func (m *Measures) warnings(planned int64) []Warning {
	var list warnings
	results := m.means[firstScore].Len()
	list.add(m.played < planned, MissingGames, planned-m.played, planned)
	list.add(results < FewGames, FewResults, results, m.played)
	list.add(m.truncated > 0, CutOffGames, m.truncated, m.played)
	list.add(m.failed > 0, FailedGames, m.failed, m.played)
	if m.played > 1 {
		list.add(share(m.distinct, m.played) < 1-mostDoubted, RepeatedGames, m.distinct, m.played)
		list.add(share(m.early, m.played) > mostDoubted, DecidedEarly, m.early, m.played)
		list.add(m.openings < m.played && m.distinct == m.openings, NoChance, m.openings, m.played)
		list.add(m.openings > 1 && m.openings < FewGames && m.openings < m.played, FewOpenings, m.openings, m.played)
	}
	return list.list
}

// warnings returns the warnings about a ladder of which the given number of pairs was
// planned.
func (m *LadderMeasures) warnings(planned int64) []Warning {
	list := warnings{ladder: true}
	games := 2 * m.played
	list.add(m.played < planned, MissingGames, planned-m.played, planned)
	list.add(m.pairs.Pairs() < FewGames, FewResults, m.pairs.Pairs(), m.played)
	list.add(m.truncated > 0, CutOffGames, m.truncated, games)
	list.add(m.failed > 0, FailedGames, m.failed, games)
	if m.played > 1 {
		list.add(share(m.distinct, games) < 1-mostDoubted, RepeatedGames, m.distinct, games)
		list.add(share(m.early, games) > mostDoubted, DecidedEarly, m.early, games)
	}
	return list.list
}

// share returns part/whole, or 1 for a whole of 0.
func share(part, whole int64) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}
