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
	// settle checks the options and brings them into the one form in which they
	// are recorded; nil where there is nothing to check.
	settle func(options) error
	// plies is about how many plies it plays in ten seconds on one core; it
	// sizes jobs and has no influence on what is played.
	plies func(options) int
	// isProgram says that the agent is an external program, whose name comes before
	// the options.
	isProgram bool
	timed     bool // thinks in seconds whatever the options
	custom    bool // made by Custom
	make      func(env.Game, *Spec) (Agent, error)
}

// option is an option of a kind with its default value.
type option struct {
	name, value, description string
}

// kinds returns the table of all agents, sorted by name.
func kinds() []kind {
	return []kind{
		{
			name: "alphabeta", description: "looks ahead by alpha-beta search as far as its limits allow",
			options: alphaBetaOptions(), settle: settleAlphaBeta, plies: alphaBetaPlies, make: newAlphaBeta,
		},
		{
			name: execKind, description: "a program of yours: exec:NAME or exec:NAME,OPTION=VALUE,…, with --exec NAME=COMMAND",
			options: execOptions(), settle: settleExec, plies: execPlies, isProgram: true, make: newExec,
		},
		{
			name: "greedy", description: "the best immediate result, else the best score after the move; ties by seed",
			plies: always(8_000_000), make: newGreedy,
		},
		{
			name: "mcts", description: "Monte-Carlo tree search; a short quiescence search values its leaves",
			options: mctsOptions(), settle: settleMCTS, plies: mctsPlies, make: newMCTS,
		},
		{
			name: "random", description: "uniformly random legal actions",
			plies: always(50_000_000), make: newRandom,
		},
	}
}

func always(plies int) func(options) int { return func(options) int { return plies } }

// bestAgent is the name of the strongest agent of a rule set at a budget of 20,000 nodes,
// some hundredths of a second per action.
const bestAgent = "best"

// best returns the agent string that bestAgent stands for. The evaluator is the one that
// won matches of 60 pairs at this budget. Against material, the shipped weights scored
// these Elo differences (95 % confidence intervals):
//
//	trench/standard      +307 (220 to 394)
//	ntxuva/basic          +77 (17 to 137)
//	tankbattle/standard  +669 (520 to 818)
//	tankchess/16x16      −104 (−167 to −41)
//	tankchess/20x20       −26 (−63 to +11), at 0.6 of the speed
func best(v *variant.Variant) string {
	data, shipped := eval.Shipped(v.Digest)
	if !shipped {
		return "alphabeta:nodes=20000"
	}
	evaluator := shippedWeights
	if weights, err := eval.ReadWeights(data); err == nil {
		if fittedFor, _ := weights.Rules(); strings.HasPrefix(fittedFor, "tankchess/") {
			evaluator = "material"
		}
	}
	return "alphabeta:eval=" + evaluator + ",nodes=20000,noise=2"
}

// Names returns the names that begin an agent string, sorted.
func Names() []string {
	names := []string{bestAgent}
	for _, k := range kinds() {
		names = append(names, k.name)
	}
	slices.Sort(names)
	return names
}

// Help returns lines that tell of each kind of agent: its name and what it
// does, then its options with their defaults.
func Help() []string {
	lines := []string{fmt.Sprintf("%-10s %s", bestAgent, "the strongest agent shipped for the rule set, at a modest budget")}
	for _, k := range kinds() {
		lines = append(lines, fmt.Sprintf("%-10s %s", k.name, k.description))
		for _, o := range k.options {
			lines = append(lines, fmt.Sprintf("%-10s   %-20s %s", "", o.name+"="+o.value, o.description))
		}
	}
	return lines
}
