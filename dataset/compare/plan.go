package compare

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// A Plan states a comparison before any game is played. It is stored as plan.json.
type Plan struct {
	Variants []Variant `json:"variants"` // the first is the baseline; names differ
	Budgets  []Budget  `json:"budgets"`  // in ascending order of nodes
	// Games is the number of self-play games, LadderPairs the number of pairs of games of
	// twice the nodes against once, for each variant with each budget. LadderPairs may be 0.
	Games        int64 `json:"games,string"`
	LadderPairs  int64 `json:"ladder_pairs,string"`
	OpeningPlies int   `json:"opening_plies"`
	// OpeningPolicy is that of all games; see dataset.Settings. The zero value is omitted.
	OpeningPolicy dataset.OpeningPolicy `json:"opening_policy,omitzero"`
	MaxPlies      int                   `json:"max_plies"` // 0 means no limit
	Seed          uint64                `json:"seed,string"`
	// Looks are the shares of Games after which the comparison may end, in ascending
	// order up to 1. Without Looks, the only look is at the end.
	Looks []float64 `json:"looks,omitempty"`
	// Power is the power of the minimum detectable differences, such as 0.8.
	Power float64 `json:"power"`
	// Margins are the greatest differences that do not matter, by metric. Other metrics
	// have their default: see Metric.Margin.
	Margins map[string]float64 `json:"margins,omitempty"`
	Unit    string             `json:"unit,omitempty"` // piece type that is worth 1; empty: the most frequent one
}

// A Variant is a rule set to compare.
type Variant struct {
	Name   string          `json:"name"`
	Digest string          `json:"digest"`
	Rules  json.RawMessage `json:"rules"` // the complete rule set
	// Starts are the positions of a suite, in which games begin in turn.
	Starts []string `json:"starts,omitempty"`
}

// A Budget is the number of nodes that an agent may search per move.
type Budget struct {
	Nodes int64 `json:"nodes,string"` // per move; 0 for agents that do not search
	// Agent plays both sides in self-play. On the ladder Double, the same agent with
	// twice the nodes, plays against it; empty without a ladder.
	Agent  string `json:"agent"`
	Double string `json:"double,omitempty"`
}

// UnmarshalJSON reads a plan from plan.json, in which counts are strings, or from a
// report, in which they are numbers.
func (p *Plan) UnmarshalJSON(data []byte) error {
	type plan Plan // has no UnmarshalJSON
	return unmarshalCounts(data, (*plan)(p), "games", "ladder_pairs")
}

// UnmarshalJSON reads a budget like [Plan.UnmarshalJSON].
func (b *Budget) UnmarshalJSON(data []byte) error {
	type budget Budget
	return unmarshalCounts(data, (*budget)(b), "nodes")
}

// unmarshalCounts decodes an object in which the named counts may be numbers although the
// type has them as strings.
func unmarshalCounts(data []byte, into any, names ...string) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return err
	}
	for _, name := range names {
		if count := fields[name]; len(count) > 0 && count[0] != '"' {
			fields[name] = slices.Concat([]byte{'"'}, count, []byte{'"'})
		}
	}
	data, err := json.Marshal(fields)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, into)
}

