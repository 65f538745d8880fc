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

// drawn returns a figure, after checking that it is well-formed and deterministic.
func drawn(t *testing.T, draw func(io.Writer) error) string {
	t.Helper()
	var first, again bytes.Buffer
	for _, out := range []*bytes.Buffer{&first, &again} {
		if err := draw(out); err != nil {
			t.Fatal(err)
		}
	}
	if first.String() != again.String() {
		t.Error("the same figure is drawn differently the second time")
	}
	for d := xml.NewDecoder(bytes.NewReader(first.Bytes())); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if strings.Contains(first.String(), "NaN") || strings.Contains(first.String(), "Inf") {
		t.Error("the figure contains numbers that are not finite")
	}
	return first.String()
}

func contains(t *testing.T, svg string, texts ...string) {
	t.Helper()
	for _, want := range texts {
		if !strings.Contains(svg, want) {
			t.Errorf("the figure does not contain %q", want)
		}
	}
}

func TestEstimatesAreDrawnWithNamesAndWithoutEndlessBounds(t *testing.T) {
	list := []plot.Estimate{
		{Name: "General", Interval: stats.Interval{Estimate: 3, Low: 2, High: 5}},
		{Name: "Soldier", Interval: stats.Interval{Estimate: 1, Low: math.Inf(-1), High: math.Inf(1)}},
	}
	svg := drawn(t, func(w io.Writer) error { return plot.Estimates(w, "values, n = 7", "worth", 1, list) })
	contains(t, svg, "General", "Soldier", "values, n = 7", ">worth<", "#0072B2", "stroke-dasharray", ">0<", ">5<")
	drawn(t, func(w io.Writer) error { return plot.Estimates(w, "nothing", "worth", 1, nil) })
	list[1].Interval = stats.Interval{Estimate: -.02, Low: -.05, High: .01}
	if svg := drawn(t, func(w io.Writer) error { return plot.Estimates(w, "about nothing", "worth", 1, list[1:]) }); strings.Contains(svg, "-0") {
		t.Error("there is a tick at minus nothing")
	}
}

func TestScoresHaveTheLineOfEvenOnes(t *testing.T) {
	list := []plot.Estimate{{Name: "all", Interval: stats.Interval{Estimate: .8, Low: .7, High: .9}}}
	svg := drawn(t, func(w io.Writer) error { return plot.Scores(w, "scores, n = 7", list) })
	contains(t, svg, "all", "scores, n = 7", "stroke-dasharray", ">0 %<", ">50 %<", ">100 %<")
	drawn(t, func(w io.Writer) error { return plot.Scores(w, "nothing", nil) })
}

func TestNearScoresShowWhereTheyAre(t *testing.T) {
	list := []plot.Estimate{{Name: "all", Interval: stats.Interval{Estimate: .56, Low: .54, High: .58}}}
	svg := drawn(t, func(w io.Writer) error { return plot.NearScores(w, "scores, n = 7", list) })
	contains(t, svg, "all", "scores, n = 7", "stroke-dasharray", ">50<", ">56<")
	if strings.Contains(svg, ">0<") || strings.Contains(svg, ">100<") {
		t.Error("the whole axis is drawn")
	}
	drawn(t, func(w io.Writer) error { return plot.NearScores(w, "nothing", nil) })
}

func TestResultsHaveTheirSharesWrittenWhereThereIsRoom(t *testing.T) {
	list := []plot.Result{{Name: "A", Won: .5, Drawn: .08, Lost: .42}, {Name: "B", Won: 1}, {Name: "C", Won: .97, Lost: .03}}
	svg := drawn(t, func(w io.Writer) error { return plot.Results(w, "who won, n = 7", list) })
	contains(t, svg, ">A<", ">B<", "who won, n = 7", "50 %", "8 %", "42 %", "100 %", "97 %", "first wins", "drawn", "second wins")
	if strings.Contains(svg, ">3 %<") {
		t.Error("a number is written where it has no room")
	}
	drawn(t, func(w io.Writer) error { return plot.Results(w, "nothing", nil) })
}

func TestDifferencesStandBeforeTheirMargins(t *testing.T) {
	list := []plot.Difference{
		{Estimate: plot.Estimate{Name: "B", Interval: stats.Interval{Estimate: .01, Low: -.01, High: .03}}, Margin: .05},
		{Estimate: plot.Estimate{Name: "C", Interval: stats.Interval{Estimate: .1, Low: math.Inf(-1), High: math.Inf(1)}}},
	}
	svg := drawn(t, func(w io.Writer) error { return plot.Differences(w, "differences, n = 7", "score", list) })
	contains(t, svg, ">B<", ">C<", "differences, n = 7", "stroke-dasharray", "#E1E1E1")
	drawn(t, func(w io.Writer) error { return plot.Differences(w, "nothing", "score", nil) })
}

