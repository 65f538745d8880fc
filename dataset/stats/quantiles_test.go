package stats_test

import (
	"math"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// Roots in t of
//
//	betainc(nu/2, .5, 0, nu/(nu + t*t), regularized=True) == 1 - level
//
// by mpmath 1.4.1 at 40 digits.
func TestQuantilesOfStudentAgreeWithMpmath(t *testing.T) {
	for _, c := range []struct {
		level   float64
		degrees int64
		want    float64
	}{
		{0.95, 1, 12.70620473617469},
		{0.01, 1, 0.01570925532366492},
		{0.5, 3, 0.7648923284043453},
		{0.001, 7, 0.001298730555074141},
		{0.95, 37, 2.026192463029109},
		{1 - 1e-12, 5, 452.5412265910898},
		{0.999999, 1037, 4.921190158045711},
		{1 - 1e-12, 1999, 7.176998901038177},
		{0.95, 99999, 1.959987707771844},
		{0.95, 100001, 1.959987707297379},
		{1 - 1e-12, 200001, 7.130972010308165},
	} {
		var m stats.Moments
		m.Add(-1, (c.degrees+1)/2)
		m.Add(1, (c.degrees+1)/2)
		within(t, "quantile", m.Interval(c.level).High*math.Sqrt(float64(c.degrees)), c.want, 2e-10*c.want)
	}
}
