package arena

import (
	"context"
	"fmt"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/record"
)

// A Match says what is to be played.
type Match struct {
	Dir     string         // of the data set; an earlier part of the match is continued
	Plan    *selfplay.Plan // with two different agents
	Pairs   int64          // to be counted, at most
	Test    *stats.SPRT    // ends the match early; nil: none
	Workers int            // games played at a time
	Record  record.Recorder
	// Progress, unless nil, is told how many games and plies were played so far by
	// this call.
	Progress func(games, plies int64)
}

// Validate checks the match but for what is in its folder.
func (m *Match) Validate() error {
	if !m.Plan.Paired() {
		return fmt.Errorf("%s against itself is no match: two different agents are needed", m.Plan.Config().Agents[0])
	}
	if m.Pairs < 1 {
		return fmt.Errorf("pairs is %d, must be 1 or more", m.Pairs)
	}
	if m.Test != nil {
		if err := m.Test.Validate(); err != nil {
			return fmt.Errorf("SPRT: %w", err)
		}
	}
	return nil
}

// recording is the match as what is played into a data set.
func (m *Match) recording(each func(*dataset.Episode) (more bool)) record.Recording {
	return record.Recording{Dir: m.Dir, Plan: m.Plan, Episodes: 2 * m.Pairs, Workers: m.Workers, Each: each, Progress: m.Progress}
}

// Missing returns how many games of the match are not in its folder, if no test
// ends it early.
func (m *Match) Missing() int64 {
	r := m.recording(nil)
	return r.Missing()
}

// Play plays a match, or what is missing of it, and reports it. Its errors are
// those of its recorder.
func Play(ctx context.Context, m Match) (*Report, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	r := newReferee(m.Pairs, m.Test)
	err := m.Record.Record(ctx, m.recording(func(ep *dataset.Episode) bool {
		r.count(ep)
		return !r.over()
	}))
	if err != nil {
		return nil, fmt.Errorf("match: %w", err)
	}
	settings := record.Settings(m.Plan)
	return r.report(&m, &settings), nil
}
