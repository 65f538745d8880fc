package arena_test

import (
	"reflect"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/record"
)

// TestForfeitsAreLossesCountedApart plays a match, makes some of its games
// forfeits of their last player, and has the match counted from there.
func TestForfeitsAreLossesCountedApart(t *testing.T) {
	m := match(t, "trench/standard", "greedy", "random", 4)
	play(t, m)
	reader, err := parquetio.Open(m.Dir)
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[int64]env.Reason{0: env.Crashed, 3: env.Crashed, 4: env.TimeForfeit, 6: env.Crashed}
	m.Dir += "-forfeited"
	lock, err := dataset.AcquireLock(m.Dir)
	if err != nil {
		t.Fatal(err)
	}
	settings := record.Settings(m.Plan)
	writer, err := parquetio.OpenWriter(lock, &settings)
	if err != nil {
		t.Fatal(err)
	}
	_, err = writer.Commit([]int64{0, 1, 2, 3}, func(yield func(*dataset.Episode, error) bool) {
		for ep, err := range reader.Episodes() {
			if reason, lost := reasons[ep.Number]; lost {
				ep.Reason = reason
				ep.Result = env.WinFor(env.Player(1 - ep.Number%2)) // random, the second agent, has won
				if ep.Number == 6 {
					ep.Result = -ep.Result
				}
			}
			if !yield(ep, err) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	r := play(t, m)
	want := []dataset.ForfeitCount{
		{Agent: "greedy", Reason: "crashed", Episodes: 2}, {Agent: "greedy", Reason: "time_forfeit", Episodes: 1},
		{Agent: "random", Reason: "crashed", Episodes: 1},
	}
	if !reflect.DeepEqual(r.Forfeits, want) {
		t.Errorf("forfeits are %+v, want %+v", r.Forfeits, want)
	}
	if r.All.Losses != 3 || r.All.Wins != 5 {
		t.Errorf("of eight games greedy wins %d and loses %d, want all but the three it forfeited", r.All.Wins, r.All.Losses)
	}
}
