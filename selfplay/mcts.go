package selfplay

import (
	"errors"
	"fmt"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

// Names of the options that only mcts has.
const (
	exploreOption = "explore"
	sampleOption  = "sample"
	simsOption    = "sims"
)

// mostSampled is more plies than an agent plays.
const mostSampled = 1_000_000

func mctsOptions() []option {
	return []option{
		{evalOption, "score", "what values a position: " + evaluators()},
		{exploreOption, "150", "hundredths of the constant of PUCT: more tries what looks worse"},
		{noiseOption, "10", fmt.Sprintf("greatest random part of a value, %d being one point", eval.Unit)},
		{sampleOption, "0", "first actions of the agent that are drawn in proportion to their visits"},
		{simsOption, "400", "simulations for an action"},
	}
}

// mctsSettings are the options of mcts as numbers.
type mctsSettings struct {
	tree         search.TreeOptions
	sample, sims int
}

func readMCTS(o options) (mctsSettings, error) {
	var faults []error
	number := func(name string, least, most int64) int {
		n, err := wholeNumber(o, name, least, most)
		faults = append(faults, err)
		return int(n)
	}
	return mctsSettings{
		tree:   search.TreeOptions{Explore: number(exploreOption, 0, search.MostExplore), Noise: number(noiseOption, 0, search.MostNoise)},
		sample: number(sampleOption, 0, mostSampled),
		sims:   number(simsOption, 1, search.MostSimulations),
	}, errors.Join(faults...)
}

func settleMCTS(o options) error {
	_, err := readMCTS(o)
	return err
}

// mctsPlies guesses from the simulations, each of which looks at all actions of
// a position.
func mctsPlies(o options) int {
	settings, err := readMCTS(o)
	if err != nil {
		return 0
	}
	const simulations = 100_000
	return max(1, simulations/settings.sims)
}

// mcts is the agent over search.MCTS.
type mcts struct {
	search   *search.MCTS
	settings mctsSettings
	rand     env.Rand
	chosen   int // actions since Begin
}

func newMCTS(game env.Game, spec *AgentSpec) (Agent, error) {
	settings, err := readMCTS(spec.options)
	if err != nil {
		return nil, err
	}
	evaluator, err := spec.evaluator.make(game)
	if err != nil {
		return nil, err
	}
	s, err := search.NewMCTS(game, evaluator, settings.tree)
	if err != nil {
		return nil, err
	}
	return &mcts{search: s, settings: settings}, nil
}

// Streams of random numbers under the seed of an mcts agent.
const (
	noiseStream  = 0
	sampleStream = 1
)

func (m *mcts) Begin(seed uint64) {
	m.search.Begin(env.Derive(seed, noiseStream))
	m.rand.Seed(env.Derive(seed, sampleStream))
	m.chosen = 0
}

func (m *mcts) Choose(s env.State, _ []env.Action, told *dataset.Search) env.Action {
	result := m.search.Search(s, m.settings.sims, 1, nil, nil)
	best, total := result.Best(), 0
	told.Score, told.Nodes, told.Depth, told.Value = int32(best.Score), result.Nodes, int32(result.Depth), m.search.Value()
	told.Has = dataset.HasScore | dataset.HasNodes | dataset.HasDepth | dataset.HasValue | dataset.HasVisits
	for _, v := range m.search.Visits() {
		told.Visits = append(told.Visits, dataset.Visit{Action: v.Action, Count: int32(v.Count)})
		total += v.Count
	}
	if m.chosen++; m.chosen > m.settings.sample || total == 0 {
		return best.Actions[0]
	}
	draw := m.rand.IntN(total)
	for _, v := range told.Visits {
		if draw -= int(v.Count); draw < 0 {
			return v.Action
		}
	}
	return best.Actions[0]
}

// Analyze implements Analyst.
func (m *mcts) Analyze(s env.State, lines int, done <-chan struct{}, report func(*search.Result)) *search.Result {
	return m.search.Search(s, m.settings.sims, lines, done, report)
}
