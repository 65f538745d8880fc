package loader_test

import (
	"math"
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/loader"
	"github.com/sandtable-farm/sandtable/dataset/replay"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay"
)

// A key names a position of a data set.
type key struct {
	set     int32
	episode int64
	ply     int32
}

// A want is what a row must contain, computed with package replay from the records.
type want struct {
	planes              []uint8
	legal               []env.Action
	policy              map[env.Action]float64
	next                map[env.Action]float64
	value, score        float64
	valued              bool
	search              float64
	opening, fast, last bool
}

// policyOf returns the policy target of a step.
func policyOf(step *dataset.Step, of func(env.Action) env.Action) map[env.Action]float64 {
	p := map[env.Action]float64{}
	if step.Source == dataset.FromOpening || step.Search.Fast {
		return p
	}
	total := 0.0
	for _, v := range step.Search.Visits {
		total += float64(v.Count)
	}
	if total == 0 {
		p[of(step.Action)] = 1
	}
	for _, v := range step.Search.Visits {
		if v.Count > 0 {
			p[of(v.Action)] = float64(v.Count) / total
		}
	}
	return p
}

// wants returns what each position of a data set must contain under a symmetry, or nil for
// the identity.
func wants(t testing.TB, set int32, dir string, symmetry *env.Symmetry) map[key]want {
	t.Helper()
	settings, all := episodes(t, dir)
	r, err := replay.New(settings)
	if err != nil {
		t.Fatal(err)
	}
	spec := r.Game().Spec()
	size := spec.Width * spec.Height
	list := map[key]want{}
	for _, ep := range all {
		ply := 0
		for s, err := range r.Positions(ep) {
			if err != nil {
				t.Fatal(err)
			}
			if ply == len(ep.Steps) {
				break
			}
			step := &ep.Steps[ply]
			image := func(a env.Action) env.Action { return a }
			if symmetry != nil {
				image = func(a env.Action) env.Action { return symmetry.Action(s, a) }
			}
			w := want{planes: make([]uint8, spec.ObservationSize()), policy: policyOf(step, image), search: math.NaN(),
				opening: step.Source == dataset.FromOpening, fast: step.Search.Fast, last: ply+1 == len(ep.Steps)}
			s.Observe(w.planes, step.Player)
			if symmetry != nil {
				moved := make([]uint8, len(w.planes))
				for p := range spec.Planes {
					for i := range size {
						moved[int(symmetry.Planes[p])*size+int(symmetry.Squares[i])] = w.planes[p*size+i]
					}
				}
				w.planes = moved
			}
			for _, a := range s.Legal(nil) {
				w.legal = append(w.legal, image(a))
			}
			slices.Sort(w.legal)
			if !ep.Truncated {
				w.valued, w.value = true, float64(ep.Result.For(step.Player))
			}
			w.score = float64(ep.Points[step.Player] - ep.Points[step.Player.Opponent()])
			if step.Search.Has&dataset.HasValue != 0 {
				w.search = float64(step.Search.Value)
			}
			list[key{set, ep.Number, int32(ply)}] = w
			if before, ok := list[key{set, ep.Number, int32(ply - 1)}]; ok && ep.Steps[ply-1].Player != step.Player {
				before.next = w.policy
				list[key{set, ep.Number, int32(ply - 1)}] = before
			}
			ply++
		}
	}
	return list
}

