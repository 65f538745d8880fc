package balance

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/replay"
)

// chunkEpisodes is the number of episodes in a chunk. A chunk has one more if it would
// otherwise divide a pair.
const chunkEpisodes = 256

// An item is an episode, which it owns, and its place in the data.
type item struct {
	dataset.Episode
	game    int64 // counted over all sources
	group   int64 // its pair, or itself, counted over all sources
	sampled bool
}

// A chunk is a run of consecutive episodes of a source and, when done is closed, their
// sums.
type chunk struct {
	source *Source
	items  []item
	done   chan struct{} // closed when sums or err is set
	sums   *sums
	err    error
}

// pipeline counts all episodes. One goroutine reads them, others count chunks, and the
// caller's merges the sums in the order of the data.
func pipeline(ctx context.Context, b *board, sources []Source, o *Options) (*sums, error) {
	ctx, cancel := context.WithCancel(ctx)
	goroutines := max(1, o.Goroutines)
	work, order := make(chan *chunk), make(chan *chunk, 2*goroutines)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	for range goroutines {
		running.Go(func() {
			c := newCounter(b)
			c.valuesOnly = o.valuesOnly
			for chunk := range work {
				chunk.sums, chunk.err = c.chunk(ctx, chunk)
				close(chunk.done)
			}
		})
	}
	running.Go(func() {
		defer close(work)
		defer close(order)
		r := reader{stride: stride(sources, o.Sample), send: func(c *chunk) bool {
			select {
			case order <- c:
			case <-ctx.Done():
				return false
			}
			select {
			case work <- c:
				return true
			case <-ctx.Done():
				c.err = ctx.Err()
				close(c.done)
				return false
			}
		}}
		for i := range sources {
			if !r.read(&sources[i]) {
				return
			}
		}
	})
	all := newSums(b)
	for chunk := range order {
		<-chunk.done
		if chunk.err != nil {
			return nil, fmt.Errorf("%s: %w", chunk.source.Name, chunk.err)
		}
		if err := all.merge(chunk.sums); err != nil {
			return nil, err
		}
		if o.Progress != nil {
			o.Progress(all.games, all.plies)
		}
	}
	return all, ctx.Err()
}

// stride returns n if every n-th group of games is in the sample.
func stride(sources []Source, sample int64) int64 {
	episodes := int64(0)
	for i := range sources {
		episodes += sources[i].Count
	}
	return max(1, (episodes+sample-1)/sample)
}

// A reader cuts sources into chunks.
type reader struct {
	stride int64
	send   func(*chunk) bool // returns false if no more chunks are wanted
	game   int64             // the next
	group  int64             // the next
}

// read sends the episodes of a source. It returns false if no more are wanted. A chunk
// with an error is the last one.
func (r *reader) read(s *Source) bool {
	next := &chunk{source: s, done: make(chan struct{})}
	flush := func() bool {
		full := next
		next = &chunk{source: s, done: make(chan struct{})}
		return len(full.items) == 0 && full.err == nil || r.send(full)
	}
	pair := int64(dataset.NoPair)
	for ep, err := range s.Episodes {
		if err != nil {
			next.err = err
			flush()
			return false
		}
		if pair == dataset.NoPair || ep.Pair != pair {
			if len(next.items) >= chunkEpisodes && !flush() {
				return false
			}
			r.group++
		}
		pair = ep.Pair
		group := r.group - 1
		next.items = append(next.items, item{Episode: lean(ep), game: r.game, group: group, sampled: group%r.stride == 0})
		r.game++
	}
	return flush()
}

// lean returns a copy of an episode without its search statistics.
func lean(ep *dataset.Episode) dataset.Episode {
	c := *ep
	c.Steps = slices.Clone(ep.Steps)
	for i := range c.Steps {
		c.Steps[i].Search = dataset.Search{}
	}
	return c
}

// chunk counts the episodes of a chunk.
func (c *counter) chunk(ctx context.Context, chunk *chunk) (*sums, error) {
	if chunk.err != nil {
		return nil, chunk.err
	}
	if err := c.of(chunk.source); err != nil {
		return nil, err
	}
	c.sums = newSums(c.board)
	for i := range chunk.items {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		it := &chunk.items[i]
		if i > 0 && it.group != chunk.items[i-1].group {
			c.close()
		}
		if err := c.episode(it); err != nil {
			return nil, err
		}
	}
	c.close()
	return c.sums, nil
}

// of prepares the counter for the episodes of a source.
func (c *counter) of(s *Source) error {
	if c.source == s {
		return nil
	}
	replayer, err := replay.New(s.Settings)
	if err != nil {
		return err
	}
	c.source, c.replayer = s, replayer
	return nil
}
