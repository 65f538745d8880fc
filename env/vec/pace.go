package vec

import "time"

// pace measures from time to time whether the team is faster than its leader alone.
// Its decision affects speed but not results.
type pace struct {
	fixed    bool // together is given by Options.Goroutines
	together bool
	step     int // Steps since the last trial began
	began    time.Time
	best     [2]time.Duration // fastest Step alone and together
}

// A trial consists of trialSteps Steps alone and as many together. The faster way is
// used for the next keptSteps Steps. Only the fastest Step of each way counts, because
// other load on the machine disturbs it least.
const (
	trialSteps = 12
	keptSteps  = 10_000
)

// begin is called before a Step.
func (p *pace) begin() {
	if p.fixed {
		return
	}
	if p.step == 0 || p.step == trialSteps {
		p.together = p.step == trialSteps
		p.best[p.step/trialSteps] = 0
	}
	if p.step < 2*trialSteps {
		p.began = time.Now()
	}
}

// end is called after a Step.
func (p *pace) end() {
	if p.fixed {
		return
	}
	if p.step < 2*trialSteps {
		best := &p.best[p.step/trialSteps]
		if took := time.Since(p.began); *best == 0 || took < *best {
			*best = took
		}
	}
	p.step++
	switch p.step {
	case 2 * trialSteps:
		p.together = p.best[1] < p.best[0]
	case 2*trialSteps + keptSteps:
		p.step = 0
	}
}
