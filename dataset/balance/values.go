package balance

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// Values are what pieces are worth: coefficients of a proportional-odds regression of the
// result. Its columns are the differences of the counts by type, the first player's minus
// the second's, the player to move and, if different agents play each other, the agents,
// because the better agent gets ahead and also wins for other reasons. Its rows are
// positions of sampled games with a result, drawn at random after the opening: one of each
// phase that the game goes through. A phase begins when the pieces (or seeds) left are no
// more than two thirds, and then one third, of both sides' at the start of the rule set.
//
// Errors are robust to clusters. Clusters are games with the same position after the
// opening if there are 50 such openings or more; otherwise they are pairs of games, or
// games, and the values hold for these openings. A column has no value if it never varies,
// if the others determine it (variance inflation of 10 or more), or if there are fewer
// than 10 clusters for each column (Peduzzi and others 1996, "A Simulation Study of the
// Number of Events per Variable in Logistic Regression Analysis").
//
// Values and scores have bootstrap intervals over whole clusters if there are 200
// clusters or more, 20,000 distinct rows or fewer, and the unit is four standard errors or
// more from 0. Otherwise, as their method says, values have Fieller's interval, and scores
// have the interval of the coefficient with the thresholds (and so the share of draws)
// taken as known.
type Values struct {
	Unit     string        `json:"unit"`     // the type that is worth 1
	Games    int64         `json:"games"`    // with a position in a phase
	Clusters string        `json:"clusters"` // "openings" or "games or pairs"
	Openings int64         `json:"openings"` // distinct positions after the opening
	Phases   []PhaseValues `json:"phases"`   // the whole game first; empty without a position
	Forecast *Forecast     `json:"forecast"` // of the whole game; nil if there is none
}

// PhaseValues are the values in a phase.
type PhaseValues struct {
	Phase    string `json:"phase"`
	Rows     int64  `json:"positions"`
	Clusters int64  `json:"clusters"`
	// Problem is the reason why Types is empty or why values have no bounds.
	Problem Problem     `json:"problem_code,omitzero"`
	Types   []TypeValue `json:"types"`
	Turn    *TypeValue  `json:"turn"` // of being to move; nil if Types is empty
	// Agents are the values of the agents against Reference; empty if every agent plays
	// itself.
	Agents    []TypeValue `json:"agents"`
	Reference string      `json:"reference_agent,omitempty"`
	// Even is the first player's score in the positions with equal counts.
	Even stats.Interval `json:"even_score"`
}

// A TypeValue is the value of one piece (or seed) of a type.
type TypeValue struct {
	Type string `json:"type"`
	// Counted says that the value is that of one of several, such as a seed in a house.
	Counted bool           `json:"counted,omitempty"`
	LogOdds stats.Interval `json:"log_odds"` // of a better result
	// Value is in units; nil if there is a problem.
	Value *stats.Interval `json:"value"`
	// Score is the expected score of the side that is one ahead and otherwise even; nil if
	// the column itself has a problem.
	Score   *stats.Interval `json:"score"`
	VIF     float64         `json:"vif"` // variance inflation factor
	Problem Problem         `json:"problem_code,omitzero"`
}

// collinear is the variance inflation from which a column has no value.
const collinear = 10

// clustersAColumn is the number of clusters that a regression needs per column.
const clustersAColumn = 10

