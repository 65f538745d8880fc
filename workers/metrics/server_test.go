package metrics_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/workers/metrics"
)

// get asks a handler for a page.
func get(t *testing.T, h http.Handler, path string, header ...string) (status int, body string, answer http.Header) {
	t.Helper()
	request := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, request)
	return w.Code, w.Body.String(), w.Result().Header
}

func scrape(t *testing.T, f *metrics.Farm) string {
	t.Helper()
	status, body, _ := get(t, metrics.Handler(f, metrics.Options{}), "/metrics")
	if status != http.StatusOK {
		t.Fatalf("/metrics answers %d: %s", status, body)
	}
	return body
}

func TestMetricsAreShownAsTextAndAsOpenMetrics(t *testing.T) {
	h := metrics.Handler(busyFarm(), metrics.Options{})
	_, body, header := get(t, h, "/metrics")
	if kind := header.Get("Content-Type"); !strings.HasPrefix(kind, "text/plain; version=0.0.4") {
		t.Errorf("the text format is called %s", kind)
	}
	if !strings.Contains(body, "# TYPE sandtable_episodes_total counter\n") {
		t.Error("the text format lacks the episodes")
	}
	_, body, header = get(t, h, "/metrics", "Accept", "application/openmetrics-text; version=1.0.0")
	if kind := header.Get("Content-Type"); !strings.HasPrefix(kind, "application/openmetrics-text; version=1.0.0") {
		t.Errorf("OpenMetrics is called %s", kind)
	}
	if !strings.Contains(body, "# TYPE sandtable_episodes counter\n") || !strings.HasSuffix(body, "# EOF\n") {
		t.Error("the answer is not OpenMetrics")
	}
}

func TestReadyzGivesTheReasonUntilReady(t *testing.T) {
	f := metrics.New(metrics.RoleFarm)
	h := metrics.Handler(f, metrics.Options{})
	for _, step := range []struct {
		change func()
		status int
		body   string
	}{
		{func() {}, 503, "not ready: starting\n"},
		{func() { f.Ready(nil) }, 200, "ready\n"},
		{func() { f.Ready(errors.New("NATS at nats://127.0.0.1:4222 is not connected")) }, 503,
			"not ready: NATS at nats://127.0.0.1:4222 is not connected\n"},
		{func() { f.Ready(nil) }, 200, "ready\n"},
	} {
		step.change()
		if status, body, _ := get(t, h, "/readyz"); status != step.status || body != step.body {
			t.Errorf("/readyz answers %d %q, not %d %q", status, body, step.status, step.body)
		}
		if status, body, _ := get(t, h, "/healthz"); status != 200 || body != "ok\n" {
			t.Errorf("/healthz answers %d %q", status, body)
		}
	}
}

func TestIndexLeadsToEveryPage(t *testing.T) {
	f := busyFarm()
	f.Ready(errors.New("<no server>"))
	_, body, _ := get(t, metrics.Handler(f, metrics.Options{Pprof: true}), "/")
	for _, part := range []string{`href="/metrics"`, `href="/healthz"`, `href="/readyz"`, `href="/debug/pprof/"`, "Not ready: &lt;no server&gt;."} {
		if !strings.Contains(body, part) {
			t.Errorf("the index lacks %s", part)
		}
	}
	if _, body, _ = get(t, metrics.Handler(f, metrics.Options{}), "/"); strings.Contains(body, "pprof") {
		t.Error("the index names profiles that are not served")
	}
	if status, _, _ := get(t, metrics.Handler(f, metrics.Options{}), "/elsewhere"); status != http.StatusNotFound {
		t.Errorf("an unknown page answers %d", status)
	}
}

func TestProfilesAreServedOnlyWhenAskedFor(t *testing.T) {
	f := metrics.New(metrics.RoleFarm)
	for _, path := range []string{"/debug/pprof/", "/debug/pprof/goroutine?debug=1", "/debug/pprof/cmdline"} {
		if status, _, _ := get(t, metrics.Handler(f, metrics.Options{}), path); status != http.StatusNotFound {
			t.Errorf("%s answers %d without the option", path, status)
		}
		if status, _, _ := get(t, metrics.Handler(f, metrics.Options{Pprof: true}), path); status != http.StatusOK {
			t.Errorf("%s answers %d with the option", path, status)
		}
	}
}

func TestOnlyReadingIsAllowed(t *testing.T) {
	w := httptest.NewRecorder()
	metrics.Handler(busyFarm(), metrics.Options{}).ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/metrics", nil))
	if w.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST /metrics answers %d", w.Code)
	}
}

func TestListenSaysThatAPortIsInUse(t *testing.T) {
	first, err := metrics.Listen("127.0.0.1:0", metrics.ServerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	second, err := metrics.Listen(first.Addr(), metrics.ServerOptions{})
	if err == nil {
		second.Close()
		t.Fatal("one address is bound twice")
	}
	want := "cannot listen on " + first.Addr() + ": address already in use; choose another with --listen, or --listen off"
	if err.Error() != want {
		t.Errorf("the error is %q, not %q", err, want)
	}
	if !errors.Is(err, syscall.EADDRINUSE) {
		t.Error("the error does not wrap EADDRINUSE")
	}
}

func TestListenSaysWhatIsWrongWithAnAddress(t *testing.T) {
	for addr, part := range map[string]string{
		"9464":             "missing port in address",
		"127.0.0.1:nobody": "unknown port",
		"127.0.0.1:70000":  "invalid port",
	} {
		s, err := metrics.Listen(addr, metrics.ServerOptions{})
		if err == nil {
			s.Close()
			t.Errorf("%s is bound", addr)
			continue
		}
		if text := err.Error(); !strings.HasPrefix(text, "cannot listen on "+addr+": ") || !strings.Contains(text, part) {
			t.Errorf("the error of %s is %q", addr, text)
		}
	}
}

func TestServeAnswersAndEndsGracefully(t *testing.T) {
	s, err := metrics.Listen("127.0.0.1:0", metrics.ServerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	entered, leave := make(chan struct{}), make(chan struct{})
	slow := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(entered)
		<-leave
		_, _ = io.WriteString(w, "whole answer")
	})
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, slow) }()

	type answer struct {
		body string
		err  error
	}
	answered := make(chan answer, 1)
	go func() {
		r, err := http.Get("http://" + s.Addr())
		if err != nil {
			answered <- answer{"", err}
			return
		}
		defer r.Body.Close()
		body, err := io.ReadAll(r.Body)
		answered <- answer{string(body), err}
	}()
	<-entered
	stop()
	// The address is given back before the request under way is done.
	for {
		c, err := net.Dial("tcp", s.Addr())
		if err != nil {
			break
		}
		c.Close()
		time.Sleep(time.Millisecond)
	}
	close(leave)
	if a := <-answered; a.err != nil || a.body != "whole answer" {
		t.Errorf("the request under way got %q, %v", a.body, a.err)
	}
	if err := <-served; err != nil {
		t.Errorf("Serve ends with %v", err)
	}
}

func TestServeReportsABrokenListener(t *testing.T) {
	s, err := metrics.Listen("127.0.0.1:0", metrics.ServerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Serve(t.Context(), http.NotFoundHandler()); !errors.Is(err, net.ErrClosed) {
		t.Errorf("Serve on a closed listener returns %v", err)
	}
}