// check compares the rows of a batch with what they must contain, by symmetry.
func check(t *testing.T, spec *env.Spec, b *loader.Batch, bySymmetry []map[key]want) {
	t.Helper()
	planes := make([]uint8, spec.ObservationSize())
	for i := range b.Value {
		k := key{b.Set[i], b.Episode[i], b.Ply[i]}
		w, ok := bySymmetry[b.Symmetry[i]][k]
		if !ok {
			t.Fatalf("position %+v does not exist", k)
		}
		n, m := spec.ObservationBitWords(), spec.ObservationScalars()
		spec.UnpackObservation(planes, b.Bits[i*n:][:n], b.Scalars[i*m:][:m])
		if !slices.Equal(planes, w.planes) {
			t.Fatalf("%+v: the observation differs under symmetry %d", k, b.Symmetry[i])
		}
		from, to := b.LegalOffsets[i], b.LegalOffsets[i+1]
		if !slices.Equal(b.LegalActions[from:to], w.legal) {
			t.Fatalf("%+v: the legal actions are %v, want %v", k, b.LegalActions[from:to], w.legal)
		}
		total := 0.0
		for j := from; j < to; j++ {
			if p := float64(b.Policy[j]); math.Abs(p-w.policy[b.LegalActions[j]]) > 1e-6 {
				t.Fatalf("%+v: action %d has the policy %v, want %v", k, b.LegalActions[j], p, w.policy[b.LegalActions[j]])
			}
			total += float64(b.Policy[j])
		}
		if weight := float64(b.PolicyWeight[i]); math.Abs(total-weight) > 1e-5 || weight != float64(min(1, len(w.policy))) {
			t.Fatalf("%+v: the policy adds up to %v with weight %v", k, total, weight)
		}
		next := map[env.Action]float64{}
		for j := b.NextOffsets[i]; j < b.NextOffsets[i+1]; j++ {
			next[b.NextActions[j]] = float64(b.NextPolicy[j])
		}
		if len(next) != len(w.next) {
			t.Fatalf("%+v: the reply is %v, want %v", k, next, w.next)
		}
		for a, p := range w.next {
			if math.Abs(next[a]-p) > 1e-6 {
				t.Fatalf("%+v: the reply is %v, want %v", k, next, w.next)
			}
		}
		valued := b.ValueWeight[i] == 1
		if valued != w.valued || float64(b.Value[i]) != w.value || float64(b.WDL[i]) != 1-w.value || float64(b.Score[i]) != w.score {
			t.Fatalf("%+v: value %v, class %d, score %v; want value %v, score %v", k, b.Value[i], b.WDL[i], b.Score[i], w.value, w.score)
		}
		if s := float64(b.SearchValue[i]); s != w.search && !(math.IsNaN(s) && math.IsNaN(w.search)) {
			t.Fatalf("%+v: the search value is %v, want %v", k, s, w.search)
		}
		if b.Weight[i] != 1 {
			t.Fatalf("%+v: the weight is %v", k, b.Weight[i])
		}
	}
}

func TestAnEpochHasEveryPositionOnceWithItsTargets(t *testing.T) {
	for _, c := range []struct {
		variant, agent string
		episodes       int64
		change         func(*loader.Options)
	}{
		{"trench/standard", search, 6, nil},
		{"trench/standard", "greedy", 12, func(o *loader.Options) { o.Symmetry = true }},
		{"trench/standard", search, 6, func(o *loader.Options) { o.Symmetry, o.Openings, o.KeepTruncated = true, true, true }},
		{"ntxuva/basic", search, 12, func(o *loader.Options) { o.Openings = true }},
		{"tankbattle/standard", "greedy", 4, func(o *loader.Options) { o.Symmetry = true }},
		{"tankchess/16x16", search, 2, func(o *loader.Options) { o.Symmetry, o.DropFast, o.MinPly = true, true, 9 }},
	} {
		dirs := []string{
			play(t, "", c.variant, c.agent, c.episodes, nil),
			play(t, "", c.variant, "random", 3, func(p *selfplay.Config) { p.MaxPlies = 40 }),
		}
		o := small(c.change)
		o.Epochs = 1
		l := open(t, o, dirs...)
		var symmetries []env.Symmetry
		if s, ok := l.Game().(env.Symmetric); ok && o.Symmetry {
			symmetries = s.Symmetries()
		}
		all := []map[key]want{{}}
		for range symmetries {
			all = append(all, map[key]want{})
		}
		for i, dir := range dirs {
			for k, w := range wants(t, int32(i), dir, nil) {
				all[0][k] = w
			}
			for j := range symmetries {
				for k, w := range wants(t, int32(i), dir, &symmetries[j]) {
					all[j+1][k] = w
				}
			}
		}
		selected := map[key]bool{}
		for k, w := range all[0] {
			if int(k.ply) >= o.MinPly && (o.Openings || !w.opening) && !(o.DropFast && w.fast) && (o.KeepTruncated || w.valued) {
				selected[k] = true
			}
		}
		images := 0
		for _, b := range takeAll(t, l, 97) {
			check(t, l.Game().Spec(), b, all)
			for i := range b.Value {
				k := key{b.Set[i], b.Episode[i], b.Ply[i]}
				if !selected[k] {
					t.Fatalf("%s: %+v occurs twice or should be left out", c.variant, k)
				}
				delete(selected, k)
				images += int(min(1, b.Symmetry[i]))
			}
		}
		if len(selected) > 0 {
			t.Errorf("%s: %d positions are missing", c.variant, len(selected))
		}
		if (images > 0) != (len(symmetries) > 0) {
			t.Errorf("%s: %d images of %d symmetries", c.variant, images, len(symmetries))
		}
	}
}
