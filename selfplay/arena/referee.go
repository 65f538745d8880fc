package arena

import (
	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
)

// A referee counts the games of a match in order of number and decides when the match
// is over. Counts are from the first agent's view.
type referee struct {
	most    int64 // pairs
	test    *stats.SPRT
	verdict stats.Verdict

	pentanomial stats.Pentanomial
	results     stats.PairTable     // pairs by the first agent's results moving first and second
	seats       [2]counts           // by the first agent's seat
	shares      [3]stats.Clusters   // of losses, draws and wins
	firstMove   stats.Clusters      // scores of the players who move first
	openings    map[uint64]struct{} // positions after the opening, by hash
	distinct    map[uint64]struct{} // pairs, by the hashes of both games
	hasher      *dataset.GameHasher
	truncated   int64
	forfeits    dataset.Forfeits
	plies       int64

	// Of the first game of an incomplete pair: the first agent's result, and the hash.
	current int
	game    uint64
}

// counts holds the numbers of losses, draws and wins.
type counts [3]int64

func newReferee(most int64, test *stats.SPRT) *referee {
	return &referee{most: most, test: test, openings: map[uint64]struct{}{}, distinct: map[uint64]struct{}{}, hasher: dataset.NewGameHasher()}
}

func (r *referee) pairs() int64 { return r.pentanomial.Pairs() }

// over reports whether the match is over.
func (r *referee) over() bool { return r.pairs() >= r.most || r.verdict != stats.Undecided }

// count counts the next episode. A pair counts with its second episode.
func (r *referee) count(ep *dataset.Episode) {
	seat := env.Player(ep.Number % 2) // of the first agent
	result := ep.Result.For(seat)
	if ep.Truncated {
		result = 0
		r.truncated++
	}
	r.forfeits.Add(ep)
	r.plies += int64(ep.Plies())
	r.seats[seat][result+1]++
	if seat == env.First {
		r.current, r.game = result, r.hasher.Hash(ep)
		r.openings[ep.Opened()] = struct{}{}
		return
	}
	r.distinct[env.Derive(r.game, r.hasher.Hash(ep))] = struct{}{}
	var pair [3]float64
	pair[r.current+1]++
	pair[result+1]++
	for i, n := range pair {
		r.shares[i].Add(n, 2)
	}
	r.firstMove.Add(float64(r.current+1)/2+float64(1-result)/2, 2)
	r.pentanomial[r.current+result+2]++
	r.results[r.current+1][result+1]++
	if r.test != nil {
		r.verdict = r.test.Verdict(&r.pentanomial)
	}
}
