package openings

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
)

// Names of policies, besides those of package dataset.
const (
	startName = "start" // the start of the variant
	suiteName = "suite" // positions of a suite
)

// A Policy says how games begin, for any rule set.
type Policy struct {
	name        string
	plies       int
	temperature float64
	swing       int    // in hundredths of a point; −1 for the default of the rule set
	file        string // of a suite; empty for the stored one
}

// Values of a policy that its text does not give.
const (
	// DefaultTemperature draws an action that is one point worse than another, in an even
	// position, about a third as often. At 0.1 half of 2,000 openings of N'txuva repeat
	// others, at 0.2 an eighth.
	DefaultTemperature = 0.2
	// swingShare is the default of the greatest swing as a divisor of the value of the pieces
	// of a player: a tenth.
	swingShare = 10

	maxPlies = 10_000
)

// Usage lists the policies, for messages and help.
const Usage = "start, sampled:K, suite, suite:FILE or random:K"

// Help describes the policies, one line for each.
const Help = `  start      the start of the variant; games differ by the choices of the agents
  sampled:K  K or K+1 plies drawn by the evaluators of the agents, at a temperature;
             sampled:K,temperature=T draws them less (0.05) or more (0.5) freely than at 0.2
  suite      the built-in suite of level positions of the variant, in an order by --seed
  suite:FILE position texts of a file, one per line, in an order by --seed
  random:K   K or K+1 uniformly random plies
Games or pairs have K and K+1 plies in turn, so that each player is as often the side to
move when the agents take over. An opening is refused and drawn again if a search of two
plies finds a forced result or a swing of the score. The greatest swing is a tenth of the
value of one player's pieces; sampled:K,swing=S and random:K,swing=S set it in points.`

// Completions returns texts with which a policy can begin.
func Completions() []string {
	return []string{startName, dataset.SampledOpenings + ":8", suiteName, suiteName + ":", dataset.RandomOpenings + ":8"}
}

// Start returns the policy of the start of the variant.
func Start() Policy { return Policy{name: startName} }

// Sampled returns the policy of DefaultPlies sampled plies.
func Sampled() Policy {
	return Policy{name: dataset.SampledOpenings, plies: DefaultPlies, temperature: DefaultTemperature, swing: -1}
}

// Parse reads a policy.
func Parse(text string) (Policy, error) {
	head, rest, options := strings.Cut(text, ",")
	name, value, given := strings.Cut(head, ":")
	p := Policy{name: name, swing: -1}
	unknown := fmt.Errorf("%q, must be %s", text, Usage)
	switch name {
	case startName:
		if given || options {
			return Policy{}, unknown
		}
		return p, nil
	case suiteName:
		if given && value == "" || options && !given {
			return Policy{}, unknown
		}
		_, p.file, _ = strings.Cut(text, ":") // a file may have a comma in its name
		return p, nil
	case dataset.SampledOpenings:
		p.temperature = DefaultTemperature
	case dataset.RandomOpenings:
	default:
		return Policy{}, unknown
	}
	var err error
	if p.plies, err = strconv.Atoi(value); err != nil || p.plies < 1 || p.plies > maxPlies {
		return Policy{}, fmt.Errorf("%q: K is %q, must be a number of plies from 1 to %d", text, value, maxPlies)
	}
	if options {
		err = p.options(text, rest)
	}
	return p, err
}

// options reads the options after the number of plies.
func (p *Policy) options(text, rest string) error {
	known := []string{"swing"}
	if p.name == dataset.SampledOpenings {
		known = append(known, "temperature")
	}
	seen := map[string]bool{}
	for item := range strings.SplitSeq(rest, ",") {
		name, value, _ := strings.Cut(item, "=")
		if !slices.Contains(known, name) || seen[name] {
			return fmt.Errorf("%q: %q is not %s=NUMBER, once", text, item, strings.Join(known, "=NUMBER or "))
		}
		seen[name] = true
		number, err := strconv.ParseFloat(value, 64)
		switch {
		case name == "swing" && (err != nil || !(number >= 0 && number*eval.Unit <= dataset.MostSwing)):
			return fmt.Errorf("%q: swing is %q, must be 0 to %d points", text, value, dataset.MostSwing/eval.Unit)
		case name == "swing":
			p.swing = int(number*eval.Unit + 0.5)
		case err != nil || !(number >= dataset.LeastTemperature && number <= dataset.MostTemperature):
			return fmt.Errorf("%q: temperature is %q, must be %g to %d", text, value, dataset.LeastTemperature, dataset.MostTemperature)
		default:
			p.temperature = number
		}
	}
	return nil
}

// IsSuite reports whether games begin at the positions of a suite.
func (p Policy) IsSuite() bool { return p.name == suiteName }

// Opening returns the opening of games of a rule set. The seed decides the order of a suite.
func (p Policy) Opening(v *variant.Variant, seed uint64) (selfplay.Opening, error) {
	switch p.name {
	case startName:
		return selfplay.Opening{}, nil
	case suiteName:
		positions, err := p.positions(v)
		return selfplay.Opening{Starts: shuffled(positions, seed)}, err
	}
	return p.drawn(v.Game), nil
}

// drawn returns the opening of a policy that draws plies.
func (p Policy) drawn(game env.Game) selfplay.Opening {
	swing := p.swing
	if swing < 0 {
		swing = DefaultSwing(game)
	}
	return selfplay.Opening{Plies: p.plies, Policy: dataset.OpeningPolicy{Name: p.name, Temperature: p.temperature, Swing: swing}}
}

// DefaultSwing returns the greatest swing of the openings of a game, in hundredths of a
// point: a tenth of the value of a player's pieces at the start. In a game that does not
// list its pieces only forced results are refused.
func DefaultSwing(game env.Game) int {
	if value := eval.SideValue(game); value > 0 {
		return min(value/swingShare, dataset.MostSwing)
	}
	return dataset.MostSwing
}

// positions returns the positions of a suite in the order of its file.
func (p Policy) positions(v *variant.Variant) ([]string, error) {
	if p.file != "" {
		return ReadFile(p.file)
	}
	positions, ok := Stored(v.Digest)
	if !ok {
		return nil, fmt.Errorf("%s has no built-in suite; sandtable openings writes one, for suite:FILE", v.Name)
	}
	return positions, nil
}

// ReadFile reads the position texts of a file, one or more.
func ReadFile(name string) (positions []string, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if positions, err = Read(file); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(positions) == 0 {
		return nil, fmt.Errorf("%s contains no position", name)
	}
	return positions, nil
}

// shuffled shuffles positions in place, in an order that depends on the seed.
func shuffled(positions []string, seed uint64) []string {
	r := env.NewRand(env.Derive(seed, suiteStream))
	for i := len(positions) - 1; i > 0; i-- {
		j := r.IntN(i + 1)
		positions[i], positions[j] = positions[j], positions[i]
	}
	return positions
}
