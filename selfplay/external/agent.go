package external

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// Limits bound the answers of a program.
type Limits struct {
	Time  time.Duration // per move; whole milliseconds, at least one
	Nodes int64         // positions to visit; 0 is not sent
	Depth int           // plies to look ahead; 0 is not sent
	Grace time.Duration // by which an answer may be late
	Ready time.Duration // for each "ready"
}

// MostLost is the number of games in a row after which a program that lost all of them by
// crashes or on time is not started again.
const MostLost = 10

// ErrProgram is wrapped by errors that the program itself causes: it cannot be started, does
// not get ready, or lost [MostLost] games in a row by crashes or on time.
var ErrProgram = errors.New("external program failed")

// A programError is an error of a program.
type programError struct{ error }

func (e programError) Unwrap() error { return e.error }

func (programError) Is(target error) bool { return target == ErrProgram }

// An Agent plays one variant by a program. It belongs to one goroutine. It implements Agent
// and Watcher of package agent, env.Forfeiter and io.Closer.
type Agent struct {
	connection *connection // nil if the Agent shares one
	pool       *pool       // nil if the Agent has a connection
	launcher   *Launcher   // of pool

	seed    uint64
	begun   *process  // that newgame was sent to; nil before
	watched bool      // start and moves come from Watch and Played
	state   env.State // after moves
	spec    *env.Spec
	start   []byte // position text
	moves   []byte // move texts, a blank before each
	fault   fault  // why Choose returned NoAction

	lines  []byte // output buffer
	planes []uint8
	packed []uint64
	bytes  []byte // of packed
	scalar []uint8
}

// New starts a program and checks that it plays the variant. The command is the program
// and its arguments. Agents of one program that asks for batches share a process if they
// come from one [Launcher].
func New(command []string, v *variant.Variant, limits Limits) (*Agent, error) {
	return new(Launcher).New(command, v, limits)
}

func newAgent(v *variant.Variant) *Agent {
	spec := v.Game.Spec()
	return &Agent{
		state: env.NewState(v.Game), spec: spec, planes: make([]uint8, spec.ObservationSize()),
		packed: make([]uint64, spec.ObservationBitWords()), scalar: make([]uint8, spec.ObservationScalars()),
	}
}

// Begin implements agent.Agent.
func (a *Agent) Begin(seed uint64) {
	if c := a.connection; c != nil && c.process != nil {
		c.lost = 0
	}
	a.seed, a.begun, a.watched = seed, nil, false
}

// Watch implements agent.Watcher. It starts the program again after a crash.
func (a *Agent) Watch(start env.State) error {
	if a.pool == nil {
		if err := a.connection.run(); err != nil {
			return err
		}
	} else if err := a.pool.run(); err != nil {
		return err
	}
	a.state.CopyFrom(start)
	a.start, a.moves, a.watched = start.AppendPosition(a.start[:0]), a.moves[:0], true
	return nil
}

// Played implements agent.Watcher.
func (a *Agent) Played(action env.Action) {
	a.moves = append(a.moves, ' ')
	a.moves = a.state.AppendAction(a.moves, action)
	a.state.Apply(action)
}

// Choose implements agent.Agent. It returns env.NoAction if the program forfeits the game.
func (a *Agent) Choose(s env.State, legal []env.Action, found *dataset.Search) env.Action {
	action, err := a.choose(s, legal, found)
	if err == nil {
		return action
	}
	*found = dataset.Search{Visits: found.Visits[:0]}
	var f *fault
	if !errors.As(err, &f) {
		f = &fault{env.Crashed, err.Error()}
	}
	a.fault = fault{f.reason, fmt.Sprintf("%s: %s", a.name(), f.detail)}
	return env.NoAction
}

func (a *Agent) name() string {
	if a.pool != nil {
		return a.pool.name()
	}
	return a.connection.name()
}

