package loader

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// A view is the content of the data sets at one time, with the weights of the episodes.
// Its fields do not change after use.
type view struct {
	sources []*source
	// weights are the weights of the episodes of each shard, or nil if all are equal. A
	// shard that it lacks was added later; its episodes have the weight fresh.
	weights map[*shard][]float64
	fresh   float64
}

// shards yields all shards, newest first.
func (v *view) shards(yield func(*shard) bool) {
	for _, s := range slices.Backward(v.sources) {
		for _, shard := range slices.Backward(s.shards) {
			if !yield(shard) {
				return
			}
		}
	}
}

// window returns the shards that the window needs, oldest first, and its limits: the
// newest episodes, and the newest episodes that have the plies between them.
func (v *view) window(w Window) (shards []*shard, episodes, plies int64) {
	episodes, plies = math.MaxInt64, math.MaxInt64
	if w.Episodes > 0 {
		episodes = w.Episodes
	}
	if w.Growing != (Growing{}) {
		total := int64(0)
		for s := range v.shards {
			total += s.Steps.Rows
		}
		plies = w.Growing.size(total)
	}
	var haveEpisodes, havePlies int64
	for s := range v.shards {
		if haveEpisodes >= episodes || havePlies >= plies {
			break
		}
		shards = append(shards, s)
		haveEpisodes += s.Episodes.Rows
		havePlies += s.Steps.Rows
	}
	slices.Reverse(shards)
	return shards, episodes, plies
}

// size returns the number of plies in the window if there are total plies.
func (g Growing) size(total int64) int64 {
	c, n := float64(g.Plies), float64(total)
	if n <= c {
		return total
	}
	return int64(math.Ceil(c * (1 + g.Beta*(math.Pow(n/c, g.Alpha)-1)/g.Alpha)))
}

// load reads the given shards that are not in memory.
func load(ctx context.Context, shards []*shard, o *Options, start string) error {
	var next atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for range min(o.threads(), len(shards)) {
		group.Go(func() error {
			for {
				i := int(next.Add(1) - 1)
				if i >= len(shards) || ctx.Err() != nil {
					return nil
				}
				if shards[i].games == nil {
					if err := shards[i].load(ctx, o, start); err != nil {
						return err
					}
				}
			}
		})
	}
	return group.Wait()
}

// A candidate is a game that can be drawn.
type candidate struct {
	*game
	shard *shard
}

// A pool is what draws choose from: the games of a window that have positions to select.
type pool struct {
	view   *view
	games  []candidate // oldest first
	bounds []float64   // cumulative weights of games; empty if all are equal
	order  []int32     // of epoch
	epoch  uint64
}

// newPool returns the pool of a view whose shards are in memory.
func newPool(v *view, shards []*shard, episodes, plies int64, o *Options) (*pool, error) {
	p := &pool{view: v, epoch: math.MaxUint64}
	var weights []float64
	seen := int64(0)
	for _, s := range slices.Backward(shards) {
		given := v.weights[s]
		for i := len(s.games) - 1; i >= 0 && episodes > 0 && plies > 0; i-- {
			g := &s.games[i]
			episodes--
			plies -= int64(g.length)
			seen++
			weight := v.fresh
			if given != nil {
				weight = given[i]
			}
			if g.eligible > 0 && (v.weights == nil || weight > 0) {
				p.games = append(p.games, candidate{g, s})
				weights = append(weights, weight)
			}
		}
	}
	if len(p.games) == 0 {
		return nil, fmt.Errorf("the window has %d episodes, and the options select none of their positions", seen)
	}
	slices.Reverse(p.games)
	if v.weights != nil {
		slices.Reverse(weights)
		total := 0.0
		for _, w := range weights {
			total += w
			p.bounds = append(p.bounds, total)
		}
	}
	return p, nil
}
