package learn

import "github.com/sandtable-farm/sandtable/dataset"

// Target returns the target of a position with the given mix and confidence.
func Target(mix, confidence float64, ep *dataset.Episode, step *dataset.Step) (target float64, known bool) {
	p := sampler{recipe: &Recipe{Mix: mix}, confidence: confidence}
	return p.target(ep, step)
}

// Curve is curve, for its test.
func Curve(reports []*Report) []Point { return curve(reports) }