func (a *Agent) choose(s env.State, legal []env.Action, found *dataset.Search) (action env.Action, err error) {
	if a.pool != nil {
		r := &request{found: found, parse: func(wants *wants) parser { return a.parser(wants, s, legal) },
			question: func(dst []byte, wants *wants, number int) []byte {
				return append(fmt.Appendf(a.question(dst, wants, a.pool.limits, s, legal, number), " seed %d", a.seed), '\n')
			}}
		return a.pool.ask(r)
	}
	c := a.connection
	if err := c.run(); err != nil {
		return env.NoAction, err
	}
	if a.begun != c.process {
		if err := c.ready(fmt.Appendf(a.lines[:0], "newgame %d\n", a.seed), nil); err != nil {
			return env.NoAction, err
		}
		a.begun = c.process
	}
	c.number++
	a.lines = append(a.question(a.lines[:0], &c.wants, c.limits, s, legal, c.number), '\n')
	parse := a.parser(&c.wants, s, legal)
	err = c.exchange(c.limits.Time+c.limits.Grace, a.lines, func(line string) (more bool, err error) {
		action, more, err = parseAnswer(line, parse, c.number, found)
		return more, err
	})
	return action, err
}

// A parser returns the legal action that a word of an answer names.
type parser func(word string) (env.Action, error)

func (a *Agent) parser(wants *wants, s env.State, legal []env.Action) parser {
	if !wants.actions {
		return s.ParseAction
	}
	return func(word string) (env.Action, error) {
		n, err := strconv.ParseInt(word, 10, 32)
		if err != nil {
			return env.NoAction, fmt.Errorf("action %q is not a number", word)
		}
		if _, ok := slices.BinarySearch(legal, env.Action(n)); !ok {
			return env.NoAction, fmt.Errorf("action %d is not one of the %d legal ones", n, len(legal))
		}
		return env.Action(n), nil
	}
}

// question appends the lines that ask for a move, without the last line feed.
func (a *Agent) question(b []byte, wants *wants, limits Limits, s env.State, legal []env.Action, number int) []byte {
	switch {
	case wants.noPosition:
	case a.watched:
		b = append(append(append(append(b, "position "...), a.start...), " moves"...), a.moves...)
		b = append(b, '\n')
	default:
		b = append(s.AppendPosition(append(b, "position "...)), " moves\n"...)
	}
	b = a.observe(b, wants.observation, s)
	if wants.legal {
		b = append(b, "legal"...)
		for _, action := range legal {
			b = s.AppendAction(append(b, ' '), action)
		}
		b = append(b, '\n')
	}
	if wants.actions {
		b = append(b, "actions"...)
		for _, action := range legal {
			b = strconv.AppendInt(append(b, ' '), int64(action), 10)
		}
		b = append(b, '\n')
	}
	b = fmt.Appendf(b, "go %d movetime %d", number, limits.Time.Milliseconds())
	if limits.Nodes > 0 {
		b = fmt.Appendf(b, " nodes %d", limits.Nodes)
	}
	if limits.Depth > 0 {
		b = fmt.Appendf(b, " depth %d", limits.Depth)
	}
	return b
}

// observe appends the observation line of a form, or nothing.
func (a *Agent) observe(b []byte, form string, s env.State) []byte {
	switch form {
	case "":
		return b
	case "planes":
		s.Observe(a.planes, s.Player())
		return append(base64.StdEncoding.AppendEncode(append(b, "observation "...), a.planes), '\n')
	}
	if o, ok := s.(env.BitObserver); ok {
		o.ObserveBits(a.packed, a.scalar, s.Player())
	} else {
		s.Observe(a.planes, s.Player())
		a.spec.PackObservation(a.packed, a.scalar, a.planes)
	}
	a.bytes = a.bytes[:0]
	for _, w := range a.packed {
		a.bytes = binary.LittleEndian.AppendUint64(a.bytes, w)
	}
	b = base64.StdEncoding.AppendEncode(append(b, "observation "...), a.bytes)
	return append(base64.StdEncoding.AppendEncode(append(b, ' '), a.scalar), '\n')
}

// Forfeit implements env.Forfeiter.
func (a *Agent) Forfeit() (reason env.Reason, detail string) { return a.fault.reason, a.fault.detail }

// Close ends the program, or leaves it to the Agents that share it. It returns nil.
func (a *Agent) Close() error {
	if a.pool != nil {
		a.launcher.leave()
		return nil
	}
	a.connection.quit()
	return nil
}
