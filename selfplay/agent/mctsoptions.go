package agent

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/sandtable-farm/sandtable/selfplay/eval"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

// Names of the options that only mcts has, and the simulations where no limit is given.
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
	mostPlies       = 1_000_000 // more than an agent plays
)

func mctsOptions() []option {
	return []option{
		{batchOption, "1", "leaves that are valued together"},
		{dirichletOption, "0", "sum of the parameters of the Dirichlet noise at the root in hundredths, spread over the legal actions; 0 is none, 1083 is usual"},
		{dirichletWeightOption, "25", "per cent of the noise in the priors"},
		{evalOption, "score", "what values a position: " + evaluators()},
		{exploreOption, "100", "hundredths of the constant of PUCT or UCT: more tries what looks worse; for uct about 30 is better"},
		{fastSimsOption, "0", "simulations of a move that is searched fast, without noise at the root; 0 searches all in full"},
		{fpuOption, "0", "hundredths of a win by which an action that was never tried counts less than its position, times the root of the prior share tried"},
		{fullShareOption, "25", "per cent of the moves that are searched in full where others are searched fast"},
		{nodesOption, "0", "positions to visit, the last batch beyond; 0 is no limit"},
		{noiseOption, "10", fmt.Sprintf("greatest random part of a value, %d being one point", eval.Unit)},
		{quiescenceOption, "4", fmt.Sprintf("plies of captures and shots followed at most from a leaf, to %d", search.MaxQuiescence)},
		{reuseOption, "on", "goes on from the tree of the move before: on, off"},
		{selectOption, "puct", "rule by which a simulation goes: puct, uct"},
		{simsOption, notGiven, fmt.Sprintf("simulations for an action, those kept included; 0 is no limit; %d where no limit is given", defaultSims)},
		{temperatureOption, "100", "hundredths of the temperature of the draws; 0 draws nothing"},
		{temperaturePliesOption, "0", "first actions of the agent that are drawn by their visits"},
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

// playsFast tells whether some moves are searched fast.
func (s *mctsSettings) playsFast() bool { return s.fast.Simulations > 0 }

// settleMCTS checks the options. One of the limits must be set; where none is
// given it is the default number of simulations.
func settleMCTS(o options) error {
	if o[simsOption] == notGiven {
		o[simsOption] = "0"
		if o[nodesOption] == "0" {
			o[simsOption] = strconv.Itoa(defaultSims)
		}
	}
	_, err := readMCTS(o)
	return err
}

// readMCTS reads the options, which must be in the form that is recorded.
func readMCTS(o options) (mctsSettings, error) {
	var faults []error
	number := func(name string, least, most int64) int {
		n, err := wholeNumber(o, name, least, most)
		faults = append(faults, err)
		return int(n)
	}
	choice := func(name string, values ...string) int {
		n, err := oneOf(o, name, values...)
		faults = append(faults, err)
		return n
	}
	s := mctsSettings{
		tree: search.TreeOptions{
			Select:     [...]search.Select{search.PUCT, search.UCT}[choice(selectOption, "puct", "uct")],
			Explore:    number(exploreOption, 0, search.MaxExplore),
			FPU:        number(fpuOption, 0, search.MaxFPU),
			Dirichlet:  number(dirichletOption, 0, search.MaxDirichlet),
			Noise:      number(noiseOption, 0, search.MaxNoise),
			Quiescence: number(quiescenceOption, 0, search.MaxQuiescence),
			Batch:      number(batchOption, 1, search.MaxBatch),

			DirichletWeight: number(dirichletWeightOption, 0, 100),
		},
		full:             search.TreeLimits{Simulations: number(simsOption, 0, search.MaxSimulations), Nodes: int64(number(nodesOption, 0, mostNodes))},
		fast:             search.TreeLimits{Simulations: number(fastSimsOption, 0, search.MaxSimulations), NoRootNoise: true},
		fullShare:        number(fullShareOption, 0, 100),
		temperature:      number(temperatureOption, 0, mostTemperature),
		temperaturePlies: number(temperaturePliesOption, 0, mostPlies),
		reuse:            choice(reuseOption, "on", "off") == 0,
	}
	s.fast.Nodes = s.full.Nodes
	err := errors.Join(faults...)
	switch sims := s.full.Simulations; {
	case err == nil && sims == 0 && s.full.Nodes == 0:
		err = errors.New("one of the options nodes and sims must limit the search")
	case err == nil && sims > 0 && s.fast.Simulations > sims:
		err = fmt.Errorf("option fast-sims is %d, must be at most sims, %d", s.fast.Simulations, sims)
	}
	return s, err
}

// mctsPlies guesses from the limits.
func mctsPlies(o options) int {
	s, err := readMCTS(o)
	if err != nil {
		return 0
	}
	const simulationsInTenSeconds = 400_000
	plies := nodesInTenSecond
	if s.full.Nodes > 0 {
		plies = int(nodesInTenSecond / s.full.Nodes)
	}
	if s.full.Simulations > 0 {
		plies = min(plies, simulationsInTenSeconds/s.full.Simulations)
	}
	return max(1, plies)
}
