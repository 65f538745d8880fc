package dataset

import (
	"fmt"
	"strconv"
)

// An OpeningPolicy says how the plies of openings are drawn, and which openings are
// refused and drawn again: those in which a search of two plies with quiescence finds a
// forced result, or a score that differs from the static score of the position by more than
// Swing. Games have an even and an odd number of plies before the agents take over in turn,
// so that neither player is always the side to move; see [Assignment].OpeningPlies.
type OpeningPolicy struct {
	Name string `json:"name"` // RandomOpenings or SampledOpenings
	// Temperature is that of SampledOpenings, on the scale of expected results from −1 to 1:
	// an action has a weight of exp(value/Temperature).
	Temperature float64 `json:"temperature,omitempty"`
	Swing       int     `json:"swing"` // in hundredths of a point
}

// Names of opening policies.
const (
	// RandomOpenings are of uniformly random plies.
	RandomOpenings = "random"
	// SampledOpenings are drawn by the evaluators of the agents that play.
	SampledOpenings = "sampled"
)

// Bounds of an OpeningPolicy.
const (
	LeastTemperature = 0.001
	MostTemperature  = 100
	MostSwing        = 100_000
)

// Alternates reports whether openings have K and K+1 plies in turn: not under the zero
// policy.
func (p OpeningPolicy) Alternates() bool { return p != OpeningPolicy{} }

// Validate checks the policy for openings of a number of plies.
func (p OpeningPolicy) Validate(plies int) error {
	if !p.Alternates() {
		return nil
	}
	switch {
	case p.Name != RandomOpenings && p.Name != SampledOpenings:
		return fmt.Errorf("opening_policy is %q, must be %s or %s", p.Name, RandomOpenings, SampledOpenings)
	case plies < 1:
		return fmt.Errorf("opening_plies is %d, must be 1 or more for %s openings", plies, p.Name)
	case p.Name == RandomOpenings && p.Temperature != 0:
		return fmt.Errorf("temperature is %v, must be 0 for %s openings", p.Temperature, p.Name)
	case p.Name == SampledOpenings && !(p.Temperature >= LeastTemperature && p.Temperature <= MostTemperature):
		return fmt.Errorf("temperature is %v, must be %v to %v", p.Temperature, LeastTemperature, MostTemperature)
	case p.Swing < 0 || p.Swing > MostSwing:
		return fmt.Errorf("swing is %d, must be 0 to %d hundredths of a point", p.Swing, MostSwing)
	}
	return nil
}

// Text returns the policy for openings of a number of plies as the flag --openings reads it.
func (p OpeningPolicy) Text(plies int) string {
	text := p.Name + ":" + strconv.Itoa(plies)
	if p.Name == SampledOpenings {
		text += ",temperature=" + strconv.FormatFloat(p.Temperature, 'f', -1, 64)
	}
	const unit = 100 // hundredths in a point
	return text + ",swing=" + strconv.FormatFloat(float64(p.Swing)/unit, 'f', -1, 64)
}

// FromStart reports whether the agents play every game from the start of the variant, so
// that the first player is the player who moves first by the rules.
func (s *Settings) FromStart() bool { return s.OpeningPlies == 0 && len(s.Starts) == 0 }

// MeasuresFirstMove reports whether the results of the first player show what moving first by
// the rules is worth. They do if the agents play from the start of the variant, or if
// openings from there have K and K+1 plies in turn, so that each player is the side to move
// equally often when the agents take over. After other openings the results of a seat depend
// on whose turn it is; see [Episode.SideToMove].
func (s *Settings) MeasuresFirstMove() bool {
	return len(s.Starts) == 0 && (s.OpeningPlies == 0 || s.OpeningPolicy.Alternates())
}
