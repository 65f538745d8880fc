package loader_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/loader"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/selfplay"
)

func TestTheStreamDoesNotDependOnThreadsOrBatchSizes(t *testing.T) {
	dirs := []string{play(t, "", "trench/standard", "greedy", 20, nil), play(t, "", "trench/standard", "random", 10, nil)}
	for _, change := range []func(*loader.Options){
		func(o *loader.Options) { o.Symmetry = true },
		func(o *loader.Options) { o.Positions = 3 },
		func(o *loader.Options) { o.Epochs = 2 },
	} {
		o := small(change)
		o.Threads = 1
		one := open(t, o, dirs...)
		o.Threads = 5
		other := open(t, o, dirs...)
		for range 15 {
			whole := take(t, one, 240)
			if whole == nil {
				break
			}
			var parts []*loader.Batch
			for rows := 0; rows < len(whole.Value); rows += 60 {
				parts = append(parts, take(t, other, min(60, len(whole.Value)-rows)))
			}
			if joined := join(parts); !equal(whole, joined) {
				t.Fatalf("the streams differ: plies %v and %v", whole.Ply, joined.Ply)
			}
		}
	}
}

// join returns batches as one.
func join(parts []*loader.Batch) *loader.Batch {
	all := &loader.Batch{LegalOffsets: []int32{0}, NextOffsets: []int32{0}}
	for _, p := range parts {
		for i := range p.Value {
			all.LegalOffsets = append(all.LegalOffsets, int32(len(all.LegalActions))+p.LegalOffsets[i+1])
			all.NextOffsets = append(all.NextOffsets, int32(len(all.NextActions))+p.NextOffsets[i+1])
		}
		all.Bits, all.Scalars = append(all.Bits, p.Bits...), append(all.Scalars, p.Scalars...)
		all.LegalActions, all.Policy = append(all.LegalActions, p.LegalActions...), append(all.Policy, p.Policy...)
		all.NextActions, all.NextPolicy = append(all.NextActions, p.NextActions...), append(all.NextPolicy, p.NextPolicy...)
		all.PolicyWeight, all.Value = append(all.PolicyWeight, p.PolicyWeight...), append(all.Value, p.Value...)
		all.ValueWeight, all.WDL = append(all.ValueWeight, p.ValueWeight...), append(all.WDL, p.WDL...)
		all.Score, all.SearchValue = append(all.Score, p.Score...), append(all.SearchValue, p.SearchValue...)
		all.Weight, all.Episode = append(all.Weight, p.Weight...), append(all.Episode, p.Episode...)
		all.Set, all.Ply, all.Symmetry = append(all.Set, p.Set...), append(all.Ply, p.Ply...), append(all.Symmetry, p.Symmetry...)
	}
	return all
}

func TestAnotherSeedGivesAnotherStream(t *testing.T) {
	dir := play(t, "", "ntxuva/basic", "random", 20, nil)
	one := take(t, open(t, small(nil), dir), 100)
	other := take(t, open(t, small(func(o *loader.Options) { o.Seed = 8 }), dir), 100)
	if equal(one, other) {
		t.Error("two seeds give the same batch")
	}
}

func TestAStreamResumesAtAnyBatch(t *testing.T) {
	dir := t.TempDir()
	play(t, dir, "trench/standard", "greedy", 12, nil)
	for name, change := range map[string]func(*loader.Options){
		"with replacement": func(o *loader.Options) { o.Symmetry, o.Positions, o.Window.Episodes = true, 20, 8 },
		"weights":          func(o *loader.Options) { o.Correction = 1 },
		"epochs":           func(o *loader.Options) { o.Epochs = 2 },
		"growing window":   func(o *loader.Options) { o.Window.Growing = loader.Growing{Plies: 400, Alpha: 0.75, Beta: 0.4} },
	} {
		l := open(t, small(change), dir)
		var states [][]byte
		var batches []*loader.Batch
		for i := range 12 {
			if name == "weights" && i == 3 {
				_, numbers := l.Episodes()
				weights := make([]float64, len(numbers))
				for j := range weights {
					weights[j] = float64(1 + j%3)
				}
				if err := l.SetWeights(weights); err != nil {
					t.Fatal(err)
				}
			}
			if name != "epochs" && i == 5 {
				play(t, dir, "trench/standard", "greedy", 18, nil)
				if n, err := l.Refresh(); err != nil || n != 18 {
					t.Fatalf("%d episodes, %v", n, err)
				}
			}
			states = append(states, l.Save())
			batches = append(batches, take(t, l, 140))
		}
		for from, state := range states {
			again := open(t, small(func(o *loader.Options) { change(o); o.Threads = 1 + from%3 }), dir)
			if from%2 == 1 { // a loader that was used is restored like a new one
				take(t, again, 10)
			}
			if err := again.Restore(state); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if got := again.Save(); string(got) != string(state) {
				t.Fatalf("%s: saving at batch %d gives\n%s, want\n%s", name, from, got, state)
			}
			for i, want := range batches[from:] {
				got := take(t, again, 140)
				if (want == nil) != (got == nil) || want != nil && !equal(want, got) {
					t.Fatalf("%s: resumed at batch %d, batch %d differs", name, from, from+i)
				}
				if from+1 < len(states) && i == 0 && name == "epochs" && string(again.Save()) != string(states[from+1]) {
					t.Fatalf("%s: the state after batch %d differs", name, from)
				}
				if name != "epochs" && (from < 6 || i > 2) { // the new episodes and weights came later
					break
				}
			}
		}
	}
}

