package report

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/dataset"
)

// Starts describes the start positions of games: the start of the variant for 0.
func Starts(n int) string {
	if n == 0 {
		return "the start"
	}
	return Count(int64(n)) + " given positions"
}

// Opening describes openings of a number of plies from start positions, which from names.
// level says that random plies without a policy keep the score level.
func Opening(plies int, policy dataset.OpeningPolicy, level bool, from string) string {
	switch {
	case plies == 0:
		return from
	case policy.Alternates():
		text := fmt.Sprintf("%d and %d %s plies in turn from %s", plies, plies+1, policy.Name, from)
		if policy.Temperature > 0 {
			text += fmt.Sprintf(", at temperature %g", policy.Temperature)
		}
		const unit = 100 // hundredths in a point
		if policy.Swing < dataset.MostSwing {
			text += fmt.Sprintf(", with a swing of at most %g points", float64(policy.Swing)/unit)
		}
		return text
	case level:
		return fmt.Sprintf("%d random plies with a level score from %s", plies, from)
	}
	return fmt.Sprintf("%d random plies from %s", plies, from)
}
