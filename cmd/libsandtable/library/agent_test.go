package library

import (
	"encoding/json"
	"slices"
	"sync"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
)

func TestAnAgentChoosesTheSameForASeed(t *testing.T) {
	l := New()
	g := load(t, l, "trench/standard")
	s := must(t)(l.NewState(g, nil))
	for _, name := range []string{"random", "greedy", "alphabeta:depth=2", "mcts:sims=50"} {
		options := encoded(t, map[string]any{"agent": name, "seed": 7})
		a, b := must(t)(l.NewAgent(g, options)), must(t)(l.NewAgent(g, options))
		for range 3 {
			first, again := must(t)(finish(l, a)(l.Choose(a, s))), must(t)(finish(l, b)(l.Choose(b, s)))
			if first != again {
				t.Errorf("%s chooses %d and %d", name, first, again)
			}
			var report found
			if err := json.Unmarshal([]byte(text(t, func(buffer []byte) (int64, error) { return l.Report(a, buffer) })), &report); err != nil {
				t.Fatal(err)
			}
			if int64(report.Action) != first || must(t)(l.ParseAction(s, []byte(report.Move))) != first {
				t.Errorf("%s chooses %d and reports %+v", name, first, report)
			}
		}
	}
	if status := must(t)(l.Status(s)); status>>12 != 0 {
		t.Error("the agents have changed the state")
	}
}

func TestAnAnalysisHasLinesThatCanBePlayed(t *testing.T) {
	l := New()
	g := load(t, l, "trench/standard")
	s := must(t)(l.NewState(g, nil))
	for _, name := range []string{"alphabeta:depth=3", "mcts:sims=200"} {
		a := must(t)(l.NewAgent(g, encoded(t, map[string]any{"agent": name})))
		must(t)(finish(l, a)(l.Analyse(a, s, 3)))
		var report analysis
		if err := json.Unmarshal([]byte(text(t, func(buffer []byte) (int64, error) { return l.Report(a, buffer) })), &report); err != nil {
			t.Fatal(err)
		}
		if len(report.Lines) != 3 || report.Nodes == 0 || len(report.Lines[0].Moves) != len(report.Lines[0].Actions) {
			t.Errorf("%s: the analysis is %+v", name, report)
		}
	}
	greedy := must(t)(l.NewAgent(g, []byte(`{"agent":"greedy"}`)))
	_, err := finish(l, greedy)(l.Analyse(greedy, s, 1))
	refused(t, err, Value, "does not analyse")
}

func TestALongSearchIsPendingUntilItIsCancelled(t *testing.T) {
	l := New()
	g := load(t, l, "trench/standard")
	s := must(t)(l.NewState(g, nil))
	for _, name := range []string{"alphabeta:depth=60", "mcts:sims=1000000"} {
		a := must(t)(l.NewAgent(g, encoded(t, map[string]any{"agent": name})))
		if n := must(t)(l.Choose(a, s)); n != Pending {
			t.Fatalf("%s: Choose returns %d", name, n)
		}
		_, err := l.Choose(a, s)
		refused(t, err, Busy, "busy with an earlier call")
		must(t)(l.Cancel(a))
		choice := must(t)(finish(l, a)(Pending, nil))
		must(t)(l.ActionText(s, choice, nil))
		must(t)(l.Choose(a, s))
		must(t)(l.Close(a)) // while it searches
	}
}

func TestAgentsThatCannotPlay(t *testing.T) {
	l := New()
	g := load(t, l, "ntxuva/basic")
	for _, c := range []struct{ options, text string }{
		{`{"agent":"nobody"}`, "unknown"}, {`{"agent":"exec:engine"}`, "no command"}, {`{"agent":"alphabeta:eval=/nonexistent"}`, "nonexistent"},
		{`{}`, "unknown"}, {`{"agent":3}`, "options"}, {`{"agent":"mcts:sims=0,nodes=1000000000000"}`, "GiB"},
	} {
		_, err := l.NewAgent(g, []byte(c.options))
		refused(t, err, Value, c.text)
	}
	a := must(t)(l.NewAgent(g, []byte(`{"agent":"random"}`)))
	_, err := l.Choose(a, must(t)(l.NewState(load(t, l, "trench/standard"), nil)))
	refused(t, err, Value, "the state is one of trench/standard")
	s := must(t)(l.NewState(g, nil))
	for list := make([]env.Action, 64); ; {
		n := must(t)(l.Legal(s, list))
		if n == 0 {
			break
		}
		must(t)(l.Apply(s, int64(list[0])))
	}
	_, err = l.Choose(a, s)
	refused(t, err, Value, "the game is over")
}