func TestAStateOfAnotherStreamIsRefused(t *testing.T) {
	dir := play(t, "", "ntxuva/basic", "random", 6, nil)
	l := open(t, small(nil), dir)
	before := l.Save()
	for _, c := range []struct{ change, want string }{
		{`"seed":"7"|"seed":"9"`, "option seed"},
		{`"symmetry":false|"symmetry":true`, "option symmetry"},
		{`"version":1|"version":2`, "version is 2"},
		{`"rules":"sha|"rules":"sho`, "rules"},
		{`"run":"|"run":"x`, "has the run"},
		{`"digest":"|"digest":"x`, "shards"},
		{`"offset":0|"offset":-1`, "damaged"},
		{`{"version|{"more":1,"version`, "unknown field"},
	} {
		from, to, _ := strings.Cut(c.change, "|")
		state := strings.Replace(string(before), from, to, 1)
		if err := l.Restore([]byte(state)); state == string(before) || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.change, err)
		}
	}
	if string(l.Save()) != string(before) {
		t.Error("a refused state changed the loader")
	}
	if err := l.Restore([]byte(strings.Replace(string(before), `"offset":0`, `"offset":100000`, 1))); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Prepare(t.Context(), 10); err == nil || !strings.Contains(err.Error(), "offset is 100000") {
		t.Errorf("an offset behind the block: %v", err)
	}
}

func TestRanksShareTheDraws(t *testing.T) {
	dir := play(t, "", "ntxuva/basic", "random", 21, nil)
	seen := map[key]int{}
	for rank := range 3 {
		l := open(t, small(func(o *loader.Options) { o.Epochs, o.Rank, o.World = 1, rank, 3 }), dir)
		here := map[int64]bool{}
		for _, b := range takeAll(t, l, 64) {
			for i := range b.Value {
				seen[key{b.Set[i], b.Episode[i], b.Ply[i]}]++
				here[b.Episode[i]] = true
			}
		}
		if len(here) != 7 {
			t.Errorf("rank %d has %d episodes, want 7", rank, len(here))
		}
	}
	all := wants(t, 0, dir, nil)
	want := 0
	for k, w := range all {
		if w.opening || !w.valued {
			continue
		}
		want++
		if seen[k] != 1 {
			t.Fatalf("%+v occurs %d times", k, seen[k])
		}
	}
	if len(seen) != want {
		t.Errorf("%d positions, want %d", len(seen), want)
	}
}

func TestEachEpochHasAnotherOrder(t *testing.T) {
	dir := play(t, "", "ntxuva/basic", "random", 12, nil)
	l := open(t, small(func(o *loader.Options) { o.Epochs, o.Positions, o.Shuffle = 2, 1, 12 }), dir)
	first, second := take(t, l, 12), take(t, l, 12)
	if take(t, l, 12) != nil {
		t.Error("a third epoch")
	}
	if slices.Equal(first.Episode, second.Episode) {
		t.Errorf("both epochs have the order %v", first.Episode)
	}
	for _, b := range []*loader.Batch{first, second} {
		sorted := slices.Sorted(slices.Values(b.Episode))
		if len(slices.Compact(sorted)) != 12 {
			t.Errorf("an epoch has the episodes %v", sorted)
		}
	}
}

