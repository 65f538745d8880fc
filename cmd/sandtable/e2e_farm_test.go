//go:build e2e

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/selfplay"
)

// runArgs are the settings of the run that these tests play in many ways.
func runArgs(more ...string) []string {
	return append([]string{"trench/standard", "--agent", "greedy", "--vs", "random", "--episodes", "40000", "--seed", "5"}, more...)
}

// undisturbed plays the run once without any trouble and returns its digest.
var undisturbed = sync.OnceValues(func() (string, error) { // constant once made
	dir, err := os.MkdirTemp("", "sandtable-e2e")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	path, err := binary()
	if err != nil {
		return "", err
	}
	if out, err := exec.Command(path, append([]string{"farm", "--listen", "off", "--out", dir}, runArgs()...)...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	out, err := exec.Command(path, "dataset", "verify", dir).Output()
	return field(string(out), "content"), err
})

func wantDigest(t *testing.T, dir string) {
	t.Helper()
	want, err := undisturbed()
	if err != nil {
		t.Fatal(err)
	}
	if out := start(t, "sandtable", "dataset", "verify", dir).succeed(); !strings.Contains(out, "verified: 40,000 games") || field(out, "content") != want {
		t.Errorf("undisturbed the content is %s, here\n%s", want, out)
	}
}

func TestKilledFarmGoesOnWithEachEpisodeOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	args := append([]string{"farm", "--listen", "off", "--out", dir}, runArgs()...)
	// Killed at many moments: while it starts, plays, collects and ends.
	killed := 0
	for i := range 12 {
		p := start(t, "sandtable", args...)
		select {
		case <-p.gone:
		case <-time.After(time.Duration(60+50*i) * time.Millisecond):
			p.signal(syscall.SIGKILL)
			killed++
		}
		p.wait()
	}
	if killed < 4 {
		t.Errorf("only %d of 12 farms were killed before they ended", killed)
	}
	start(t, "sandtable", args...).succeed()
	wantDigest(t, dir)
}

func TestInterruptedFarmSaysHowToGoOn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	args := append([]string{"farm", "--listen", "off", "--out", dir}, runArgs("--episodes", "400000")...)
	p := start(t, "sandtable", args...)
	until(t, "the run begins", func() bool { _, err := dataset.Load(dir); return err == nil })
	time.Sleep(500 * time.Millisecond)
	p.signal(syscall.SIGINT)
	if o := p.wait(); o.code != exitInterrupted || !strings.Contains(o.err, "the same command resumes") {
		t.Errorf("code %d\n%s", o.code, o.err)
	}
	start(t, "sandtable", "dataset", "verify", dir).succeed()
}

func TestSecondFarmIntoOneFolderIsRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	args := append([]string{"farm", "--listen", "off", "--out", dir}, runArgs("--episodes", "4000000")...)
	first := start(t, "sandtable", args...)
	until(t, "the run begins", func() bool { _, err := dataset.Load(dir); return err == nil })
	want := fmt.Sprintf("another sandtable (process %d) is writing", first.cmd.Process.Pid)
	if o := start(t, "sandtable", args...).wait(); o.code != exitFailed || !strings.Contains(o.err, want) {
		t.Errorf("code %d\n%s", o.code, o.err)
	}
	first.signal(syscall.SIGINT)
	first.wait()
	start(t, "sandtable", "dataset", "verify", dir).succeed()
}

func TestRolesApartOverAServerOfItsOwn(t *testing.T) {
	address, store := freeAddress(t), t.TempDir()
	server, url := natsServer(t, address, store)
	dir := filepath.Join(t.TempDir(), "data")

	coordinator := start(t, "sandtable", append([]string{"coordinator", "--nats", url}, runArgs()...)...)
	config, err := (&planFlags{agent: "greedy", vs: "random", maxPlies: 2000, seed: 5}).config(&cobra.Command{}, "trench/standard")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := selfplay.NewPlan(config)
	if err != nil {
		t.Fatal(err)
	}
	settings := plan.Cut(40_000, 0).Settings()
	time.Sleep(time.Second) // the settings reach the server
	collect := []string{"collector", "--nats", url, "--run", settings.Run(), "--out", dir}
	collector := start(t, "sandtable", collect...)
	one := start(t, "sandtable", "worker", "--nats", url, "--workers", "1")
	two := start(t, "sandtable", "worker", "--nats", url, "--workers", "1", "-v")

	// A worker dies, the server is restarted, the collector is killed and started again.
	time.Sleep(300 * time.Millisecond)
	one.signal(syscall.SIGKILL)
	one.wait()
	server.signal(syscall.SIGTERM)
	server.wait()
	natsServer(t, address, store)
	collector.signal(syscall.SIGKILL)
	collector.wait()
	collector = start(t, "sandtable", collect...)
	three := start(t, "sandtable", "worker", "--nats", url, "--workers", "2")

	if out := coordinator.succeed(); field(out, "run") != settings.Run() {
		t.Errorf("the coordinator prints %s", out)
	}
	collector.succeed()
	for _, worker := range []*process{two, three} {
		worker.signal(syscall.SIGTERM)
		worker.succeed()
	}
	wantDigest(t, dir)
}

