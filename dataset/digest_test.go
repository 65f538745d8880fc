package dataset_test

import (
	"math/rand/v2"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/datasettest"
	"github.com/sandtable-farm/sandtable/env"
)

func episodes(n int) []*dataset.Episode {
	random := env.NewRand(9)
	list := make([]*dataset.Episode, n)
	for i := range list {
		list[i] = new(dataset.Episode)
		datasettest.Fill(list[i], "run", int64(i), random)
	}
	return list
}

func digest(list ...*dataset.Episode) string {
	var d dataset.Digest
	for _, ep := range list {
		d.Add(ep)
	}
	return d.String()
}

func TestDigestIgnoresOrderShardingRunAndWorker(t *testing.T) {
	list := episodes(40)
	want := digest(list...)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	var left, right dataset.Digest
	for i, ep := range list {
		ep.Run, ep.Worker = "another run", "another worker"
		if i%3 == 0 {
			left.Add(ep)
		} else {
			right.Add(ep)
		}
	}
	left.Merge(&right)
	if left.String() != want {
		t.Errorf("digest is %s, want %s", left.String(), want)
	}
}

func TestDigestTellsDifferentDataApart(t *testing.T) {
	list := episodes(6)
	var none dataset.Digest
	seen := map[string]string{none.String(): "nothing"}
	for name, some := range map[string][]*dataset.Episode{
		"one": list[:1], "another": list[1:2], "two": list[:2], "one twice": {list[0], list[0]}, "all": list, "all but one": list[1:],
	} {
		d := digest(some...)
		if other, ok := seen[d]; ok {
			t.Errorf("%s has the digest of %s", name, other)
		}
		seen[d] = name
	}
	before := digest(list...)
	for name, change := range map[string]func(ep *dataset.Episode){
		"number":     func(ep *dataset.Episode) { ep.Number += 1000 },
		"seed":       func(ep *dataset.Episode) { ep.Seed++ },
		"points":     func(ep *dataset.Episode) { ep.Points[1]++ },
		"resign ply": func(ep *dataset.Episode) { ep.ResignPly++ },
		"playout cap": func(ep *dataset.Episode) {
			ep.Steps[0].Search.Has |= dataset.HasFast
			ep.Steps[0].Search.Fast = !ep.Steps[0].Search.Fast
		},
		"a hash":  func(ep *dataset.Episode) { ep.Steps[0].Hash++ },
		"a score": func(ep *dataset.Episode) { ep.Steps[0].Search.Has ^= dataset.HasScore },
	} {
		changed := episodes(6)
		for _, ep := range changed {
			if ep.Plies() > 0 {
				change(ep)
				break
			}
		}
		if digest(changed...) == before {
			t.Errorf("another %s makes no other digest", name)
		}
	}
}

// The canonical encoding and with it every digest that anybody wrote down
// changes only with the schema version.
func TestDigestIsPinned(t *testing.T) {
	ep := &dataset.Episode{Run: "run", Number: 300, Pair: 150, Seed: 1 << 60, Agents: [2]string{"random", "greedy"}, Start: "start",
		OpeningPlies: 1, ResignPly: 1, Result: -1, Reason: env.General, Terminated: true, Points: [2]int{-3, 200}, FinalHash: 77}
	*ep.AddStep() = dataset.Step{Action: 500, Source: dataset.FromOpening, LegalCount: 40, Hash: 5}
	*ep.AddStep() = dataset.Step{Action: 7, Player: env.Second, LegalCount: 200, Hash: 6, Search: dataset.Search{
		Has: 63, Fast: true, Value: -0.5, Score: -70, Nodes: 1 << 40, Depth: 3, Visits: []dataset.Visit{{Action: 7, Count: 400}}}}
	const want = "sha256:c339a1288bfe85126d54d37f1fe4e79ec9bc645f49337139f571d4d7ed1c3da4"
	if got := digest(ep); got != want {
		t.Errorf("digest is %s, want %s", got, want)
	}
}
