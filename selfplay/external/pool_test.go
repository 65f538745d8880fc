package external_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/external"
	"github.com/sandtable-farm/sandtable/selfplay/external/externaltest"
)

// The program crashes unless the numbers and the observations are those of the positions.
func TestAProgramPlaysByNumbersAndObservations(t *testing.T) {
	agent := mustStart(t, "numbers", patient())
	s := begin(t, agent)
	for s.Player() != env.NoPlayer {
		legal := s.Legal(nil)
		if a, _ := choose(agent, s); a != legal[0] {
			reason, detail := agent.Forfeit()
			t.Fatalf("the program plays %d, must play %d (%v: %s)", a, legal[0], reason, detail)
		}
	}
}

// players returns agents of one launcher, which are closed with the test.
func players(t *testing.T, manner string, n int) []*external.Agent {
	t.Helper()
	l := new(external.Launcher)
	agents := make([]*external.Agent, n)
	for i := range agents {
		var err error
		if agents[i], err = l.New(externaltest.Command(t, manner), trench(t), patient()); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = agents[i].Close() })
	}
	return agents
}

func TestGamesShareTheBatchesOfAProgram(t *testing.T) {
	agents := players(t, "batches", 5)
	largest := make([]int64, len(agents))
	var games sync.WaitGroup
	for i, agent := range agents {
		games.Go(func() {
			s := begin(t, agent)
			for ply := 0; ply < 40 && s.Player() != env.NoPlayer; ply++ {
				want := s.Legal(nil)[0]
				a, found := choose(agent, s)
				if a != want {
					reason, detail := agent.Forfeit()
					t.Errorf("game %d, ply %d: action %d, must be %d (%v: %s)", i, ply, a, want, reason, detail)
					return
				}
				largest[i] = max(largest[i], found.Nodes)
			}
		})
	}
	games.Wait()
	for i, n := range largest {
		if n < 2 || n > 3 {
			t.Errorf("the largest batch of game %d has %d questions, must have 2 or 3", i, n)
		}
	}
}

func TestACrashLosesTheGamesOfItsBatch(t *testing.T) {
	agents := players(t, "batches, exits", 2)
	for range 3 { // the program is started again
		var games sync.WaitGroup
		for _, agent := range agents {
			games.Go(func() {
				s := begin(t, agent)
				for ply := range 8 {
					if a, _ := choose(agent, s); a != env.NoAction {
						continue
					}
					if reason, detail := agent.Forfeit(); reason != env.Crashed || !strings.Contains(detail, "exit status 3") {
						t.Errorf("ply %d: %v: %s", ply, reason, detail)
					}
					return
				}
			})
		}
		games.Wait()
	}
}

func TestUnknownVersionsAndWishesAreRefused(t *testing.T) {
	for manner, line := range map[string]string{"protocol 9": `"protocol 9"`, "batch of version 1": `"wants batch 3"`} {
		if _, err := start(t, manner, patient()); !errors.Is(err, external.ErrProgram) || !strings.Contains(err.Error(), line) {
			t.Errorf("%s: error %v, must name %s", manner, err, line)
		}
	}
}
