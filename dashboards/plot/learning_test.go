package plot_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dashboards/plot"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

func points() []plot.LearningPoint {
	interval := func(low, estimate, high float64) stats.Interval {
		return stats.Interval{Low: low, Estimate: estimate, High: high, Level: .95}
	}
	return []plot.LearningPoint{
		{Iteration: 1, Games: 200, Accepted: true, Candidate: interval(60, 90, 140), Best: interval(60, 90, 140)},
		{Iteration: 2, Games: 2000, Candidate: interval(50, 80, 110), Best: interval(60, 90, 140)},
		{Iteration: 3, Games: 80, Accepted: true, Candidate: interval(200, 200, math.Inf(1)), Best: interval(200, 200, math.Inf(1))},
	}
}

func curve(t *testing.T, variant string, points []plot.LearningPoint) string {
	t.Helper()
	var out bytes.Buffer
	if err := plot.LearningCurve(&out, variant, points); err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(bytes.NewReader(out.Bytes())); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

func TestALearningCurveSaysWhatItShows(t *testing.T) {
	svg := curve(t, `trench/standard{"target_points":20}`, points())
	for _, want := range []string{"trench/standard{", "2280 match games", "95 % confidence intervals", ">iteration<", "Elo relative to the initial agent",
		"best agent so far", "candidate accepted", "candidate rejected", "#0072B2", "#D55E00"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the figure does not contain %q", want)
		}
	}
	if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
		t.Error("the figure contains numbers that are not finite")
	}
	if again := curve(t, `trench/standard{"target_points":20}`, points()); again != svg {
		t.Error("the same curve is drawn differently")
	}
}

func TestALearningCurveOfNothingIsDrawn(t *testing.T) {
	if svg := curve(t, "ntxuva/basic", nil); !strings.Contains(svg, "0 match games") || strings.Contains(svg, "candidate") {
		t.Errorf("the figure is %s", svg)
	}
}