func TestFaultyDataNameTheFileAndTheEpisode(t *testing.T) {
	next := func(dir string, threads int) error {
		l := open(t, small(func(o *loader.Options) { o.Epochs, o.Threads = 1, threads }), dir)
		var b loader.Batch
		for {
			if err := l.Next(t.Context(), 100, &b); err != nil {
				if again := l.Next(t.Context(), 100, &b); again == nil || again.Error() != err.Error() {
					t.Errorf("first %v, then %v", err, again)
				}
				return err
			}
		}
	}
	t.Run("truncated file", func(t *testing.T) {
		dir := play(t, "", "ntxuva/basic", "random", 8, nil)
		names, err := filepath.Glob(filepath.Join(dir, "steps", "*.parquet"))
		if err != nil || len(names) != 1 {
			t.Fatal(names, err)
		}
		info, err := os.Stat(names[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(names[0], info.Size()*2/3); err != nil {
			t.Fatal(err)
		}
		if err := next(dir, 2); !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "steps/00000000.parquet") {
			t.Errorf("the error is %v", err)
		}
	})
	for what, spoil := range map[string]func(*dataset.Episode){
		"start":         func(ep *dataset.Episode) { ep.Start = "nowhere" },
		"action":        func(ep *dataset.Episode) { ep.Steps[9].Action = 11_000_000 },
		"visit_actions": func(ep *dataset.Episode) { ep.Steps[9].Search.Visits[0].Action = 11_000_000 },
		"final_hash":    func(ep *dataset.Episode) { ep.FinalHash++ },
	} {
		dir := play(t, "", "ntxuva/basic", "mcts:sims=8", 8, nil)
		dir = rewrite(t, dir, func(eps []*dataset.Episode) { spoil(eps[2]); spoil(eps[5]) })
		first := next(dir, 1)
		for _, threads := range []int{1, 4} {
			err := next(dir, threads)
			if err.Error() != first.Error() {
				t.Errorf("%d threads: %v, one: %v", threads, err, first)
			}
			var fault *dataset.Fault
			if !errors.As(err, &fault) || fault.What != what || fault.Episode != 2 && fault.Episode != 5 ||
				!strings.HasSuffix(fault.File, "/00000000.parquet") || !strings.HasPrefix(err.Error(), dir) {
				t.Errorf("%s: the error is %v", what, err)
			}
		}
	}
}

// rewrite writes a changed copy of a data set.
func rewrite(t *testing.T, dir string, change func([]*dataset.Episode)) string {
	t.Helper()
	settings, all := episodes(t, dir)
	change(all)
	to := t.TempDir()
	lock, err := dataset.AcquireLock(to)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	w, err := parquetio.OpenWriter(lock, settings)
	if err != nil {
		t.Fatal(err)
	}
	var jobs []int64
	for i := range all {
		jobs = append(jobs, int64(i))
	}
	_, err = w.Commit(jobs, func(yield func(*dataset.Episode, error) bool) {
		for _, ep := range all {
			if !yield(ep, nil) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}

func TestTwoRuleSetsAreRefused(t *testing.T) {
	one, other := play(t, "", "ntxuva/basic", "random", 2, nil), play(t, "", "trench/standard", "random", 2, nil)
	_, err := loader.Open([]string{one, other}, loader.Default())
	if err == nil || !strings.Contains(err.Error(), one) || !strings.Contains(err.Error(), other+" has the rules of trench/standard") {
		t.Errorf("the error is %v", err)
	}
}

func TestNothingToSelectIsAnError(t *testing.T) {
	dir := play(t, "", "ntxuva/basic", "random", 2, func(c *selfplay.Config) { c.MaxPlies = 12 })
	l := open(t, small(nil), dir)
	var b loader.Batch
	if err := l.Next(t.Context(), 10, &b); err == nil || !strings.Contains(err.Error(), "2 episodes") {
		t.Errorf("the error is %v", err)
	}
}

func TestAWaitEndsWithItsContextAndLosesNothing(t *testing.T) {
	dir := play(t, "", "ntxuva/basic", "random", 40, nil)
	want := take(t, open(t, small(nil), dir), 200)
	l := open(t, small(nil), dir)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for {
		if _, err := l.Prepare(ctx, 200); err == nil {
			break
		} else if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		time.Sleep(time.Millisecond)
	}
	if got := take(t, l, 200); !equal(got, want) {
		t.Error("the batch differs after waits that were given up")
	}
}

func TestABatchOfAnotherSizeIsRefused(t *testing.T) {
	l := open(t, small(nil), play(t, "", "ntxuva/basic", "random", 12, nil))
	if err := l.Fill(new(loader.Batch)); err == nil {
		t.Error("a batch that was not prepared is filled")
	}
	start := l.Save()
	b := take(t, l, 100)
	if err := l.Restore(start); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Prepare(t.Context(), 100); err != nil {
		t.Fatal(err)
	}
	b.Score = b.Score[:99]
	if err := l.Fill(b); err == nil || !strings.Contains(err.Error(), "99 elements of Score, must have 100") {
		t.Errorf("the error is %v", err)
	}
	if _, err := l.Prepare(t.Context(), 301); err == nil || !strings.Contains(err.Error(), "from 1 to 300") {
		t.Errorf("the error is %v", err)
	}
	l.Close()
	l.Close()
	if _, err := l.Prepare(t.Context(), 10); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("the error is %v", err)
	}
}

func TestBatchesDoNotAllocate(t *testing.T) {
	l := open(t, small(func(o *loader.Options) { o.Symmetry, o.Threads, o.Shuffle = true, 1, 2000 }),
		play(t, "", "trench/standard", "greedy", 10, nil))
	var b loader.Batch
	next := func() {
		if err := l.Next(context.Background(), 500, &b); err != nil {
			t.Fatal(err)
		}
	}
	for range 40 {
		next()
	}
	// A block of 2,000 rows makes some goroutines and channels; a row makes nothing.
	if n := testing.AllocsPerRun(40, next); n > 10 {
		t.Errorf("%v allocations per batch of 500 rows", n)
	}
}
