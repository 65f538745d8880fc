//go:build e2e

package prometheus_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/dashboards/grafana"
	"github.com/sandtable-farm/sandtable/dashboards/prometheus"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/metrics"
)

// patience bounds every wait. A healthy run needs a fraction of it.
const patience = 2 * time.Minute

func program(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatalf("%s is needed: install Prometheus (Debian: apt-get install prometheus): %v", name, err)
	}
	return path
}

func TestPromtoolAcceptsTheConfigurationAndItsRules(t *testing.T) {
	out, err := exec.Command(program(t, "promtool"), "check", "config", "prometheus.yml").CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestAlertsFireWhenTheyShouldAndOnlyThen(t *testing.T) {
	out, err := exec.Command(program(t, "promtool"), "test", "rules", "testdata/alerts_test.yml").CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// play updates the metrics of a farm as its roles would, until the context ends.
func play(ctx context.Context, f *metrics.Farm) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	f.Ready(nil)
	f.WorkerStarted()
	f.WorkerStarted()
	f.JobStarted()
	f.RunsRefused([workers.Refusals]int{})
	f.Quarantined(false)
	trench, ntxuva := f.Episodes("trench/standard"), f.Episodes("ntxuva/basic")
	for i := 0; ; i++ {
		trench.EpisodePlayed(40+i%30, 1000, 1, env.Points)
		ntxuva.EpisodePlayed(30+i%20, 0, -1, env.WipedOut)
		trench.EpisodePlayed(2000, 0, 0, env.NoReason)
		f.JobStarted()
		f.JobEnded(time.Duration(i%20)*time.Second, workers.JobDone)
		f.QueueDepth(int64(10+i%5), int64(i%3))
		f.ShardCommitted(3, 2100, 40_000)
		f.JobRedelivered()
		f.PartDropped()
		f.Backoff("connection", time.Millisecond)
		f.RunState(workers.RunReport{
			Run: "0123456789abcdef", Variant: "trench/standard",
			Planned: workers.RunCount{Jobs: 1_000_000, Episodes: 20_000_000},
			Done:    workers.RunCount{Jobs: int64(i), Episodes: int64(20 * i)},
			Waiting: 7, Workers: 2, Limit: 9, Progress: time.Now(),
		})
		f.JobCommitted(time.Duration(5+i%20) * time.Second)
		f.CollectorLag(3 * time.Second)
		f.ResultChecked(time.Millisecond, true)
		f.Audited(workers.AuditSame)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// watch starts Prometheus with our configuration, changed to scrape the given address
// every second, and returns its address.
func watch(t *testing.T, target string) string {
	t.Helper()
	binary, folder := program(t, "prometheus"), t.TempDir()
	for _, name := range []string{"prometheus.yml", "recording.yml", "alerts.yml"} {
		data, err := fs.ReadFile(prometheus.Files(), name)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		if name == "prometheus.yml" {
			for old, replacement := range map[string]string{
				"127.0.0.1:9464":          target,
				"scrape_interval: 5s":     "scrape_interval: 1s",
				"evaluation_interval: 5s": "evaluation_interval: 1s",
			} {
				if strings.Count(text, old) != 1 {
					t.Fatalf("%s does not hold %q once", name, old)
				}
				text = strings.Replace(text, old, replacement, 1)
			}
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := free.Addr().String()
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	logs, err := os.Create(filepath.Join(folder, "log"))
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(binary, "--config.file", filepath.Join(folder, "prometheus.yml"),
		"--storage.tsdb.path", filepath.Join(folder, "data"), "--web.listen-address", addr)
	command.Stdout, command.Stderr = logs, logs
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := command.Process.Signal(syscall.SIGTERM); err != nil {
			t.Errorf("prometheus had ended before: %v", err)
		}
		timer := time.AfterFunc(patience, func() { _ = command.Process.Kill() })
		err := command.Wait()
		timer.Stop()
		if text, _ := os.ReadFile(logs.Name()); err != nil || t.Failed() {
			t.Errorf("prometheus ended with %v\n%s", err, text)
		}
		_ = logs.Close()
	})
	return addr
}

// ask sends a request to the Prometheus API and decodes the data of the response.
func ask(addr, path string, form url.Values, data any) error {
	request := func() (*http.Response, error) { return http.Get("http://" + addr + path) }
	if form != nil {
		request = func() (*http.Response, error) { return http.PostForm("http://"+addr+path, form) }
	}
	response, err := request()
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	var envelope struct {
		Status, Error string
		Data          json.RawMessage
	}
	if err := json.Unmarshal(body, &envelope); err != nil {
		return fmt.Errorf("%s answers %s: %s", path, response.Status, body)
	}
	if envelope.Status != "success" {
		return fmt.Errorf("%s: %s", path, envelope.Error)
	}
	return json.Unmarshal(envelope.Data, data)
}

// eventually repeats a check until it succeeds.
func eventually(t *testing.T, check func() error) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for {
		err := check()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func targetIs(addr, health string) error {
	var targets struct {
		ActiveTargets []struct {
			ScrapeURL, Health, LastError string
			Labels                       map[string]string
		}
	}
	if err := ask(addr, "/api/v1/targets", nil, &targets); err != nil {
		return err
	}
	if n := len(targets.ActiveTargets); n != 1 {
		return fmt.Errorf("%d targets", n)
	}
	if one := targets.ActiveTargets[0]; one.Health != health || one.Labels["job"] != "sandtable" {
		return fmt.Errorf("%s of job %s is %s, not %s: %s", one.ScrapeURL, one.Labels["job"], one.Health, health, one.LastError)
	}
	return nil
}

// rule is the state of a rule in the Prometheus API.
type rule struct{ Name, Type, Health, LastError, State string }

func rules(addr string) ([]rule, error) {
	var loaded struct {
		Groups []struct{ Rules []rule }
	}
	if err := ask(addr, "/api/v1/rules", nil, &loaded); err != nil {
		return nil, err
	}
	var all []rule
	for _, g := range loaded.Groups {
		all = append(all, g.Rules...)
	}
	return all, nil
}

// rulesWork returns an error unless every rule of ours is loaded and evaluated without error.
func rulesWork(addr string) error {
	loaded, err := rules(addr)
	if err != nil {
		return err
	}
	ours := slices.Concat(prometheus.Recording().Rules, prometheus.Alerts().Rules)
	if len(loaded) != len(ours) {
		return fmt.Errorf("%d rules are loaded, not %d", len(loaded), len(ours))
	}
	for _, r := range loaded {
		if r.Health != "ok" {
			return fmt.Errorf("%s %s is %s: %s", r.Type, r.Name, r.Health, r.LastError)
		}
	}
	return nil
}

// hasData returns an error unless a query returns a finite value.
func hasData(addr, query string) error {
	var answer struct {
		Result []struct{ Value [2]any }
	}
	if err := ask(addr, "/api/v1/query", url.Values{"query": {query}}, &answer); err != nil {
		return err
	}
	for _, series := range answer.Result {
		text, _ := series.Value[1].(string)
		if v, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(v) && !math.IsInf(v, 0) {
			return nil
		}
	}
	return fmt.Errorf("%s has no value in %d series", query, len(answer.Result))
}

func TestPrometheusWatchesAFarmWithTheseFiles(t *testing.T) {
	server, err := metrics.Listen("127.0.0.1:0", metrics.ServerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	farm := metrics.New(metrics.RoleFarm)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go play(ctx, farm)
	served := make(chan error, 1)
	go func() { served <- server.Serve(ctx, metrics.Handler(farm, metrics.Options{})) }()
	addr := watch(t, server.Addr())

	eventually(t, func() error { return targetIs(addr, "up") })
	eventually(t, func() error { return rulesWork(addr) })
	for _, query := range grafana.Farm().Queries() {
		eventually(t, func() error { return hasData(addr, query) })
	}
	loaded, err := rules(addr)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range loaded {
		if r.Type == "alerting" && r.State == "firing" {
			t.Errorf("%s fires on a healthy farm", r.Name)
		}
	}

	stop()
	if err := <-served; err != nil {
		t.Errorf("the metrics server ends with %v", err)
	}
	eventually(t, func() error { return targetIs(addr, "down") })
	eventually(t, func() error {
		loaded, err := rules(addr)
		if err != nil {
			return err
		}
		for _, r := range loaded {
			if r.Name == "SandtableTargetDown" && r.State != "inactive" {
				return nil
			}
		}
		return fmt.Errorf("SandtableTargetDown does not see that the farm is gone")
	})
}
