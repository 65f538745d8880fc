package dataset

import (
	"cmp"
	"maps"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
)

// TruncatedReason is the reason of a game that the ply limit truncated. It is not a reason
// of the rules.
const TruncatedReason = "max_plies"

// A Tally collects a Summary from episodes. The games of a pair must be added one after
// the other; pairs may come in any order. Memory use does not grow with the number of games.
type Tally struct {
	plies, truncated, legal int64
	early                   int64
	first, mover            results
	opened                  map[int]*results // of the first player, by plies of the opening
	agents                  []agentResults
	reasons                 map[string]int64
	forfeits                Forfeits
	workers                 map[string]int64 // without the unknown one
	resignation             Resignation
	lengths                 map[int]int64
	games                   DistinctCounter
	hasher                  *GameHasher
}

type agentResults struct {
	agent string
	results
}

// NewTally returns an empty tally.
func NewTally() *Tally {
	return &Tally{
		reasons: map[string]int64{}, opened: map[int]*results{}, workers: map[string]int64{}, lengths: map[int]int64{}, hasher: NewGameHasher(),
	}
}

// Add adds an episode.
func (t *Tally) Add(ep *Episode) {
	t.plies += int64(ep.Plies())
	t.lengths[ep.Plies()]++
	t.games.Add(t.hasher.Hash(ep))
	for i := range ep.Steps {
		t.legal += int64(ep.Steps[i].LegalCount)
	}
	if ep.Worker != "" {
		t.workers[ep.Worker]++
	}
	t.forfeits.Add(ep)
	if ep.ResignPly != NoPly {
		t.resignation.add(ep)
	}
	if ep.Truncated {
		t.truncated++
		t.reasons[TruncatedReason]++
		return
	}
	t.reasons[ep.Reason.String()]++
	if ep.DecidedEarly() {
		t.early++
	}
	t.first.add(ep.Result.For(env.First), ep.Pair)
	t.mover.add(ep.Result.For(ep.SideToMove()), ep.Pair)
	if t.opened[ep.OpeningPlies] == nil {
		t.opened[ep.OpeningPlies] = new(results)
	}
	t.opened[ep.OpeningPlies].add(ep.Result.For(env.First), ep.Pair)
	if ep.Pair != NoPair {
		t.agent(ep.Agents[0]).add(ep.Result.For(env.First), ep.Pair)
		t.agent(ep.Agents[1]).add(ep.Result.For(env.Second), ep.Pair)
	}
}

func (t *Tally) agent(name string) *results {
	for i := range t.agents {
		if t.agents[i].agent == name {
			return &t.agents[i].results
		}
	}
	t.agents = append(t.agents, agentResults{agent: name})
	return &t.agents[len(t.agents)-1].results
}

// Summary returns the summary of the episodes added so far.
func (t *Tally) Summary() Summary {
	s := Summary{Plies: t.plies, Truncated: t.truncated, DecidedEarly: t.early, First: t.first.outcome(), SideToMove: t.mover.outcome(), Agents: []AgentRecord{}}
	for _, n := range t.lengths {
		s.Episodes += n
	}
	s.Distinct, s.DistinctError = t.games.Count()
	s.Distinct = min(s.Distinct, s.Episodes)
	if t.plies > 0 {
		s.MeanLegal = float64(t.legal) / float64(t.plies)
	}
	for i := range t.agents {
		s.Agents = append(s.Agents, AgentRecord{Agent: t.agents[i].agent, Outcome: t.agents[i].outcome()})
	}
	s.Reasons = make([]ReasonCount, 0, len(t.reasons))
	for reason, n := range t.reasons {
		s.Reasons = append(s.Reasons, ReasonCount{Reason: reason, Episodes: n, Share: stats.Wilson(n, s.Episodes, stats.Level)})
	}
	slices.SortFunc(s.Reasons, func(a, b ReasonCount) int {
		return cmp.Or(cmp.Compare(b.Episodes, a.Episodes), cmp.Compare(a.Reason, b.Reason))
	})
	for _, name := range slices.Sorted(maps.Keys(t.workers)) {
		s.Workers = append(s.Workers, WorkerCount{Worker: name, Episodes: t.workers[name]})
	}
	s.Forfeits = t.forfeits.Counts()
	if r := t.resignation; r != (Resignation{}) {
		r.Error = stats.Wilson(r.Won+r.Drawn, r.PlayedOn, stats.Level)
		s.Resignation = &r
	}
	if len(t.opened) > 1 {
		for _, plies := range slices.Sorted(maps.Keys(t.opened)) {
			s.ByOpening = append(s.ByOpening, OpeningScore{Plies: plies, First: t.opened[plies].outcome().Score})
		}
	}
	s.Length = lengths(t.lengths, s.Episodes)
	return s
}

func lengths(counts map[int]int64, episodes int64) Lengths {
	l := Lengths{Histogram: make([]LengthCount, 0, len(counts))}
	var moments stats.Moments
	for _, plies := range slices.Sorted(maps.Keys(counts)) {
		l.Histogram = append(l.Histogram, LengthCount{Plies: plies, Episodes: counts[plies]})
		moments.Add(float64(plies), counts[plies])
	}
	l.Mean = moments.Interval(stats.Level)
	if episodes == 0 {
		return l
	}
	quantile := func(percent int64) int {
		var below int64
		for _, c := range l.Histogram {
			if below += c.Episodes; below*100 >= percent*episodes {
				return c.Plies
			}
		}
		return 0
	}
	l.Min, l.P10, l.P25, l.Median = quantile(0), quantile(10), quantile(25), quantile(50)
	l.P75, l.P90, l.Max = quantile(75), quantile(90), quantile(100)
	return l
}

// results counts the results of one side.
type results struct {
	counts [3]int64 // losses, draws, wins
	pair   int64    // the pair of current
	// current counts the results of the pair that is not closed yet.
	current [3]int64
	paired  bool
	shares  [3]stats.Clusters // by result
	score   stats.Clusters
}

// add adds a result, −1, 0 or 1.
func (r *results) add(result int, pair int64) {
	r.counts[result+1]++
	if pair == NoPair || pair != r.pair {
		r.close()
	}
	r.pair, r.paired = pair, r.paired || pair != NoPair
	r.current[result+1]++
}

// close ends a pair, or a single game.
func (r *results) close() {
	games := r.current[0] + r.current[1] + r.current[2]
	for i, n := range r.current {
		r.shares[i].Add(float64(n), games)
	}
	r.score.Add(float64(r.current[2])+float64(r.current[1])/2, games)
	r.current = [3]int64{}
}

// outcome returns the outcome. It does not change r.
func (r results) outcome() Outcome {
	r.close()
	games := r.counts[0] + r.counts[1] + r.counts[2]
	share := func(result int) stats.Interval {
		if r.paired {
			return r.shares[result+1].Interval(stats.Level)
		}
		return stats.Wilson(r.counts[result+1], games, stats.Level)
	}
	return Outcome{
		Wins: r.counts[2], Draws: r.counts[1], Losses: r.counts[0],
		Win: share(1), Draw: share(0), Loss: share(-1), Score: r.score.Interval(stats.Level),
	}
}
