package balance

import (
	"cmp"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// Values are what pieces are worth: coefficients of a regression of the result by
// proportional odds on the differences of counts by type, first player's less
// second's, on whose turn it is and, where agents play others, on who they are: the
// better agent gets ahead and wins for other reasons too. The rows are positions of the sample's games
// that have a result, drawn at random after the opening: one of each phase that a
// game goes through. A phase is cut by the pieces (or seeds) left of both sides' at
// the start of the rule set: more than two thirds, more than one third, the rest.
//
// Errors are by cluster: games with the same position after the opening where there
// are 50 such openings or more, else pairs of games or games, and then the values are
// those of these openings. A column that follows from others (variance inflation of
// 10 or more) or that never varies is marked and has no value, and no column has with
// fewer than 10 clusters for each (Peduzzi and others 1996, "A Simulation Study of the
// Number of Events per Variable in Logistic Regression Analysis").
//
// Values and scores have the intervals of a bootstrap of whole clusters where there
// are 200 or more of them, different rows are at most 20,000, and the unit is four
// standard errors or more from nothing. Else, as their method says, values are by
// Fieller's, and scores by the coefficient's interval with the thresholds, and so
// the share of draws, taken as known.
type Values struct {
	Unit     string        `json:"unit"`            // the type that is worth 1
	Games    int64         `json:"games,string"`    // with a position in a phase
	Clusters string        `json:"clusters"`        // what they are: openings, pairs, games
	Openings int64         `json:"openings,string"` // different positions after the opening
	Phases   []PhaseValues `json:"phases"`          // the whole game first
	Forecast *Forecast     `json:"forecast"`        // of the whole game; nil where there is none
	Answer   string        `json:"answer"`
}

// PhaseValues are the values in a phase.
type PhaseValues struct {
	Phase    string      `json:"phase"`
	Rows     int64       `json:"positions,string"`
	Clusters int64       `json:"clusters,string"`
	Types    []TypeValue `json:"types"` // empty where the answer says why nothing can be told
	Turn     *TypeValue  `json:"turn"`  // of being to move; nil without types
	// Agents are what being an agent is worth against being Reference; empty where all
	// play themselves.
	Agents    []TypeValue `json:"agents"`
	Reference string      `json:"reference_agent,omitempty"`
	// Even is what the first player scored from the positions with equal counts.
	Even   stats.Interval `json:"even_score"`
	Answer string         `json:"answer"`
}

// A TypeValue is what one piece (or seed) of a type is worth.
type TypeValue struct {
	Type string `json:"type"`
	// Counted says that it is the worth of one seed, or the like, in such a piece.
	Counted bool           `json:"counted,omitempty"`
	LogOdds stats.Interval `json:"log_odds"` // of a better result
	// Value is in units; nil where the problem says why.
	Value *stats.Interval `json:"value"`
	// Score is the expected score of who is one ahead and otherwise even; nil where the
	// column has a problem.
	Score   *stats.Interval `json:"score"`
	VIF     float64         `json:"vif"`
	Problem string          `json:"problem"`
}

// collinear is the variance inflation from which a value is not told.
const collinear = 10

// clustersAColumn is how many clusters a regression needs for each of its columns.
const clustersAColumn = 10

// A valuer regresses results on counts.
type valuer struct {
	board      *board
	unit       int
	goroutines int
	replicates int      // of the bootstrap
	names      []string // of columns: types, whose turn it is, agents
	agents     []string // that play others; the first is the one that others are compared with
	rows       []row
	clusters   string
	openings   int64
	ids        []int64           // of the rows' clusters
	whole      *stats.Regression // of the whole game; nil where there is none
	weights    *weights          // of the whole game; nil where one may be worth nothing
}

func newValuer(b *board, s *sample, unit int, o *Options) *valuer {
	v := &valuer{board: b, unit: unit, goroutines: max(1, o.Goroutines), replicates: o.Replicates, rows: slices.Clone(s.rows)}
	for i := range b.spec.Pieces {
		v.names = append(v.names, b.spec.Pieces[i].Name)
	}
	v.names = append(v.names, "turn")
	for i := range v.rows {
		if both := v.rows[i].agents; both[0] != both[1] {
			for _, agent := range both {
				if !slices.Contains(v.agents, agent) {
					v.agents = append(v.agents, agent)
				}
			}
		}
	}
	if len(v.agents) > 0 {
		v.names = append(v.names, v.agents[1:]...)
	}
	v.cluster()
	return v
}

// cluster decides what the clusters are and sorts the rows by them.
func (v *valuer) cluster() {
	openings, groups := map[uint64]struct{}{}, map[int64]struct{}{}
	for i := range v.rows {
		openings[v.rows[i].opening] = struct{}{}
		groups[v.rows[i].group] = struct{}{}
	}
	v.openings = int64(len(openings))
	byOpening := len(openings) >= fewClusters
	if v.clusters = "games or pairs"; byOpening {
		v.clusters = "openings"
		slices.SortStableFunc(v.rows, func(a, b row) int { return cmp.Compare(a.opening, b.opening) })
	}
	same := func(a, b *row) bool {
		if byOpening {
			return a.opening == b.opening
		}
		return a.group == b.group
	}
	v.ids = make([]int64, len(v.rows))
	for i := 1; i < len(v.rows); i++ {
		v.ids[i] = v.ids[i-1]
		if !same(&v.rows[i-1], &v.rows[i]) {
			v.ids[i]++
		}
	}
}

// columns writes a row's columns. Those that are not counts are ½ where they hold for
// the first player and −½ where for the second.
func (v *valuer) columns(dst []float64, r *row) {
	clear(dst)
	for t, n := range r.ahead {
		dst[t] = float64(n)
	}
	first := len(r.ahead)
	dst[first] = float64(r.turn) / 2
	for i := 1; i < len(v.agents); i++ {
		for player, agent := range r.agents {
			if agent == v.agents[i] {
				dst[first+i] += 0.5 - float64(player)
			}
		}
	}
}

// design returns the rows that are wanted.
func (v *valuer) design(wanted func(i int) bool) (*stats.Design, error) {
	d, err := stats.NewDesign(3, v.names...)
	if err != nil {
		return nil, err
	}
	d.Goroutines = v.goroutines
	x := make([]float64, len(v.names))
	for i := range v.rows {
		if !wanted(i) {
			continue
		}
		v.columns(x, &v.rows[i])
		if err := d.Append(v.ids[i], x, int(v.rows[i].outcome)+1); err != nil {
			return nil, err
		}
	}
	return d, nil
}
