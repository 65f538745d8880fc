package agent

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
)

// A kind of agent.
type kind struct {
	name        string
	description string
	options     []option // every option that the kind knows, sorted by name
	// read checks the options and brings them into canonical form, in which they are
	// recorded.
	read func(options) (settings, error)
	// isProgram says that the agent is an external program, whose name precedes the
	// options.
	isProgram bool
	timed     bool // limited by time whatever the options
	custom    bool // made by Custom
}

// settings are the options of an agent as values.
type settings interface {
	// pace estimates how many plies the agent plays in ten seconds on one core. It
	// determines the size of jobs and does not affect play.
	pace() int
	// memory estimates the bytes that an agent needs beyond a few MiB.
	memory() int64
	make(env.Game, *Spec) (Agent, error)
}

// plain makes an agent that has no options, at a constant pace.
type plain struct {
	plies    int
	newAgent func(env.Game) (Agent, error)
}

func (p plain) read(options) (settings, error)             { return p, nil }
func (p plain) memory() int64                              { return 0 }
func (p plain) pace() int                                  { return p.plies }
func (p plain) make(game env.Game, _ *Spec) (Agent, error) { return p.newAgent(game) }

// option is an option of a kind with its default value.
type option struct {
	name, value, description string
	// before is the value in agent strings that were recorded before the option existed:
	// they give every other option. It is empty for options that have always existed.
	before string
}

// before returns the value of an option in strings recorded before it existed, or "".
func (k *kind) before(name string) string {
	i := slices.IndexFunc(k.options, func(o option) bool { return o.name == name })
	return k.options[i].before
}

// kinds returns the table of all agents, sorted by name.
func kinds() []kind {
	return []kind{
		{
			name: "alphabeta", description: "alpha-beta search",
			options: alphaBetaOptions(), read: readAlphaBeta,
		},
		{
			name: execKind, description: "an external program: exec:NAME or exec:NAME,OPTION=VALUE,…; needs --exec NAME=COMMAND",
			options: execOptions(), read: readExec, isProgram: true,
		},
		{
			name: "greedy", description: "looks one ply ahead: an immediate win, else the best score after the move",
			read: plain{8_000_000, newGreedy}.read,
		},
		{
			name: "mcts", description: "Monte Carlo tree search with a short quiescence search at the leaves",
			options: mctsOptions(), read: readMCTS,
		},
		{
			name: randomKind, description: "uniformly random legal actions",
			read: plain{50_000_000, newRandom}.read,
		},
	}
}

// randomKind is the name of the agent that chooses uniformly at random.
const randomKind = "random"

// bestAgent is the name of the strongest agent of a rule set at a budget of 20,000 nodes,
// some hundredths of a second per action.
const bestAgent = "best"

// best returns the agent string that bestAgent stands for.
func best(v *variant.Variant) string {
	return "alphabeta:eval=" + strongest(v) + ",nodes=20000,noise=2"
}

// strongest returns the name of the evaluator that wins matches at 20,000 nodes per action:
// the shipped weights, except in Tank Chess. The README of package search has the figures.
func strongest(v *variant.Variant) string {
	data, shipped := eval.Shipped(v.Digest)
	if !shipped {
		return "score"
	}
	if weights, err := eval.ReadWeights(data); err == nil {
		if fittedFor, _ := weights.Rules(); strings.HasPrefix(fittedFor, "tankchess/") {
			return "material"
		}
	}
	return shippedWeights
}

// Names returns the names with which an agent string can begin, sorted.
func Names() []string {
	names := []string{bestAgent}
	for _, k := range kinds() {
		names = append(names, k.name)
	}
	slices.Sort(names)
	return names
}

// Help returns lines that describe each kind of agent: its name and a description,
// then its options with their defaults.
func Help() []string {
	lines := []string{fmt.Sprintf("%-10s %s", bestAgent, "the strongest agent shipped for the rule set, with a modest budget")}
	for _, k := range kinds() {
		lines = append(lines, fmt.Sprintf("%-10s %s", k.name, k.description))
		for _, o := range k.options {
			lines = append(lines, fmt.Sprintf("%-10s   %-20s %s", "", o.name+"="+o.value, o.description))
		}
	}
	return lines
}
