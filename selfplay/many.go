package selfplay

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"github.com/sandtable-farm/sandtable/dataset"
)

// PlayAll plays the episodes first to first+count−1 of a plan on the given number of
// goroutines. It calls yield with each episode, one call at a time and in order of
// number; the episode is valid during the call. It stops at the first error of playing
// or of yield, and when ctx is done.
func PlayAll(ctx context.Context, plan *Plan, run string, first, count int64, goroutines int, yield func(*dataset.Episode) error) error {
	goroutines = max(1, goroutines)
	group, ctx := errgroup.WithContext(ctx)
	// Goroutine i mod n plays episode i into one of its two records. So episodes need
	// no sorting, and memory is bounded.
	done := make([]chan *dataset.Episode, goroutines)
	free := make([]chan *dataset.Episode, goroutines)
	for g := range goroutines {
		done[g] = make(chan *dataset.Episode, 2)
		free[g] = make(chan *dataset.Episode, 2)
		free[g] <- &dataset.Episode{Run: run}
		free[g] <- &dataset.Episode{Run: run}
		group.Go(func() (err error) {
			player, err := NewPlayer(plan)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, player.Close()) }()
			for i := int64(g); i < count; i += int64(goroutines) {
				select {
				case <-ctx.Done():
					return ctx.Err()
				case ep := <-free[g]:
					if err := player.Play(first+i, ep); err != nil {
						return err
					}
					done[g] <- ep
				}
			}
			return nil
		})
	}
	group.Go(func() error {
		for i := range count {
			g := i % int64(goroutines)
			select {
			case <-ctx.Done():
				return ctx.Err()
			case ep := <-done[g]:
				if err := yield(ep); err != nil {
					return err
				}
				free[g] <- ep
			}
		}
		return nil
	})
	return group.Wait()
}
