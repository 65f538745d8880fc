package selfplay

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"github.com/sandtable-farm/sandtable/dataset"
)

// ErrEnough is what the yield of PlayAll returns when it wants no more episodes.
var ErrEnough = errors.New("no more episodes are wanted")

// PlayAll plays the episodes first to first+count−1 of a plan on the given number of
// goroutines. It calls yield with each episode, one call at a time and in order of
// number; the episode is valid during the call. It stops at the first error of playing
// or of yield, which it returns unless it is ErrEnough, and when ctx is done, with its cause.
func PlayAll(ctx context.Context, plan *Plan, run string, first, count int64, goroutines int, yield func(*dataset.Episode) error) error {
	goroutines = max(1, goroutines)
	caller := ctx
	group, ctx := errgroup.WithContext(caller)
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
			player.StopWhen(ctx.Done())
			for i := int64(g); i < count; i += int64(goroutines) {
				select {
				case <-ctx.Done():
					return ctx.Err()
				case ep := <-free[g]:
					if err := player.Play(first+i, ep); err != nil {
						return err
					}
					if err := ctx.Err(); err != nil {
						return err // the episode may be truncated
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
	err := group.Wait()
	switch {
	case errors.Is(err, ErrEnough):
		return nil
	case caller.Err() != nil && errors.Is(err, caller.Err()):
		return context.Cause(caller)
	}
	return err
}
