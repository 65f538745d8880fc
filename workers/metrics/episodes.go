package metrics

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/workers"
)

// MaxVariants is the number of variants that a Farm counts separately.
const MaxVariants = 64

// maxLabel is the length in bytes of the longest label.
const maxLabel = 64

// Episodes implements workers.Meter.
func (f *Farm) Episodes(variant string) workers.EpisodeMeter {
	f.mu.Lock()
	defer f.mu.Unlock()
	e := f.variants[variant]
	if e != nil {
		return e
	}
	if len(f.variants) >= MaxVariants {
		variant = "other/other"
		if e = f.variants[variant]; e != nil {
			return e
		}
	}
	game, name := labels(variant)
	e = &episodes{
		played:      f.episodes.WithLabelValues(game, name),
		plies:       f.plies.WithLabelValues(game, name),
		simulations: f.simulations.WithLabelValues(game, name),
		truncated:   f.truncated.WithLabelValues(game, name),
		lengths:     f.lengths.WithLabelValues(game, name),
		results:     f.results.MustCurryWith(prometheus.Labels{"game": game, "variant": name}),
	}
	f.variants[variant] = e
	return e
}

// labels returns the game and variant labels of a variant string. A long name, such as
// one with many overrides, is cut and ends with its hash.
func labels(variant string) (game, name string) {
	game, name, found := strings.Cut(variant, "/")
	if !found || strings.ContainsAny(game, `{"`) {
		game, name = "custom", variant
	}
	return bounded(game), bounded(name)
}

func bounded(label string) string {
	label = strings.ToValidUTF8(label, string(utf8.RuneError))
	if len(label) <= maxLabel {
		return label
	}
	sum := sha256.Sum256([]byte(label))
	mark := "~" + hex.EncodeToString(sum[:4])
	return strings.ToValidUTF8(label[:maxLabel-len(mark)], "") + mark
}

// episodes counts the episodes of one variant.
type episodes struct {
	played, plies, simulations, truncated prometheus.Counter
	lengths                               prometheus.Observer
	results                               *prometheus.CounterVec

	// known holds the counters of results that occurred, by winner (Result + 1)
	// and reason, so that a result is looked up by its labels only once.
	known [3][256]atomic.Pointer[prometheus.Counter]
}

// EpisodePlayed implements workers.EpisodeMeter.
func (e *episodes) EpisodePlayed(plies int, simulations int64, result env.Result, reason env.Reason) {
	e.played.Inc()
	add(e.plies, int64(plies))
	add(e.simulations, simulations)
	e.lengths.Observe(float64(plies))
	if reason == env.NoReason {
		e.truncated.Inc()
		return
	}
	outcome := min(max(result, -1), 1) + 1
	slot := &e.known[outcome][reason]
	counter := slot.Load()
	if counter == nil {
		c := e.results.WithLabelValues(result.String(), reason.String())
		counter = &c
		slot.Store(counter)
	}
	(*counter).Inc()
}
