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

// Limits are what a program is given for its answers.
type Limits struct {
	Time  time.Duration // to choose a move; whole milliseconds, at least one
	Nodes int64         // positions to visit; 0 is not told
	Depth int           // plies to look ahead; 0 is not told
	Grace time.Duration // by which an answer may be late before the game is lost
	Ready time.Duration // until each "ready"
}

// MostLost is how many games one after the other a program may lose by a crash
// or on time; then it is not started again.
const MostLost = 10

// An Agent is a program that chooses moves of one variant. It belongs to one
// goroutine. Its methods are those of selfplay's Agent, Watcher and Forfeiter,
// and of io.Closer.
type Agent struct {
	command  []string
	greeting []byte // variant and rules
	limits   Limits

	process    *process // nil while none runs
	id         string   // what the program says that it is; may be empty
	wantsLegal bool
	number     int    // of the last go line
	lost       int    // games in a row in which the process was lost
	death      string // how it was lost at last

	seed    uint64
	begun   bool      // the process knows of the game
	watched bool      // start and moves are told by Watch and Played
	state   env.State // after moves
	start   []byte    // position text
	moves   []byte    // move texts, a blank before each
	fault   fault     // why Choose returned NoAction

	lines []byte // to be written; reused
}

// New starts a program and makes sure that it plays the variant. The command
// is the program and its arguments.
func New(command []string, v *variant.Variant, limits Limits) (*Agent, error) {
	a := &Agent{command: command, limits: limits, state: env.NewState(v.Game)}
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

// run starts the program, unless it runs.
func (a *Agent) run() (err error) {
	if a.process != nil {
		return nil
	}
	if a.lost >= MostLost {
		return fmt.Errorf("%s: it crashed or lost on time in %d games one after the other, at last: %s", a.name(), a.lost, a.death)
	}
	if a.process, err = startProcess(a.command); err != nil {
		return fmt.Errorf("%s: %w", a.name(), err)
	}
	a.number, a.id, a.wantsLegal, a.begun = 0, "", false, false
	err = a.ready([]byte("sandtable 1\n"), a.introduced)
	if err == nil {
		err = a.ready(a.greeting, nil)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", a.name(), err)
	}
	return nil
}

// name quotes the command and what the program says that it is, for errors.
func (a *Agent) name() string {
	name := fmt.Sprintf("external agent %q", strings.Join(a.command, " "))
	if a.id != "" {
		name += fmt.Sprintf(" (%q)", a.id)
	}
	return name
}

// introduced takes a line of the program's introduction.
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

// ready writes lines and waits for "ready"; lines before it are for take, where
// there is one. A program that does not come to it is ended.
func (a *Agent) ready(lines []byte, take func(line string) bool) error {
	return a.exchange(a.limits.Ready, lines, func(line string) (more bool, err error) {
		if text, ok := strings.CutPrefix(line, "error "); ok {
			return false, faultf(env.Crashed, "it says: %s", shortened(text))
		}
		if line == "ready" {
			return false, nil
		}
		if take != nil && take(line) {
			return true, nil
		}
		return false, faultf(env.Crashed, "it wrote %q, must be ready", shortened(line))
	})
}

// exchange writes lines and reads answers until one is not more. A program that
// does not answer in time, or wrongly in a way that leaves nothing to say to it,
// is ended; the error is then a fault.
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
		err = fmt.Errorf("it did not answer within %v", limit)
	}
	a.death = fmt.Sprintf("%v; %s", err, a.process.end())
	a.lost++
	a.process = nil
	return &fault{reason, a.death}
}

// Begin starts a game; see selfplay.Agent.
func (a *Agent) Begin(seed uint64) {
	if a.process != nil {
		a.lost = 0
	}
	a.seed, a.begun, a.watched = seed, false, false
}

// Watch tells where the game begins, before its first move. It starts the
// program anew after a crash. The error says that there is nobody to play.
func (a *Agent) Watch(start env.State) error {
	if err := a.run(); err != nil {
		return err
	}
	a.state.CopyFrom(start)
	a.start, a.moves, a.watched = start.AppendPosition(a.start[:0]), a.moves[:0], true
	return nil
}

// Played tells of each move of a game that is watched, whoever made it.
func (a *Agent) Played(action env.Action) {
	a.moves = append(a.moves, ' ')
	a.moves = a.state.AppendAction(a.moves, action)
	a.state.Apply(action)
}

// Choose asks the program for its move; see selfplay.Agent. It returns
// env.NoAction when the program has lost the game by its conduct.
func (a *Agent) Choose(s env.State, legal []env.Action, told *dataset.Search) env.Action {
	action, err := a.choose(s, legal, told)
	if err == nil {
		return action
	}
	*told = dataset.Search{Visits: told.Visits[:0]}
	var f *fault
	if !errors.As(err, &f) {
		f = &fault{env.Crashed, err.Error()}
	}
	a.fault = fault{f.reason, fmt.Sprintf("%s: %s", a.name(), f.detail)}
	return env.NoAction
}

func (a *Agent) choose(s env.State, legal []env.Action, told *dataset.Search) (action env.Action, err error) {
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
		action, more, err = parseAnswer(line, s, a.number, told)
		return more, err
	})
	return action, err
}

// question returns the lines that ask for a move. They are valid until the next call.
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

// Forfeit tells why the last Choose returned env.NoAction, the details for people.
func (a *Agent) Forfeit() (reason env.Reason, detail string) { return a.fault.reason, a.fault.detail }

// Close ends the program. It gives nil.
func (a *Agent) Close() error {
	if a.process != nil {
		a.process.quit()
		a.process = nil
	}
	return nil
}
