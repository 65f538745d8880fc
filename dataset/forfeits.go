package dataset

import (
	"cmp"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// A ForfeitCount is the number of games that an agent forfeited for a reason.
type ForfeitCount struct {
	Agent    string `json:"agent"`
	Reason   string `json:"reason"`
	Episodes int64  `json:"episodes"`
}

// Forfeits counts forfeited games by agent and reason. The zero value is empty.
type Forfeits struct {
	counts map[forfeit]int64
}

type forfeit struct {
	agent  string
	reason env.Reason
}

// Add adds an episode.
func (f *Forfeits) Add(ep *Episode) {
	if !ep.Reason.Forfeit() {
		return
	}
	loser := env.First
	if ep.Result > 0 {
		loser = env.Second
	}
	if f.counts == nil {
		f.counts = map[forfeit]int64{}
	}
	f.counts[forfeit{ep.Agents[loser], ep.Reason}]++
}

// Counts returns the counts sorted by agent and reason. It never returns nil.
func (f *Forfeits) Counts() []ForfeitCount {
	list := make([]ForfeitCount, 0, len(f.counts))
	for of, n := range f.counts {
		list = append(list, ForfeitCount{Agent: of.agent, Reason: of.reason.String(), Episodes: n})
	}
	slices.SortFunc(list, func(a, b ForfeitCount) int {
		return cmp.Or(cmp.Compare(a.Agent, b.Agent), cmp.Compare(a.Reason, b.Reason))
	})
	return list
}
