package vec

import (
	"errors"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
)

// waitForSleep fails the test if a helper never sleeps.
func (t *team) waitForSleep(test *testing.T) {
	test.Helper()
	for i := range t.helpers {
		for waited := 0; !t.helpers[i].asleep.Load(); waited++ {
			if waited == 3000 {
				test.Fatalf("helper %d does not sleep", i)
			}
			time.Sleep(time.Millisecond)
		}
	}
}

// A helper that never slept would keep a processor busy while the caller thinks.
func TestTheHelpersOfAnIdleBatchSleep(t *testing.T) {
	variant, err := games.Lookup("ntxuva/basic")
	if err != nil {
		t.Fatal(err)
	}
	v, err := New(variant.Game, 200, Options{Goroutines: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if err := v.Reset(1); err != nil {
		t.Fatal(err)
	}
	actions := make([]env.Action, v.Len())
	for range 20 {
		v.team.waitForSleep(t)
		if err := errors.Join(v.SampleActions(actions), v.Step(actions)); err != nil {
			t.Fatal(err)
		}
	}
}

// The job lasts until the helper takes part.
func TestAHelperThatSleepsWakesForAJob(t *testing.T) {
	team := newTeam(2)
	defer team.close()
	for range 20 {
		team.waitForSleep(t)
		took := make(chan struct{})
		team.run(func(number int) {
			if number == 1 {
				close(took)
				return
			}
			<-took
		})
	}
}
