package balance

import (
	"math"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// A Forecast measures how well counts forecast results. The regression of the whole game
// is fitted to four fifths of the clusters and evaluated on the rest. The null forecast is
// the frequency of each result in the four fifths. To both, half a position with each
// result is added (Krichevsky and Trofimov 1981, "The Performance of Universal Encoding"),
// so that a result that has not occurred does not have probability 0.
//
// Intervals are those of the fitted forecasts on other games of the same kind.
type Forecast struct {
	Fitted int64 `json:"fitted,string"` // positions
	Judged int64 `json:"judged,string"` // positions of other games
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
func (v *valuer) forecast() (*Forecast, error) {
	fitted := func(i int) bool { return v.ids[i]%heldOut != heldOut-1 }
	d, err := v.design(fitted)
	if err != nil {
		return nil, err
	}
	r, err := d.Fit()
	judged := len(v.rows) - d.Rows()
	if err != nil || judged == 0 {
		return nil, nil
	}
	f := &Forecast{Fitted: int64(d.Rows()), Judged: int64(judged), Calibration: []Calibration{}}
	calibration, err := stats.NewCalibration(calibrationBins)
	if err != nil {
		return nil, err
	}
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
		if err := calibration.Add(v.ids[i], expected, float64(outcome)/2); err != nil {
			return nil, err
		}
	}
	for k, i := range []*stats.Interval{&f.Brier, &f.NullBrier, &f.BrierGain, &f.Log, &f.NullLog, &f.LogGain} {
		*i = scores[k].interval()
	}
	for _, bin := range calibration.Bins(stats.Level) {
		f.Calibration = append(f.Calibration, Calibration{Low: bin.Low, High: bin.High, Expected: bin.Forecast, Score: bin.Result})
	}
	return f, nil
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
