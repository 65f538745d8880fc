package selfplay_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/replay"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/selfplaytest"
)

// resignation says where the rule holds first in a game that was played to its
// end, counting forwards.
func resignation(ep *dataset.Episode, rule dataset.Resign) int {
	var low [2]int
	for ply, s := range ep.Steps {
		if low[s.Player] >= rule.Plies {
			return ply
		}
		if s.Search.Has&dataset.HasScore != 0 && s.Search.Score <= -rule.Score {
			low[s.Player]++
		} else {
			low[s.Player] = 0
		}
	}
	return dataset.NoPly
}

// Nobody's choices depend on the rule, so that a game with it is the beginning of
// the game without, or all of it.
func TestAPlayerResignsAfterSoManyLowScoresOfItsOwn(t *testing.T) {
	rule := dataset.Resign{Score: 100, Plies: 2, PlayOn: .3}
	with := func(c *selfplay.Config) { c.Resign = rule }
	free := selfplaytest.Play(t, selfplaytest.Plan(t, "trench/standard", "alphabeta:depth=1", "greedy", nil), 2, 0, 120)
	p := selfplaytest.Plan(t, "trench/standard", "alphabeta:depth=1", "greedy", with)
	settings := p.Cut(120, 0).Settings()
	replayer, err := replay.New(&settings)
	if err != nil {
		t.Fatal(err)
	}
	resigned, playedOn := 0, 0
	for i, ep := range selfplaytest.Play(t, p, 2, 0, 120) {
		ply := resignation(&free[i], rule)
		if ep.ResignPly != ply {
			t.Fatalf("episode %d: the rule holds at ply %d, want %d", i, ep.ResignPly, ply)
		}
		if err := replayer.Check(&ep); err != nil {
			t.Errorf("the episode does not prove: %v", err)
		}
		want := free[i]
		want.ResignPly = ply
		switch {
		case ply == dataset.NoPly:
		case settings.Assign(int64(i)).PlayOn:
			playedOn++
		default:
			resigned++
			loser := want.Steps[ply].Player
			want.FinalHash, want.Steps = want.Steps[ply].Hash, want.Steps[:ply]
			want.Terminated, want.Truncated, want.Result, want.Reason = true, false, env.WinFor(loser.Opponent()), env.Resigned
			want.Points = ep.Points // proved by Check
		}
		if !reflect.DeepEqual(ep, want) {
			t.Fatalf("episode %d is\n%+v, want\n%+v", i, ep, want)
		}
	}
	if resigned < 20 || playedOn < 5 {
		t.Errorf("%d games were resigned and %d played on: too few to tell", resigned, playedOn)
	}
}

func TestTheShareThatIsPlayedOnIsDrawnForEachGame(t *testing.T) {
	for _, share := range []float64{0, .25, 1} {
		p := selfplaytest.Plan(t, "trench/standard", "greedy", "random", func(c *selfplay.Config) {
			c.Resign = dataset.Resign{Score: 100, Plies: 1, PlayOn: share}
		})
		settings := p.Cut(0, 0).Settings()
		games, split := 0, 0
		for pair := range int64(2000) {
			one, two := settings.Assign(2*pair).PlayOn, settings.Assign(2*pair+1).PlayOn
			if one != two {
				split++
			}
			for _, playOn := range []bool{one, two} {
				if playOn {
					games++
				}
			}
		}
		// Four standard deviations of 4,000 games are 110.
		if want := int(4000 * share); games < want-110 || games > want+110 || (share == 0 || share == 1) && games != want {
			t.Errorf("%d of 4000 games are played on at a share of %v", games, share)
		}
		if share == .25 && split < 500 {
			t.Errorf("%d of 2000 pairs have a game of each kind: the games of a pair share one draw", split)
		}
	}
}

func TestAgentsWithoutScoresNeverResign(t *testing.T) {
	p := selfplaytest.Plan(t, "trench/standard", "random", "random", func(c *selfplay.Config) {
		c.Resign = dataset.Resign{Score: 1, Plies: 1}
	})
	for _, ep := range selfplaytest.Play(t, p, 2, 0, 30) {
		if ep.ResignPly != dataset.NoPly || ep.Reason == env.Resigned {
			t.Fatalf("episode %d is resigned at ply %d", ep.Number, ep.ResignPly)
		}
	}
}

func TestTheResignationRuleIsPartOfTheRun(t *testing.T) {
	without := selfplaytest.Plan(t, "trench/standard", "greedy", "greedy", nil).Cut(10, 0).Settings()
	data, err := json.Marshal(&without)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), "resign") {
		t.Errorf("settings without the rule speak of it, which changes the id of runs: %s", data)
	}
	rule := dataset.Resign{Score: 300, Plies: 3, PlayOn: .1}
	with := selfplaytest.Plan(t, "trench/standard", "greedy", "greedy", func(c *selfplay.Config) { c.Resign = rule }).Cut(10, 0).Settings()
	if with.Run() == without.Run() {
		t.Error("the rule makes no other run")
	}
	if data, err = json.Marshal(&with); err != nil {
		t.Fatal(err)
	}
	if want := `"resign":{"score":300,"plies":3,"play_on":0.1}`; !strings.Contains(string(data), want) {
		t.Errorf("settings lack %s: %s", want, data)
	}
	back, err := selfplay.Open(&with, nil)
	if err != nil || back.Config().Resign != rule {
		t.Errorf("the plan of the settings has %+v, %v", back.Config().Resign, err)
	}
}

func TestAPlanRefusesAResignationRuleThatIsNone(t *testing.T) {
	for _, c := range []struct {
		rule dataset.Resign
		want string
	}{
		{dataset.Resign{Score: 0, Plies: 2}, "resignation: score is 0, must be 1 or more"},
		{dataset.Resign{Score: 100}, "resignation: plies is 0, must be 1 or more"},
		{dataset.Resign{Score: 100, Plies: 2, PlayOn: 1.5}, "resignation: play_on is 1.5, must be 0 to 1"},
		{dataset.Resign{PlayOn: .5}, "resignation: score is 0, must be 1 or more"},
	} {
		config := selfplaytest.Config(t, "trench/standard", "greedy", "greedy", nil)
		settings := selfplaytest.Must(t, config).Settings()
		config.Resign, settings.Resign = c.rule, c.rule
		if _, err := selfplay.NewPlan(config); err == nil || err.Error() != c.want {
			t.Errorf("error is %v, want %s", err, c.want)
		}
		if err := settings.Validate(); err == nil || err.Error() != c.want {
			t.Errorf("error of the settings is %v, want %s", err, c.want)
		}
	}
}
