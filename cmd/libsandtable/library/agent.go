package library

import (
	"context"
	"encoding/json"
	"io"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/search"
	"github.com/sandtable-farm/sandtable/selfplay/tablebase"
)

// randomAgent is the agent that needs no parsing.
const randomAgent = "random"

// sources are what agent strings name outside the library, as JSON.
type sources struct {
	Commands agent.Commands `json:"commands"` // programs and their arguments, of agents exec:NAME
}

// parse reads an agent string, and refuses an agent that does not fit into memory.
func (s *sources) parse(text string, g *game) (agent.Spec, error) {
	spec, err := agent.Parse(text, g.variant, &agent.Sources{
		ReadFile: readRules, Commands: s.Commands,
		OpenTable: func(name string) (agent.Table, error) { return tablebase.Open(name) },
	})
	if err == nil {
		err = spec.Runnable()
	}
	if err == nil {
		err = fits("agent "+spec.String(), spec.Memory())
	}
	return spec, err
}

// player is an agent that chooses actions in the states of the caller.
type player struct {
	game   *game
	name   string
	agent  agent.Agent
	seed   uint64
	turn   uint64 // number of choices so far
	legal  []env.Action
	report []byte // on the last choice or analysis
}

func (*player) what() string { return "agent" }

// Close implements io.Closer.
func (p *player) Close() error {
	if c, ok := p.agent.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// agentOptions describe an agent as JSON.
type agentOptions struct {
	Agent string `json:"agent"` // agent string
	Seed  uint64 `json:"seed"`
	sources
}

// NewAgent opens an agent for a game. options is a JSON object; see agentOptions.
func (l *Library) NewAgent(handle int64, options []byte) (n int64, err error) {
	g, err := l.game(handle)
	if err != nil {
		return 0, err
	}
	defer recovered(&err)
	var o agentOptions
	if err := decode(options, "options", &o); err != nil {
		return 0, err
	}
	spec, err := o.parse(o.Agent, g)
	if err != nil {
		return 0, err
	}
	a, err := spec.New(g.variant.Game)
	if err != nil {
		return 0, err
	}
	return l.open(&player{game: g, name: spec.String(), agent: a, seed: o.Seed, legal: g.spec.NewActions()}), nil
}

// found is the report on a choice. Members are absent if the agent does not report them.
type found struct {
	Action env.Action `json:"action"`
	Move   string     `json:"move"`
	Value  *float32   `json:"value,omitempty"` // expected result, −1 to 1, for the player to move
	Score  *int32     `json:"score,omitempty"` // in hundredths of a point
	Nodes  *int64     `json:"nodes,omitempty"`
	Depth  *int32     `json:"depth,omitempty"`
	Visits [][2]int64 `json:"visits,omitempty"` // pairs of an action and its visits
}

// Choose has an agent choose an action in a state, which it copies. The k-th choice depends
// on the seed, k and the state. Report then has the JSON report on the choice.
func (l *Library) Choose(handle, position int64) (int64, error) {
	return l.think(handle, position, func(ctx context.Context, p *player, s *state) (int64, error) {
		p.legal = s.state.Legal(p.legal[:0])
		p.agent.Begin(env.Derive(p.seed, p.turn))
		p.turn++
		if w, ok := p.agent.(agent.Watcher); ok {
			if err := w.Watch(s.state); err != nil {
				return 0, err
			}
		}
		if stopper, ok := p.agent.(agent.Stopper); ok {
			stopper.StopWhen(ctx.Done())
			defer stopper.StopWhen(nil)
		}
		var stats dataset.Search
		a := p.agent.Choose(s.state, p.legal, &stats)
		if a == env.NoAction {
			reason, detail := env.ForfeitOf(p.agent)
			return 0, faultf(Value, "agent %s gave up: %v %s", p.name, reason, detail)
		}
		p.legal = s.state.Legal(p.legal[:0])
		return int64(a), p.keepReport(newFound(s.state, a, &stats))
	})
}

func newFound(s env.State, a env.Action, stats *dataset.Search) *found {
	f := &found{Action: a, Move: env.ActionText(s, a)}
	if stats.Has&dataset.HasValue != 0 {
		f.Value = &stats.Value
	}
	if stats.Has&dataset.HasScore != 0 {
		f.Score = &stats.Score
	}
	if stats.Has&dataset.HasNodes != 0 {
		f.Nodes = &stats.Nodes
	}
	if stats.Has&dataset.HasDepth != 0 {
		f.Depth = &stats.Depth
	}
	for _, v := range stats.Visits {
		f.Visits = append(f.Visits, [2]int64{int64(v.Action), int64(v.Count)})
	}
	return f
}

// keepReport encodes a report, which Report then writes.
func (p *player) keepReport(report any) (err error) {
	p.report, err = json.Marshal(report)
	return err
}

// analysis is the report on an analysis.
type analysis struct {
	Nodes int64  `json:"nodes"`
	Depth int    `json:"depth"`
	Lines []line `json:"lines"` // best first
}

// line is an action and the play expected after it.
type line struct {
	Value   float32      `json:"value"` // expected result, −1 to 1, for the player to move
	Score   int          `json:"score"` // in hundredths of a point
	Depth   int          `json:"depth"`
	Actions []env.Action `json:"actions"`
	Moves   []string     `json:"moves"`
}

// mostLines is the greatest number of lines of an analysis.
const mostLines = 1000

// Analyse has an agent search several lines of play from a state, which differ in their
// first action. Report then has the JSON report. Not every agent can analyse.
func (l *Library) Analyse(handle, position, lines int64) (int64, error) {
	return l.think(handle, position, func(ctx context.Context, p *player, s *state) (int64, error) {
		analyst, ok := p.agent.(agent.Analyst)
		if !ok {
			return 0, faultf(Value, "agent %s does not analyse", p.name)
		}
		if lines < 1 || lines > mostLines {
			return 0, faultf(Value, "lines is %d, must be 1 to %d", lines, mostLines)
		}
		analyst.Begin(p.seed)
		result := analyst.Analyze(s.state, int(lines), ctx.Done(), nil)
		a := analysis{Nodes: result.Nodes, Depth: result.Depth}
		for _, found := range result.Lines {
			next := s.clone()
			one := line{Value: search.Value(found.Score), Score: found.Score, Depth: found.Depth, Actions: found.Actions}
			for _, action := range found.Actions {
				one.Moves = append(one.Moves, env.ActionText(next.state, action))
				if err := next.apply(action); err != nil {
					return 0, err
				}
			}
			a.Lines = append(a.Lines, one)
		}
		return int64(len(a.Lines)), p.keepReport(&a)
	})
}

// think runs work of an agent in a goroutine, on a copy of a state, in which the game must
// not be over.
func (l *Library) think(handle, position int64, work func(context.Context, *player, *state) (int64, error)) (int64, error) {
	if handle == position {
		return 0, faultf(Value, "the handle is that of the agent, must be that of a state")
	}
	return useEntry(l, handle, func(e *entry, p *player) (int64, error) {
		var copied *state
		if _, err := use(l, position, func(s *state) (int64, error) {
			switch {
			case s.game.variant.Digest != p.game.variant.Digest:
				return 0, faultf(Value, "the agent plays %s, and the state is one of %s", p.game.variant.Name, s.game.variant.Name)
			case s.state.Player() == env.NoPlayer:
				return 0, faultf(Value, "the game is over")
			}
			copied = &state{game: p.game, state: env.NewState(s.game.variant.Game), plies: s.plies, last: s.last}
			copied.state.CopyFrom(s.state)
			return 0, nil
		}); err != nil {
			return 0, err
		}
		p.report = nil
		return e.start(false, func(ctx context.Context) (int64, error) { return work(ctx, p, copied) })
	})
}

// A reporter is an object with a report. Its report may be read while a task runs.
type reporter interface {
	object
	text() ([]byte, error)
}

func (p *player) text() ([]byte, error) { return p.report, nil }

// Report writes the JSON report of an agent on its last choice or analysis, or that of a
// match. It is empty before the first.
func (l *Library) Report(handle int64, buffer []byte) (n int64, err error) {
	e, err := l.lock(handle)
	if err != nil {
		return 0, err
	}
	defer e.mu.Unlock()
	defer recovered(&err)
	r, ok := e.object.(reporter)
	if !ok {
		return 0, faultf(Value, "a %s has no report", e.object.what())
	}
	if _, concurrent := r.(*match); !concurrent {
		if err := e.ready(); err != nil {
			return 0, err
		}
	}
	text, err := r.text()
	return put(buffer, text), err
}
