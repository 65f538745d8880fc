package selfplay

import (
	"fmt"
	"sort"
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

// A kind of agent.
type kind struct {
	name        string
	description string
	defaults    options // every option that the kind knows
	// plies is about how many plies it plays in ten seconds on one core; it
	// sizes jobs and has no influence on what is played.
	plies int
	make  func(env.Game, options) (Agent, error)
}

// kinds returns the table of all agents, sorted by name.
func kinds() []kind {
	return []kind{
		{name: "greedy", description: "the best immediate result, else the best score after the move; ties by seed", plies: 8_000_000, make: newGreedy},
		{name: "random", description: "uniformly random legal actions", plies: 50_000_000, make: newRandom},
	}
}

// AgentNames returns the names of all kinds of agents, sorted.
func AgentNames() []string {
	var names []string
	for _, k := range kinds() {
		names = append(names, k.name)
	}
	return names
}

// AgentHelp returns one line for each kind of agent: its name and what it does.
func AgentHelp() []string {
	var lines []string
	for _, k := range kinds() {
		lines = append(lines, fmt.Sprintf("%-8s %s", k.name, k.description))
	}
	return lines
}

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
		given, err := parseOptions(rest, hasOptions, k.defaults)
		if err != nil {
			return AgentSpec{}, fmt.Errorf("agent %q: %w", text, err)
		}
		return AgentSpec{kind: &k, options: given}, nil
	}
	return AgentSpec{}, fmt.Errorf("agent %q is unknown; known are %s", text, strings.Join(names, ", "))
}

func parseOptions(text string, given bool, defaults options) (options, error) {
	all := options{}
	for name, value := range defaults {
		all[name] = value
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
		if _, known := defaults[name]; !known {
			return nil, fmt.Errorf("option %s is unknown; known are %s", name, knownOptions(defaults))
		}
		seen[name], all[name] = true, value
	}
	return all, nil
}

func knownOptions(defaults options) string {
	if len(defaults) == 0 {
		return "none"
	}
	return strings.Join(sortedNames(defaults), ", ")
}

func sortedNames(o options) []string {
	names := make([]string, 0, len(o))
	for name := range o {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
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

// New makes an agent of this kind for a game.
func (a AgentSpec) New(game env.Game) (Agent, error) {
	agent, err := a.kind.make(game, a.options)
	if err != nil {
		return nil, fmt.Errorf("agent %s: %w", a, err)
	}
	return agent, nil
}
