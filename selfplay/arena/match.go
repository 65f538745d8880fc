package arena

import (
	"context"
	"errors"
	"fmt"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/selfplay"
)

// A Match says what is to be played.
type Match struct {
	Dir     string         // of the data set; an earlier part of the match is continued
	Plan    *selfplay.Plan // with two different agents
	Pairs   int64          // to be counted, at most
	Test    *stats.SPRT    // ends the match early; nil: none
	Workers int            // games played at a time
	// Progress, unless nil, is told how many games and plies were played so far by
	// this call.
	Progress func(games, plies int64)
}

// Settings returns the settings of the data set of a match. They leave the number
// of pairs open, and the test, which decides nothing but when to stop.
func Settings(plan *selfplay.Plan) dataset.Settings {
	s := plan.Settings(0)
	s.JobEpisodes = 2
	return s
}

// Validate checks the match but for what is in its folder.
func (m *Match) Validate() error {
	if !m.Plan.Paired() {
		return fmt.Errorf("%s against itself is no match: two different agents are needed", m.Plan.Agents[0])
	}
	if m.Pairs < 1 {
		return fmt.Errorf("pairs is %d, must be 1 or more", m.Pairs)
	}
	if m.Test != nil {
		if err := m.Test.Validate(); err != nil {
			return fmt.Errorf("SPRT: %w", err)
		}
	}
	return m.Plan.Validate()
}

// Missing returns how many games of the match are not in its folder, if no test
// ends it early.
func (m *Match) Missing() int64 {
	manifest, err := dataset.Load(m.Dir)
	if err != nil {
		return 2 * m.Pairs // what is wrong there is for Play to say
	}
	return max(0, 2*m.Pairs-manifest.Episodes())
}

// errOver ends the playing when the last pair was counted.
var errOver = errors.New("the match is over")

// Play plays a match, or what is missing of it, and reports it. It locks the
// folder. A folder that holds another run is refused with an error that wraps
// dataset.ErrSettings. When ctx is done, the pairs that are whole are kept, and
// the error wraps the cause; calling it again then goes on.
func Play(ctx context.Context, m Match) (report *Report, err error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	lock, err := dataset.AcquireLock(m.Dir)
	if err != nil {
		return nil, err
	}
	giveBack := lock.Release
	defer func() { err = errors.Join(err, giveBack()) }()
	if _, err := dataset.Load(m.Dir); errors.Is(err, dataset.ErrNoDataSet) {
		giveBack = lock.Discard // until there is a data set
		if _, err := selfplay.NewPlayer(m.Plan); err != nil {
			return nil, err
		}
	}
	settings := Settings(m.Plan)
	writer, err := parquetio.OpenWriter(lock, &settings)
	if err != nil {
		return nil, err
	}
	giveBack = lock.Release

	r := newReferee(m.Pairs, m.Test)
	if err := m.recall(ctx, writer.Manifest(), r); err != nil {
		return nil, err
	}
	if !r.over() {
		if err := m.play(ctx, writer, r); err != nil {
			return nil, err
		}
	}
	return r.report(&m, &settings), nil
}

// recall counts the pairs that are in the data set.
func (m *Match) recall(ctx context.Context, manifest *dataset.Manifest, r *referee) error {
	if jobs := manifest.Jobs(); jobs.Len() != jobs.Max()+1 {
		return fmt.Errorf("%s holds pairs %s, must hold all from 0 on: it was not written by a match", m.Dir, jobs)
	}
	reader, err := parquetio.Open(m.Dir)
	if err != nil {
		return err
	}
	for ep, err := range reader.Episodes() {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if r.count(ep); r.over() {
			return nil
		}
	}
	return nil
}

// play plays on from the pair that the referee counts next.
func (m *Match) play(ctx context.Context, writer *parquetio.Writer, r *referee) error {
	k := &keeper{writer: writer, pair: r.pairs()}
	var games, plies int64
	first := 2 * r.pairs()
	err := selfplay.PlayAll(ctx, m.Plan, writer.Manifest().Run, first, 2*m.Pairs-first, m.Workers, func(ep *dataset.Episode) error {
		games, plies = games+1, plies+int64(ep.Plies())
		if err := k.keep(ep); err != nil {
			return err
		}
		r.count(ep)
		if m.Progress != nil {
			m.Progress(games, plies)
		}
		if r.over() {
			return errOver
		}
		return nil
	})
	switch {
	case errors.Is(err, errOver):
		err = nil
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		err = context.Cause(ctx)
	}
	if err := errors.Join(err, k.flush()); err != nil {
		return fmt.Errorf("match in %s, after %d pairs: %w", m.Dir, writer.Manifest().Jobs().Len(), err)
	}
	return nil
}
