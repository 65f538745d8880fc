package external

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
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

// An Agent runs a program that plays one variant. It belongs to one goroutine. It
// implements Agent and Watcher of package agent, env.Forfeiter and io.Closer.
type Agent struct {
	command  []string
	greeting []byte // variant and rules
	limits   Limits

	process    *process // nil if none runs
	id         string   // sent by the program; may be empty
	wantsLegal bool
	number     int    // of the last go line
	lost       int    // games in a row that ended with the process
	death      string // how the last process ended

	seed    uint64
	begun   bool      // newgame was sent
	watched bool      // start and moves come from Watch and Played
	state   env.State // after moves
	start   []byte    // position text
	moves   []byte    // move texts, a blank before each
	fault   fault     // why Choose returned NoAction

	lines []byte // output buffer
}

// New starts a program and checks that it plays the variant. The command is the program
// and its arguments.
func New(command []string, v *variant.Variant, limits Limits) (*Agent, error) {
	a := &Agent{command: command, limits: limits, state: env.NewState(v.Game)}
	if len(v.Rules) == 0 {
		return nil, fmt.Errorf("game %s has no rule set to send to a program", v.Name)
	}
	var rules bytes.Buffer
	if err := json.Compact(&rules, v.Rules); err != nil {
		return nil, fmt.Errorf("rules of %s: %w", v.Name, err)
	}
	a.greeting = fmt.Appendf(nil, "variant %s %s\nrules %s\n", v.Digest, v.Name, rules.Bytes())
	if err := a.run(); err != nil {
		return nil, err
	}
	return a, nil
}

// run starts the program unless it is running. Its errors wrap ErrProgram.
func (a *Agent) run() error {
	if a.process != nil {
		return nil
	}
	if a.lost >= MostLost {
		return programError{fmt.Errorf("%s: crashed or lost on time in %d games in a row; the last time: %s", a.name(), a.lost, a.death)}
	}
	if err := a.launch(); err != nil {
		return programError{fmt.Errorf("%s: %w", a.name(), err)}
	}
	return nil
}

// launch starts the program and waits until it is ready.
func (a *Agent) launch() (err error) {
	if a.process, err = startProcess(a.command); err != nil {
		return err
	}
	a.number, a.id, a.wantsLegal, a.begun = 0, "", false, false
	if err := a.ready([]byte("sandtable 1\n"), a.introduced); err != nil {
		return err
	}
	return a.ready(a.greeting, nil)
}

// name returns the command and the program's id, for errors.
func (a *Agent) name() string {
	name := fmt.Sprintf("external agent %q", strings.Join(a.command, " "))
	if a.id != "" {
		name += fmt.Sprintf(" (%q)", a.id)
	}
	return name
}

// introduced handles a line of the program's introduction.
func (a *Agent) introduced(line string) bool {
	if id, ok := strings.CutPrefix(line, "id "); ok {
		a.id = shortened(id)
		return true
	}
	if line == "wants legal" {
		a.wantsLegal = true
		return true
	}
	return false
}

// ready writes lines and waits for "ready". It passes earlier lines to take, unless that is
// nil. It ends a program that does not get ready.
func (a *Agent) ready(lines []byte, take func(line string) bool) error {
	return a.exchange(a.limits.Ready, lines, func(line string) (more bool, err error) {
		if text, ok := strings.CutPrefix(line, "error "); ok {
			return false, faultf(env.Crashed, "program reports: %s", shortened(text))
		}
		if line == "ready" {
			return false, nil
		}
		if take != nil && take(line) {
			return true, nil
		}
		return false, faultf(env.Crashed, "program wrote %q, must be ready", shortened(line))
	})
}

// exchange writes lines and reads answers until one is the last. It ends a program that does
// not answer in time or breaks the protocol; the error is then a fault.
func (a *Agent) exchange(limit time.Duration, lines []byte, answer func(line string) (more bool, err error)) error {
	err := a.process.within(limit, func() error {
		a.process.write(lines)
		for {
			line, err := a.process.read()
			if err != nil {
				return err
			}
			if more, err := answer(line); !more {
				return err
			}
		}
	})
	var f *fault
	switch {
	case err == nil:
		return nil
	case errors.As(err, &f) && f.reason != env.Crashed:
		return f
	}
	reason := env.Crashed
	if err == errLate {
		reason = env.TimeForfeit
		err = fmt.Errorf("program did not answer within %v", limit)
	}
	a.death = fmt.Sprintf("%v; %s", err, a.process.end())
	a.lost++
	a.process = nil
	return &fault{reason, a.death}
}

// Begin implements agent.Agent.
func (a *Agent) Begin(seed uint64) {
	if a.process != nil {
		a.lost = 0
	}
	a.seed, a.begun, a.watched = seed, false, false
}

// Watch implements agent.Watcher. It starts the program again after a crash.
func (a *Agent) Watch(start env.State) error {
	if err := a.run(); err != nil {
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

func (a *Agent) choose(s env.State, legal []env.Action, found *dataset.Search) (action env.Action, err error) {
	if err := a.run(); err != nil {
		return env.NoAction, err
	}
	if !a.begun {
		if err := a.ready(fmt.Appendf(a.lines[:0], "newgame %d\n", a.seed), nil); err != nil {
			return env.NoAction, err
		}
		a.begun = true
	}
	a.number++
	err = a.exchange(a.limits.Time+a.limits.Grace, a.question(s, legal), func(line string) (more bool, err error) {
		action, more, err = parseAnswer(line, s, a.number, found)
		return more, err
	})
	return action, err
}

// question returns the lines that ask for a move, valid until the next call.
func (a *Agent) question(s env.State, legal []env.Action) []byte {
	b := append(a.lines[:0], "position "...)
	if a.watched {
		b = append(b, a.start...)
		b = append(b, " moves"...)
		b = append(b, a.moves...)
	} else {
		b = s.AppendPosition(b)
		b = append(b, " moves"...)
	}
	if a.wantsLegal {
		b = append(b, "\nlegal"...)
		for _, action := range legal {
			b = s.AppendAction(append(b, ' '), action)
		}
	}
	b = fmt.Appendf(b, "\ngo %d movetime %d", a.number, a.limits.Time.Milliseconds())
	if a.limits.Nodes > 0 {
		b = fmt.Appendf(b, " nodes %d", a.limits.Nodes)
	}
	if a.limits.Depth > 0 {
		b = fmt.Appendf(b, " depth %d", a.limits.Depth)
	}
	a.lines = append(b, '\n')
	return a.lines
}

// Forfeit implements env.Forfeiter.
func (a *Agent) Forfeit() (reason env.Reason, detail string) { return a.fault.reason, a.fault.detail }

// Close ends the program. It returns nil.
func (a *Agent) Close() error {
	if a.process != nil {
		a.process.quit()
		a.process = nil
	}
	return nil
}