func TestAMatchIsThatOfTheArena(t *testing.T) {
	l := New()
	g := load(t, l, "ntxuva/basic")
	options := []byte(`{"agents":["greedy","random"],"pairs":20,"seed":5,"openings":"random:4"}`)
	var reports []string
	for range 2 {
		m := must(t)(l.NewMatch(g, options))
		if pairs := must(t)(finish(l, m)(l.PlayMatch(m))); pairs != 20 {
			t.Fatalf("%d pairs are played", pairs)
		}
		reports = append(reports, text(t, func(b []byte) (int64, error) { return l.Report(m, b) }))
	}
	var p progress
	if err := json.Unmarshal([]byte(reports[0]), &p); err != nil {
		t.Fatal(err)
	}
	if !p.Done || p.Games != 40 || p.Report.Pairs != 20 || p.Report.All.Score.Estimate < 0.6 {
		t.Errorf("the report is %s", reports[0])
	}
	if reports[0] != reports[1] {
		t.Error("the same match has another result")
	}
	for _, c := range []struct{ options, text string }{
		{`{"agents":["greedy","greedy"],"pairs":1}`, "two different agents"}, {`{"agents":["greedy","random"]}`, "pairs is 0"},
		{`{"agents":["greedy"],"pairs":1}`, "unknown"}, {`{"agents":["greedy","random"],"pairs":1,"openings":"x"}`, "option openings"},
		{`{"agents":["greedy","random"],"pairs":1,"max_plies":-1}`, "max plies"},
	} {
		_, err := l.NewMatch(g, []byte(c.options))
		refused(t, err, Value, c.text)
	}
}

func TestACancelledMatchReportsWhatWasPlayed(t *testing.T) {
	l := New()
	g := load(t, l, "ntxuva/basic")
	m := must(t)(l.NewMatch(g, []byte(`{"agents":["alphabeta:depth=2","random"],"pairs":1000000}`)))
	n := must(t)(l.PlayMatch(m))
	var p progress
	for n == Pending && p.Games < 10 {
		buffer := make([]byte, 1<<12)
		if err := json.Unmarshal(buffer[:must(t)(l.Report(m, buffer))], &p); err != nil {
			t.Fatal(err)
		}
		n = must(t)(l.Wait(m, 20))
	}
	must(t)(l.Cancel(m))
	pairs := must(t)(finish(l, m)(n, nil))
	if pairs < 5 || pairs >= 1_000_000 {
		t.Errorf("%d pairs are played", pairs)
	}
}

// Every call may fail, but none may race, hang or panic.
func TestManyThreadsOnOneLibrary(t *testing.T) {
	l := New()
	g := load(t, l, "ntxuva/basic")
	b, _ := newBatch(t, l, g, map[string]any{"n": 64, "threads": 2})
	s := must(t)(l.NewState(g, nil))
	a := must(t)(l.NewAgent(g, []byte(`{"agent":"greedy"}`)))
	m := must(t)(l.NewMatch(g, []byte(`{"agents":["greedy","random"],"pairs":3}`)))
	must(t)(l.Reset(b, 1))
	var threads sync.WaitGroup
	kinds := make([][]Kind, 8)
	for thread := range 8 {
		threads.Go(func() {
			r := env.NewRand(uint64(thread))
			actions := make([]env.Action, 64)
			for range 1500 {
				var err error
				switch r.IntN(12) {
				case 0:
					_, err = l.Step(b, actions)
				case 1:
					_, err = l.Sample(b, actions)
				case 2:
					_, err = l.Send(b, actions)
				case 3:
					_, err = l.Wait(b, 1)
				case 4:
					_, err = l.Apply(s, int64(r.IntN(12)))
				case 5:
					_, err = l.Legal(s, actions)
				case 6:
					_, err = l.Choose(a, s)
				case 7:
					_, err = l.Wait(a, 1)
				case 8:
					_, err = l.Cancel(a)
				case 9:
					if _, err = l.PlayMatch(m); err == nil {
						_, err = l.Report(m, nil)
					}
				case 10:
					_, err = l.Wait(m, 1)
				case 11:
					var c int64
					if c, err = l.Clone(s); err == nil {
						_, err = l.Close(c)
					}
				}
				if err != nil {
					l.Fault(l.Code(0, err), make([]byte, 1<<12))
					kinds[thread] = append(kinds[thread], kindOf(err))
				}
			}
		})
	}
	threads.Wait()
	if all := slices.Concat(kinds...); slices.Contains(all, Internal) || slices.Contains(all, Closed) || !slices.Contains(all, Busy) {
		t.Error("some errors are internal or about closed handles, or none is about threads")
	}
	for _, handle := range []int64{b, a, m} {
		_, _ = finish(l, handle)(l.Wait(handle, 1000)) // there may be no call to wait for
		must(t)(l.Close(handle))
	}
}

func TestOpeningAndClosingLeavesNothingOpen(t *testing.T) {
	l := New()
	g := load(t, l, "ntxuva/basic")
	for range 2000 {
		b, _ := newBatch(t, l, g, map[string]any{"n": 40, "threads": 2, "outputs": []string{"mask"}})
		must(t)(l.Reset(b, 1))
		must(t)(l.Close(b))
	}
	if live, places := l.Live(), len(l.table.places); live != 1 || places != 2 {
		t.Errorf("%d objects in %d places", live, places)
	}
}
