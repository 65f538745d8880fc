//go:build e2e

package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/selfplay/external/externaltest"
)

// Flags of TestChaos. A long test can be run in parts: with the same seed, round N is the
// same in each of them.
var (
	chaosSeed  = flag.Uint64("chaos-seed", 0, "seed of the chaos; 0 means one from the clock")
	chaosFirst = flag.Int("chaos-first", 0, "number of the first round")
	chaosCount = flag.Int("chaos-rounds", chaosRounds, "number of rounds")
	chaosTime  = flag.Duration("chaos-time", 0, "time after which no further round begins; 0 means no limit")
)

// A feat is a run that chaos disturbs.
type feat struct {
	args   []string // of coordinator and farm
	exec   []string // --exec of workers, nil without an external agent
	broken []string // --exec of a worker whose program is broken
	run    string   // id
	digest string   // of the content of the undisturbed data set
	games  string   // as dataset verify writes them
}

// feats plays each run once without any trouble.
func feats(t *testing.T) []*feat {
	t.Helper()
	program := func(manner string) []string {
		return []string{"--exec", "mine=" + strings.Join(externaltest.Command(t, manner), " ")}
	}
	all := []*feat{
		{args: []string{"trench/standard", "--agent", "mcts:sims=200", "--vs", "greedy", "--episodes", fmt.Sprint(64 * chaosLength), "--seed", "11"}},
		{args: []string{"ntxuva/basic", "--agent", "greedy", "--vs", "random", "--episodes", fmt.Sprint(1280 * chaosLength), "--seed", "12", "--max-plies", "300"}},
		{args: []string{"trench/standard", "--agent", "exec:mine,time=60s", "--vs", "random", "--episodes", fmt.Sprint(48 * chaosLength), "--seed", "13"},
			exec: program("legal"), broken: program("exits")},
	}
	for _, f := range all {
		dir := filepath.Join(t.TempDir(), "data")
		start(t, "sandtable", append(append([]string{"farm", "--listen", "off", "--out", dir}, f.args...), f.exec...)...).succeed()
		out := start(t, "sandtable", "dataset", "verify", dir).succeed()
		f.digest = field(out, "content")
		_, after, _ := strings.Cut(out, "verified: ")
		f.games, _, _ = strings.Cut(after, " games")
		var info struct{ Run string }
		if err := json.Unmarshal([]byte(start(t, "sandtable", "dataset", "info", dir, "--json").succeed()), &info); err != nil {
			t.Fatal(err)
		}
		f.run = info.Run
		if f.digest == "" || f.games == "" || f.run == "" {
			t.Fatalf("the undisturbed run is not described:\n%s", out)
		}
	}
	return all
}

// otherBehaviour builds the program with an engine of Trench that plays by another
// version of the rules: it cannot rebuild the digest of a run of this program.
var otherBehaviour = sync.OnceValues(func() (string, error) { // constant once made
	const engine = "../../env/trench/engine.go"
	source, err := os.ReadFile(engine)
	if err != nil {
		return "", err
	}
	const version, other = "Version: 1,", "Version: 2,"
	if strings.Count(string(source), version) != 1 {
		return "", fmt.Errorf("%s does not contain %q once", engine, version)
	}
	program, err := binary()
	if err != nil {
		return "", err
	}
	dir := filepath.Dir(program)
	changed, overlay := filepath.Join(dir, "engine.go"), filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(changed, []byte(strings.Replace(string(source), version, other, 1)), 0o644); err != nil {
		return "", err
	}
	original, err := filepath.Abs(engine)
	if err != nil {
		return "", err
	}
	files, err := json.Marshal(map[string]map[string]string{"Replace": {original: changed}})
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(overlay, files, 0o644); err != nil {
		return "", err
	}
	path := filepath.Join(dir, "sandtable-other")
	if out, err := exec.Command("go", "build", "-overlay", overlay, "-o", path, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return path, nil
})

// TestChaos disturbs runs whose roles and server are processes of their own. In the end
// the data set of each run has every episode once and is that of an undisturbed run.
func TestChaos(t *testing.T) {
	seed := *chaosSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("-chaos-seed %d", seed)
	all := feats(t)
	if _, err := otherBehaviour(); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	for round := *chaosFirst; round < *chaosFirst+*chaosCount; round++ {
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			t.Parallel()
			if *chaosTime > 0 && time.Since(begun) > *chaosTime {
				t.Logf("not played: continue with -chaos-seed %d -chaos-first %d", seed, round)
				return
			}
			random := rand.New(rand.NewPCG(seed, uint64(round)))
			newChaos(t, random, all[round%len(all)], round).play()
		})
	}
}

