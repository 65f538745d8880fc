package agent

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

// Names of the options of alphabeta, and the nodes if no limit is given.
const (
	depthOption   = "depth"
	evalOption    = "eval"
	hashOption    = "hash"
	noiseOption   = "noise"
	nodesOption   = "nodes"
	tableOption   = "table"
	timeOption    = "time"
	versionOption = "version"

	defaultNodes      = 20_000
	mostNodes         = 1_000_000_000_000
	notGiven          = ""
	nodesInTenSeconds = 40_000_000
)

func alphaBetaOptions() []option {
	return []option{
		{name: depthOption, value: notGiven, description: fmt.Sprintf("plies to look ahead, at most %d; 0 means no limit", search.MaxDepth)},
		{name: evalOption, value: notGiven, description: "position evaluator: " + evaluators() + "; the strongest for the rule set if not given"},
		{name: hashOption, value: "16", description: "size of the transposition table in MiB; 0 means none"},
		{name: nodesOption, value: notGiven, description: fmt.Sprintf("positions to visit per move; 0 means no limit; %d if no limit is given", defaultNodes)},
		{name: noiseOption, value: "10", description: fmt.Sprintf("maximum random term added to an evaluation; %d means one point", eval.Unit)},
		{name: tableOption, value: noTable, description: "endgame tablebase: a file written by sandtable endgame solve"},
		{name: timeOption, value: noTime, description: "time per move, such as 100ms; 0s means no limit; games with a time limit are not reproducible"},
		{name: versionOption, value: strconv.Itoa(search.Version), before: "1",
			description: fmt.Sprintf("behaviour of the search, at most %d; older versions play as in data recorded before", search.Version)},
	}
}

// alphaBetaSettings are the options of alphabeta as values.
type alphaBetaSettings struct {
	search search.Options
	limits search.Limits
}

// readAlphaBeta reads the options. One of the limits must be set; if none is given, it
// sets the default nodes.
func readAlphaBeta(o options) (settings, error) {
	if o[nodesOption] == notGiven {
		o[nodesOption] = "0"
		if o[depthOption] == notGiven && o[timeOption] == noTime {
			o[nodesOption] = strconv.Itoa(defaultNodes)
		}
	}
	if o[depthOption] == notGiven {
		o[depthOption] = "0"
	}
	r := reader{options: o}
	limits := search.Limits{Depth: int(r.number(depthOption, 0, search.MaxDepth)), Nodes: r.number(nodesOption, 0, mostNodes)}
	s := alphaBetaSettings{search: search.Options{
		Hash: int(r.number(hashOption, 0, search.MaxHash)), Noise: int(r.number(noiseOption, 0, search.MaxNoise)), MaxDepth: limits.Depth,
		Version: int(r.number(versionOption, 1, search.Version)),
	}}
	limits.Time = r.duration(timeOption)
	if len(r.faults) == 0 && limits == (search.Limits{}) {
		return nil, errors.New("one of the options depth, nodes and time must limit the search")
	}
	s.limits = limits
	return s, errors.Join(r.faults...)
}

// pace implements settings. Each ply of depth multiplies the visits by about eight,
// averaged over the games.
func (s alphaBetaSettings) pace() int {
	nodes := float64(s.limits.Nodes)
	if s.limits.Depth > 0 {
		byDepth := 10 * math.Pow(8, float64(s.limits.Depth))
		if nodes == 0 || byDepth < nodes {
			nodes = byDepth
		}
	}
	plies := math.Inf(1)
	if nodes > 0 {
		plies = nodesInTenSeconds / nodes
	}
	if s.limits.Time > 0 {
		plies = min(plies, float64(10*time.Second)/float64(s.limits.Time))
	}
	return int(max(1, plies))
}

// memory implements settings.
func (s alphaBetaSettings) memory() int64 { return int64(s.search.Hash) << 20 }

// repeats reports whether no random choice affects play.
func (s alphaBetaSettings) repeats() bool { return s.search.Noise == 0 && s.limits.Time == 0 }

// alphaBeta is the agent that uses search.AlphaBeta.
type alphaBeta struct {
	search *search.AlphaBeta
	limits search.Limits
}

func (s alphaBetaSettings) make(game env.Game, spec *Spec) (Agent, error) {
	evaluator, err := spec.evaluator.make(game)
	if err != nil {
		return nil, err
	}
	if spec.table != nil {
		s.search.Prober = spec.table.SearchProber()
	}
	ab, err := search.New(game, evaluator, s.search)
	if err != nil {
		return nil, err
	}
	return &alphaBeta{search: ab, limits: s.limits}, nil
}

func (a *alphaBeta) Begin(seed uint64) { a.search.Begin(seed) }

func (a *alphaBeta) Choose(s env.State, _ []env.Action, found *dataset.Search) env.Action {
	result := a.search.Search(s, a.limits, 1)
	best := result.Best()
	found.Score, found.Nodes, found.Depth, found.Value = int32(best.Score), result.Nodes, int32(result.Depth), search.Value(best.Score)
	found.Has = dataset.HasScore | dataset.HasNodes | dataset.HasDepth | dataset.HasValue
	return best.Actions[0]
}

// StopWhen implements Stopper.
func (a *alphaBeta) StopWhen(done <-chan struct{}) { a.limits.Done = done }

// Analyze implements Analyst.
func (a *alphaBeta) Analyze(s env.State, lines int, done <-chan struct{}, report func(*search.Result)) *search.Result {
	limits := a.limits
	limits.Done = done
	a.search.Report(report)
	defer a.search.Report(nil)
	result := a.search.Search(s, limits, lines)
	if len(result.Whole) > 0 {
		result.Lines = result.Whole
	}
	return result
}
