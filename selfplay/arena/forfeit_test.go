package arena_test

import (
	"reflect"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/arena"
	"github.com/sandtable-farm/sandtable/selfplay/record"
)

// forged plays a match and writes its games, changed, as if they had been played so
// into the folder of the match that it returns.
func forged(t *testing.T, m arena.Match, change func(ep *dataset.Episode)) arena.Match {
	t.Helper()
	into := m.Dir
	m.Dir = t.TempDir()
	play(t, m)
	reader, err := parquetio.Open(m.Dir)
	if err != nil {
		t.Fatal(err)
	}
	m.Dir = into
	lock, err := dataset.AcquireLock(m.Dir)
	if err != nil {
		t.Fatal(err)
	}
	settings := record.Settings(m.Plan)
	writer, err := parquetio.OpenWriter(lock, &settings)
	if err != nil {
		t.Fatal(err)
	}
	var jobs []int64
	for job := range m.Pairs {
		jobs = append(jobs, job)
	}
	_, err = writer.Commit(jobs, func(yield func(*dataset.Episode, error) bool) {
		for ep, err := range reader.Episodes() {
			if err == nil {
				change(ep)
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
	return m
}

func TestForfeitsAreLossesCountedApart(t *testing.T) {
	reasons := map[int64]env.Reason{0: env.Crashed, 3: env.Crashed, 4: env.TimeForfeit, 6: env.Crashed}
	m := forged(t, match(t, "trench/standard", "greedy", "random", 4), func(ep *dataset.Episode) {
		ep.Reason, ep.Result = env.Points, env.WinFor(env.Player(ep.Number%2)) // greedy, the first agent, wins
		if reason, lost := reasons[ep.Number]; lost {
			ep.Reason = reason
			if ep.Number != 6 {
				ep.Result = -ep.Result
			}
		}
	})
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