// chaos is one round.
type chaos struct {
	*feat
	t      *testing.T
	random *rand.Rand
	begun  time.Time
	events []string

	dir      string
	address  string // of the server
	server   *role
	roles    []*role         // that the run needs
	lines    map[*role]*line // of the roles
	others   []*role         // that the run does not need
	resumed  []chan struct{} // of processes that stand still
	isBroken bool            // a worker with a broken program has joined
	forger   *forger
}

func newChaos(t *testing.T, random *rand.Rand, f *feat, round int) *chaos {
	c := &chaos{feat: f, t: t, random: random, begun: time.Now(), lines: map[*role]*line{},
		dir: filepath.Join(t.TempDir(), "data"), address: freeAddress(t)}
	t.Cleanup(func() {
		for _, r := range append(c.others, append(c.roles, c.server)...) {
			r.stop(time.Second)
		}
		if t.Failed() {
			t.Logf("what was done:\n%s", strings.Join(c.events, "\n"))
			for _, r := range append(c.others, append(c.roles, c.server)...) {
				t.Log(r.history())
			}
		}
	})
	host, port, _ := strings.Cut(c.address, ":")
	c.server = lead(t, &role{name: "server", program: "nats-server", args: []string{"-a", host, "-p", port, "-js", "-sd", t.TempDir()}})
	c.forger = newForger(t, "nats://"+c.address, f.run)

	// Every fourth run is that of one farm with workers beside it, and every fourth has two
	// collectors, which write one folder.
	switch round % 4 {
	case 3:
		c.add("farm", append(append([]string{"farm", "--listen", "off", "--workers", "1", "--out", c.dir}, f.args...), f.exec...), true)
	default:
		c.add("coordinator", append([]string{"coordinator"}, f.args...), true)
		shares := 1 + round%4%2
		for i := range shares {
			c.add(fmt.Sprintf("collector %d", i), []string{"collector", "--run", f.run, "--out", c.dir, "--share", fmt.Sprintf("%d/%d", i, shares)}, true)
		}
	}
	for i := range 2 {
		c.add(fmt.Sprintf("worker %d", i), append([]string{"worker", "--workers", "1"}, f.exec...), false)
	}
	return c
}

// add starts a role of the run on a line of its own.
func (c *chaos) add(name string, args []string, ends bool) {
	l := newLine(c.t, c.address)
	r := lead(c.t, &role{name: name, args: append(args, "--nats", l.url()), ends: ends})
	c.roles = append(c.roles, r)
	c.lines[r] = l
}

// beside starts a role that the run does not need, and that must not harm it.
func (c *chaos) beside(name, program string, args ...string) {
	r := lead(c.t, &role{name: name, program: program, args: append(args, "--nats", "nats://"+c.address), ends: true})
	c.others = append(c.others, r)
}

func (c *chaos) note(format string, args ...any) {
	c.events = append(c.events, fmt.Sprintf("%6.2fs ", time.Since(c.begun).Seconds())+fmt.Sprintf(format, args...))
}

// between returns a random duration.
func (c *chaos) between(least, most time.Duration) time.Duration {
	return least + time.Duration(c.random.Int64N(int64(most-least)))
}

func (c *chaos) play() {
	events := []func(){
		c.kill, c.kill, c.kill, c.terminate, c.freeze, c.freeze, c.killServer, c.freezeServer,
		c.cut, c.closeLine, c.slowLine, c.duplicate, c.joinOther, c.joinBroken,
		c.forge, c.forge, c.forge, c.forge,
	}
	for end := time.Now().Add(c.between(chaosLeast, chaosMost)); time.Now().Before(end) && !c.over(); {
		time.Sleep(c.between(20*time.Millisecond, 300*time.Millisecond))
		events[c.random.IntN(len(events))]()
	}
	c.calm()
	c.finish()
}

// over reports whether a role has ended with the run: from then on only the progress
// that a collector has published last tells the others, and a forged one would stay.
func (c *chaos) over() bool {
	return slices.ContainsFunc(slices.Concat(c.roles, c.others), (*role).ended)
}

// anyone returns a role of the run.
func (c *chaos) anyone() *role { return c.roles[c.random.IntN(len(c.roles))] }

func (c *chaos) kill() {
	r := c.anyone()
	c.note("kill -9 %s", r.name)
	r.signal(syscall.SIGKILL)
}

