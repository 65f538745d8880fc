package metrics

import (
	"cmp"
	"runtime"
	"runtime/debug"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// A Family is one metric with all its labels.
type Family struct {
	Name string
	Type string // counter, gauge, histogram or summary
	Help string
}

// A registry registers metrics and keeps a list of them, because a Prometheus registry
// does not show a metric without values.
type registry struct {
	*prometheus.Registry
	families []Family
}

func newRegistry() *registry { return &registry{Registry: prometheus.NewRegistry()} }

const namespace = "sandtable_"

func (r *registry) add(c prometheus.Collector, name, kind, help string) {
	r.MustRegister(c)
	r.list(Family{Name: namespace + name, Type: kind, Help: help})
}

func (r *registry) list(f Family) {
	i, _ := slices.BinarySearchFunc(r.families, f.Name, func(have Family, name string) int { return cmp.Compare(have.Name, name) })
	r.families = slices.Insert(r.families, i, f)
}

func (r *registry) counter(name, help string) prometheus.Counter {
	c := prometheus.NewCounter(prometheus.CounterOpts{Name: namespace + name, Help: help})
	r.add(c, name, "counter", help)
	return c
}

func (r *registry) counters(name, help string, labels ...string) *prometheus.CounterVec {
	c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: namespace + name, Help: help}, labels)
	r.add(c, name, "counter", help)
	return c
}

func (r *registry) gauge(name, help string) prometheus.Gauge {
	g := prometheus.NewGauge(prometheus.GaugeOpts{Name: namespace + name, Help: help})
	r.add(g, name, "gauge", help)
	return g
}

func (r *registry) gaugeFunc(name, help string, labels prometheus.Labels, value func() float64) {
	g := prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: namespace + name, Help: help, ConstLabels: labels}, value)
	r.add(g, name, "gauge", help)
}

func (r *registry) histograms(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	h := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: namespace + name, Help: help, Buckets: buckets}, labels)
	r.add(h, name, "histogram", help)
	return h
}

// build adds a gauge that is always 1 and whose labels identify the program.
func (r *registry) build() {
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
}

// process adds the metrics of the Go runtime and of the process, as far as the operating
// system provides them.
func (r *registry) process() {
	own := prometheus.NewRegistry()
	for _, c := range []prometheus.Collector{
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	} {
		r.MustRegister(c)
		own.MustRegister(c)
	}
	gathered, err := own.Gather()
	if err != nil {
		return // they are shown as far as they can be read
	}
	for _, f := range gathered {
		kind := map[string]string{"COUNTER": "counter", "GAUGE": "gauge", "SUMMARY": "summary", "HISTOGRAM": "histogram"}[f.GetType().String()]
		r.list(Family{Name: f.GetName(), Type: kind, Help: f.GetHelp()})
	}
}
