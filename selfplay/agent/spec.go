package agent

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
)

// A Spec describes an agent: a parsed agent string, or a custom agent.
type Spec struct {
	kind      *kind
	options   options
	settings  settings
	evaluator evaluator // of kinds with the option eval
	table     Table     // of kinds with the option table; nil for none
	program   program   // of external programs
}

// options maps the name of every option of a kind to its value.
type options map[string]string

// Parse reads an agent string for an agent that plays a rule set: NAME or
// NAME:OPTION=VALUE,…, and for an external program exec:PROGRAM or
// exec:PROGRAM,OPTION=VALUE,…. Omitted options take their defaults, and the name "best"
// is replaced by the string for which it stands. Parse takes from from, which may be
// nil, what the string names outside the program.
func Parse(text string, v *variant.Variant, from *Sources) (Spec, error) {
	name, rest, hasOptions := strings.Cut(text, ":")
	if name == bestAgent && !hasOptions {
		return Parse(best(v), v, from)
	}
	kinds := kinds()
	i := slices.IndexFunc(kinds, func(k kind) bool { return k.name == name })
	if name == customKind {
		return Spec{}, fmt.Errorf("agent %q exists only in the Go program that made it", text)
	}
	if i < 0 && name != bestAgent {
		return Spec{}, fmt.Errorf("agent %q is unknown; known are %s%s", text, strings.Join(Names(), ", "), meant(name, Names()))
	}
	if i < 0 {
		return Spec{}, fmt.Errorf("agent %q: %s takes no options; for this rule set it stands for %s", text, name, best(v))
	}
	spec := Spec{kind: &kinds[i]}
	if err := spec.resolve(rest, hasOptions, v, from); err != nil {
		return Spec{}, fmt.Errorf("agent %q: %w", text, err)
	}
	return spec, nil
}

// resolve reads and checks the options.
func (a *Spec) resolve(text string, given bool, v *variant.Variant, from *Sources) (err error) {
	if a.kind.isProgram {
		if a.program, text, given, err = resolveProgram(text, v, from); err != nil {
			return err
		}
	}
	if a.options, err = parseOptions(text, given, a.kind.options); err != nil {
		return err
	}
	a.settings, err = a.kind.read(a.options)
	if value, ok := a.options[evalOption]; ok {
		if value == notGiven {
			value = strongest(v)
		}
		evaluator, fault := resolveEvaluator(value, v, from)
		err = errors.Join(err, fault)
		a.evaluator, a.options[evalOption] = evaluator, evaluator.name
	}
	if value, ok := a.options[tableOption]; ok && value != noTable {
		table, digest, fault := resolveTable(value, v, from)
		err = errors.Join(err, fault)
		a.table, a.options[tableOption] = table, digest
	}
	return err
}

func parseOptions(text string, given bool, known []option) (options, error) {
	all := options{}
	for _, o := range known {
		all[o.name] = o.value
	}
	if !given {
		return all, nil
	}
	seen := map[string]bool{}
	for _, item := range strings.Split(text, ",") {
		name, value, ok := strings.Cut(item, "=")
		switch {
		case !ok || name == "" || value == "":
			return nil, fmt.Errorf("option %q is not of the form NAME=VALUE", item)
		case seen[name]:
			return nil, fmt.Errorf("option %s is given twice", name)
		}
		if _, ok := all[name]; !ok {
			names := sortedNames(all)
			return nil, fmt.Errorf("option %s is unknown; known are %s%s", name, cmp.Or(strings.Join(names, ", "), "none"), meant(name, names))
		}
		seen[name], all[name] = true, value
	}
	for _, o := range known {
		if o.before != "" && !seen[o.name] && len(seen) == len(known)-1 {
			all[o.name] = o.before
		}
	}
	return all, nil
}

// meant ends an error with the known name that is similar to a wrong one, if any is.
func meant(wrong string, known []string) string {
	near, ok := variant.Nearest(wrong, known)
	if !ok {
		return ""
	}
	return "; did you mean " + near + "?"
}

