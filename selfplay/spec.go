package selfplay

import (
	"cmp"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
)

// AgentSpec is a parsed agent string: a kind of agent and its options.
type AgentSpec struct {
	kind    *kind
	options options
}

// options are the values of an agent's options by name, complete.
type options map[string]string

// ParseAgent reads an agent string, NAME or NAME:OPTION=VALUE,…. Options that
// are left out take their defaults.
func ParseAgent(text string) (AgentSpec, error) {
	name, rest, hasOptions := strings.Cut(text, ":")
	var names []string
	for _, k := range kinds() {
		if k.name != name {
			names = append(names, k.name)
			continue
		}
		given, err := parseOptions(rest, hasOptions, k.options)
		if err == nil && k.settle != nil {
			err = k.settle(given)
		}
		if err != nil {
			return AgentSpec{}, fmt.Errorf("agent %q: %w", text, err)
		}
		return AgentSpec{kind: &k, options: given}, nil
	}
	return AgentSpec{}, fmt.Errorf("agent %q is unknown; known are %s", text, strings.Join(names, ", "))
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
			return nil, fmt.Errorf("option %s is unknown; known are %s", name, cmp.Or(strings.Join(sortedNames(all), ", "), "none"))
		}
		seen[name], all[name] = true, value
	}
	return all, nil
}

func sortedNames(o options) []string {
	names := make([]string, 0, len(o))
	for name := range o {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// wholeNumber reads an option, which must be in the form that is recorded.
func wholeNumber(o options, name string, least, most int64) (int64, error) {
	n, err := strconv.ParseInt(o[name], 10, 64)
	if err != nil || strconv.FormatInt(n, 10) != o[name] || n < least || n > most {
		return 0, fmt.Errorf("option %s is %q, must be a number from %d to %d", name, o[name], least, most)
	}
	return n, nil
}

// String returns the agent string with every option written out, sorted by
// name. Two specs are the same agent exactly when their strings are equal.
func (a AgentSpec) String() string {
	if len(a.options) == 0 {
		return a.kind.name
	}
	var items []string
	for _, name := range sortedNames(a.options) {
		items = append(items, name+"="+a.options[name])
	}
	return a.kind.name + ":" + strings.Join(items, ",")
}

// pliesPerJob is about how many plies the agent plays in ten seconds on one core.
func (a AgentSpec) pliesPerJob() int { return a.kind.plies(a.options) }

// Timed tells whether the agent thinks in seconds, so that what it plays cannot
// be played again.
func (a AgentSpec) Timed() bool {
	time, ok := a.options[timeOption]
	return ok && time != noTime
}

// New makes an agent of this kind for a game.
func (a AgentSpec) New(game env.Game) (Agent, error) {
	agent, err := a.kind.make(game, a.options)
	if err != nil {
		return nil, fmt.Errorf("agent %s: %w", a, err)
	}
	return agent, nil
}
