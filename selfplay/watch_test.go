package selfplay_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/selfplaytest"
)

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
	w := &watcher{quitter: quitter{after: 3}}
	p := selfplaytest.Plan(t, "trench/standard", "greedy", "random", func(c *selfplay.Config) {
		c.Agents[0] = custom(w)
		c.Opening.Starts = []string{"7g/6P1/5P2/4G3/3p4/2p5/8/8 w 0-0 0 0", "8/2p5/2Gp1p2/3p4/4p3/8/8/8 b 0-0 0 0"}
		c.Opening.Plies = 2
	})
	player, err := selfplay.NewPlayer(p)
	if err != nil {
		t.Fatal(err)
	}
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

func TestAnAgentThatMustBeClosedIsNoOpponentInBatches(t *testing.T) {
	w := new(watcher)
	v := selfplaytest.Plan(t, "trench/standard", "random", "random", nil).Config().Variant
	if _, err := selfplay.NewPolicy(custom(w), v.Game); err == nil || !strings.Contains(err.Error(), "agent custom:mine must be closed, so it cannot be an opponent") || w.closed != 1 {
		t.Errorf("error is %v, closed %d times", err, w.closed)
	}
}
