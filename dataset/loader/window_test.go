package loader_test

import (
	"math"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/loader"
)

// draws counts how often each episode gives a row of n rows, one per draw.
func draws(t *testing.T, l *loader.Loader, n int) map[[2]int64]float64 {
	t.Helper()
	counts := map[[2]int64]float64{}
	for rows := 0; rows < n; rows += 1000 {
		b := take(t, l, 1000)
		for i := range b.Value {
			counts[[2]int64{int64(b.Set[i]), b.Episode[i]}]++
		}
	}
	return counts
}

// fits checks by chi-square, at a level of about 10⁻⁴, that counts follow the shares.
func fits(t *testing.T, counts, shares map[[2]int64]float64) {
	t.Helper()
	n, total := 0.0, 0.0
	for _, c := range counts {
		n += c
	}
	for _, s := range shares {
		total += s
	}
	chi, cells := 0.0, 0.0
	for k, s := range shares {
		if s > 0 {
			want := n * s / total
			chi += (counts[k] - want) * (counts[k] - want) / want
			cells++
		}
	}
	for k := range counts {
		if shares[k] == 0 {
			t.Errorf("episode %v was drawn", k)
		}
	}
	df := cells - 1
	// The cube root of chi²/df is about normal (Wilson and Hilferty 1931).
	if z := (math.Cbrt(chi/df) - (1 - 2/(9*df))) / math.Sqrt(2/(9*df)); math.Abs(z) > 3.9 {
		t.Errorf("chi-square is %.1f with %v degrees of freedom: z = %.1f", chi, df, z)
	}
}

func TestDrawsFollowTheWindowAndTheWeights(t *testing.T) {
	first, second := t.TempDir(), play(t, "", "ntxuva/basic", "greedy", 20, nil)
	play(t, first, "ntxuva/basic", "random", 25, nil)
	play(t, first, "ntxuva/basic", "random", 40, nil) // in another shard
	one := func(o *loader.Options) { o.Positions, o.Shuffle, o.KeepTruncated = 1, 2000, true }
	shares := func(from int64) map[[2]int64]float64 {
		all := map[[2]int64]float64{}
		for age := from; age < 60; age++ {
			if age < 40 {
				all[[2]int64{0, age}] = 1
			} else {
				all[[2]int64{1, age - 40}] = 1
			}
		}
		return all
	}
	t.Run("all", func(t *testing.T) {
		fits(t, draws(t, open(t, small(one), first, second), 12000), shares(0))
	})
	t.Run("newest episodes", func(t *testing.T) {
		l := open(t, small(func(o *loader.Options) { one(o); o.Window.Episodes = 42 }), first, second)
		fits(t, draws(t, l, 12000), shares(18))
	})
	t.Run("growing", func(t *testing.T) {
		// The newest whole episodes that have c·(1 + β·((N/c)^α − 1)/α) plies.
		var plies []int64
		total := int64(0)
		for _, dir := range []string{first, second} {
			_, all := episodes(t, dir)
			for _, ep := range all {
				plies = append(plies, int64(ep.Plies()))
				total += int64(ep.Plies())
			}
		}
		const c, alpha, beta = 300, 0.75, 0.4
		size := c * (1 + beta*(math.Pow(float64(total)/c, alpha)-1)/alpha)
		from, have := 60, int64(0)
		for ; float64(have) < size; from-- {
			have += plies[from-1]
		}
		l := open(t, small(func(o *loader.Options) {
			one(o)
			o.Window.Growing = loader.Growing{Plies: c, Alpha: alpha, Beta: beta}
		}), first, second)
		if from == 0 || from > 50 {
			t.Fatalf("the window begins at %d", from)
		}
		fits(t, draws(t, l, 12000), shares(int64(from)))
	})
	t.Run("weights", func(t *testing.T) {
		l := open(t, small(func(o *loader.Options) { one(o); o.Correction = 0.5 }), first, second)
		sets, numbers := l.Episodes()
		want, weights, total := map[[2]int64]float64{}, []float64{}, 0.0
		for i := range sets {
			w := float64(i % 4)
			weights = append(weights, w)
			want[[2]int64{int64(sets[i]), numbers[i]}] = w
			total += w
		}
		if err := l.SetWeights(weights); err != nil {
			t.Fatal(err)
		}
		fits(t, draws(t, l, 12000), want)
		b := take(t, l, 1000)
		for i := range b.Value {
			w := want[[2]int64{int64(b.Set[i]), b.Episode[i]}]
			if correct := math.Sqrt(total / 45 / w); math.Abs(float64(b.Weight[i])-correct) > 1e-5 {
				t.Fatalf("the importance weight of weight %v is %v, want %v", w, b.Weight[i], correct)
			}
		}
	})
	t.Run("positions", func(t *testing.T) {
		l := open(t, small(func(o *loader.Options) { one(o); o.Window.Episodes, o.Openings = 1, true }), second)
		_, all := episodes(t, second)
		last := all[len(all)-1]
		counts, want := map[[2]int64]float64{}, map[[2]int64]float64{}
		for ply := range last.Steps {
			want[[2]int64{0, int64(ply)}] = 1
		}
		for range 10 {
			b := take(t, l, 1000)
			for _, ply := range b.Ply {
				counts[[2]int64{0, int64(ply)}]++
			}
		}
		fits(t, counts, want)
	})
}

