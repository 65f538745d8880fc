package report_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/handicap"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
)

// handicaps is the page of an experiment with synthetic games: of each seat's n games
// the handicapped side wins what the share says, to 100.
func handicaps(t *testing.T, n int64, control *balance.Report) *report.Page {
	t.Helper()
	v, err := games.Lookup("tankchess/16x16")
	if err != nil {
		t.Fatal(err)
	}
	e := &handicap.Experiment{Variant: v, Agent: "synthetic", Control: control, SameOpenings: true, Unit: "Light Tank"}
	seed := uint64(0)
	add := func(kind, attribute string, by int, share int64) {
		seed++
		settings := &dataset.Settings{Variant: v.Name, Digest: v.Digest, Rules: v.Rules, Agents: [2]string{"synthetic", "synthetic"}, Starts: []string{}, Seed: seed, JobEpisodes: 1}
		byTurns := func(i int64) env.Player { return env.Player(i & 1) }
		source := balance.Source{Name: "runs/<mine>", Settings: settings, Count: 2 * n, Episodes: func(yield func(*dataset.Episode, error) bool) {
			for i := range 2 * n {
				ep := &dataset.Episode{Number: i, Pair: dataset.NoPair, ResignPly: dataset.NoPly, Start: fmt.Sprint(i), Seed: uint64(i), FinalHash: uint64(i),
					Terminated: true, Reason: env.Points, Result: env.WinFor(byTurns(i).Opponent())}
				if i/2*100 < share*n {
					ep.Result = -ep.Result
				}
				if !yield(ep, nil) {
					return
				}
			}
		}}
		m, err := handicap.Measure(t.Context(), handicap.Games{Source: source, Handicapped: byTurns})
		if err != nil {
			t.Fatal(err)
		}
		e.Played = append(e.Played, handicap.Played{Handicap: handicap.Handicap{Type: kind, Change: handicap.Change{Attribute: attribute, By: by}}, Measures: m})
	}
	add("Light Tank", "", 0, 42)
	add("Heavy Tank", "", 0, 27)
	add("Combat Tank", "", 0, 50)
	add("Light Tank", "speed", -1, 44)
	add("Light Tank", "speed", 1, 57)
	add("Light Tank", "speed", 2, 61)
	add("Heavy Tank", "speed", 1, 52)
	add("Heavy Tank", "speed", 2, 53)
	add("Light Tank", "armour", 1, 100)
	r, err := handicap.Analyze(e)
	if err != nil {
		t.Fatal(err)
	}
	return report.Handicap(r)
}

// unchanged is a report on games of unchanged rules, of which nothing but what the
// page needs is there.
func unchanged() *balance.Report {
	score := func(x float64) dataset.Outcome {
		o := dataset.Outcome{}
		o.Score.Estimate, o.Score.Low, o.Score.High, o.Score.N, o.Score.Level = x, x-.03, x+.03, 800, .95
		return o
	}
	r := &balance.Report{
		Data:  balance.Data{Agents: []string{"synthetic"}, Sources: []balance.SourceData{{Dir: "runs/control", Run: "0123456789abcdef", Episodes: 800}}},
		Seats: &balance.Seats{First: score(.52)}, Values: &balance.Values{Unit: "Light Tank"},
	}
	whole := balance.PhaseValues{}
	for name, x := range map[string]float64{"Light Tank": .59, "Heavy Tank": .61} {
		s := score(x).Score
		whole.Types = append(whole.Types, balance.TypeValue{Type: name, Score: &s})
	}
	whole.Types = append(whole.Types, balance.TypeValue{Type: "Combat Tank", Problem: balance.Problem{Code: balance.NeverVaries}})
	r.Values.Phases = []balance.PhaseValues{whole}
	return r
}

func TestThePageOfHandicapsTellsAllItKnows(t *testing.T) {
	p := handicaps(t, 400, unchanged())
	text, markdown, html := written(t, p.Full), written(t, p.Markdown), strings.ReplaceAll(written(t, p.HTML), "&#39;", "'")
	for _, want := range []string{"Cost of handicaps in tankchess/16x16", "agent: synthetic", "Heavy Tank removed (23.0 points)", "Light Tank speed+1", "100.0 % (",
		"1, the unit", "the ratio of odds has no bounds", "both sides always have equally many", "the score by counting is lower", "too few games to tell whether they differ",
		"From speed −1 to +2 the score of the side rises by", "in games of the unchanged rules White, the first player", "0123456789abcdef"} {
		for form, of := range map[string]string{"text": text, "Markdown": markdown, "HTML": html} {
			if !hasWords(strings.ToLower(strings.NewReplacer("<span>", "", "</span>", "").Replace(of)), strings.ToLower(want)) {
				t.Errorf("%s does not tell %q", form, want)
			}
		}
	}
	if n := strings.Count(html, "<svg"); n != 6 || n != strings.Count(html, "<figcaption>") {
		t.Errorf("the page has %d figures, must have the board, two of losses, and those of worths, differences and speed", n)
	}
	for _, figure := range strings.Split(html, `<figure class="plot">`)[1:] {
		if !strings.Contains(figure, "n = 800 games each") {
			t.Errorf("a figure does not tell its n: %.200s", figure)
		}
	}
	for _, of := range []string{text, markdown, html} {
		if noNumber(of) || strings.Contains(html, "<mine>") {
			t.Errorf("the page tells what is no number, or is not escaped")
		}
	}
	d := xml.NewDecoder(strings.NewReader(strings.Replace(html, `<meta charset="utf-8">`, "", 1)))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func TestThePageOfFewHandicapGamesSaysSo(t *testing.T) {
	for n, want := range map[int64]string{0: "No game has a result", 1: "Too few games of one seat", 2: "No comparison: there are no games of the unchanged rules"} {
		p := handicaps(t, n, nil)
		text, html := written(t, p.Full), written(t, p.HTML)
		if !strings.Contains(text, want) || noNumber(html) {
			t.Errorf("of %d games the page tells\n%s", n, text)
		}
	}
}
