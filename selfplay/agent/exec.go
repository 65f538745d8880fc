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
	execGrace = time.Second // by which an answer may be late
	execReady = time.Minute // for a program to get ready, for example to load weights
	mostDepth = 10_000
)

// Commands maps the names of external programs in agent strings to what this machine
// runs for them: the program and its arguments.
type Commands map[string][]string

// CheckProgramName returns an error if a name cannot stand in an agent string.
func CheckProgramName(name string) error {
	if !regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`).MatchString(name) {
		return fmt.Errorf("%q is not a program name; a name consists of letters, digits, '.', '_' and '-', and begins with a letter or digit", name)
	}
	return nil
}

// ErrNoCommand means that this machine has no command for the name of an external
// program.
var ErrNoCommand = errors.New("external program has no command on this machine")

// ErrProgram is wrapped by errors that an external program causes: it cannot be started, or
// it crashed or lost on time in too many games in a row. The job that was played is not at
// fault.
var ErrProgram = external.ErrProgram

// program is an external program that plays a rule set.
type program struct {
	name    string
	command []string // nil if this machine has none
	variant *variant.Variant
	// launcher lets agents of one Spec share a process.
	launcher *external.Launcher
}

// resolveProgram reads the name of a program at the front of text, which follows
// "exec:", and returns the options behind it.
func resolveProgram(text string, v *variant.Variant, from *Sources) (p program, rest string, more bool, err error) {
	name, rest, more := strings.Cut(text, ",")
	if name == "" || strings.Contains(name, "=") {
		return program{}, "", false, fmt.Errorf("the name of a program must follow: %s:NAME, with --exec NAME=COMMAND", execKind)
	}
	if err := CheckProgramName(name); err != nil {
		return program{}, "", false, err
	}
	p = program{name: name, variant: v, launcher: new(external.Launcher)}
	if from != nil {
		p.command = from.Commands[name]
	}
	return p, rest, more, nil
}

// Program returns the name of the external program, or "" for other agents.
func (a Spec) Program() string { return a.program.name }

// Runnable returns an error if this machine lacks what the agent needs. It wraps
// ErrNoCommand if the agent is an external program without a command.
func (a Spec) Runnable() error {
	if a.kind.isProgram && a.program.command == nil {
		return fmt.Errorf("agent %s: %w; --exec %s=COMMAND gives one", a, ErrNoCommand, a.program.name)
	}
	return nil
}

func execOptions() []option {
	return []option{
		{name: depthOption, value: "0", description: "plies to look ahead, passed to the program unless 0"},
		{name: nodesOption, value: "0", description: "positions to visit, passed to the program unless 0"},
		{name: timeOption, value: "1s", description: fmt.Sprintf("time per move in whole milliseconds; the program forfeits if it is %v late; games with a time limit are not reproducible", execGrace)},
	}
}

// execSettings are the options of an external program as values.
type execSettings external.Limits

func readExec(o options) (settings, error) {
	r := reader{options: o}
	s := execSettings{
		Grace: execGrace, Ready: execReady,
		Depth: int(r.number(depthOption, 0, mostDepth)), Nodes: r.number(nodesOption, 0, mostNodes), Time: r.duration(timeOption),
	}
	if len(r.faults) == 0 && (s.Time == 0 || s.Time%time.Millisecond != 0) {
		r.refuse("%s is %q, must be whole milliseconds, at least 1ms", timeOption, o[timeOption])
	}
	return s, errors.Join(r.faults...)
}

// pace implements settings. It assumes that the program uses all its time.
func (s execSettings) pace() int { return int(max(1, 10*time.Second/s.Time)) }

// memory implements settings: a program has its own memory.
func (s execSettings) memory() int64 { return 0 }

func (s execSettings) make(_ env.Game, spec *Spec) (Agent, error) {
	return spec.program.launcher.New(spec.program.command, spec.program.variant, external.Limits(s))
}
