package agent

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
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

// StopWhen implements Stopper.
func (m *mcts) StopWhen(done <-chan struct{}) {
	m.settings.full.Done, m.settings.fast.Done = done, done
}

// Analyze implements Analyst.
func (m *mcts) Analyze(s env.State, lines int, done <-chan struct{}, report func(*search.Result)) *search.Result {
	limits := m.settings.full
	limits.Done = done
	m.search.Report(report)
	defer m.search.Report(nil)
	return m.search.Search(s, limits, lines)
}

// Names of the options that only mcts has, and the simulations if no limit is given.
const (
	batchOption            = "batch"
	dirichletOption        = "dirichlet"
	dirichletWeightOption  = "dirichlet-weight"
	exploreOption          = "explore"
	fastSimsOption         = "fast-sims"
	fpuOption              = "fpu"
	fullShareOption        = "full-share"
	quiescenceOption       = "quiescence"
	reuseOption            = "reuse"
	selectOption           = "select"
	simsOption             = "sims"
	temperatureOption      = "temperature"
	temperaturePliesOption = "temperature-plies"

	defaultSims     = 2000
	mostTemperature = 1000
	mostPlies       = 1_000_000 // more than an agent plays in a game
)

func mctsOptions() []option {
	return []option{
		{name: batchOption, value: "1", description: "leaves evaluated together"},
		{name: dirichletOption, value: "0", description: "sum of the Dirichlet parameters of the noise at the root, in hundredths, split evenly among the legal actions; 0 means no noise, 1083 is common"},
		{name: dirichletWeightOption, value: "25", description: "weight of the noise in the priors, in per cent"},
		{name: evalOption, value: notGiven, description: "position evaluator: " + evaluators() + "; the strongest for the rule set if not given"},
		{name: exploreOption, value: "100", description: "exploration constant of PUCT or UCT, in hundredths; about 30 works better for uct"},
		{name: fastSimsOption, value: "0", description: "simulations of a fast search, which has no noise at the root; 0 searches every move in full"},
		{name: fpuOption, value: "0", description: "first-play urgency reduction, in hundredths of a win; multiplied by the square root of the prior share of the visited actions; keep it near 0, because 25 loses most games of Trench"},
		{name: fullShareOption, value: "25", description: "share of moves searched in full if fast-sims is set, in per cent"},
		{name: nodesOption, value: "0", description: "positions to visit per move, checked after each batch; 0 means no limit"},
		{name: noiseOption, value: "10", description: fmt.Sprintf("maximum random term added to an evaluation; %d means one point", eval.Unit)},
		{name: quiescenceOption, value: "4", description: fmt.Sprintf("depth in plies of the quiescence search of captures and shots at a leaf, at most %d", search.MaxQuiescence)},
		{name: reuseOption, value: "on", description: "reuse the tree of the previous move: on, off"},
		{name: selectOption, value: "puct", description: "selection rule: puct, uct"},
		{name: simsOption, value: notGiven, description: fmt.Sprintf("simulations per move, including reused ones; 0 means no limit; %d if no limit is given", defaultSims)},
		{name: temperatureOption, value: "100", description: "temperature for sampling moves, in hundredths; 0 disables sampling"},
		{name: temperaturePliesOption, value: "0", description: "number of the agent's first moves to sample by visit counts"},
	}
}

// mctsSettings are the options of mcts as values.
type mctsSettings struct {
	tree             search.TreeOptions
	full, fast       search.TreeLimits
	fullShare        int // per cent
	temperature      int
	temperaturePlies int
	reuse            bool
}

// playsFast reports whether some moves are searched fast.
func (s mctsSettings) playsFast() bool { return s.fast.Simulations > 0 }

// readMCTS reads the options. One of the limits must be set; if none is given, it sets the
// default number of simulations.
func readMCTS(o options) (settings, error) {
	if o[simsOption] == notGiven {
		o[simsOption] = "0"
		if o[nodesOption] == "0" {
			o[simsOption] = strconv.Itoa(defaultSims)
		}
	}
	r := reader{options: o}
	number := func(name string, least, most int64) int { return int(r.number(name, least, most)) }
	s := mctsSettings{
		tree: search.TreeOptions{
			Select:     [...]search.Select{search.PUCT, search.UCT}[r.choice(selectOption, "puct", "uct")],
			Explore:    number(exploreOption, 0, search.MaxExplore),
			FPU:        number(fpuOption, 0, search.MaxFPU),
			Dirichlet:  number(dirichletOption, 0, search.MaxDirichlet),
			Noise:      number(noiseOption, 0, search.MaxNoise),
			Quiescence: number(quiescenceOption, 0, search.MaxQuiescence),
			Batch:      number(batchOption, 1, search.MaxBatch),

			DirichletWeight: number(dirichletWeightOption, 0, 100),
		},
		full:             search.TreeLimits{Simulations: number(simsOption, 0, search.MaxSimulations), Nodes: r.number(nodesOption, 0, mostNodes)},
		fast:             search.TreeLimits{Simulations: number(fastSimsOption, 0, search.MaxSimulations), NoRootNoise: true},
		fullShare:        number(fullShareOption, 0, 100),
		temperature:      number(temperatureOption, 0, mostTemperature),
		temperaturePlies: number(temperaturePliesOption, 0, mostPlies),
		reuse:            r.choice(reuseOption, "on", "off") == 0,
	}
	s.fast.Nodes = s.full.Nodes
	switch sims := s.full.Simulations; {
	case len(r.faults) > 0:
		return nil, errors.Join(r.faults...)
	case sims == 0 && s.full.Nodes == 0:
		return nil, errors.New("one of the options nodes and sims must limit the search")
	case sims > 0 && s.fast.Simulations > sims:
		return nil, fmt.Errorf("option fast-sims is %d, must be at most sims, %d", s.fast.Simulations, sims)
	}
	return s, nil
}

// repeats reports whether no random choice affects play.
func (s mctsSettings) repeats() bool {
	return s.tree.Noise == 0 && s.tree.Dirichlet == 0 && !s.playsFast() && (s.temperaturePlies == 0 || s.temperature == 0)
}

func (s mctsSettings) pace() int {
	const simulationsInTenSeconds = 400_000
	plies := nodesInTenSeconds
	if s.full.Nodes > 0 {
		plies = int(nodesInTenSeconds / s.full.Nodes)
	}
	if s.full.Simulations > 0 {
		plies = min(plies, simulationsInTenSeconds/s.full.Simulations)
	}
	return max(1, plies)
}

// memory implements settings: a simulation adds the actions of one position to the tree.
func (s mctsSettings) memory() int64 {
	const bytesPerSimulation = 2 << 10
	simulations := int64(s.full.Simulations)
	if nodes := s.full.Nodes; nodes > 0 && (simulations == 0 || nodes < simulations) {
		simulations = nodes
	}
	return simulations * bytesPerSimulation
}
