package library

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/arena"
	"github.com/sandtable-farm/sandtable/selfplay/openings"
	"github.com/sandtable-farm/sandtable/selfplay/record"
)

// match is a match between two agents: pairs of games with the same opening and swapped
// seats.
type match struct {
	arena arena.Match

	mu       sync.Mutex // of the fields below, which are read while the match is played
	progress progress
}

// progress is the report on a match.
type progress struct {
	Done  bool  `json:"done"`
	Games int64 `json:"games"`
	Plies int64 `json:"plies"`
	// Report is the report of package arena; absent before the end.
	Report *arena.Report `json:"report,omitempty"`
}

func (*match) what() string { return "match" }

// matchOptions describe a match as JSON.
type matchOptions struct {
	Agents   [2]string `json:"agents"`
	Pairs    int64     `json:"pairs"`
	Seed     uint64    `json:"seed"`
	Openings string    `json:"openings"`  // as for sandtable arena; empty for the default of matches
	MaxPlies int64     `json:"max_plies"` // 0 for the default
	sources
}

// NewMatch opens a match of a game. options is a JSON object; see matchOptions.
func (l *Library) NewMatch(handle int64, options []byte) (n int64, err error) {
	g, err := l.game(handle)
	if err != nil {
		return 0, err
	}
	defer recovered(&err)
	var o matchOptions
	if err := decode(options, "options", &o); err != nil {
		return 0, err
	}
	plan, err := o.plan(g)
	if err != nil {
		return 0, err
	}
	m := &match{arena: arena.Match{Plan: plan, Pairs: o.Pairs, Workers: 1}}
	if err := m.arena.Validate(); err != nil {
		return 0, err
	}
	return l.open(m), nil
}

func (o *matchOptions) plan(g *game) (*selfplay.Plan, error) {
	var agents [2]agent.Spec
	for i, text := range o.Agents {
		spec, err := o.parse(text, g)
		if err != nil {
			return nil, err
		}
		agents[i] = spec
	}
	policy := openings.OfMatch(g.variant)
	if o.Openings != "" {
		var err error
		if policy, err = openings.Parse(o.Openings); err != nil {
			return nil, faultf(Value, "option openings is %v", err)
		}
	}
	opening, err := policy.Opening(g.variant, o.Seed)
	if err != nil {
		return nil, err
	}
	most := int(o.MaxPlies)
	if most == 0 {
		most = selfplay.DefaultMaxPlies
	}
	return selfplay.NewPlan(selfplay.Config{Variant: g.variant, Agents: agents, Opening: opening, MaxPlies: most, Seed: o.Seed})
}

// PlayMatch plays a match from the beginning, and returns the number of pairs played.
// Report has its progress meanwhile and its result afterwards. After Cancel, the result is
// that of the pairs played so far; it is an error if there is none.
func (l *Library) PlayMatch(handle int64) (int64, error) {
	return useEntry(l, handle, func(e *entry, m *match) (int64, error) {
		m.set(progress{})
		return e.start(false, func(ctx context.Context) (int64, error) {
			am := m.arena
			am.Record = func(ctx context.Context, r record.Recording) error { return m.play(ctx, r) }
			report, err := arena.Play(ctx, am)
			if err != nil {
				return 0, err
			}
			m.mu.Lock()
			defer m.mu.Unlock()
			m.progress.Done, m.progress.Report = true, report
			return report.Pairs, nil
		})
	})
}

func (m *match) set(p progress) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.progress = p
}

// play is a record.Recorder that keeps no data set.
func (m *match) play(ctx context.Context, r record.Recording) (err error) {
	player, err := selfplay.NewPlayer(r.Plan)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, player.Close()) }()
	player.StopWhen(ctx.Done())
	var first, second dataset.Episode
	var p progress
	for number := int64(0); number < r.Episodes; number += 2 {
		for game, ep := range []*dataset.Episode{&first, &second} {
			err := player.Play(number+int64(game), ep)
			switch {
			case ctx.Err() != nil && number == 0:
				return errors.New("the match was cancelled before the end of its first pair")
			case ctx.Err() != nil:
				return nil
			case err != nil:
				return err
			}
			p.Games++
			p.Plies += int64(ep.Plies())
			m.set(p)
		}
		r.Each(&first)
		if !r.Each(&second) {
			return nil
		}
	}
	return nil
}

func (m *match) text() ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return json.Marshal(&m.progress)
}
