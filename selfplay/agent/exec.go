package agent

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay/external"
)

// execKind is the kind of agents that are external programs.
const execKind = "exec"

const (
	execGrace = time.Second // by which a program may be late
	execReady = time.Minute // for a program to get ready, as to load its weights
	mostDepth = 10_000
)

// Commands say which programs run on this machine for the names that agent
// strings give them: the program and its arguments.
type Commands map[string][]string

// CheckProgramName tells whether a name can stand in an agent string.
func CheckProgramName(name string) error {
	if !regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`).MatchString(name) {
		return fmt.Errorf("%q is no name of a program, must be letters, digits, '.', '_' and '-', a letter or digit first", name)
	}
	return nil
}

// ErrNoCommand is what an error wraps when this machine has no command for the
// name of an external program.
var ErrNoCommand = errors.New("no command is given here")

// program is an external program that plays a rule set.
type program struct {
	name    string
	command []string // nil: not known on this machine
	variant *variant.Variant
}

// settleProgram reads the name of a program from the front of what follows exec:
// and returns the options behind it.
func settleProgram(text string, v *variant.Variant, from *Sources) (p program, rest string, more bool, err error) {
	name, rest, more := strings.Cut(text, ",")
	if name == "" || strings.Contains(name, "=") {
		return program{}, "", false, fmt.Errorf("the name of a program must follow: %s:NAME, with --exec NAME=COMMAND", execKind)
	}
	if err := CheckProgramName(name); err != nil {
		return program{}, "", false, err
	}
	p = program{name: name, variant: v}
	if from != nil {
		p.command = from.Commands[name]
	}
	return p, rest, more, nil
}

// Program returns the name of the external program that the agent is, or "".
func (a Spec) Program() string { return a.program.name }

// Runnable tells whether this machine has what the agent needs. The error wraps
// ErrNoCommand when it is a program for which there is no command.
func (a Spec) Runnable() error {
	if a.kind.isProgram && a.program.command == nil {
		return fmt.Errorf("agent %s: %w: --exec %s=COMMAND says what to run", a, ErrNoCommand, a.program.name)
	}
	return nil
}

func execOptions() []option {
	return []option{
		{depthOption, "0", "plies to look ahead, which the program is told; 0 is not told"},
		{nodesOption, "0", "positions to visit, which the program is told; 0 is not told"},
		{timeOption, "1s", fmt.Sprintf("time for a move in whole milliseconds; %v later the game is lost. Such games cannot be played again", execGrace)},
	}
}

func settleExec(o options) error {
	_, err := execLimits(o)
	return err
}

// execLimits reads the options, which must be in the form that is recorded.
func execLimits(o options) (external.Limits, error) {
	limits := external.Limits{Grace: execGrace, Ready: execReady}
	var faults [3]error
	var depth int64
	depth, faults[0] = wholeNumber(o, depthOption, 0, mostDepth)
	limits.Depth = int(depth)
	limits.Nodes, faults[1] = wholeNumber(o, nodesOption, 0, mostNodes)
	limits.Time, faults[2] = duration(o, timeOption)
	if faults[2] == nil && (limits.Time == 0 || limits.Time%time.Millisecond != 0) {
		faults[2] = fmt.Errorf("option %s is %q, must be whole milliseconds and more than none", timeOption, o[timeOption])
	}
	return limits, errors.Join(faults[:]...)
}

// execPlies takes the program to use up its time.
func execPlies(o options) int {
	limits, err := execLimits(o)
	if err != nil {
		return 0
	}
	return int(max(1, 10*time.Second/limits.Time))
}

func newExec(_ env.Game, spec *Spec) (Agent, error) {
	limits, err := execLimits(spec.options)
	if err != nil {
		return nil, err
	}
	return external.New(spec.program.command, spec.program.variant, limits)
}
