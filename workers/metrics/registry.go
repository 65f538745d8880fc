package metrics

import (
	"cmp"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

const namespace = "sandtable_"

// A registry makes metrics and registers them.
type registry struct{ *prometheus.Registry }

// register registers a metric and returns it.
func register[C prometheus.Collector](r registry, c C) C {
	r.MustRegister(c)
	return c
}

func (r registry) counter(name, help string) prometheus.Counter {
	return register(r, prometheus.NewCounter(prometheus.CounterOpts{Name: namespace + name, Help: help}))
}

func (r registry) counters(name, help string, labels ...string) *prometheus.CounterVec {
	return register(r, prometheus.NewCounterVec(prometheus.CounterOpts{Name: namespace + name, Help: help}, labels))
}

func (r registry) gauge(name, help string) prometheus.Gauge {
	return register(r, prometheus.NewGauge(prometheus.GaugeOpts{Name: namespace + name, Help: help}))
}

func (r registry) gauges(name, help string, labels ...string) *prometheus.GaugeVec {
	return register(r, prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: namespace + name, Help: help}, labels))
}

func (r registry) gaugeFunc(name, help string, labels prometheus.Labels, value func() float64) {
	register(r, prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: namespace + name, Help: help, ConstLabels: labels}, value))
}

func (r registry) histograms(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	return register(r, prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: namespace + name, Help: help, Buckets: buckets}, labels))
}

// latency returns a histogram that is native where Prometheus scrapes it so, and has
// the given buckets elsewhere.
func (r registry) latency(name, help string, buckets []float64) prometheus.Histogram {
	return register(r, prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: namespace + name, Help: help, Buckets: buckets,
		NativeHistogramBucketFactor:     1.1,
		NativeHistogramMaxBucketNumber:  160,
		NativeHistogramMinResetDuration: time.Hour,
	}))
}

// process adds a gauge that is always 1 and whose labels identify the program, and the
// metrics of the Go runtime and of the process, as far as the operating system provides
// them.
func (r registry) process() {
	version, revision := "unknown", "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		version = cmp.Or(info.Main.Version, version)
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				revision = s.Value
			}
		}
	}
	labels := prometheus.Labels{"version": version, "revision": revision, "goversion": runtime.Version()}
	r.gaugeFunc("build_info", "Always 1; the labels identify the program.", labels, func() float64 { return 1 })
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
}
