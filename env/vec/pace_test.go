package vec

import (
	"testing"
	"time"
)

func TestATrialMeasuresBothWaysAgainAndKeepsTheFasterOne(t *testing.T) {
	var p pace
	for _, fasterTogether := range []bool{false, true, false} {
		for step := range 2 * trialSteps {
			p.begin()
			if together := step >= trialSteps; p.together != together {
				t.Fatalf("step %d of the trial: together is %v", step, p.together)
			}
			if way := step / trialSteps; step%trialSteps == 0 && p.best[way] != 0 {
				t.Fatalf("step %d of the trial begins with the time %v of an earlier trial", step, p.best[way])
			}
			if step == 2*trialSteps-1 {
				p.best[0] = time.Nanosecond // faster than any step
				if fasterTogether {
					p.best[0] = time.Hour
				}
			}
			p.end()
		}
		for step := range keptSteps {
			p.begin()
			if p.together != fasterTogether {
				t.Fatalf("step %d after the trial: together is %v, must be %v", step, p.together, fasterTogether)
			}
			p.end()
		}
	}
}

func TestAGivenNumberOfGoroutinesIsNotTried(t *testing.T) {
	p := pace{fixed: true, together: true}
	for step := range 3 * trialSteps {
		p.begin()
		p.end()
		if !p.together || p.best != [2]time.Duration{} {
			t.Fatalf("step %d: together is %v, times are %v", step, p.together, p.best)
		}
	}
}