// A valuer regresses results on counts.
type valuer struct {
	board      *board
	unit       int
	goroutines int
	replicates int      // of the bootstrap
	names      []string // of columns: types, the player to move, agents
	agents     []string // agents that play others; the first is the reference
	rows       []row
	clusters   string
	openings   int64
	ids        []int64           // cluster by row
	whole      *stats.Regression // of the whole game; nil if there is none
	weights    *weights          // of the whole game; may be nil
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

// cluster chooses the clusters and sorts the rows by them.
func (v *valuer) cluster() {
	openings, groups := map[uint64]struct{}{}, map[int64]struct{}{}
	for i := range v.rows {
		openings[v.rows[i].opening] = struct{}{}
		groups[v.rows[i].group] = struct{}{}
	}
	v.openings = int64(len(openings))
	byOpening := len(openings) >= EnoughClusters
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

// columns writes a row's columns. Those that are not counts are ½ for the first player and
// −½ for the second.
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

// must panics with the error of a call whose arguments are right by construction: finite
// counts, three outcomes, probabilities, and clusters in ascending order.
func must(err error) {
	if err != nil {
		panic(fmt.Sprintf("balance: %v", err))
	}
}

// design returns the design of the wanted rows.
func (v *valuer) design(wanted func(i int) bool) *stats.Design {
	d, err := stats.NewDesign(3, v.names...)
	must(err)
	d.Goroutines = v.goroutines
	x := make([]float64, len(v.names))
	for i := range v.rows {
		if !wanted(i) {
			continue
		}
		v.columns(x, &v.rows[i])
		must(d.Append(v.ids[i], x, int(v.rows[i].outcome)+1))
	}
	return d
}

// A Forecast measures how well counts forecast results. The regression of the whole game
// is fitted to four fifths of the clusters and evaluated on the rest. The null forecast is
// the frequency of each result in the four fifths. To both, half a position with each
// result is added (Krichevsky and Trofimov 1981, "The Performance of Universal Encoding"),
// so that a result that has not occurred does not have probability 0.
//
// Intervals are those of the fitted forecasts on other games of the same kind.
type Forecast struct {
	Fitted int64 `json:"fitted"` // positions
	Judged int64 `json:"judged"` // positions of other games
	// Brier scores are 0 to 2, and logarithmic scores are in nats; lower is better.
	Brier     stats.Interval `json:"brier"`
	NullBrier stats.Interval `json:"null_brier"`
	// BrierGain and LogGain are the null forecast's score minus the model's. They are
	// positive if counts help to forecast results.
	BrierGain   stats.Interval `json:"brier_gain"`
	Log         stats.Interval `json:"log_score"`
	NullLog     stats.Interval `json:"null_log_score"`
	LogGain     stats.Interval `json:"log_gain"`
	Calibration []Calibration  `json:"calibration"` // by ascending expected score of the first player
}

// Calibration compares the expected scores in a range with the observed ones.
type Calibration struct {
	Low      float64        `json:"low"`
	High     float64        `json:"high"`
	Expected float64        `json:"expected"`
	Score    stats.Interval `json:"score"`
}

const (
	heldOut         = 5 // every heldOut-th cluster is not fitted
	calibrationBins = 10
)

// forecast returns nil if there are too few clusters to divide.
func (v *valuer) forecast() *Forecast {
	fitted := func(i int) bool { return v.ids[i]%heldOut != heldOut-1 }
	d := v.design(fitted)
	r, err := d.Fit()
	judged := len(v.rows) - d.Rows()
	if err != nil || judged == 0 {
		return nil
	}
	f := &Forecast{Fitted: int64(d.Rows()), Judged: int64(judged), Calibration: []Calibration{}}
	calibration, err := stats.NewCalibration(calibrationBins)
	must(err)
	null := v.frequencies(fitted)
	var scores [6]clusterMean
	probabilities, x := make([]float64, 3), make([]float64, len(v.names))
	for i := range v.rows {
		if fitted(i) {
			continue
		}
		row := &v.rows[i]
		v.columns(x, row)
		r.Probabilities(probabilities, x)
		allow(probabilities, float64(d.Rows()))
		outcome := int(row.outcome) + 1
		brier, nullBrier := stats.Brier(probabilities, outcome), stats.Brier(null, outcome)
		log, nullLog := stats.LogScore(probabilities, outcome), stats.LogScore(null, outcome)
		for k, score := range [...]float64{brier, nullBrier, nullBrier - brier, log, nullLog, nullLog - log} {
			scores[k].add(v.ids[i], score)
		}
		expected := math.Min(1, probabilities[2]+probabilities[1]/2)
		must(calibration.Add(v.ids[i], expected, float64(outcome)/2))
	}
	for k, i := range []*stats.Interval{&f.Brier, &f.NullBrier, &f.BrierGain, &f.Log, &f.NullLog, &f.LogGain} {
		*i = scores[k].interval()
	}
	for _, bin := range calibration.Bins(stats.Level) {
		f.Calibration = append(f.Calibration, Calibration{Low: bin.Low, High: bin.High, Expected: bin.Forecast, Score: bin.Result})
	}
	return f
}

// frequencies returns the frequency of each result in the rows selected by of.
func (v *valuer) frequencies(of func(i int) bool) []float64 {
	f, n := make([]float64, 3), 0.0
	for i := range v.rows {
		if of(i) {
			f[v.rows[i].outcome+1]++
			n++
		}
	}
	for k := range f {
		f[k] /= n
	}
	allow(f, n)
	return f
}

// allow adds half a position with each result to the n positions that a forecast is
// fitted to.
func allow(forecast []float64, n float64) {
	for k := range forecast {
		forecast[k] = (forecast[k]*n + 0.5) / (n + 0.5*float64(len(forecast)))
	}
}

// A clusterMean is the mean of numbers that are added cluster by cluster.
type clusterMean struct {
	clusters stats.Clusters
	cluster  int64
	sum      float64
	n        int64
}

func (m *clusterMean) add(cluster int64, x float64) {
	if cluster != m.cluster {
		m.clusters.Add(m.sum, m.n)
		m.sum, m.n = 0, 0
	}
	m.cluster = cluster
	m.sum += x
	m.n++
}

func (m *clusterMean) interval() stats.Interval {
	m.clusters.Add(m.sum, m.n)
	m.sum, m.n = 0, 0
	return m.clusters.StudentInterval(stats.Level)
}
