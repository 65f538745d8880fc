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
	results     stats.PairTable     // pairs by the first agent's results as the side to move and as the other side
	sides       [2]counts           // of the first agent as the side to move, and as the other side
	shares      [3]stats.Clusters   // of losses, draws and wins
	toMove      stats.Clusters      // scores of the sides to move
	first       stats.Clusters      // scores of the first players
	openings    map[uint64]struct{} // positions after the opening, by hash
	distinct    map[uint64]struct{} // pairs, by the hashes of both games
	hasher      *dataset.GameHasher
	truncated   int64
	early       int64 // games that ended within two plies of the agents' taking over
	forfeits    dataset.Forfeits
	plies       int64

	// Of the first game of an incomplete pair: the first agent's result, the side that it
	// played, and the hash.
	current, side int
	game          uint64
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
	if ep.DecidedEarly() {
		r.early++
	}
	side := int(ep.SideToMove() ^ seat) // 0 if the first agent is to move
	r.sides[side][result+1]++
	if seat == env.First {
		r.current, r.side, r.game = result, side, r.hasher.Hash(ep)
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
	first := float64(r.current+1)/2 + float64(1-result)/2
	r.first.Add(first, 2)
	if r.side == 0 {
		r.toMove.Add(first, 2)
		r.results[r.current+1][result+1]++
	} else {
		r.toMove.Add(2-first, 2)
		r.results[result+1][r.current+1]++
	}
	r.pentanomial[r.current+result+2]++
	if r.test != nil {
		r.verdict = r.test.Verdict(&r.pentanomial)
	}
}
