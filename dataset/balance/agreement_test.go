package balance_test

import (
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
)

func TestSummariesAndReportsGiveAShareTheSameInterval(t *testing.T) {
	for name, second := range map[string]string{"self-play": "greedy", "pairs": "random"} {
		settings, list := played(t, "ntxuva/4", "greedy", second, 60, 5)
		tally := dataset.NewTally()
		for _, ep := range list {
			tally.Add(ep)
		}
		if got, want := analyze(t, balance.Options{}, source(settings, list)).Seats.First, tally.Summary().First; got != want {
			t.Errorf("%s: the report has\n%+v, the summary\n%+v", name, got, want)
		}
	}
}
