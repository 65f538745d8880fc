package agent_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/replay"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/external/externaltest"
	"github.com/sandtable-farm/sandtable/selfplay/selfplaytest"
)

// withProgram makes a plan of a program of a manner, called mine, against another agent.
func withProgram(t *testing.T, manner, vs string) *selfplay.Plan {
	t.Helper()
	v, err := games.Lookup("ntxuva/basic")
	if err != nil {
		t.Fatal(err)
	}
	c := selfplay.Config{Variant: v, Opening: selfplay.Opening{Plies: 3}, MaxPlies: selfplay.DefaultMaxPlies, Seed: 1}
	from := &agent.Sources{Commands: agent.Commands{"mine": externaltest.Command(t, manner)}}
	for i, text := range []string{"exec:mine,time=30s", vs} {
		if c.Agents[i], err = agent.Parse(text, v, from); err != nil {
			t.Fatal(err)
		}
	}
	return selfplaytest.Must(t, c)
}

func TestExecStringsAreWrittenOutAndChecked(t *testing.T) {
	for text, want := range map[string]string{
		"exec:mine":                         "exec:mine,depth=0,nodes=0,time=1s",
		"exec:my-engine_2.1,time=50ms":      "exec:my-engine_2.1,depth=0,nodes=0,time=50ms",
		"exec:mine,time=2s,nodes=7,depth=3": "exec:mine,depth=3,nodes=7,time=2s",
		"exec":                              "the name of a program must follow: exec:NAME",
		"exec:":                             "the name of a program must follow",
		"exec:time=1s":                      "the name of a program must follow",
		"exec:../engine":                    "is not a program name",
		"exec:mine,":                        `option "" is not of the form`,
		"exec:mine,eval=score":              "option eval is unknown; known are depth, nodes, time",
		"exec:mine,time=0s":                 "must be whole milliseconds, at least 1ms",
		"exec:mine,time=24h0m1s":            "a duration from 1ms to 24h0m0s such as",
		"exec:mine,time=1500µs":             "option time is",
		"exec:mine,time=1.5ms":              "must be whole milliseconds",
		"exec:mine,nodes=-1,depth=10001":    "option depth is \"10001\"",
	} {
		spec, err := parse(t, text)
		switch {
		case err != nil && !strings.Contains(err.Error(), want):
			t.Errorf("%s: error is %v, must be %s", text, err, want)
		case err == nil && spec.String() != want:
			t.Errorf("%s is %s, must be %s", text, spec, want)
		case err == nil && !spec.Timed():
			t.Errorf("%s is not timed", text)
		}
		if err == nil {
			if again, err := parse(t, spec.String()); err != nil || again.String() != want {
				t.Errorf("%s comes back as %s, %v", spec, again, err)
			}
		}
	}
}

func TestAProgramWithoutACommandIsNamedButNotRun(t *testing.T) {
	spec, err := parse(t, "exec:mine")
	if err != nil || spec.Program() != "mine" {
		t.Fatalf("program %q, %v", spec.Program(), err)
	}
	if _, err := spec.New(nil); !errors.Is(err, agent.ErrNoCommand) || !strings.Contains(err.Error(), "--exec mine=COMMAND") {
		t.Errorf("error is %v", err)
	}
	p := withProgram(t, "legal", "exec:yours")
	if err := p.Runnable(); !errors.Is(err, agent.ErrNoCommand) || !strings.Contains(err.Error(), "--exec yours=COMMAND") || strings.Contains(err.Error(), "--exec mine") {
		t.Errorf("error is %v", err)
	}
	if got := p.Programs(); !slices.Equal(got, []string{"mine", "yours"}) {
		t.Errorf("programs are %v", got)
	}
	// A plan from settings has commands of this machine only.
	settings := p.Cut(10, 0).Settings()
	back, err := selfplay.Open(&settings, agent.Commands{"mine": {"a"}, "yours": {"b"}})
	if err != nil {
		t.Fatal(err)
	}
	if again := back.Settings(); back.Runnable() != nil || again.Run() != settings.Run() {
		t.Errorf("the plan of the settings is %+v, runnable: %v", again, back.Runnable())
	}
}

func TestAProgramPlaysEpisodesThatProve(t *testing.T) {
	p := withProgram(t, "legal", "random")
	settings := p.Cut(4, 0).Settings()
	replayer, err := replay.New(&settings)
	if err != nil {
		t.Fatal(err)
	}
	for _, ep := range selfplaytest.Play(t, p, 2, 0, 4) {
		if err := replayer.Check(&ep); err != nil || ep.Reason.Forfeit() {
			t.Errorf("episode %d ends by %v, %v", ep.Number, ep.Reason, err)
		}
		// The program plays the first legal action, whatever it is told of the game.
		s := env.NewState(p.Config().Variant.Game)
		for _, step := range ep.Steps {
			if legal := s.Legal(nil); step.Source == dataset.FromAgent && strings.HasPrefix(ep.Agents[step.Player], "exec:") && step.Action != legal[0] {
				t.Fatalf("episode %d: the program plays %d of %v", ep.Number, step.Action, legal)
			}
			s.Apply(step.Action)
		}
	}
}

func TestAProgramThatDiesLosesAndPeopleAreTold(t *testing.T) {
	p := withProgram(t, "exits", "random")
	var told []string
	p.Forfeited = func(ep *dataset.Episode, detail string) { told = append(told, detail) }
	for _, ep := range selfplaytest.Play(t, p, 1, 0, 2) {
		loser := env.Player(ep.Number % 2)
		if ep.Reason != env.Crashed || ep.Result.For(loser) != -1 {
			t.Errorf("episode %d ends %v by %v", ep.Number, ep.Result, ep.Reason)
		}
	}
	if len(told) != 2 || !strings.Contains(told[0], "exit status 3; standard error: out of memory") {
		t.Errorf("people are told %q", told)
	}
}

func TestAProgramThatDoesNotPlayAtAllIsAnError(t *testing.T) {
	err := selfplay.PlayAll(t.Context(), withProgram(t, "refuses", "random"), "run", 0, 2, 1, func(*dataset.Episode) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "I know chess only") {
		t.Errorf("error is %v", err)
	}
	err = selfplay.PlayAll(t.Context(), withProgram(t, "exits", "random"), "run", 0, 100, 1, func(*dataset.Episode) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "games in a row") {
		t.Errorf("error is %v", err)
	}
}
