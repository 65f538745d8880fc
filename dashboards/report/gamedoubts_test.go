package report_test

import (
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

func TestDoubtsAboutGamesSayWhatToDo(t *testing.T) {
	score := func(plies int, wins int64) dataset.OpeningScore {
		return dataset.OpeningScore{Plies: plies, First: stats.Wilson(wins, 1000, stats.Level)}
	}
	const (
		early  = "of the games ended within two plies of the agents' taking over: the opening decided them. Use --openings start, --openings sampled:K, or fewer plies."
		repeat = "of the games repeat others and add no information, so the true intervals are wider. Use --openings sampled:K, more plies, or an agent with noise."
		parity = "The first player scores 60.0 % after openings of 8 plies and 40.0 % after 9: it matters who is to move when the agents take over. " +
			"The first player's score is the mean of both. To measure moving first alone, use --openings start."
	)
	for _, c := range []struct {
		games, distinct, early int64
		scores                 []dataset.OpeningScore
		want                   []string
	}{
		{0, 0, 0, nil, nil},
		{1000, 1000, 10, nil, nil},
		{1000, 1000, 11, nil, []string{"1.1 % " + early}},
		{1000, 990, 0, nil, nil},
		{1000, 989, 0, nil, []string{"1.1 % " + repeat}},
		{1000, 500, 200, []dataset.OpeningScore{score(8, 600), score(9, 400)}, []string{parity, "20.0 % " + early, "50.0 % " + repeat}},
		{1000, 1000, 0, []dataset.OpeningScore{score(8, 500), score(9, 500)}, nil},
	} {
		if got := report.GameDoubts(c.games, c.distinct, c.early, c.scores); !slices.Equal(got, c.want) {
			t.Errorf("of %d games, %d distinct, %d decided early: %q, want %q", c.games, c.distinct, c.early, got, c.want)
		}
	}
}

func TestOpeningsAreDescribed(t *testing.T) {
	sampled := dataset.OpeningPolicy{Name: dataset.SampledOpenings, Temperature: 0.25, Swing: 150}
	for _, c := range []struct {
		plies, starts int
		policy        dataset.OpeningPolicy
		level         bool
		want          string
	}{
		{0, 0, dataset.OpeningPolicy{}, true, "the start"},
		{0, 300, dataset.OpeningPolicy{}, false, "300 given positions"},
		{8, 0, dataset.OpeningPolicy{}, false, "8 random plies from the start"},
		{8, 0, dataset.OpeningPolicy{}, true, "8 random plies with a level score from the start"},
		{8, 0, sampled, false, "8 and 9 sampled plies in turn from the start, at temperature 0.25, with a swing of at most 1.5 points"},
		{3, 2, dataset.OpeningPolicy{Name: dataset.RandomOpenings, Swing: dataset.MostSwing}, false, "3 and 4 random plies in turn from 2 given positions"},
	} {
		if got := report.Opening(c.plies, c.policy, c.level, report.Starts(c.starts)); got != c.want {
			t.Errorf("%+v: %q, want %q", c, got, c.want)
		}
	}
}
