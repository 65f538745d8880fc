package learn

import "github.com/sandtable-farm/sandtable/dataset"

// Target is what a position teaches by a recipe with such a mix, where the search's
// scores have a confidence.
func Target(mix, confidence float64, ep *dataset.Episode, step *dataset.Step) (target float64, known bool) {
	p := sampler{recipe: &Recipe{Mix: mix}, confidence: confidence}
	return p.target(ep, step)
}

// Curve adds up the matches of gates.
func Curve(reports []*Report) []Point { return curve(reports) }