func TestFarmOnAServerWithAToken(t *testing.T) {
	_, url := natsServer(t, freeAddress(t), t.TempDir(), "--auth", "secret")
	folder := t.TempDir()
	token := filepath.Join(folder, "token")
	if err := os.WriteFile(token, []byte("secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"farm", "--listen", "off", "--nats", url, "--out"}, append([]string{filepath.Join(folder, "data")}, runArgs()...)...)
	if o := start(t, "sandtable", args...).wait(); o.code != exitFailed || !strings.Contains(o.err, "rejects the credentials") {
		t.Errorf("code %d\n%s", o.code, o.err)
	}
	if out := start(t, "sandtable", append(args, "--nats-token-file", token)...).succeed(); strings.Contains(out, "secret") {
		t.Errorf("the output has the token:\n%s", out)
	}
	wantDigest(t, filepath.Join(folder, "data"))
}

func TestServerWithoutJetStreamIsNamed(t *testing.T) {
	address := freeAddress(t)
	host, port, _ := strings.Cut(address, ":")
	start(t, "nats-server", "-a", host, "-p", port)
	until(t, "the error names JetStream", func() bool {
		o := start(t, "sandtable", "worker", "--nats", "nats://"+address, "--wait", "0").wait()
		return o.code == exitFailed && strings.Contains(o.err, "start the server with -js")
	})
}

func TestFullDiskLosesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "disk")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=6m"); err != nil {
		t.Fatalf("this test mounts a small disk and needs to be root: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	data := filepath.Join(dir, "data")
	args := append([]string{"farm", "--listen", "off", "--out", data}, runArgs()...)
	if o := start(t, "sandtable", args...).wait(); o.code != exitFailed || !strings.Contains(o.err, "no space left") {
		t.Errorf("code %d\n%s", o.code, o.err)
	}
	if _, err := dataset.Load(data); err == nil {
		start(t, "sandtable", "dataset", "verify", data).succeed()
	}
	if err := syscall.Mount("none", dir, "tmpfs", syscall.MS_REMOUNT, "size=600m"); err != nil {
		t.Fatal(err)
	}
	start(t, "sandtable", args...).succeed()
	wantDigest(t, data)
}

func TestOtherProgramsReadTheTables(t *testing.T) {
	for _, args := range [][]string{runArgs(), {"ntxuva/basic", "--agent", "random", "--episodes", "500", "--max-plies", "40"}} {
		dir := filepath.Join(t.TempDir(), "data")
		start(t, "sandtable", append([]string{"farm", "--listen", "off", "--out", dir}, args...)...).succeed()
		t.Log(start(t, "python3", "../../dataset/parquetio/testdata/check.py", dir).succeed())
	}
}

func TestPrometheusSeesAFarmPlay(t *testing.T) {
	folder, farm, watcher := t.TempDir(), freeAddress(t), freeAddress(t)
	config := filepath.Join(folder, "prometheus.yml")
	text := fmt.Sprintf("global: {scrape_interval: 1s}\nscrape_configs:\n- job_name: sandtable\n  static_configs:\n  - targets: [%q]\n", farm)
	if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	start(t, "prometheus", "--config.file", config, "--storage.tsdb.path", filepath.Join(folder, "tsdb"), "--web.listen-address", watcher)
	p := start(t, "sandtable", "farm", "trench/standard", "--listen", farm, "--for", "1h", "--out", filepath.Join(folder, "data"))
	for _, query := range []string{"sandtable_episodes_total", "sandtable_plies_total", "sandtable_workers", "sandtable_ready", "sandtable_build_info"} {
		until(t, query+" is seen above 0", func() bool { return value(watcher, query) > 0 })
	}
	response, err := http.Get("http://" + farm + "/readyz")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Errorf("/readyz answers %s", response.Status)
	}
	p.signal(syscall.SIGINT)
	p.wait()
}

// value asks Prometheus for the sum of a metric, 0 where it has none.
func value(address, metric string) float64 {
	response, err := http.Get("http://" + address + "/api/v1/query?query=" + url.QueryEscape("sum("+metric+")"))
	if err != nil {
		return 0
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return 0
	}
	var answer struct {
		Data struct {
			Result []struct {
				Value [2]any `json:"value"`
			} `json:"result"`
		} `json:"data"`
	}
	if json.Unmarshal(body, &answer) != nil || len(answer.Data.Result) == 0 {
		return 0
	}
	var number float64
	if _, err := fmt.Sscan(fmt.Sprint(answer.Data.Result[0].Value[1]), &number); err != nil {
		return 0
	}
	return number
}
