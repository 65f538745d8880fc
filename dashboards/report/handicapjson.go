package report

import "github.com/sandtable-farm/sandtable/dataset/handicap"

// HandicapJSON returns a report on handicaps for encoding as JSON: its numbers, and
// sentences under the keys name, answer, problem and notes.
func HandicapJSON(r *handicap.Report) any {
	return &handicapJSON{
		Report: r, Answer: handicapAnswer(r), Notes: handicapNotes(r),
		Handicaps: each(r.Handicaps, func(e *handicap.Effect) effectJSON {
			j := effectJSON{Name: effectName(e), Effect: e, Problem: effectProblem(e, r.Unit), Answer: effectAnswer(e)}
			if c := e.Regression; c != nil {
				j.Regression = &regressionJSON{c, regressionProblem(c), regressionAnswer(c)}
			}
			return j
		}),
		Curves: each(r.Curves, func(c *handicap.Curve) curveJSON { return curveJSON{c, curveAnswer(c)} }),
	}
}

// The fields of these types replace those of the embedded types with the same key.
type (
	handicapJSON struct {
		*handicap.Report
		Handicaps []effectJSON `json:"handicaps"`
		Curves    []curveJSON  `json:"curves"`
		Answer    string       `json:"answer"`
		Notes     []string     `json:"notes"`
	}
	effectJSON struct {
		Name string `json:"name"`
		*handicap.Effect
		Problem    string          `json:"problem"`
		Regression *regressionJSON `json:"regression"`
		Answer     string          `json:"answer"`
	}
	regressionJSON struct {
		*handicap.Comparison
		Problem string `json:"problem"`
		Answer  string `json:"answer"`
	}
	curveJSON struct {
		*handicap.Curve
		Answer string `json:"answer"`
	}
)