func (c *chaos) terminate() {
	r := c.anyone()
	c.note("SIGTERM %s", r.name)
	r.signal(syscall.SIGTERM)
}

func (c *chaos) killServer() {
	signal := syscall.SIGKILL
	if c.random.IntN(2) == 0 {
		signal = syscall.SIGTERM
	}
	c.note("%v the server", signal)
	c.server.signal(signal)
}

func (c *chaos) freezeServer() { c.stand(c.server, c.between(100*time.Millisecond, 2*time.Second)) }
func (c *chaos) freeze()       { c.stand(c.anyone(), c.between(100*time.Millisecond, chaosFreeze)) }

// stand lets a process stand still for a while.
func (c *chaos) stand(r *role, pause time.Duration) {
	c.note("%s stands still for %v", r.name, pause.Round(time.Millisecond))
	r.signal(syscall.SIGSTOP)
	resumed := make(chan struct{})
	c.resumed = append(c.resumed, resumed)
	time.AfterFunc(pause, func() {
		r.signal(syscall.SIGCONT)
		close(resumed)
	})
}

func (c *chaos) cut() {
	r := c.anyone()
	c.note("the line of %s is cut", r.name)
	c.lines[r].cut()
}

func (c *chaos) closeLine() {
	r, pause := c.anyone(), c.between(200*time.Millisecond, 3*time.Second)
	c.note("the line of %s is closed for %v", r.name, pause.Round(time.Millisecond))
	c.lines[r].close(true)
	time.AfterFunc(pause, func() { c.lines[r].close(false) })
}

func (c *chaos) slowLine() {
	r, pause := c.anyone(), c.between(500*time.Millisecond, 4*time.Second)
	delay := c.between(time.Millisecond, 60*time.Millisecond)
	c.note("the line of %s needs %v a kilobyte for %v", r.name, delay.Round(time.Millisecond), pause.Round(time.Millisecond))
	c.lines[r].slow(delay)
	time.AfterFunc(pause, func() { c.lines[r].slow(0) })
}

// few reports whether another role may join the round.
func (c *chaos) few() bool { return len(c.others) < 3 }

// duplicate starts a role of the run for the second time.
func (c *chaos) duplicate() {
	r := c.anyone()
	if !c.few() || !r.ends {
		return
	}
	c.note("a second %s", r.name)
	c.beside("second "+r.name, "sandtable", r.args[:len(r.args)-2]...)
}

// joinOther starts a worker of another version of the rules.
func (c *chaos) joinOther() {
	if path, err := otherBehaviour(); err == nil && c.few() && strings.HasPrefix(c.args[0], "trench/") {
		c.note("a worker of another version")
		c.beside("worker of another version", path, append([]string{"worker", "--workers", "1"}, c.exec...)...)
	}
}

// joinBroken starts a worker whose program crashes, or that has none.
func (c *chaos) joinBroken() {
	if c.few() && c.exec != nil && !c.isBroken {
		c.isBroken = true
		c.note("a worker with a broken program")
		c.beside("worker with a broken program", "sandtable", append([]string{"worker", "--workers", "1"}, c.broken...)...)
	}
}

func (c *chaos) forge() {
	if what := c.forger.forge(c.random); what != "" {
		c.note("forged: %s", what)
	}
}

// calm ends all trouble.
func (c *chaos) calm() {
	c.note("calm")
	for _, resumed := range c.resumed {
		<-resumed
	}
	c.server.signal(syscall.SIGCONT)
	for r, l := range c.lines {
		r.signal(syscall.SIGCONT)
		l.slow(0)
		l.close(false)
	}
}

// finish waits for the end of the run and verifies its data set.
func (c *chaos) finish() {
	deadline := time.After(patience)
	for _, r := range c.roles {
		if !r.ends {
			continue
		}
		select {
		case <-r.done:
		case <-deadline:
			c.t.Fatalf("%s does not end", r.name)
		}
	}
	c.note("complete")
	for _, r := range c.roles {
		if !r.ends && r.stop(patience/4) != exitDone {
			c.t.Errorf("%s ends with exit code %d after SIGTERM", r.name, r.last.code)
		}
	}
	out := start(c.t, "sandtable", "dataset", "verify", c.dir).succeed()
	if !strings.Contains(out, "verified: "+c.games+" games") || field(out, "content") != c.digest {
		c.t.Errorf("undisturbed the content is %s of %s games, here\n%s", c.digest, c.games, out)
	}
}
