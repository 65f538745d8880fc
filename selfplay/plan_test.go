package selfplay_test

import (
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/selfplaytest"
)

func TestPlansThatCannotBePlayedAreRefused(t *testing.T) {
	const start = "7g/6P1/5P2/4G3/3p4/2p5/8/8 w 0-0 0 0"
	for want, change := range map[string]func(*selfplay.Config){
		"max plies is -1, must be 0 (no limit) or more":           func(c *selfplay.Config) { c.MaxPlies = -1 },
		"opening plies is -1, must be 0 or more":                  func(c *selfplay.Config) { c.Opening.Plies = -1 },
		"opening plies is 300, must be less than max plies, 300":  func(c *selfplay.Config) { c.Opening.Plies, c.MaxPlies = 300, 300 },
		"start position 2: ":                                      func(c *selfplay.Config) { c.Opening.Starts = []string{start, "8/8 w"} },
		"start position 3: the game is over in 7g/8/8/8/8/8/8/8 ": func(c *selfplay.Config) { c.Opening.Starts = []string{start, start, "7g/8/8/8/8/8/8/8 w 25-0 0 0"} },
		"agent 2 is missing":                                      func(c *selfplay.Config) { c.Agents[1] = agent.Spec{} },
	} {
		config := selfplaytest.Config(t, "trench/standard", "greedy", "greedy", change)
		if _, err := selfplay.NewPlan(config); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, must be %s", err, want)
		}
		if config.Agents[1].String() == "" {
			continue
		}
		settings := selfplaytest.Plan(t, "trench/standard", "greedy", "greedy", nil).Settings()
		settings.MaxPlies, settings.OpeningPlies, settings.Starts = config.MaxPlies, config.Opening.Plies, config.Opening.Starts
		if _, err := selfplay.Open(&settings, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error of the settings is %v, must be %s", err, want)
		}
	}
	without := selfplaytest.Config(t, "trench/standard", "greedy", "greedy", nil)
	if without.Opening.Plies, without.MaxPlies = 300, 0; selfplaytest.Must(t, without).Config().MaxPlies != 0 {
		t.Error("a plan without a limit of plies has one")
	}
}

func TestAPlanKeepsTheSettingsThatItWasOpenedFrom(t *testing.T) {
	settings := selfplaytest.Plan(t, "trench/standard", "greedy", "random", nil).Cut(77, 9).Settings()
	if settings.Episodes != 77 || settings.JobEpisodes != 9 {
		t.Fatalf("%d episodes in jobs of %d", settings.Episodes, settings.JobEpisodes)
	}
	p, err := selfplay.Open(&settings, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Settings(); got.Run() != settings.Run() {
		t.Errorf("it keeps %+v", got)
	}
}

func TestAPlanDoesNotChangeWithWhatItWasMadeOf(t *testing.T) {
	config := selfplaytest.Config(t, "trench/standard", "random", "random", func(c *selfplay.Config) {
		c.Opening = selfplay.Opening{Starts: []string{"7g/6P1/5P2/4G3/3p4/2p5/8/8 w 0-0 0 0"}}
	})
	p := selfplaytest.Must(t, config)
	start := config.Opening.Starts[0]
	config.Opening.Starts[0] = ""
	if ep := selfplaytest.Play(t, p, 1, 0, 1)[0]; ep.Start != start {
		t.Errorf("it starts from %q", ep.Start)
	}
}

func TestCustomAgentsAndGamesStayInTheirProcess(t *testing.T) {
	portable := selfplaytest.Plan(t, "trench/standard", "greedy", "exec:mine", nil)
	if err := portable.Portable(); err != nil {
		t.Error(err)
	}
	mine := selfplaytest.Plan(t, "trench/standard", "greedy", "random", func(c *selfplay.Config) { c.Agents[1] = custom(new(quitter)) })
	if err := mine.Portable(); err == nil || !strings.Contains(err.Error(), "agent custom:mine exists only in the Go program that made it") {
		t.Errorf("error is %v", err)
	}
	settings := mine.Settings()
	if _, err := selfplay.Open(&settings, nil); err == nil || !strings.Contains(err.Error(), `agent "custom:mine" exists only in the Go program that made it`) {
		t.Errorf("error of the settings is %v", err)
	}
	own := selfplaytest.Plan(t, "trench/standard", "greedy", "random", func(c *selfplay.Config) {
		c.Variant = &variant.Variant{Name: "my/game", Game: c.Variant.Game}
	})
	if err := own.Portable(); err == nil || !strings.Contains(err.Error(), "game my/game exists only in the Go program that made it") {
		t.Errorf("error is %v", err)
	}
	if ep := selfplaytest.Play(t, own, 1, 0, 1)[0]; !ep.Terminated {
		t.Errorf("its own game ends %+v", ep)
	}
	settings = own.Settings()
	if err := settings.Validate(); err != nil {
		t.Errorf("a data set cannot hold its settings: %v", err)
	}
	if _, err := selfplay.Open(&settings, nil); err == nil || !strings.Contains(err.Error(), "game my/game exists only in the Go program that made it") {
		t.Errorf("error of its settings is %v", err)
	}
}

// A job takes about ten seconds: 40 million nodes, 400,000 simulations or the time limit's
// moves, in games of about 100 plies. Depth d counts as 10·8^d nodes.
func TestTheSizeOfAJobFollowsFromTheSlowerAgentAndTheRun(t *testing.T) {
	for _, c := range []struct {
		first, second string
		episodes      int64
		want          int64
	}{
		{"random", "random", 0, 8192},                           // 500,000 games, but at most 8192
		{"greedy", "random", 10_000, 158},                       // 10,000 in 64 jobs are 156.25 games, rounded up to 157, then to pairs
		{"greedy", "greedy", 3, 2},                              // at least a pair
		{"alphabeta:nodes=20000", "random", 0, 20},              // 2000 plies
		{"random", "alphabeta:nodes=19000", 0, 22},              // 2105 plies, 21 games
		{"alphabeta:nodes=1000000", "random", 0, 2},             // 40 plies
		{"alphabeta:depth=3", "random", 0, 78},                  // 5120 nodes, 7812 plies
		{"alphabeta:depth=3,nodes=1000", "random", 0, 400},      // the lower limit counts
		{"alphabeta:depth=1,nodes=1000", "random", 0, 5000},     // 80 nodes
		{"alphabeta:time=10ms", "random", 0, 10},                // 1000 plies
		{"alphabeta:time=10ms,nodes=400000", "random", 0, 2},    // 100 plies
		{"mcts:sims=400", "random", 0, 10},                      // 1000 plies
		{"mcts:nodes=5000", "random", 0, 80},                    // 8000 plies
		{"mcts:nodes=5000,sims=100", "random", 0, 40},           // 4000 plies
		{"exec:mine,time=5ms", "random", 0, 20},                 // 2000 plies
		{"exec:mine,time=5ms", "alphabeta:nodes=40000", 384, 6}, // 384 in 64 jobs
	} {
		if got := selfplaytest.Plan(t, "trench/standard", c.first, c.second, nil).Cut(c.episodes, 0).Settings(); got.JobEpisodes != c.want || got.Episodes != c.episodes {
			t.Errorf("%s against %s, %d episodes: %d in jobs of %d, must be %d", c.first, c.second, c.episodes, got.Episodes, got.JobEpisodes, c.want)
		}
	}
}
