package selfplay_test

import (
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/replay"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/selfplaytest"
)

// custom is the spec of an agent for one player.
func custom(a agent.Agent) agent.Spec {
	return agent.Custom("mine", false, func(env.Game) (agent.Agent, error) { return a, nil })
}

// quitter plays the first legal action so many times in an episode and then none.
type quitter struct{ after, chosen int }

func (q *quitter) Begin(uint64) { q.chosen = 0 }

func (q *quitter) Choose(_ env.State, legal []env.Action, told *dataset.Search) env.Action {
	told.Has, told.Depth = dataset.HasDepth, 9
	if q.chosen++; q.chosen > q.after {
		return env.NoAction
	}
	return legal[0]
}

// explainer is a quitter that says why.
type explainer struct {
	quitter
	reason env.Reason
	detail string
}

func (e *explainer) Forfeit() (env.Reason, string) { return e.reason, e.detail }

func TestAnAgentThatGivesUpLosesForTheReasonItTells(t *testing.T) {
	for _, c := range []struct {
		agent  agent.Agent
		want   env.Reason
		detail string
	}{
		{&explainer{quitter{after: 3}, env.Resigned, "no hope"}, env.Resigned, "no hope"},
		{&explainer{quitter{after: 3}, env.TimeForfeit, "no move after 1s"}, env.TimeForfeit, "no move after 1s"},
		{&explainer{quitter{after: 3}, env.Crashed, "exit status 2"}, env.Crashed, "exit status 2"},
		{&explainer{quitter{after: 3}, env.IllegalAction, "it played e2e4"}, env.IllegalAction, "it played e2e4"},
		{&explainer{quitter{after: 3}, env.Crashed, ""}, env.Crashed, ""},
		{&explainer{quitter{after: 3}, env.General, "a reason of the rules"}, env.IllegalAction, "a reason of the rules"},
		{&quitter{after: 3}, env.IllegalAction, ""},
	} {
		p := selfplaytest.Plan(t, "trench/standard", "greedy", "random", func(games *selfplay.Config) { games.Agents[0] = custom(c.agent) })
		replayer, err := replay.New(new(p.Settings()))
		if err != nil {
			t.Fatal(err)
		}
		var told []string
		p.Forfeited = func(ep *dataset.Episode, detail string) {
			told = append(told, ep.Reason.String()+": "+detail)
		}
		player, err := selfplay.NewPlayer(p)
		if err != nil {
			t.Fatal(err)
		}
		for number, loser := range []env.Player{env.First, env.Second} {
			var ep dataset.Episode
			if err := player.Play(int64(number), &ep); err != nil {
				t.Fatal(err)
			}
			if !ep.Terminated || ep.Truncated || ep.Result != env.WinFor(loser.Opponent()) || ep.Reason != c.want || ep.ResignPly != dataset.NoPly {
				t.Errorf("%s: episode %d ends %+v", c.want, number, ep)
			}
			own := 0
			for _, s := range ep.Steps {
				if s.Source == dataset.FromAgent && s.Player == loser {
					own++
				}
			}
			if own != 3 {
				t.Errorf("%s: %d plies of the agent are recorded, want the 3 that it played", c.want, own)
			}
			if err := replayer.Check(&ep); err != nil {
				t.Errorf("%s: the episode does not prove: %v", c.want, err)
			}
		}
		want := ""
		if c.detail != "" {
			want = strings.Repeat(c.want.String()+": "+c.detail, 2)
		}
		if got := strings.Join(told, ""); got != want {
			t.Errorf("people are told %q, want %q", got, want)
		}
	}
}

func TestOnlyConductForfeits(t *testing.T) {
	for r := env.NoReason; r <= env.Crashed; r++ {
		want := r == env.IllegalAction || r == env.Resigned || r == env.TimeForfeit || r == env.Crashed
		if r.Forfeit() != want {
			t.Errorf("%s: forfeit is %t", r, r.Forfeit())
		}
	}
	if env.Reason(200).Forfeit() {
		t.Error("an unknown reason forfeits")
	}
}
