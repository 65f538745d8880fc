package replay_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/dataset/replay"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/render"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
)

// A run is a real run of self-play: its settings and its episodes.
type run struct {
	settings dataset.Settings
	episodes []*dataset.Episode
}

// play plays a run of 24 episodes in jobs of four; change may alter the plan.
func play(t testing.TB, variant, first, second string, maxPlies int, change ...func(*selfplay.Config)) *run {
	t.Helper()
	v, err := games.Lookup(variant)
	if err != nil {
		t.Fatal(err)
	}
	config := selfplay.Config{Variant: v, Opening: selfplay.Opening{Plies: 3}, MaxPlies: maxPlies, Seed: 11}
	for i, text := range []string{first, second} {
		if config.Agents[i], err = agent.Parse(text, v, nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range change {
		c(&config)
	}
	plan, err := selfplay.NewPlan(config)
	if err != nil {
		t.Fatal(err)
	}
	r := &run{settings: plan.Cut(24, 4).Settings()}
	err = selfplay.PlayAll(context.Background(), plan, r.settings.Run(), 0, 24, 2, func(ep *dataset.Episode) error {
		r.episodes = append(r.episodes, clone(t, ep))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func clone(t testing.TB, ep *dataset.Episode) *dataset.Episode {
	t.Helper()
	out := new(dataset.Episode)
	if _, err := dataset.ReadEpisode(dataset.AppendEpisode(nil, ep), out); err != nil {
		t.Fatal(err)
	}
	return out
}

// clone returns a run with episodes of its own.
func (r *run) clone(t testing.TB) *run {
	out := &run{settings: r.settings}
	for _, ep := range r.episodes {
		out.episodes = append(out.episodes, clone(t, ep))
	}
	return out
}

func (r *run) of(jobs []int64) iter.Seq2[*dataset.Episode, error] {
	return func(yield func(*dataset.Episode, error) bool) {
		for _, job := range slices.Sorted(slices.Values(jobs)) {
			first, count := r.settings.Job(job)
			for i := range count {
				if !yield(r.episodes[first+i], nil) {
					return
				}
			}
		}
	}
}

// write writes the run into a new folder in two shards.
func (r *run) write(t testing.TB) (dir string) {
	t.Helper()
	dir = t.TempDir()
	lock, err := dataset.AcquireLock(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	w, err := parquetio.OpenWriter(lock, &r.settings)
	if err != nil {
		t.Fatal(err)
	}
	for _, jobs := range [][]int64{{0, 1, 3}, {2, 4, 5}} {
		if _, err := w.Commit(jobs, r.of(jobs)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func verify(dir string) (*replay.Report, error) {
	return replay.Verify(context.Background(), dir, 2, nil)
}

func runs(t testing.TB) map[string]*run {
	return map[string]*run{
		"trench, a greedy agent against itself": play(t, "trench/standard", "greedy", "greedy", 2000),
		"trench, pairs":                         play(t, "trench/standard", "greedy", "random", 60),
		"ntxuva, pairs":                         play(t, "ntxuva/basic", "random", "greedy", 200),
		"trench, resigned and played on":        resigning(t),
	}
}

func TestRealRunsVerify(t *testing.T) {
	for name, r := range runs(t) {
		dir := r.write(t)
		var told int64
		report, err := replay.Verify(context.Background(), dir, 1, func(n int64) { told += n })
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var plies int64
		var digest dataset.Digest
		for _, ep := range slices.Backward(r.episodes) {
			plies += int64(ep.Plies())
			digest.Add(ep)
		}
		if report.Episodes != 24 || report.Plies != plies || told != 24 {
			t.Errorf("%s: proved %d episodes of %d plies and told of %d, want 24 of %d", name, report.Episodes, report.Plies, told, plies)
		}
		if report.ContentDigest != digest.String() {
			t.Errorf("%s: the content digest depends on order or sharding", name)
		}
	}
}

func TestPositionsAreThoseOfTheGame(t *testing.T) {
	r := play(t, "ntxuva/basic", "random", "random", 100)
	replayer, err := replay.New(&r.settings)
	if err != nil {
		t.Fatal(err)
	}
	for _, ep := range r.episodes {
		ply := 0
		for s, err := range replayer.Positions(ep) {
			if err != nil {
				t.Fatal(err)
			}
			want := ep.FinalHash
			if ply < len(ep.Steps) {
				want = ep.Steps[ply].Hash
			}
			if s.Hash() != want {
				t.Fatalf("episode %d: the position after %d plies has another hash", ep.Number, ply)
			}
			ply++
		}
		if ply != ep.Plies()+1 {
			t.Fatalf("episode %d of %d plies has %d positions", ep.Number, ep.Plies(), ply)
		}
	}
}

func TestTextTellsOfTheGameInHeaders(t *testing.T) {
	r := play(t, "trench/standard", "greedy", "random", 300)
	ep := r.episodes[5]
	var out strings.Builder
	if err := replay.Text(&out, &r.settings, ep, false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`[Variant "trench/standard"]`, `[Episode "5"]`, `[Pair "2"]`, `[First "random"]`, `[Second "greedy"]`, `[OpeningPlies "3"]`,
		fmt.Sprintf("[Seed %q]", fmt.Sprint(ep.Seed)), fmt.Sprintf("[Plies %q]", fmt.Sprint(ep.Plies()))} {
		if !strings.Contains(out.String(), want+"\n") {
			t.Errorf("text lacks %s:\n%s", want, out.String())
		}
	}
}

func TestTextWithBoardsShowsEveryPositionAndMarksTheMoves(t *testing.T) {
	r := play(t, "trench/standard", "greedy", "greedy", 30)
	replayer, err := replay.New(&r.settings)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := replay.Text(&out, &r.settings, r.episodes[0], true); err != nil {
		t.Fatal(err)
	}
	v, err := games.Lookup("trench/standard")
	if err != nil {
		t.Fatal(err)
	}
	rest := out.String()
	again := env.NewState(v.Game)
	var last []env.Event
	ply := 0
	for s, err := range replayer.Positions(r.episodes[0]) {
		if err != nil {
			t.Fatal(err)
		}
		board := render.Text(s, last...)
		if marked := strings.Contains(board, "[] moved to"); marked != (ply > 0) {
			t.Fatalf("after %d plies a move is marked: %t", ply, marked)
		}
		_, after, found := strings.Cut(rest, board)
		if !found {
			t.Fatalf("the text lacks the position %s, or has it out of order", env.PositionText(s))
		}
		rest = after
		if ply < len(r.episodes[0].Steps) {
			last = again.(env.Tracer).Trace(r.episodes[0].Steps[ply].Action, last[:0])
		}
		ply++
	}
	if !strings.Contains(out.String(), "(opening, ") || !strings.Contains(out.String(), ", depth 1)") {
		t.Error("the text does not say where the moves came from and what the agent told")
	}
}

func TestAnEpisodeThatCannotBePlayedHasNoText(t *testing.T) {
	r := play(t, "trench/standard", "random", "random", 30)
	r.episodes[0].Steps[4].Action = 1 << 20
	var fault *dataset.Fault
	if err := replay.Text(new(strings.Builder), &r.settings, r.episodes[0], false); !errors.As(err, &fault) || fault.Ply != 4 {
		t.Errorf("error is %v, want a fault at ply 4", err)
	}
}

// BenchmarkVerify proves a data set on one core.
func BenchmarkVerify(b *testing.B) {
	for _, variant := range []string{"trench/standard", "ntxuva/basic"} {
		b.Run(variant, func(b *testing.B) {
			dir := play(b, variant, "random", "random", 2000).write(b)
			var plies int64
			for b.Loop() {
				report, err := replay.Verify(context.Background(), dir, 1, nil)
				if err != nil {
					b.Fatal(err)
				}
				plies += report.Plies
			}
			b.ReportMetric(float64(plies)/b.Elapsed().Seconds(), "plies/s")
		})
	}
}
