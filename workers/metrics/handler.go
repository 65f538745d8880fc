package metrics

import (
	"fmt"
	"html/template"
	"io"
	"net/http"
	"net/http/pprof"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Options say what a Handler serves besides the metrics.
type Options struct {
	Pprof bool // profiles of the process under /debug/pprof
}

// Paths of the probes.
const (
	healthPath = "/healthz"
	readyPath  = "/readyz"
)

// Handler serves the pages of a Farm:
//
//	/             an index
//	/metrics      the metrics, as text or OpenMetrics
//	/healthz      200 as long as the process answers
//	/readyz       200 if the process can do its work, else 503 with the reason
//	/debug/pprof  profiles, with Options.Pprof
func Handler(f *Farm, o Options) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(f, promhttp.HandlerOpts{EnableOpenMetrics: true}))
	mux.HandleFunc("GET "+healthPath, func(w http.ResponseWriter, _ *http.Request) { text(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET "+readyPath, func(w http.ResponseWriter, _ *http.Request) {
		if reason := f.NotReady(); reason != nil {
			text(w, http.StatusServiceUnavailable, "not ready: "+reason.Error())
			return
		}
		text(w, http.StatusOK, "ready")
	})
	if o.Pprof {
		mux.HandleFunc("GET /debug/pprof/", pprof.Index)
		mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
		mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
		mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	}
	mux.HandleFunc("GET /{$}", index(f, o))
	return mux
}

func text(w http.ResponseWriter, status int, line string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, line+"\n") // the client may be gone
}

const indexPage = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Sandtable farm</title></head>
<body>
<h1>Sandtable farm</h1>
<p>{{.State}}</p>
<ul>
<li><a href="/metrics">/metrics</a>: for Prometheus</li>
<li><a href="/healthz">/healthz</a>: does the process answer?</li>
<li><a href="/readyz">/readyz</a>: can it do its work?</li>
{{- if .Pprof}}
<li><a href="/debug/pprof/">/debug/pprof/</a>: profiles</li>
{{- end}}
</ul>
</body>
</html>
`

func index(f *Farm, o Options) http.HandlerFunc {
	page := template.Must(template.New("index").Parse(indexPage))
	return func(w http.ResponseWriter, _ *http.Request) {
		state := "Ready."
		if reason := f.NotReady(); reason != nil {
			state = fmt.Sprintf("Not ready: %v.", reason)
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		_ = page.Execute(w, struct { // the client may be gone
			State string
			Pprof bool
		}{state, o.Pprof})
	}
}