// Validate checks everything in the plan except the rules and the agents.
func (p *Plan) Validate() error {
	switch {
	case len(p.Variants) == 0:
		return errors.New("the plan has no variants, must have one or more")
	case len(p.Budgets) == 0:
		return errors.New("the plan has no budgets, must have one or more")
	case p.Games < 1:
		return fmt.Errorf("games is %d, must be 1 or more", p.Games)
	case p.LadderPairs < 0:
		return fmt.Errorf("ladder_pairs is %d, must be 0 (none) or more", p.LadderPairs)
	case p.OpeningPlies < 0:
		return fmt.Errorf("opening_plies is %d, must be 0 or more", p.OpeningPlies)
	case p.OpeningPolicy.Validate(p.OpeningPlies) != nil:
		return p.OpeningPolicy.Validate(p.OpeningPlies)
	case p.MaxPlies < 0:
		return fmt.Errorf("max_plies is %d, must be 0 (no limit) or more", p.MaxPlies)
	case !(p.Power > 1-stats.Level && p.Power < 1):
		return fmt.Errorf("power is %v, must be more than %.2f and less than 1", p.Power, 1-stats.Level)
	}
	for i, v := range p.Variants {
		if v.Name == "" || v.Digest == "" || !json.Valid(v.Rules) {
			return fmt.Errorf("variant %d (%q) needs a name, a digest and rules in JSON", i+1, v.Name)
		}
		if slices.ContainsFunc(p.Variants[:i], func(other Variant) bool { return other.Name == v.Name }) {
			return fmt.Errorf("two variants are named %s, must have different names", v.Name)
		}
	}
	for i, b := range p.Budgets {
		switch {
		case b.Agent == "":
			return fmt.Errorf("budget %d has no agent", i+1)
		case b.Nodes < 0:
			return fmt.Errorf("budget %d is %d nodes, must be 0 (no search) or more", i+1, b.Nodes)
		case i > 0 && b.Nodes <= p.Budgets[i-1].Nodes:
			return fmt.Errorf("budgets must rise: %d nodes follow %d", b.Nodes, p.Budgets[i-1].Nodes)
		case p.LadderPairs > 0 && (b.Double == "" || b.Double == b.Agent):
			return fmt.Errorf("the ladder needs an agent with twice the %d nodes of %s", b.Nodes, b.Agent)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Margins)) {
		m, ok := lookup(name)
		if !ok || m.Family == Skill {
			return fmt.Errorf("margin %s: the metric is unknown or not of self-play, must be one of %s", name, names(selected(func(m *Metric) bool { return m.Family != Skill })))
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
		return fmt.Errorf("the last look is after a share of %v of the games, must be 1", last)
	}
	if len(p.Variants) < 2 {
		return errors.New("looks need two variants or more to compare")
	}
	for k := 1; k < len(p.Looks); k++ {
		if p.GamesAt(k) <= p.GamesAt(k-1) {
			return fmt.Errorf("looks %d and %d are both after %d games, must differ", k, k+1, p.GamesAt(k))
		}
	}
	if _, err := (stats.Sequential{Level: stats.Level}).Looks(p.information()); err != nil {
		return fmt.Errorf("looks: %w", err)
	}
	return nil
}

// FromStart reports whether the agents play every game from the start of its variant.
func (p *Plan) FromStart() bool {
	return p.OpeningPlies == 0 && !slices.ContainsFunc(p.Variants, func(v Variant) bool { return len(v.Starts) > 0 })
}

// MeasuresFirstMove is like that of dataset.Settings, for the games of all variants.
func (p *Plan) MeasuresFirstMove() bool {
	return !slices.ContainsFunc(p.Variants, func(v Variant) bool {
		s := dataset.Settings{OpeningPlies: p.OpeningPlies, OpeningPolicy: p.OpeningPolicy, Starts: v.Starts}
		return !s.MeasuresFirstMove()
	})
}

// arms yields the indices of each variant from first on with each budget.
func (p *Plan) arms(first int) iter.Seq2[int, int] {
	return func(yield func(variant, budget int) bool) {
		for i := first * len(p.Budgets); i < len(p.Variants)*len(p.Budgets); i++ {
			if !yield(i/len(p.Budgets), i%len(p.Budgets)) {
				return
			}
		}
	}
}

// LookCount returns the number of looks: 1 without Looks.
func (p *Plan) LookCount() int { return max(1, len(p.Looks)) }

// GamesAt returns the number of games of each variant with each budget at a look,
// counted from 0.
func (p *Plan) GamesAt(look int) int64 {
	if len(p.Looks) == 0 {
		return p.Games
	}
	return min(p.Games, int64(math.Ceil(p.Looks[look]*float64(p.Games))))
}

// information returns the share of the games at each look.
func (p *Plan) information() []float64 {
	shares := make([]float64, p.LookCount())
	for k := range shares {
		shares[k] = float64(p.GamesAt(k)) / float64(p.Games)
	}
	return shares
}

// levels returns the levels of single intervals at a look.
func (p *Plan) levels(look int) (*stats.Levels, error) {
	switch {
	case look < 0 || look >= p.LookCount():
		return nil, fmt.Errorf("look is %d, must be 0 to %d", look, p.LookCount()-1)
	case len(p.Looks) == 0:
		return new(stats.Levels), nil
	}
	return stats.Sequential{Level: stats.Level}.Levels(p.information()[:look+1])
}

// family returns the number of comparisons with the baseline that are tested together.
func (p *Plan) family() int {
	return (len(p.Variants) - 1) * len(p.Budgets) * len(primary())
}

// Detectable returns the least difference in the first player's score, or in a share,
// that the plan detects with its Power for any true value. The error is divided by the
// size of the family, and the variance is the greatest, that of a share of one half.
// A plan with one variant is an error.
func (p *Plan) Detectable() (float64, error) {
	if len(p.Variants) < 2 {
		return 0, errors.New("the plan has one variant, must have two or more")
	}
	l, err := p.levels(p.LookCount() - 1)
	if err != nil {
		return 0, err
	}
	const greatest = 0.25
	return stats.Trial{Level: l.At(divided(stats.Level, p.family())), Groups: 2, Variance: greatest}.Detectable(p.Games, p.Power)
}
