package workers_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// episodesOf plays a job as a bare loop does.
func episodesOf(t *testing.T, s dataset.Settings, job int64) (all []*dataset.Episode) {
	t.Helper()
	first, count := s.Job(job)
	err := selfplay.PlayAll(t.Context(), plan(t, s), s.Run(), first, count, 1, func(ep *dataset.Episode) error {
		own := new(dataset.Episode)
		_, err := dataset.ReadEpisode(dataset.AppendEpisode(nil, ep), own)
		all = append(all, own)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// partOf makes the result of a job of episodes, in one part.
func partOf(run string, job int64, worker string, episodes []*dataset.Episode) queue.Part {
	part := queue.Part{Run: run, Job: job, Worker: worker, Total: &queue.Total{Episodes: int64(len(episodes))}}
	for _, ep := range episodes {
		part.Data = dataset.AppendEpisode(part.Data, ep)
		part.Total.Plies += int64(ep.Plies())
	}
	part.Total.Sum = crc(part.Data)
	return part
}

func TestForgedResultsDoNotEnterTheDataSet(t *testing.T) {
	s := settings(t, "trench/standard", "random", 24, 4)
	for name, forge := range map[string]func(eps []*dataset.Episode) []*dataset.Episode{
		"result":     func(eps []*dataset.Episode) []*dataset.Episode { eps[1].Result = -eps[1].Result + 1; return eps },
		"reason":     func(eps []*dataset.Episode) []*dataset.Episode { eps[1].Reason = env.Crashed; return eps },
		"hash":       func(eps []*dataset.Episode) []*dataset.Episode { eps[1].Steps[5].Hash++; return eps },
		"final hash": func(eps []*dataset.Episode) []*dataset.Episode { eps[1].FinalHash++; return eps },
		"action":     func(eps []*dataset.Episode) []*dataset.Episode { eps[1].Steps[5].Action = 9999; return eps },
		"player":     func(eps []*dataset.Episode) []*dataset.Episode { eps[1].Steps[5].Player ^= 1; return eps },
		"half":       func(eps []*dataset.Episode) []*dataset.Episode { eps[1].Steps = eps[1].Steps[:9]; return eps },
		"value": func(eps []*dataset.Episode) []*dataset.Episode {
			eps[1].Steps[5].Search = dataset.Search{Has: dataset.HasValue, Value: 77}
			return eps
		},
		"agent":   func(eps []*dataset.Episode) []*dataset.Episode { eps[1].Agents[0] = "stockfish"; return eps },
		"start":   func(eps []*dataset.Episode) []*dataset.Episode { eps[1].Start = "../../etc/passwd"; return eps },
		"seed":    func(eps []*dataset.Episode) []*dataset.Episode { eps[1].Seed++; return eps },
		"points":  func(eps []*dataset.Episode) []*dataset.Episode { eps[1].Points[0] = 1 << 40; return eps },
		"opening": func(eps []*dataset.Episode) []*dataset.Episode { eps[1].OpeningPlies = 1; return eps },
		"fewer":   func(eps []*dataset.Episode) []*dataset.Episode { return eps[:3] },
		"more":    func(eps []*dataset.Episode) []*dataset.Episode { return append(eps, eps[3]) },
		"order":   func(eps []*dataset.Episode) []*dataset.Episode { eps[0], eps[1] = eps[1], eps[0]; return eps },
		"run":     func(eps []*dataset.Episode) []*dataset.Episode { eps[1].Run = "0123456789abcdef"; return eps },
		"number":  func(eps []*dataset.Episode) []*dataset.Episode { eps[1].Number += 4; return eps },
	} {
		t.Run(name, func(t *testing.T) {
			q := newMemoryQueue()
			if err := q.PutRun(t.Context(), &s); err != nil {
				t.Fatal(err)
			}
			forged := partOf(s.Run(), 3, "forger", forge(episodesOf(t, s, 3)))
			other := partOf(s.Run(), 4, "forger", episodesOf(t, s, 4)) // is true, and is not trusted either
			if err := errors.Join(q.StoreResult(t.Context(), []queue.Part{forged}), q.StoreResult(t.Context(), []queue.Part{other})); err != nil {
				t.Fatal(err)
			}
			f := memoryFarm(t, q, s)
			if report, err := f.play(t.Context()); err != nil || !report.Complete {
				t.Fatalf("%+v, %v", report, err)
			}
			wantDataSet(t, f.Dir, s, 24)
			if len(q.quarantined) != 1 || !strings.Contains(q.quarantined["forger"], "job 3") {
				t.Errorf("quarantined are %v", q.quarantined)
			}
			for ep := range episodesIn(t, f.Dir) {
				if ep.Worker == "forger" || ep.Worker == "" {
					t.Errorf("episode %d is by %q", ep.Number, ep.Worker)
				}
			}
		})
	}
}

// episodesIn yields the episodes of a data set.
func episodesIn(t *testing.T, dir string) func(func(*dataset.Episode) bool) {
	t.Helper()
	reader, err := parquetio.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return func(yield func(*dataset.Episode) bool) {
		for ep, err := range reader.Episodes() {
			if err != nil {
				t.Fatal(err)
			}
			if !yield(ep) {
				return
			}
		}
	}
}

// A false part shadows no true one, whoever it says it is from.
func TestAForgedPartDoesNotStandInTheWayOfTheResult(t *testing.T) {
	s := settings(t, "ntxuva/4", "random", 24, 4)
	honest := partOf(s.Run(), 3, "w", episodesOf(t, s, 3))
	for name, forge := range map[string]func(p *queue.Part){
		"other bytes":      func(p *queue.Part) { p.Data = append([]byte("junk"), p.Data...) },
		"another sum":      func(p *queue.Part) { p.Total = &queue.Total{Episodes: 4, Plies: p.Total.Plies, Sum: p.Total.Sum + 1} },
		"another count":    func(p *queue.Part) { p.Total = &queue.Total{Episodes: 5, Plies: p.Total.Plies, Sum: p.Total.Sum} },
		"a later part":     func(p *queue.Part) { p.Index = 1 },
		"an earlier part":  func(p *queue.Part) { p.Total = nil; p.Data = p.Data[:10] },
		"a part far above": func(p *queue.Part) { p.Index = 1 << 20; p.Total = nil },
	} {
		for _, worker := range []string{"w", "forger"} {
			t.Run(name+" by "+worker, func(t *testing.T) {
				q := newMemoryQueue()
				if err := q.PutRun(t.Context(), &s); err != nil {
					t.Fatal(err)
				}
				forged := honest
				forge(&forged)
				forged.Worker = worker
				if err := errors.Join(q.StoreResult(t.Context(), []queue.Part{forged}), q.StoreResult(t.Context(), []queue.Part{honest})); err != nil {
					t.Fatal(err)
				}
				f := memoryFarm(t, q, s)
				if report, err := f.play(t.Context()); err != nil || !report.Complete {
					t.Fatalf("%+v, %v", report, err)
				}
				wantDataSet(t, f.Dir, s, 24)
			})
		}
	}
}

func TestAHalfStoredResultIsPlayedAgain(t *testing.T) {
	s := settings(t, "ntxuva/4", "random", 24, 4)
	whole := partOf(s.Run(), 3, "w", episodesOf(t, s, 3))
	first, last := whole, whole
	first.Data, first.Total = whole.Data[:100], nil
	last.Data, last.Index = whole.Data[100:], 1
	for name, half := range map[string]queue.Part{"the first part": first, "the last part": last} {
		t.Run(name, func(t *testing.T) {
			q := newMemoryQueue()
			if err := errors.Join(q.PutRun(t.Context(), &s), q.StoreResult(t.Context(), []queue.Part{half})); err != nil {
				t.Fatal(err)
			}
			var log logbook
			f := memoryFarm(t, q, s)
			f.Log = log.log()
			if report, err := f.play(t.Context()); err != nil || !report.Complete {
				t.Fatalf("%+v, %v", report, err)
			}
			wantDataSet(t, f.Dir, s, 24)
			if log.count("parts are missing") != 1 {
				t.Errorf("the log is\n%s", &log.text)
			}
		})
	}
	t.Run("both halves", func(t *testing.T) {
		q := newMemoryQueue()
		if err := errors.Join(q.PutRun(t.Context(), &s), q.StoreResult(t.Context(), []queue.Part{last, first})); err != nil {
			t.Fatal(err)
		}
		var log logbook
		f := memoryFarm(t, q, s)
		f.Log = log.log()
		if _, err := f.play(t.Context()); err != nil {
			t.Fatal(err)
		}
		wantDataSet(t, f.Dir, s, 24)
		if log.count("parts are missing") != 0 {
			t.Error("a result whose parts arrive in another order is dropped")
		}
	})
}

// auditMeter counts how audits end.
type auditMeter struct {
	tally
	ends        map[workers.AuditEnd]int
	quarantined int
}

func (m *auditMeter) Audited(end workers.AuditEnd) { m.add(&m.quarantined, 0); m.ends[end]++ }
func (m *auditMeter) WorkerQuarantined()           { m.add(&m.quarantined, 1) }

// Legal games by other choices of the agents replay; only another play shows them.
func TestAuditsFindWhatReplayDoesNot(t *testing.T) {
	s := settings(t, "ntxuva/4", "greedy", 12, 4)
	cheap := s
	cheap.Agents = [2]string{"random", "random"}
	lies := episodesOf(t, cheap, 1) // as if the greedy agents had played them
	for _, ep := range lies {
		ep.Run, ep.Agents = s.Run(), s.Agents
	}
	truth := episodesOf(t, s, 1)
	for name, c := range map[string]struct {
		result, answer []*dataset.Episode // of job 1; no answer if nil
		end            workers.AuditEnd
		quarantined    string
		jobs           string // in the data set
	}{
		"both are honest":             {truth, truth, workers.AuditSame, "", "0-1"},
		"the first lies":              {lies, truth, workers.AuditDifferent, "second", "0"},
		"the other lies":              {truth, lies, workers.AuditDifferent, "third", "0-1"},
		"nobody answers":              {truth, nil, workers.AuditUnanswered, "", "0-1"},
		"nobody answers, and it lies": {lies, nil, workers.AuditUnanswered, "", "0-1"},
	} {
		t.Run(name, func(t *testing.T) {
			q, meter, dir := newMemoryQueue(), &auditMeter{ends: map[workers.AuditEnd]int{}}, t.TempDir()
			err := errors.Join(q.PutRun(t.Context(), &s),
				q.StoreResult(t.Context(), []queue.Part{partOf(s.Run(), 0, "first", episodesOf(t, s, 0))}))
			if err != nil {
				t.Fatal(err)
			}
			cfg := workers.CollectorConfig{Queue: q, Dir: dir, Run: s.Run(), Meter: meter, Tuning: tuning()}
			cfg.Tuning.AuditShare, cfg.Tuning.AuditPatience = 1, 100*time.Millisecond
			if c.answer != nil {
				cfg.Tuning.AuditPatience = time.Hour
			}
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() {
				_, err := workers.Collect(ctx, cfg)
				done <- err
			}()
			waitFor(t, func() bool { return q.progressOf(s.Run()).Arrived.Jobs == 1 })
			if err := q.StoreResult(t.Context(), []queue.Part{partOf(s.Run(), 1, "second", c.result)}); err != nil {
				t.Fatal(err)
			}
			waitFor(t, func() bool { return queued(t, q, s.Run()).Audits[1] })
			q.mu.Lock()
			not := q.jobs[0].job.Not
			q.mu.Unlock()
			if not != "second" {
				t.Errorf("the audit is not for %q", not)
			}
			if c.answer != nil {
				part := partOf(s.Run(), 1, "", c.answer)
				// The worker that is audited cannot answer for another.
				for _, worker := range []string{"second", "third"} {
					if err := q.StoreAudit(t.Context(), &queue.AuditResult{Run: s.Run(), Job: 1, Worker: worker, Total: *part.Total}); err != nil {
						t.Fatal(err)
					}
				}
			}
			waitFor(t, func() bool {
				p := q.progressOf(s.Run())
				return p.Arrived.Jobs == 2 || len(q.quarantineList()) > 0 && len(queued(t, q, s.Run()).Results) == 1
			})
			cancel()
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			m, err := dataset.Load(dir)
			if err != nil || m.Jobs().String() != c.jobs {
				t.Errorf("jobs %s are in the data set, %v; want %s", m.Jobs(), err, c.jobs)
			}
			if list := q.quarantineList(); len(list) != min(1, len(c.quarantined)) || len(list) == 1 && list[0] != c.quarantined || meter.quarantined != len(list) {
				t.Errorf("quarantined are %v, want %q", list, c.quarantined)
			}
			if meter.ends[c.end] != 1 || len(meter.ends) != 1 {
				t.Errorf("audits ended %v, want %v", meter.ends, c.end)
			}
		})
	}
}

// Two workers that play the same job, as at the end of a run, are compared too.
func TestCopiesThatDifferArePlayedAThirdTime(t *testing.T) {
	s := settings(t, "ntxuva/4", "greedy", 12, 4)
	cheap := s
	cheap.Agents = [2]string{"random", "random"}
	lies := episodesOf(t, cheap, 2)
	for _, ep := range lies {
		ep.Run, ep.Agents = s.Run(), s.Agents
	}
	q := newMemoryQueue()
	if err := q.PutRun(t.Context(), &s); err != nil {
		t.Fatal(err)
	}
	stored := make(chan struct{})
	q.fault = func(call, _ string) error {
		if call == "ReportWorker" { // the worker of the farm plays after the first report
			<-stored
		}
		return nil
	}
	go func() {
		defer close(stored)
		for i, part := range []queue.Part{
			partOf(s.Run(), 0, "first", episodesOf(t, s, 0)), partOf(s.Run(), 2, "forger", lies), partOf(s.Run(), 2, "third", episodesOf(t, s, 2)),
		} {
			waitFor(t, func() bool { return q.progressOf(s.Run()).Arrived.Jobs == min(1, int64(i)) })
			if err := q.StoreResult(t.Context(), []queue.Part{part}); err != nil {
				t.Error(err)
			}
		}
	}()
	f := memoryFarm(t, q, s)
	f.Tuning.AuditShare, f.Tuning.AuditPatience = 1, 2*time.Second
	if report, err := f.play(t.Context()); err != nil || !report.Complete {
		t.Fatalf("%+v, %v", report, err)
	}
	wantDataSet(t, f.Dir, s, 12)
	if list := q.quarantineList(); len(list) != 1 || list[0] != "forger" {
		t.Errorf("quarantined are %v", list)
	}
}
