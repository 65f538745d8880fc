package report

import (
	"reflect"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// a is an interval of n observations from estimate−1 to estimate+1, of shares ±0.1.
func a(estimate float64, n int64) stats.Interval {
	return stats.Interval{Estimate: estimate, Low: estimate - 1, High: estimate + 1, Level: stats.Level, N: n}
}

func part(estimate float64, n int64) stats.Interval {
	return stats.Interval{Estimate: estimate, Low: estimate - .1, High: estimate + .1, Level: stats.Level, N: n}
}

// handmade is a report with every part, of two types.
func handmade() *balance.Report {
	shots, worth, one := a(7, 50), a(3, 50), stats.Interval{Estimate: 1, Low: 1, High: 1, N: 90}
	score, unitScore := part(.6, 90), part(.55, 90)
	first := dataset.Outcome{Wins: 30, Draws: 10, Losses: 10, Win: part(.6, 50), Draw: part(.2, 50), Loss: part(.2, 50), Score: part(.7, 50)}
	drawn := dataset.Outcome{Draws: 5, Win: part(.1, 5), Draw: part(.9, 5), Loss: part(.1, 5), Score: part(.5, 5)}
	tank := balance.TypeActivity{
		Type: "Tank", Turns: a(10, 50), Share: part(.7, 500), Mobility: a(20, 40), Each: a(4, 40), Shots: &shots, Kills: a(2, 50), Losses: a(3, 50),
		KillsALoss: a(5, 50), ValueALoss: &worth, Multiple: part(.3, 77), Multiples: a(1.5, 50), Entries: a(6, 50), FirstContact: a(8, 50),
		Survival: &balance.Survival{Median: a(30, 200), Points: []balance.Alive{{Ply: 0, Share: part(.9, 200)}, {Ply: 1400, Share: part(.5, 150)}}},
	}
	gun := tank
	gun.Type, gun.ValueALoss, gun.Multiples.Estimate, gun.Survival = "Gun", nil, 0, &balance.Survival{Median: a(31, 100), Points: []balance.Alive{}}
	m := func(n int64, shares ...float64) balance.Map {
		m := balance.Map{N: n, Estimate: shares}
		for _, x := range shares {
			m.Low, m.High = append(m.Low, x/2), append(m.High, 2*x)
		}
		return m
	}
	return &balance.Report{
		Variant: "toy/standard", Digest: "sha256:toy", Players: [2]string{"Black", "White"},
		Data: balance.Data{Sources: []balance.SourceData{{Dir: "runs/a", Run: "0123", Episodes: 1000}}, Agents: []string{"greedy"}, Episodes: 1000, Plies: 40000, Clusters: 500, Paired: true, Sampled: 1000, Distinct: 1000, FromStart: true},
		Seats: &balance.Seats{Games: 50, First: first, Decisive: part(.8, 50), Even: stats.Test{P: .0123},
			ByLength: []balance.ClassSeats{{Class: "10 to 19 plies", Games: 45, Share: part(.9, 50), First: first, Decisive: part(.8, 45)}},
			ByReason: []balance.ClassSeats{{Class: "no_progress", HouseRule: true, Games: 5, Share: part(.1, 50), First: drawn, Decisive: part(.1, 5)}}},
		Values: &balance.Values{Unit: "Tank", Games: 30, Clusters: "openings", Phases: []balance.PhaseValues{{Phase: "the whole game", Rows: 90, Clusters: 60,
			Types: []balance.TypeValue{{Type: "Tank", Value: &one, Score: &unitScore, LogOdds: a(.4, 90), VIF: 1.2}, {Type: "Gun", Counted: true, Value: &worth, Score: &score, LogOdds: a(1.2, 90), VIF: 3},
				{Type: "King", VIF: 5000, Problem: balance.Problem{Code: balance.NeverVaries}}},
			Turn:   &balance.TypeValue{Type: "turn", LogOdds: a(.1, 90), Score: &score, VIF: 1, Problem: balance.Problem{Code: balance.UnitHarms, Unit: "Tank"}},
			Agents: []balance.TypeValue{{Type: "greedy", Value: &worth, Score: &score, LogOdds: a(2, 90), VIF: 1.1}}, Reference: "random", Even: part(.52, 33)}},
			Forecast: &balance.Forecast{Fitted: 72, Judged: 18, Brier: a(1, 18), NullBrier: a(2, 18), BrierGain: a(3, 18), Log: a(4, 18), NullLog: a(5, 18), LogGain: a(6, 18),
				Calibration: []balance.Calibration{{Low: .2, High: .3, Expected: .26, Score: part(.25, 18)}}}},
		Activity: &balance.Activity{Games: 1000, Turns: 12345, Sampled: 900, FirstCapture: a(5, 900), Types: []balance.TypeActivity{tank, gun}, MultipleCapture: "charge",
			Kills: []balance.Kills{{Killer: "Tank", Victim: "Gun", PerGame: a(2, 50), Share: part(.4, 66)}},
			Faces: []balance.FaceHits{{Type: "Tank", Front: part(.5, 44), Side: part(.3, 44), Rear: part(.2, 44)}}},
		Placement: &balance.Placement{Width: 2, Height: 2, Types: []balance.TypeMaps{{Type: "Tank", Presence: m(80, 0, .5, .25, 0), Kills: m(4, 0, 0, .1, 0), Deaths: m(0)}}},
	}
}

func TestEveryNumberOfABalanceReportStandsInItsPlace(t *testing.T) {
	want := map[string][][]string{ // by first columns: rows
		"data set|run|seed": {{"runs/a", "0123", "0", "1,000"}},
		"light|good|bad":    lightBounds(),
		"games|n|first player's score": {
			{"all", "50", "70.0 % (60.0 to 80.0)", "60.0 % (50.0 to 70.0)", "20.0 % (10.0 to 30.0)", "20.0 % (10.0 to 30.0)", "80.0 % (70.0 to 90.0)"},
		},
		"length, with the opening|n|share of games": {
			{"10 to 19 plies", "45", "90.0 % (80.0 to 100.0)", "70.0 % (60.0 to 80.0)", "60.0 % (50.0 to 70.0)", "20.0 % (10.0 to 30.0)", "20.0 % (10.0 to 30.0)", "80.0 % (70.0 to 90.0)"},
		},
		"end|n|share of games": {
			{"no progress (house rule)", "5", "10.0 % (0.0 to 20.0)", "all drawn", "10.0 % (0.0 to 20.0)", "90.0 % (80.0 to 100.0)", "10.0 % (0.0 to 20.0)", "10.0 % (0.0 to 20.0)"},
		},
		"one more|worth|score if otherwise even": {
			{"Tank", "1, the unit", "55.0 % (45.0 to 65.0)", "90", ""},
			{"in Gun", "3.00 (2.00 to 4.00)", "60.0 % (50.0 to 70.0)", "90", ""},
			{"King", "none", "", "", "both sides always have equally many"},
			{"being to move", "none", "60.0 % (50.0 to 70.0)", "90", "having more of the unit, Tank, goes with worse results; choose another unit"},
			{"being greedy, not random", "3.00 (2.00 to 4.00)", "60.0 % (50.0 to 70.0)", "90", ""},
		},
		"error (lower is better)|by counts|by the average result": {
			{"Brier", "1.00 (0.00 to 2.00)", "2.00 (1.00 to 3.00)", "3.00 (2.00 to 4.00)", "18"}, {"logarithmic", "4.00 (3.00 to 5.00)", "5.00 (4.00 to 6.00)", "6.00 (5.00 to 7.00)", "18"},
		},
		"expected score|mean expected|observed": {{"20 to 30 %", "26.0 %", "25.0 % (15.0 to 35.0)", "18"}},
		"type|turns per game|share of turns": {
			{"Tank", "10.0 (9.00 to 11.0)", "70.0 % (60.0 to 80.0)", "20.0 (19.0 to 21.0)", "4.00 (3.00 to 5.00)", "7.00 (6.00 to 8.00)", "6.00 (5.00 to 7.00)"},
			{"Gun", "10.0 (9.00 to 11.0)", "70.0 % (60.0 to 80.0)", "20.0 (19.0 to 21.0)", "4.00 (3.00 to 5.00)", "7.00 (6.00 to 8.00)", "6.00 (5.00 to 7.00)"},
		},
		"type|kills per game|losses per game": {
			{"Tank", "2.00 (1.00 to 3.00)", "3.00 (2.00 to 4.00)", "5.00 (4.00 to 6.00)", "3.00 (2.00 to 4.00)", "8 (7 to 9)", "30 (29 to 31)", "200"},
			{"Gun", "2.00 (1.00 to 3.00)", "3.00 (2.00 to 4.00)", "5.00 (4.00 to 6.00)", "none", "8 (7 to 9)", "31 (30 to 32)", "100"},
		},
		"charges that take several pieces|per game|share of turns that take": {
			{"Tank", "1.50 (0.50 to 2.50)", "30.0 % (20.0 to 40.0)", "77"}, {"Gun", "none seen (at most 2.50)", "30.0 % (20.0 to 40.0)", "77"},
		},
		"killer|victim|per game": {{"Tank", "Gun", "2.00 (1.00 to 3.00)", "40.0 % (30.0 to 50.0)", "66"}},
		"hit|front|side":         {{"Tank", "50.0 % (40.0 to 60.0)", "30.0 % (20.0 to 40.0)", "20.0 % (10.0 to 30.0)", "44"}},
		"type|ply|alive":         {{"Tank", "0", "90.0 % (80.0 to 100.0)", "200"}, {"Tank", "1,400", "50.0 % (40.0 to 60.0)", "150"}},
		"square|stands|kills": {
			{"b1", "50.00 % (25.00 to 100.00)", "0.00 % (0.00 to 0.00)", "-"}, {"a2", "25.00 % (12.50 to 50.00)", "10.00 % (5.00 to 20.00)", "-"},
		},
	}
	texts := []string{
		"rules: toy/standard, sha256:toy", "agents: greedy", "1,000 games, 40,000 plies, in 500 independent pairs; a sample of 1,000",
		"Black, the first player, has the advantage and scores 70.0 % (60.0 to 80.0, n = 50).", "If the seats were even, a score at least as far from 50 % would have probability 0.0123.",
		"Worths are in units of Tank, from 30 games.", "In positions with equal counts the first player scored 52.0 % (42.0 to 62.0), n = 33.",
		"1,000 games with 12,345 turns by agents; mobility, first captures and lifetimes are from 900 games. The median ply of the first capture is 5 (4 to 6) after the opening, n = 900 games.",
	}
	p := Balance(handmade())
	var said strings.Builder
	for _, block := range p.Blocks {
		var table Table
		switch b := block.(type) {
		case Table:
			table = b
		case Figure:
			table = b.Table
		case Paragraph:
			said.WriteString(b.Text + "\n")
		case Heading:
			said.WriteString(b.Text + "\n")
		}
		if len(table.Columns) < 3 || table.Leisure {
			continue
		}
		key := strings.Join(table.Columns[:3], "|")
		rows, known := want[key]
		if !known || !reflect.DeepEqual(table.Rows, rows) {
			t.Errorf("table %q has\n%q\nwant\n%q", key, table.Rows, rows)
		}
		delete(want, key)
	}
	for key := range want {
		t.Errorf("table %q is missing", key)
	}
	for _, text := range append(texts, "the whole game: n = 90 positions in 60 independent openings", "Forecasts are fitted to 72 positions and evaluated on 18 of other games.") {
		if !strings.Contains(said.String(), text+"\n") {
			t.Errorf("the page does not say %q", text)
		}
	}
	opened := handmade()
	opened.Data.FromStart, opened.Seats.SideToMove = false, opened.Seats.First
	opened.Seats.SideToMove.Score = stats.Interval{Estimate: 0.55, Low: 0.5, High: 0.6, N: 50}
	var page strings.Builder
	if err := Balance(opened).Full(&page); err != nil || !strings.Contains(page.String(), "After the opening the side to move scores 55.0 % (probably 50.0 to 60.0).") ||
		!strings.Contains(page.String(), "all, side to move after the opening  50") || strings.Contains(page.String(), "has the advantage") {
		t.Errorf("%v, after openings the page is\n%s", err, page.String())
	}
	empty := handmade()
	empty.Values.Phases[0].Even, empty.Data.Paired, empty.Data.Clusters = stats.Interval{}, false, 1
	var text strings.Builder
	if err := Balance(empty).Full(&text); err != nil || !strings.Contains(text.String(), "No sampled position has equal counts.") || !strings.Contains(text.String(), "in 1 independent game;") {
		t.Errorf("%v, the text is\n%s", err, text.String())
	}
}