func TestMatricesHaveNamesOnBothSidesAndNumbersWhereSomethingHappened(t *testing.T) {
	m := plot.Matrix{Title: "who takes whom, n = 7", Rows: "who takes", Columns: "whom", Names: []string{"Tank", "Scout"}, Cells: [][]float64{{0, 1.25}, {.037, 0}}}
	svg := drawn(t, m.Draw)
	contains(t, svg, "who takes whom, n = 7", ">who takes<", ">whom<", ">1.2<", ">0.037<", "#00326E")
	if strings.Count(svg, ">Tank<") != 2 || strings.Contains(svg, ">0<") {
		t.Error("a name is missing on a side, or a number stands where nothing happened")
	}
	drawn(t, (&plot.Matrix{Title: "nothing"}).Draw)
}

func TestCurvesDifferInMoreThanColour(t *testing.T) {
	var curves []plot.Curve
	for i, name := range []string{"Tank", "Commander"} {
		c := plot.Curve{Name: name}
		for x := range 4 {
			share := 1 - float64(x*(i+1))/10
			c.Points = append(c.Points, plot.CurvePoint{X: float64(x), Interval: stats.Interval{Estimate: share, Low: share - .1, High: share}})
		}
		curves = append(curves, c)
	}
	svg := drawn(t, func(w io.Writer) error {
		return plot.Shares(w, "survival", "plies", "alive", append(curves, plot.Curve{Name: "empty"}))
	})
	contains(t, svg, "Tank", "Commander", ">plies<", ">alive<", "stroke-dasharray", "#0072B2", "#D55E00")
	if strings.Contains(svg, "empty") {
		t.Error("a curve without points is in the legend")
	}
	drawn(t, func(w io.Writer) error { return plot.Shares(w, "nothing", "x", "y", nil) })
}

func TestCalibrationHasTheDiagonal(t *testing.T) {
	points := []plot.CurvePoint{{X: .2, Interval: stats.Interval{Estimate: .25, Low: .1, High: .4}}}
	with := drawn(t, func(w io.Writer) error { return plot.Calibration(w, "calibration, n = 9", "expected", "came", points) })
	contains(t, with, "calibration, n = 9", ">expected<", ">came<", "stroke-dasharray", "#0072B2")
	if without := drawn(t, func(w io.Writer) error { return plot.Calibration(w, "", "", "", nil) }); strings.Contains(without, "#0072B2") {
		t.Error("an empty calibration has points")
	}
}

func TestBoardsShowSharesAsNumbersToo(t *testing.T) {
	boards := []plot.Board{
		{Title: "stands, n = 5", Width: 3, Shares: []float64{0, .125, .004, .0001, .9, 0}},
		{Title: "dies, n = 0", Width: 3},
	}
	svg := drawn(t, func(w io.Writer) error { return plot.Boards(w, boards) })
	contains(t, svg, "stands, n = 5", "dies, n = 0", ">12<", ">.4<", ">·<", ">90<", "#00326E", "darkest: 90 %")
	wide := plot.Board{Title: "wide", Width: 16, Shares: make([]float64, 16*16)}
	wide.Shares[7] = .123
	svg = drawn(t, func(w io.Writer) error { return plot.Boards(w, []plot.Board{wide}) })
	contains(t, svg, "darkest: 12 %", "#00326E")
	if strings.Contains(svg, ">12<") {
		t.Error("squares of a wide board have numbers")
	}
}

func TestBoardsShowCoordinatesGroundAndStart(t *testing.T) {
	b := plot.Board{Title: "stands, n = 5", Width: 2, Shares: []float64{0, .5, .5, 0}, Columns: []string{"a", "b"}, Rows: []string{"1", "2"},
		Grounds: []plot.Ground{plot.Plain, plot.Special, plot.Blocked, plot.Plain}, Start: []bool{true, false, false, false}}
	svg := drawn(t, func(w io.Writer) error { return plot.Boards(w, []plot.Board{b}) })
	contains(t, svg, ">a<", ">b<", ">1<", ">2<", "#787878", "#D55E00")
	b.Grounds, b.Start = nil, nil
	if plain := drawn(t, func(w io.Writer) error { return plot.Boards(w, []plot.Board{b}) }); strings.Contains(plain, "#787878") || strings.Contains(plain, "#D55E00") {
		t.Error("a plain board has a ground or a start")
	}
}

func TestLongTitlesAreBrokenAfterCommas(t *testing.T) {
	const title = "The score of the side that is one piece ahead of the other, n = 123,456 games each"
	svg := drawn(t, func(w io.Writer) error { return plot.Estimates(w, title, "worth", 1, nil) })
	contains(t, svg, ">The score of the side that is one<", ">piece ahead of the other,<", ">n = 123,456 games each<")
}
