package compare

import (
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

func TestExpectationsAreReadAndWritten(t *testing.T) {
	for text, want := range map[string]Expectation{
		"draws<0.1":                         {Metric: "draws", Nodes: -1, Less: true, Number: 0.1},
		" length @ 2000 <= 80 ":             {Metric: "length", Nodes: 2000, Less: true, Equal: true, Number: 80},
		"trench/equal-turns:first_score>.5": {Variant: "trench/equal-turns", Metric: "first_score", Nodes: -1, Number: .5},
		`trench/standard{"target_points":20,"x":"<1"}:drama@0>=1e-3`: {
			Variant: `trench/standard{"target_points":20,"x":"<1"}`, Metric: "drama", Equal: true, Number: .001},
	} {
		e, err := ParseExpectation(text)
		if err != nil || e != want {
			t.Errorf("%q is %+v (%v), must be %+v", text, e, err, want)
		}
		if again, err := ParseExpectation(e.String()); err != nil || again != e {
			t.Errorf("%q is written %q, which is %+v (%v)", text, e, again, err)
		}
	}
	for text, want := range map[string]string{
		"":               "no operator <, <=, > or >=",
		"draws=0.1":      "no operator <, <=, > or >=",
		"draws<":         "number after the operator is missing",
		"draws<=":        "number after the operator is missing",
		"draws<many":     `"many" is not a number`,
		"draws<NaN":      `"NaN" is not a number`,
		"draws<Inf":      `"Inf" is not a number`,
		"draws<5":        "5 is not a possible value of draws (share of games), must be 0 to 1",
		"length>-1":      "-1 is not a possible value of length (plies), must be 0 or more",
		"draw<0.1":       `metric "draw" is unknown, must be one of first_score, draws`,
		":draws<0.1":     "variant before the colon is missing",
		"draws@-5<0.1":   `"-5" is not a number of nodes`,
		"draws@lots<0.1": `"lots" is not a number of nodes`,
	} {
		if _, err := ParseExpectation(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error of %q is %v, must tell %s", text, err, want)
		}
	}
}

func FuzzParseExpectation(f *testing.F) {
	f.Add("trench/x:draws@500<=0.1")
	f.Fuzz(func(t *testing.T, text string) {
		e, err := ParseExpectation(text)
		if err != nil {
			return
		}
		if again, err := ParseExpectation(e.String()); err != nil || again != e {
			t.Errorf("%q is written %q, which is %+v (%v)", text, e, again, err)
		}
	})
}

func TestAnExpectationPassesWhenTheWholeIntervalSatisfiesIt(t *testing.T) {
	i := stats.Interval{Estimate: .08, Low: .05, High: .1, N: 100}
	for text, want := range map[string]CheckResult{
		"draws<0.2": Passed, "draws<=0.1": Passed, "draws<0.1": Inconclusive, "draws<0.08": Inconclusive, "draws<0.05": Failed, "draws<=0.05": Inconclusive,
		"draws>0.01": Passed, "draws>=0.05": Passed, "draws>0.05": Inconclusive, "draws>0.1": Failed, "draws>=0.1": Inconclusive,
	} {
		e, err := ParseExpectation(text)
		if err != nil {
			t.Fatal(err)
		}
		if c := e.check(Estimate{Metric: "draws", Interval: &i}); c.Result != want {
			t.Errorf("%s of %+v is %s, must be %s", text, i, c.Result, want)
		}
		if c := e.check(Estimate{Metric: "draws", Absence: NoGames}); c.Result != Inconclusive || c.Absence != NoGames || c.Interval != nil {
			t.Errorf("%s of nothing is %+v", text, c)
		}
	}
}

func TestMetricsStandInTheOrderOfTheirQuantities(t *testing.T) {
	seen := map[string]bool{}
	for q, m := range Metrics() {
		if int(m.quantity) != q || seen[m.Name] || m.Unit == "" || m.Range == "" {
			t.Errorf("metric %d is %+v", q, m)
		}
		seen[m.Name] = true
	}
}
