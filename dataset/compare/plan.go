package compare

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// A Plan states a comparison before anything is played. Its JSON is plan.json.
type Plan struct {
	Variants []Variant `json:"variants"` // the first is the baseline
	Budgets  []Budget  `json:"budgets"`  // by rising nodes
	// Games are those of self-play of each variant with each budget, LadderPairs the
	// pairs of twice the nodes against once; 0: none.
	Games        int64  `json:"games,string"`
	LadderPairs  int64  `json:"ladder_pairs,string"`
	OpeningPlies int    `json:"opening_plies"`
	MaxPlies     int    `json:"max_plies"` // 0 is no limit
	Seed         uint64 `json:"seed,string"`
	// Looks are the shares of Games, rising to 1, after which the comparison may
	// end; empty: one look at the end.
	Looks []float64 `json:"looks,omitempty"`
	// Power is that of the minimum detectable effects: 0.8.
	Power float64 `json:"power"`
	// Margins, by metric, are the greatest differences that do not matter. What is
	// not here has its default: see Metric.Margin.
	Margins map[string]float64 `json:"margins,omitempty"`
	Unit    string             `json:"unit,omitempty"` // piece type that is worth 1; empty: the most frequent one
}

// A Variant is a rule set to compare.
type Variant struct {
	Name   string          `json:"name"` // variant string, for people
	Digest string          `json:"digest"`
	Rules  json.RawMessage `json:"rules"` // the complete rule set
}

// A Budget is how much the agents may think.
type Budget struct {
	Nodes int64 `json:"nodes,string"` // a move; 0 of agents that do not search
	// Agent plays both sides in self-play, as recorded, and Double, which may think
	// twice as much, against it on the ladder; empty where there is none.
	Agent  string `json:"agent"`
	Double string `json:"double,omitempty"`
}

// Validate checks the plan but for the rules and the agents, which it does not know.
func (p *Plan) Validate() error {
	switch {
	case len(p.Variants) == 0:
		return errors.New("there are no variants, must be one or more")
	case len(p.Budgets) == 0:
		return errors.New("there are no budgets, must be one or more")
	case p.Games < 1:
		return fmt.Errorf("games is %d, must be 1 or more", p.Games)
	case p.LadderPairs < 0:
		return fmt.Errorf("ladder_pairs is %d, must be 0 (none) or more", p.LadderPairs)
	case p.OpeningPlies < 0:
		return fmt.Errorf("opening_plies is %d, must be 0 or more", p.OpeningPlies)
	case p.MaxPlies < 0:
		return fmt.Errorf("max_plies is %d, must be 0 (no limit) or more", p.MaxPlies)
	case !(p.Power > 1-stats.Level && p.Power < 1):
		return fmt.Errorf("power is %v, must be more than %.2f and less than 1", p.Power, 1-stats.Level)
	}
	for i, v := range p.Variants {
		if v.Name == "" || v.Digest == "" || !json.Valid(v.Rules) {
			return fmt.Errorf("variant %d (%q) needs a name, a digest and rules in JSON", i+1, v.Name)
		}
	}
	for i, b := range p.Budgets {
		switch {
		case b.Agent == "":
			return fmt.Errorf("budget %d has no agent", i+1)
		case b.Nodes < 0:
			return fmt.Errorf("budget %d is %d nodes, must be 0 (no search) or more", i+1, b.Nodes)
		case i > 0 && b.Nodes <= p.Budgets[i-1].Nodes:
			return fmt.Errorf("budgets must rise: %d nodes come after %d", b.Nodes, p.Budgets[i-1].Nodes)
		case p.LadderPairs > 0 && (b.Double == "" || b.Double == b.Agent):
			return fmt.Errorf("the ladder needs an agent with twice the %d nodes of %s", b.Nodes, b.Agent)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Margins)) {
		m, ok := lookup(name)
		if !ok || m.Family == Skill {
			return fmt.Errorf("margin %s: there is no such metric of self-play, must be one of %s", name, strings.Join(names(func(m *Metric) bool { return m.Family != Skill }), ", "))
		}
		if margin := p.Margins[name]; !(margin > 0) || math.IsInf(margin, 0) {
			return fmt.Errorf("margin %s is %v, must be more than 0", name, margin)
		}
	}
	return p.validateLooks()
}

func (p *Plan) validateLooks() error {
	if len(p.Looks) == 0 {
		return nil
	}
	if last := p.Looks[len(p.Looks)-1]; last != 1 {
		return fmt.Errorf("the last look is at %v of the games, must be at 1, all of them", last)
	}
	if len(p.Variants) < 2 {
		return errors.New("looks end a comparison: a variant alone has none")
	}
	for k := 1; k < len(p.Looks); k++ {
		if p.GamesAt(k) <= p.GamesAt(k-1) {
			return fmt.Errorf("looks %d and %d are both after %d games, must be apart", k, k+1, p.GamesAt(k))
		}
	}
	if _, err := (stats.Sequential{Level: stats.Level}).Looks(p.information()); err != nil {
		return fmt.Errorf("looks: %w", err)
	}
	return nil
}

// LookCount is how often the games are looked at: once without Looks.
func (p *Plan) LookCount() int { return max(1, len(p.Looks)) }

// GamesAt is how many games of each variant with each budget there are at a look,
// from 0.
func (p *Plan) GamesAt(look int) int64 {
	if len(p.Looks) == 0 {
		return p.Games
	}
	return min(p.Games, int64(math.Ceil(p.Looks[look]*float64(p.Games))))
}

// information is what the looks have of the plan.
func (p *Plan) information() []float64 {
	shares := make([]float64, p.LookCount())
	for k := range shares {
		shares[k] = float64(p.GamesAt(k)) / float64(p.Games)
	}
	return shares
}

// family is how many comparisons against the baseline are tested together.
func (p *Plan) family() int {
	return (len(p.Variants) - 1) * len(p.Budgets) * len(names(func(m *Metric) bool { return m.Primary }))
}

// Detectable returns the least difference in the first player's score, or in a
// share, that the plan finds with its Power wherever it is: with the error divided
// by the size of the family, and the variance of a share of a half, the greatest
// one. It needs two variants and two games.
func (p *Plan) Detectable() (float64, error) {
	if len(p.Variants) < 2 {
		return 0, errors.New("a variant alone is compared with nothing")
	}
	l, err := p.levels(p.LookCount() - 1)
	if err != nil {
		return 0, err
	}
	const greatest = 0.25
	return stats.Trial{Level: l.at(divided(stats.Level, p.family())), Groups: 2, Variance: greatest}.Detectable(p.Games, p.Power)
}
