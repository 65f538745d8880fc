package external

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// Protocol is the newest version of the protocol.
const Protocol = 2

// A connection starts a program, and starts it again after a crash. It belongs to one
// goroutine at a time.
type connection struct {
	command  []string
	greeting []byte // variant and rules
	layout   []byte // for version 2
	limits   Limits

	process *process // nil if none runs
	id      string   // sent by the program; may be empty
	wants   wants
	number  int    // of the last go line
	lost    int    // games in a row that ended with the process
	death   string // how the last process ended
}

// wants are the lines that a program asks for.
type wants struct {
	version     int
	legal       bool   // move texts of the legal actions
	actions     bool   // numbers of the legal actions; answers are numbers, too
	observation string // "bits", "planes" or ""
	noPosition  bool
	batch       int // greatest number of questions at once; 0 for single questions
}

// mostBatch bounds the questions of a batch.
const mostBatch = 4096

// take reads a line of the introduction, and reports whether the protocol allows it.
func (w *wants) take(line string) bool {
	if line == "wants legal" {
		w.legal = true
		return true
	}
	if line == "protocol 1" || line == "protocol 2" {
		w.version = int(line[len(line)-1] - '0')
		return true
	}
	if w.version < 2 {
		return false
	}
	switch line {
	case "wants actions":
		w.actions = true
	case "wants observation bits", "wants observation planes":
		w.observation = strings.TrimPrefix(line, "wants observation ")
	case "wants no position":
		w.noPosition = true
	default:
		size, ok := strings.CutPrefix(line, "wants batch ")
		n, err := strconv.Atoi(size)
		if !ok || err != nil || n < 1 || n > mostBatch {
			return false
		}
		w.batch = n
	}
	return true
}

// layoutJSON names the numbers of observations and actions.
type layoutJSON struct {
	Width    int         `json:"width"`
	Height   int         `json:"height"`
	Actions  int         `json:"actions"`
	MaxLegal int         `json:"max_legal"`
	Words    int         `json:"observation_words"` // 64-bit words of the bits of an observation
	Scalars  int         `json:"observation_scalars"`
	Planes   []planeJSON `json:"planes"`
}

type planeJSON struct {
	Name    string `json:"name"`
	Max     uint8  `json:"max"`
	Uniform bool   `json:"uniform"`
}

func layoutOf(spec *env.Spec) ([]byte, error) {
	l := layoutJSON{
		Width: spec.Width, Height: spec.Height, Actions: spec.Actions, MaxLegal: spec.MaxLegal,
		Words: spec.ObservationBitWords(), Scalars: spec.ObservationScalars(),
	}
	for _, p := range spec.Planes {
		l.Planes = append(l.Planes, planeJSON{p.Name, p.Max, p.Uniform})
	}
	data, err := json.Marshal(l)
	return fmt.Appendf(nil, "layout %s\n", data), err
}

// newConnection starts a program and checks that it plays the variant.
func newConnection(command []string, v *variant.Variant, limits Limits) (*connection, error) {
	c := &connection{command: command, limits: limits}
	if len(v.Rules) == 0 {
		return nil, fmt.Errorf("game %s has no rule set to send to a program", v.Name)
	}
	var rules bytes.Buffer
	if err := json.Compact(&rules, v.Rules); err != nil {
		return nil, fmt.Errorf("rules of %s: %w", v.Name, err)
	}
	c.greeting = fmt.Appendf(nil, "variant %s %s\nrules %s\n", v.Digest, v.Name, rules.Bytes())
	var err error
	if c.layout, err = layoutOf(v.Game.Spec()); err != nil {
		return nil, err
	}
	if err := c.run(); err != nil {
		return nil, err
	}
	return c, nil
}

// run starts the program unless it is running. Its errors wrap ErrProgram.
func (c *connection) run() error {
	if c.process != nil {
		return nil
	}
	if c.lost >= MostLost {
		return programError{fmt.Errorf("%s: crashed or lost on time in %d games in a row; the last time: %s", c.name(), c.lost, c.death)}
	}
	if err := c.launch(); err != nil {
		return programError{fmt.Errorf("%s: %w", c.name(), err)}
	}
	return nil
}

// launch starts the program and waits until it is ready.
func (c *connection) launch() (err error) {
	if c.process, err = startProcess(c.command); err != nil {
		return err
	}
	c.number, c.id, c.wants = 0, "", wants{version: 1}
	if err := c.ready([]byte("sandtable 1\n"), c.introduced); err != nil {
		return err
	}
	if c.wants.version < 2 {
		return c.ready(c.greeting, nil)
	}
	return c.ready(slices.Concat(c.greeting, c.layout), nil)
}

// name returns the command and the program's id, for errors.
func (c *connection) name() string {
	name := fmt.Sprintf("external agent %q", strings.Join(c.command, " "))
	if c.id != "" {
		name += fmt.Sprintf(" (%q)", c.id)
	}
	return name
}

// introduced handles a line of the program's introduction.
func (c *connection) introduced(line string) bool {
	if id, ok := strings.CutPrefix(line, "id "); ok {
		c.id = shortened(id)
		return true
	}
	return c.wants.take(line)
}

// ready writes lines and waits for "ready". It passes earlier lines to take, unless that is
// nil. It ends a program that does not get ready.
func (c *connection) ready(lines []byte, take func(line string) bool) error {
	return c.exchange(c.limits.Ready, lines, func(line string) (more bool, err error) {
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
func (c *connection) exchange(limit time.Duration, lines []byte, answer func(line string) (more bool, err error)) error {
	err := c.process.within(limit, func() error {
		c.process.write(lines)
		for {
			line, err := c.process.read()
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
	c.death = fmt.Sprintf("%v; %s", err, c.process.end())
	c.lost++
	c.process = nil
	return &fault{reason, c.death}
}

// quit ends the program.
func (c *connection) quit() {
	if c.process != nil {
		c.process.quit()
		c.process = nil
	}
}
