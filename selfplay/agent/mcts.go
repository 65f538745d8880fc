package agent

import (
	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

// mcts is the agent that uses search.MCTS.
type mcts struct {
	search   *search.MCTS
	settings mctsSettings
	rand     env.Rand
	chosen   int // actions since Begin
}

func (s mctsSettings) make(game env.Game, spec *Spec) (Agent, error) {
	evaluator, err := spec.evaluator.make(game)
	if err != nil {
		return nil, err
	}
	tree, err := search.NewMCTS(game, evaluator, s.tree)
	if err != nil {
		return nil, err
	}
	return &mcts{search: tree, settings: s}, nil
}

// Streams of random numbers under the seed of an mcts agent.
const (
	searchStream = 0
	drawStream   = 1
)

func (m *mcts) Begin(seed uint64) {
	m.search.Begin(env.Derive(seed, searchStream))
	m.rand.Seed(env.Derive(seed, drawStream))
	m.chosen = 0
}

func (m *mcts) Choose(s env.State, _ []env.Action, found *dataset.Search) env.Action {
	limits := m.settings.full
	if m.settings.playsFast() {
		found.Has = dataset.HasFast
		if found.Fast = m.rand.IntN(100) >= m.settings.fullShare; found.Fast {
			limits = m.settings.fast
		}
	}
	result := m.search.Search(s, limits, 1)
	best := result.Best()
	found.Score, found.Nodes, found.Depth, found.Value = int32(best.Score), result.Nodes, int32(result.Depth), m.search.Value()
	found.Has |= dataset.HasScore | dataset.HasNodes | dataset.HasDepth | dataset.HasValue | dataset.HasVisits
	for _, v := range m.search.Visits() {
		found.Visits = append(found.Visits, dataset.Visit{Action: v.Action, Count: int32(v.Count)})
	}
	action := best.Actions[0]
	if m.chosen++; m.chosen <= m.settings.temperaturePlies {
		action = m.search.Sample(m.settings.temperature, &m.rand)
	}
	if m.settings.reuse {
		m.search.Follow(action)
	}
	return action
}

// Analyze implements Analyst.
func (m *mcts) Analyze(s env.State, lines int, done <-chan struct{}, report func(*search.Result)) *search.Result {
	limits := m.settings.full
	limits.Done = done
	m.search.Report(report)
	defer m.search.Report(nil)
	return m.search.Search(s, limits, lines)
}
