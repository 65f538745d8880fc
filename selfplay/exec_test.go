package selfplay_test

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
	"github.com/sandtable-farm/sandtable/selfplay/external/externaltest"
)

// withProgram makes a plan of a program of a manner, called mine, against another agent.
func withProgram(t *testing.T, manner, vs string) *selfplay.Plan {
	t.Helper()
	v, err := games.Lookup("ntxuva/basic")
	if err != nil {
		t.Fatal(err)
	}
	p := &selfplay.Plan{Variant: v, Opening: selfplay.Opening{Plies: 3}, MaxPlies: selfplay.DefaultMaxPlies, Seed: 1}
	from := &selfplay.Sources{Commands: selfplay.Commands{"mine": externaltest.Command(t, manner)}}
	for i, text := range []string{"exec:mine,time=30s", vs} {
		if p.Agents[i], err = selfplay.ParseAgent(text, v, from); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func TestExecStringsAreWrittenOutAndChecked(t *testing.T) {
	for text, want := range map[string]string{
		"exec:mine":                         "exec:mine,depth=0,nodes=0,time=1s",
		"exec:my-engine_2.1,time=50ms":      "exec:my-engine_2.1,depth=0,nodes=0,time=50ms",
		"exec:mine,time=2s,nodes=7,depth=3": "exec:mine,depth=3,nodes=7,time=2s",
		"exec":                              "the name of a program must follow: exec:NAME",
		"exec:":                             "the name of a program must follow",
		"exec:time=1s":                      "the name of a program must follow",
		"exec:../engine":                    "is no name of a program",
		"exec:mine,":                        `option "" is not of the form`,
		"exec:mine,eval=score":              "option eval is unknown; known are depth, nodes, time",
		"exec:mine,time=0s":                 "must be whole milliseconds and more than none",
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
	if _, err := spec.New(nil); !errors.Is(err, selfplay.ErrNoCommand) || !strings.Contains(err.Error(), "--exec mine=COMMAND") {
		t.Errorf("error is %v", err)
	}
	p := withProgram(t, "legal", "exec:yours")
	if err := p.Runnable(); !errors.Is(err, selfplay.ErrNoCommand) || !strings.Contains(err.Error(), "--exec yours=COMMAND") || strings.Contains(err.Error(), "--exec mine") {
		t.Errorf("error is %v", err)
	}
	if got := p.Programs(); !slices.Equal(got, []string{"mine", "yours"}) {
		t.Errorf("programs are %v", got)
	}
	// A plan from settings has commands of this machine only.
	settings := p.Settings(10)
	back, err := selfplay.FromSettings(&settings, selfplay.Commands{"mine": {"a"}, "yours": {"b"}})
	if err != nil {
		t.Fatal(err)
	}
	if again := back.Settings(10); back.Runnable() != nil || again.Run() != settings.Run() {
		t.Errorf("the plan of the settings is %+v, runnable: %v", again, back.Runnable())
	}
}

func TestAProgramPlaysEpisodesThatProve(t *testing.T) {
	p := withProgram(t, "legal", "random")
	settings := p.Settings(4)
	replayer, err := replay.New(&settings)
	if err != nil {
		t.Fatal(err)
	}
	for _, ep := range play(t, p, 2, 0, 4) {
		if err := replayer.Check(&ep); err != nil || ep.Reason.Forfeit() {
			t.Errorf("episode %d ends by %v, %v", ep.Number, ep.Reason, err)
		}
		// The program plays the first legal action, whatever it is told of the game.
		s := env.NewState(p.Variant.Game)
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
	for _, ep := range play(t, p, 1, 0, 2) {
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
	if err == nil || !strings.Contains(err.Error(), "one after the other") {
		t.Errorf("error is %v", err)
	}
}

// watcher is a quitter that keeps what it is told, and may fail.
type watcher struct {
	quitter
	start  string
	played []env.Action
	fault  error
	closed int
}

func (w *watcher) Watch(start env.State) error {
	w.start, w.played = env.PositionText(start), nil
	return w.fault
}

func (w *watcher) Played(a env.Action) { w.played = append(w.played, a) }

func (w *watcher) Close() error {
	w.closed++
	return errors.New("it did not close")
}

func TestWatchersSeeTheWholeEpisode(t *testing.T) {
	p := plan(t, "trench/standard", "greedy", "random", func(p *selfplay.Plan) {
		p.Opening.Starts = []string{"7g/6P1/5P2/4G3/3p4/2p5/8/8 w 0-0 0 0", "8/2p5/2Gp1p2/3p4/4p3/8/8/8 b 0-0 0 0"}
		p.Opening.Plies = 2
	})
	player, err := selfplay.NewPlayer(p)
	if err != nil {
		t.Fatal(err)
	}
	w := &watcher{quitter: quitter{after: 3}}
	player.SetAgent(0, w)
	for number := range int64(4) {
		var ep dataset.Episode
		if err := player.Play(number, &ep); err != nil {
			t.Fatal(err)
		}
		var want []env.Action
		for _, s := range ep.Steps {
			want = append(want, s.Action)
		}
		if w.start != ep.Start || !slices.Equal(w.played, want) || len(want) < 3 {
			t.Errorf("episode %d from %s with %v was told as from %s with %v", number, ep.Start, want, w.start, w.played)
		}
	}
	w.fault = errors.New("nobody there")
	if err := player.Play(4, new(dataset.Episode)); !errors.Is(err, w.fault) || !strings.Contains(err.Error(), "episode 4") {
		t.Errorf("error is %v", err)
	}
	if err := player.Close(); err == nil || err.Error() != "it did not close" || w.closed != 1 {
		t.Errorf("error is %v, closed %d times", err, w.closed)
	}
}

func TestAProgramIsNoOpponentInBatches(t *testing.T) {
	p := withProgram(t, "legal", "random")
	if _, err := selfplay.NewPolicy(p.Agents[0], p.Variant.Game); err == nil || !strings.Contains(err.Error(), "cannot be an opponent in batches") {
		t.Errorf("error is %v", err)
	}
}
