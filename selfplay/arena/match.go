package arena

import (
	"context"
	"fmt"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/record"
)

// A Match describes a match between two agents.
type Match struct {
	Dir     string         // folder of the data set; an interrupted match resumes there
	Plan    *selfplay.Plan // with two different agents
	Pairs   int64          // maximum number of pairs that count
	Test    *stats.SPRT    // ends the match early; may be nil
	Workers int            // number of games played at a time
	Record  record.Recorder
	// Progress, unless nil, is called with the number of games and plies that this call
	// has played so far.
	Progress func(games, plies int64)
}

// Validate checks the match, but not what is in its folder.
func (m *Match) Validate() error {
	if !m.Plan.Paired() {
		return fmt.Errorf("both agents are %s, must be two different agents", m.Plan.Config().Agents[0])
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

// recording returns the recording that plays the match into its data set.
func (m *Match) recording(each func(*dataset.Episode) (more bool)) record.Recording {
	return record.Recording{Dir: m.Dir, Plan: m.Plan, Episodes: 2 * m.Pairs, Workers: m.Workers, Each: each, Progress: m.Progress}
}

// Missing returns how many games of the match are not in its folder, if no test ends
// the match early.
func (m *Match) Missing() int64 {
	r := m.recording(nil)
	return r.Missing()
}

// Play plays the missing games of a match and reports on all of them. Its errors wrap
// those of the recorder.
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
