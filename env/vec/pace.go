package vec

import "time"

// pace finds out whether the team is faster than its leader alone, by trying
// both now and then. What it decides shows in the time alone.
type pace struct {
	fixed    bool // whether to play together is given
	together bool
	step     int // since the last trial began
	began    time.Time
	best     [2]time.Duration // of a Step alone and together
}

// A trial is so many Steps alone and as many together; the faster way is kept
// for the Steps that follow. The fastest Step of each counts, which what else the
// machine does disturbs least.
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

// end is called after it.
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
