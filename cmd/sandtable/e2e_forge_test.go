//go:build e2e

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

// A forger reads the messages of a run on its server and publishes others: copies with
// faults, and text that no role writes. It has the rights of a worker, and writes garbage
// where only a coordinator or a collector may write.
type forger struct {
	conn *nats.Conn
	run  string

	mu      sync.Mutex
	results []*nats.Msg // the last ones
	jobs    []*nats.Msg
}

const forgerMemory = 64

func newForger(t *testing.T, url, run string) *forger {
	f := &forger{run: run}
	conn, err := nats.Connect(url, nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1), nats.ReconnectWait(100*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	f.conn = conn
	t.Cleanup(conn.Close)
	for subject, memory := range map[string]*[]*nats.Msg{resultsOf + run + ".>": &f.results, jobsOf + run + ".>": &f.jobs} {
		if _, err := conn.Subscribe(subject, func(m *nats.Msg) {
			f.mu.Lock()
			defer f.mu.Unlock()
			if len(*memory) == forgerMemory {
				*memory = (*memory)[1:]
			}
			*memory = append(*memory, m)
		}); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

const (
	resultsOf = "sandtable.results."
	jobsOf    = "sandtable.jobs."
	runsKV    = "$KV.SANDTABLE_RUNS."
	workersKV = "$KV.SANDTABLE_WORKERS."
)

// author is where a message names the worker process that sent it.
var author = regexp.MustCompile(`"worker":"[^"]*"`)

// copied returns a copy of one of the last messages, which names another worker process,
// or nil.
func (f *forger) copied(random *rand.Rand, from *[]*nats.Msg) *nats.Msg {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(*from) == 0 {
		return nil
	}
	m := (*from)[random.IntN(len(*from))]
	c := nats.NewMsg(m.Subject)
	for key, values := range m.Header {
		for _, v := range values {
			c.Header.Add(key, author.ReplaceAllString(v, `"worker":"forger"`))
		}
	}
	c.Data = bytes.Clone(m.Data)
	if strings.Contains(c.Header.Get("Sandtable-Kind"), "part") {
		return c
	}
	c.Data = author.ReplaceAll(c.Data, []byte(`"worker":"forger"`))
	return c
}

// A forgery makes a message from a copy of a result, or from nil where it needs none.
type forgery struct {
	name   string
	result bool // it needs a copy of a result
	make   func(f *forger, random *rand.Rand, m *nats.Msg) *nats.Msg
}

func forgeries() []forgery {
	text := func(subject, data string) func(*forger, *rand.Rand, *nats.Msg) *nats.Msg {
		return func(f *forger, _ *rand.Rand, _ *nats.Msg) *nats.Msg {
			m := nats.NewMsg(strings.ReplaceAll(subject, "{run}", f.run))
			m.Data = []byte(data)
			return m
		}
	}
	change := func(by func(f *forger, random *rand.Rand, m *nats.Msg)) func(*forger, *rand.Rand, *nats.Msg) *nats.Msg {
		return func(f *forger, random *rand.Rand, m *nats.Msg) *nats.Msg {
			by(f, random, m)
			return m
		}
	}
	header := func(key, value string) func(*forger, *rand.Rand, *nats.Msg) *nats.Msg {
		return change(func(_ *forger, _ *rand.Rand, m *nats.Msg) { m.Header.Set(key, value) })
	}
	return []forgery{
		{"a result with a flipped bit", true, change(func(_ *forger, random *rand.Rand, m *nats.Msg) {
			if len(m.Data) > 0 {
				m.Data[random.IntN(len(m.Data))] ^= 1 << random.IntN(8)
			}
		})},
		{"half a result", true, change(func(_ *forger, _ *rand.Rand, m *nats.Msg) { m.Data = m.Data[:len(m.Data)/2] })},
		{"a result that goes on", true, change(func(_ *forger, _ *rand.Rand, m *nats.Msg) { m.Data = append(m.Data, m.Data...) })},
		{"a result twice", true, change(func(*forger, *rand.Rand, *nats.Msg) {})},
		{"the result of another job", true, func(f *forger, random *rand.Rand, m *nats.Msg) *nats.Msg {
			if other := f.copied(random, &f.results); other != nil {
				m.Subject = other.Subject
			}
			return m
		}},
		{"a result before its job is played", true, func(f *forger, random *rand.Rand, m *nats.Msg) *nats.Msg {
			job := f.copied(random, &f.jobs)
			if job == nil {
				return m
			}
			number := job.Subject[strings.LastIndex(job.Subject, ".")+1:]
			var n int64
			if _, err := fmt.Sscan(number, &n); err != nil {
				return m
			}
			m.Subject = fmt.Sprintf("%s%s.%d.%d", resultsOf, f.run, n%16, n)
			return m
		}},
		{"a result without headers", true, change(func(_ *forger, _ *rand.Rand, m *nats.Msg) { m.Header = nil })},
		{"a result whose header is text", true, header("Sandtable-Part", "part")},
		{"a result of a negative part", true, header("Sandtable-Part", `{"index":-1,"worker":"forger"}`)},
		{"the first of parts that never come", true, header("Sandtable-Part", `{"index":0,"worker":"forger"}`)},
		{"a later part alone", true, header("Sandtable-Part", `{"index":7,"worker":"forger"}`)},
		{"a result that promises more", true, header("Sandtable-Part", `{"index":0,"worker":"forger","total":{"episodes":9223372036854775807,"plies":-5,"sum":1}}`)},
		{"a result of an unknown kind", true, header("Sandtable-Kind", "gift")},
		{"a result as a dead letter", true, header("Sandtable-Kind", "dead")},
		{"a result of a job beyond the end", true, change(func(f *forger, _ *rand.Rand, m *nats.Msg) { m.Subject = resultsOf + f.run + ".0.1073741824" })},
		{"a result in the wrong slice", true, change(func(f *forger, _ *rand.Rand, m *nats.Msg) { m.Subject = resultsOf + f.run + ".15.0" })},
		{"a result of an unknown run", true, change(func(_ *forger, _ *rand.Rand, m *nats.Msg) { m.Subject = resultsOf + "ffffffffffffffff.1.1" })},
		{"a result of the earlier protocol", true, change(func(_ *forger, _ *rand.Rand, m *nats.Msg) {
			m.Header.Del("Sandtable-Kind")
			m.Header.Set("Nats-Msg-Id", m.Subject+"/0")
		})},
		{"a result on an earlier subject", true, change(func(f *forger, _ *rand.Rand, m *nats.Msg) {
			m.Header.Del("Sandtable-Kind")
			m.Subject = "sandtable.episodes." + f.run + m.Subject[strings.LastIndex(m.Subject, "."):]
		})},
		{"a result in the earlier wire format", true, change(func(_ *forger, _ *rand.Rand, m *nats.Msg) {
			if len(m.Data) > 0 {
				m.Data[0] = 1
			}
			var fields map[string]any
			if json.Unmarshal([]byte(m.Header.Get("Sandtable-Part")), &fields) != nil {
				return
			}
			if total, ok := fields["total"].(map[string]any); ok {
				total["sum"] = crc32.Checksum(m.Data, crc32.MakeTable(crc32.Castagnoli))
			}
			if text, err := json.Marshal(fields); err == nil {
				m.Header.Set("Sandtable-Part", string(text))
			}
		})},
		{"text as a result", false, text(resultsOf+"{run}.1.1", "hello")},
		{"a result without a number", false, text(resultsOf+"{run}.x.y", "hello")},
		{"an empty dead letter", false, func(f *forger, _ *rand.Rand, _ *nats.Msg) *nats.Msg {
			m := nats.NewMsg(resultsOf + f.run + ".2.2")
			m.Header.Set("Sandtable-Kind", "dead")
			m.Data = []byte("{}")
			return m
		}},
		{"a dead letter of a job beyond the end", false, func(f *forger, _ *rand.Rand, _ *nats.Msg) *nats.Msg {
			m := nats.NewMsg(resultsOf + f.run + ".0.4611686018427387904")
			m.Header.Set("Sandtable-Kind", "dead")
			m.Data = fmt.Appendf(nil, `{"run":%q,"job":"4611686018427387904","first":"0","count":"2","error":"x","worker":"forger","deliveries":5}`, f.run)
			return m
		}},
		{"an audit that nobody asked for", false, func(f *forger, _ *rand.Rand, _ *nats.Msg) *nats.Msg {
			m := nats.NewMsg(resultsOf + f.run + ".3.3.audit")
			m.Header.Set("Sandtable-Kind", "audit")
			m.Data = fmt.Appendf(nil, `{"run":%q,"job":3,"worker":"forger","total":{"episodes":2,"plies":60,"sum":7}}`, f.run)
			return m
		}},
		{"a job of an unknown kind", false, text(jobsOf+"{run}.gift.1", "")},
		{"a job of the earlier protocol", false, text(jobsOf+"{run}.5", `{"run":"{run}","number":"5","settings":{}}`)},
		{"a job of the earlier protocol on a subject of this one", false, text(jobsOf+"{run}.play.5", `{"number":"5","settings":{}}`)},
		{"a job without a number", false, text(jobsOf+"{run}.play.x", "{}")},
		{"a negative job", false, text(jobsOf+"{run}.play.-1", "")},
		{"a job beyond the end", false, text(jobsOf+"{run}.play.1000000", "")},
		{"a job that is text", false, text(jobsOf+"{run}.play.5", "{]")},
		{"a job of an unknown run", false, text(jobsOf+"ffffffffffffffff.play.1", "")},
		{"progress that is text", false, text(runsKV+"{run}.progress", "{]")},
		{"progress of another run", false, text(runsKV+"{run}.progress", `{"run":"ffffffffffffffff","episodes":"-4"}`)},
		{"orders that are text", false, text(runsKV+"{run}.orders", "stop")},
		{"orders for fewer workers than none", false, text(runsKV+"{run}.orders", `{"workers":-3}`)},
		{"an end that is text", false, text(runsKV+"{run}.end", "soon")},
		{"an unknown key", false, text(runsKV+"{run}.gift", "{}")},
		{"a worker's report that is text", false, text(workersKV+"forger", "{]")},
	}
}

// forge publishes a random forgery and returns its name, or "" if there is nothing to
// copy.
func (f *forger) forge(random *rand.Rand) string {
	all := forgeries()
	one := all[random.IntN(len(all))]
	var m *nats.Msg
	if one.result {
		if m = f.copied(random, &f.results); m == nil {
			return ""
		}
	}
	if m = one.make(f, random, m); f.conn.PublishMsg(m) != nil {
		return ""
	}
	return one.name + ", " + m.Subject
}
