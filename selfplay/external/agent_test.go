package external_test

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay/external"
	"github.com/sandtable-farm/sandtable/selfplay/external/externaltest"
)

// patient are limits that every answering program meets; quick are limits that a program
// that does not answer soon misses.
func patient() external.Limits {
	return external.Limits{Time: 20 * time.Second, Ready: 20 * time.Second}
}

func quick() external.Limits {
	return external.Limits{Time: 50 * time.Millisecond, Grace: 300 * time.Millisecond, Ready: 20 * time.Second}
}

func trench(t testing.TB) *variant.Variant {
	t.Helper()
	v, err := games.Lookup("trench/standard")
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// start starts the program of the tests, which is closed with the test.
func start(t testing.TB, manner string, limits external.Limits) (*external.Agent, error) {
	t.Helper()
	agent, err := external.New(externaltest.Command(t, manner), trench(t), limits)
	if err == nil {
		t.Cleanup(func() {
			if err := agent.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	return agent, err
}

func mustStart(t testing.TB, manner string, limits external.Limits) *external.Agent {
	t.Helper()
	agent, err := start(t, manner, limits)
	if err != nil {
		t.Fatal(err)
	}
	return agent
}

// begin starts a game and returns its state.
func begin(t testing.TB, agent *external.Agent) env.State {
	t.Helper()
	s := env.NewState(trench(t).Game)
	agent.Begin(7)
	if err := agent.Watch(s); err != nil {
		t.Fatal(err)
	}
	return s
}

// choose asks for an action, which is played unless there is none.
func choose(agent *external.Agent, s env.State) (env.Action, dataset.Search) {
	var told dataset.Search
	a := agent.Choose(s, s.Legal(nil), &told)
	if a != env.NoAction {
		s.Apply(a)
		agent.Played(a)
	}
	return a, told
}

func TestAProgramPlaysAWholeGameAgainstItself(t *testing.T) {
	agent := mustStart(t, "legal", patient())
	for range 2 {
		s := begin(t, agent)
		for s.Player() != env.NoPlayer {
			legal := s.Legal(nil)
			if a, told := choose(agent, s); a != legal[0] || told.Has != 0 {
				reason, detail := agent.Forfeit()
				t.Fatalf("the program plays %d and tells %+v, must play %d (%v: %s)", a, told, legal[0], reason, detail)
			}
		}
	}
}

func TestWhatAProgramTellsIsTaken(t *testing.T) {
	agent := mustStart(t, "full", patient())
	s := begin(t, agent)
	legal := s.Legal(nil)
	a, told := choose(agent, s)
	visits := []dataset.Visit{{Action: legal[1], Count: 3}, {Action: legal[0], Count: 0}}
	if a != legal[0] || told.Has != dataset.HasValue|dataset.HasScore|dataset.HasNodes|dataset.HasDepth|dataset.HasVisits ||
		told.Value != -0.25 || told.Score != -120 || told.Nodes != 5000 || told.Depth != 7 || !slices.Equal(told.Visits, visits) {
		t.Errorf("action %d, told %+v", a, told)
	}
}

func TestAProgramIsToldTheWholeGameAndItsLimits(t *testing.T) {
	agent := mustStart(t, "quotes", external.Limits{Time: 1500 * time.Millisecond, Nodes: 300, Depth: 4, Ready: 20 * time.Second})
	s := begin(t, agent)
	startText := env.PositionText(s)
	var moves []string
	for range 3 {
		a := s.Legal(nil)[2]
		moves = append(moves, env.ActionText(s, a))
		s.Apply(a)
		agent.Played(a)
	}
	choose(agent, s)
	_, detail := agent.Forfeit()
	for _, want := range []string{"go 1 movetime 1500 nodes 300 depth 4", "position " + startText + " moves " + strings.Join(moves, " ")} {
		if !strings.Contains(detail, want) {
			t.Errorf("the program was told %s, must be told %s", detail, want)
		}
	}
}

func TestAGameThatIsNotWatchedIsAskedByItsPosition(t *testing.T) {
	agent := mustStart(t, "quotes", patient())
	s := begin(t, agent)
	s.Apply(s.Legal(nil)[0])
	agent.Begin(8)
	agent.Choose(s, s.Legal(nil), new(dataset.Search))
	if _, detail := agent.Forfeit(); !strings.Contains(detail, "position "+env.PositionText(s)+" moves") {
		t.Errorf("the program was told %s", detail)
	}
}

func TestConductThatLosesAGame(t *testing.T) {
	for manner, want := range map[string]struct {
		reason env.Reason
		detail string
	}{
		"illegal":          {env.IllegalAction, "a1-a1"},
		"mute":             {env.IllegalAction, "without a move"},
		"resigns":          {env.Resigned, "resigned"},
		"garbage":          {env.Crashed, "must be info, move or resign"},
		"exits":            {env.Crashed, "output of the program ended; exit status 3; standard error: out of memory"},
		"exits at newgame": {env.Crashed, "exit status 4"},
		"closes":           {env.Crashed, "output of the program ended"},
		"halves":           {env.Crashed, "output of the program ended"},
		"long":             {env.Crashed, "a line of more than 1048576 bytes"},
		"hangs":            {env.TimeForfeit, "did not answer within 350ms"},
		"floods":           {env.TimeForfeit, "did not answer within 350ms"},
	} {
		t.Run(manner, func(t *testing.T) {
			t.Parallel()
			limits := patient()
			if want.reason == env.TimeForfeit {
				limits = quick()
			}
			agent := mustStart(t, manner, limits)
			for range 2 { // the second game finds a program again
				s := begin(t, agent)
				a, told := choose(agent, s)
				reason, detail := agent.Forfeit()
				if a != env.NoAction || told.Has != 0 || reason != want.reason || !strings.Contains(detail, want.detail) {
					t.Errorf("action %d, told %+v, %v: %s; must be %v: %s", a, told, reason, detail, want.reason, want.detail)
				}
				if !strings.Contains(detail, "external-program "+manner+`" ("Test Program 7"): `) {
					t.Errorf("%s does not name the command and the program", detail)
				}
			}
		})
	}
}

func TestAnAnswerIsNotTakenForALaterQuestion(t *testing.T) {
	agent := mustStart(t, "twice", patient())
	s := begin(t, agent)
	if a, _ := choose(agent, s); a == env.NoAction {
		t.Fatal(agent.Forfeit())
	}
	if a, _ := choose(agent, s); a != env.NoAction {
		t.Errorf("the second answer to go 1 is taken for go 2")
	}
	if reason, detail := agent.Forfeit(); reason != env.Crashed || !strings.Contains(detail, "answered go 1") {
		t.Errorf("%v: %s", reason, detail)
	}
	// The same across games.
	s = begin(t, agent)
	choose(agent, s)
	s = begin(t, agent)
	if a, _ := choose(agent, s); a != env.NoAction {
		t.Errorf("an answer of the game before is taken for one of this")
	}
}

func TestACrashLosesOneGameOnly(t *testing.T) {
	agent := mustStart(t, "exits once", patient())
	s := begin(t, agent)
	choose(agent, s)
	if a, _ := choose(agent, s); a != env.NoAction {
		t.Fatal("it plays on")
	}
	// The new process would end at its second go, too, but in its first game only.
	s = begin(t, agent)
	if a, _ := choose(agent, s); a == env.NoAction {
		t.Error(agent.Forfeit())
	}
	s = begin(t, agent)
	for range 3 {
		if a, _ := choose(agent, s); a == env.NoAction {
			t.Fatal(agent.Forfeit())
		}
	}
}

func TestAProgramThatAlwaysDiesIsNotStartedForEver(t *testing.T) {
	agent := mustStart(t, "exits", patient())
	for range external.MostLost {
		choose(agent, begin(t, agent))
	}
	agent.Begin(1)
	s := env.NewState(trench(t).Game)
	for range 2 { // and the error stays as it is
		err := agent.Watch(s)
		if !errors.Is(err, external.ErrProgram) || !strings.Contains(err.Error(), "in 10 games in a row; the last time: output of the program ended; exit status 3") {
			t.Errorf("error is %v", err)
		}
		if a := agent.Choose(s, s.Legal(nil), new(dataset.Search)); a != env.NoAction {
			t.Errorf("it plays %d", a)
		}
	}
}

func TestAProgramThatCannotPlayIsAnError(t *testing.T) {
	for manner, want := range map[string]string{
		"refuses": "program reports: I know chess only",
		"chatty":  `program wrote "hello", must be ready`,
		"dies":    "output of the program ended; exit status 3; standard error: \uFFFD[31mno licence",
		"sleeps":  "did not answer within 2s",
	} {
		limits := patient()
		if manner == "sleeps" {
			limits.Ready = 2 * time.Second
		}
		if _, err := start(t, manner, limits); !errors.Is(err, external.ErrProgram) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "external-program "+manner) {
			t.Errorf("%s: error is %v, must be %s", manner, err, want)
		}
	}
	if _, err := external.New([]string{"/no/such/program"}, trench(t), patient()); !errors.Is(err, external.ErrProgram) || !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "/no/such/program") {
		t.Errorf("error is %v", err)
	}
}

// BenchmarkMove is the cost of a question and its answer.
func BenchmarkMove(b *testing.B) {
	agent := mustStart(b, "legal", patient())
	s := env.NewState(trench(b).Game)
	agent.Begin(1)
	legal := s.Legal(nil)
	for b.Loop() {
		if agent.Choose(s, legal, new(dataset.Search)) == env.NoAction {
			b.Fatal(agent.Forfeit())
		}
	}
}

func TestAGameWithoutARuleSetCannotBeSentToAProgram(t *testing.T) {
	own := &variant.Variant{Name: "my/game", Game: trench(t).Game}
	if _, err := external.New([]string{"false"}, own, patient()); err == nil || !strings.Contains(err.Error(), "game my/game has no rule set to send to a program") {
		t.Errorf("error is %v", err)
	}
}