func TestRefreshFindsNewEpisodes(t *testing.T) {
	dir := t.TempDir()
	play(t, dir, "ntxuva/basic", "random", 10, nil)
	l := open(t, small(func(o *loader.Options) { o.Window.Episodes, o.Positions, o.KeepTruncated = 10, 2, true }), dir)
	take(t, l, 100)
	play(t, dir, "ntxuva/basic", "random", 20, nil)
	if n, err := l.Refresh(); err != nil || n != 20 {
		t.Fatalf("%d episodes, %v", n, err)
	}
	var seen []int64 // by block of 300 rows
	for range 4 {
		most := int64(0)
		for range 3 {
			b := take(t, l, 100)
			for _, n := range b.Episode {
				most = max(most, n)
			}
		}
		seen = append(seen, most)
	}
	// Batch 0 was the first third of block 0, so the groups overlap block 0 and 1, 1 and 2, …
	if seen[0] >= 10 || seen[2] < 10 {
		t.Errorf("the newest episodes by three batches are %v", seen)
	}
	b := take(t, l, 300)
	for _, n := range b.Episode {
		if n < 10 {
			t.Fatalf("episode %d is outside the window", n)
		}
	}
	epochs := open(t, small(func(o *loader.Options) { o.Epochs = 1 }), dir)
	if _, err := epochs.Refresh(); err == nil {
		t.Error("a loader with epochs is refreshed")
	}
	if err := epochs.SetWeights(make([]float64, 20)); err == nil {
		t.Error("a loader with epochs gets weights")
	}
	for _, weights := range [][]float64{{1}, make([]float64, 20), {19: -1}, {19: math.NaN()}, {19: math.Inf(1)}} {
		if err := l.SetWeights(weights); err == nil {
			t.Errorf("the weights %v are accepted", weights)
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for _, text := range []string{
		`{"shuffle":0}`, `{"shuffle":-1}`, `{"positions":-1}`, `{"min_ply":-1}`, `{"epochs":-1}`, `{"correction":2}`, `{"world":0}`,
		`{"rank":1}`, `{"rank":-1,"world":2}`, `{"threads":-1}`, `{"window":{"episodes":-1}}`, `{"unknown":1}`, `{} 1`, `[`,
		`{"window":{"growing":{"plies":1,"alpha":0,"beta":1}}}`, `{"window":{"episodes":3,"growing":{"plies":1,"alpha":1,"beta":1}}}`,
	} {
		if _, err := loader.ParseOptions([]byte(text)); err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
	o, err := loader.ParseOptions([]byte(`{"seed":"18446744073709551615","symmetry":true}`))
	want := loader.Default()
	want.Seed, want.Symmetry = math.MaxUint64, true
	if err != nil || o != want {
		t.Errorf("%+v, %v", o, err)
	}
}