func sortedNames(o options) []string {
	names := make([]string, 0, len(o))
	for name := range o {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// A reader reads options and collects what is wrong with them. Numbers must be in canonical
// form.
type reader struct {
	options options
	faults  []error
}

func (r *reader) refuse(format string, args ...any) {
	r.faults = append(r.faults, fmt.Errorf("option "+format, args...))
}

func (r *reader) number(name string, least, most int64) int64 {
	text := r.options[name]
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || strconv.FormatInt(n, 10) != text || n < least || n > most {
		r.refuse("%s is %q, must be a number from %d to %d", name, text, least, most)
		return 0
	}
	return n
}

const (
	noTime    = "0s"
	leastTime = time.Millisecond
	mostTime  = 24 * time.Hour
)

// duration reads a duration in any form and brings it into the canonical one.
func (r *reader) duration(name string) time.Duration {
	text := r.options[name]
	d, err := time.ParseDuration(text)
	if err != nil || d != 0 && d < leastTime || d > mostTime {
		r.refuse("%s is %q, must be %s or a duration from %s to %s such as 100ms, 60s or 1m30s", name, text, noTime, leastTime, mostTime)
		return 0
	}
	r.options[name] = d.String()
	return d
}

// choice reads an option that has one of the given values and returns the index of the
// value.
func (r *reader) choice(name string, values ...string) int {
	i := slices.Index(values, r.options[name])
	if i < 0 {
		r.refuse("%s is %q, must be one of %s", name, r.options[name], strings.Join(values, ", "))
		return 0
	}
	return i
}

// String returns the agent string with every option written out, sorted by name, and
// files given by digest. It leaves out an option whose value is that of strings recorded
// before the option existed, so that such strings come back as they were. Two specs describe the same agent exactly if their strings are
// equal. The string of the zero Spec is empty.
func (a Spec) String() string {
	if a.kind == nil {
		return ""
	}
	if len(a.options) == 0 {
		return a.kind.name
	}
	var items []string
	if a.kind.isProgram {
		items = append(items, a.program.name)
	}
	for _, name := range sortedNames(a.options) {
		if a.options[name] == a.kind.before(name) {
			continue
		}
		items = append(items, name+"="+a.options[name])
	}
	return a.kind.name + ":" + strings.Join(items, ",")
}

// PliesPerJob estimates how many plies the agent plays in ten seconds on one core, which
// is the size of a job. It does not affect play.
func (a Spec) PliesPerJob() int { return a.settings.pace() }

// Memory estimates how many bytes one agent needs for its search; external programs have
// their own memory. It does not affect play.
func (a Spec) Memory() int64 { return a.settings.memory() }

// Timed reports whether a time limit decides what the agent plays, so that its games are
// not reproducible.
func (a Spec) Timed() bool {
	time, ok := a.options[timeOption]
	return a.kind.timed || ok && time != noTime
}

// HasEvaluator reports whether the agent has the option eval.
func (a Spec) HasEvaluator() bool {
	_, ok := a.options[evalOption]
	return ok
}

// OpeningEvaluator returns the evaluator that samples openings for the agent: that of its
// option eval, or eval.Score for an agent without the option. It is nil for the agent that
// chooses at random.
func (a Spec) OpeningEvaluator(game env.Game) (eval.Evaluator, error) {
	switch {
	case a.HasEvaluator():
		return a.evaluator.make(game)
	case a.kind.name == randomKind:
		return nil, nil
	}
	return eval.Score(game), nil
}

// Repeats reports whether the agent plays the same in equal positions, whatever the seed of
// the game. It reports false for external programs and custom agents, which may or may not.
func (a Spec) Repeats() bool {
	settings, ok := a.settings.(interface{ repeats() bool })
	return ok && settings.repeats()
}

// WithEvaluator returns the agent with another evaluator, named as in an agent string.
// It returns an error if the agent does not have the option eval.
func (a Spec) WithEvaluator(name string, v *variant.Variant, from *Sources) (Spec, error) {
	if !a.HasEvaluator() {
		return Spec{}, fmt.Errorf("agent %s has no option %s", a, evalOption)
	}
	evaluator, err := resolveEvaluator(name, v, from)
	if err != nil {
		return Spec{}, fmt.Errorf("agent %s: %w", a, err)
	}
	a.options = maps.Clone(a.options)
	a.evaluator, a.options[evalOption] = evaluator, evaluator.name
	return a, nil
}

// HasNodes reports whether the agent has the option nodes, the number of positions that
// it visits per move.
func (a Spec) HasNodes() bool {
	_, ok := a.options[nodesOption]
	return ok
}

// WithNodes returns the agent with a limit of nodes positions per move, 1 or more, in
// place of its other limits; an external program keeps its time limit, which it must
// have. WithNodes returns an error if the agent does not have the option nodes.
func (a Spec) WithNodes(nodes int64) (Spec, error) {
	if !a.HasNodes() {
		return Spec{}, fmt.Errorf("agent %s has no option %s", a, nodesOption)
	}
	a.options = maps.Clone(a.options)
	for name, none := range map[string]string{depthOption: "0", simsOption: "0", timeOption: noTime} {
		if _, ok := a.options[name]; ok && !(a.kind.isProgram && name == timeOption) {
			a.options[name] = none
		}
	}
	a.options[nodesOption] = strconv.FormatInt(nodes, 10)
	r := reader{options: a.options}
	r.number(nodesOption, 1, mostNodes)
	var err error
	if a.settings, err = a.kind.read(a.options); err != nil || len(r.faults) > 0 {
		return Spec{}, fmt.Errorf("agent %s: %w", a, cmp.Or(errors.Join(r.faults...), err))
	}
	return a, nil
}

// AddFiles adds to all the files that the agent names by digest.
func (a Spec) AddFiles(all dataset.Files) {
	if a.evaluator.weights != nil {
		all[a.evaluator.name] = a.evaluator.file
	}
}

// New makes an agent for a game, which must be that of the rule set for which the Spec
// was parsed.
func (a Spec) New(game env.Game) (Agent, error) {
	if err := a.Runnable(); err != nil {
		return nil, err
	}
	agent, err := a.settings.make(game, &a)
	if err != nil {
		return nil, fmt.Errorf("agent %s: %w", a, err)
	}
	return agent, nil
}
