package search

import "time"

// Limits end a search. If no limit is set, the search ends at MaxDepth.
type Limits struct {
	Depth int           // plies; 0 means no limit below MaxDepth
	Nodes int64         // positions entered, exact; 0 means no limit
	Time  time.Duration // checked every 1,024 nodes; 0 means no limit
	// Done interrupts the search when it is closed. It is checked as often as Time.
	Done <-chan struct{}
}

// A budget counts the positions that a search enters and stops it at its limits.
type budget struct {
	limits   Limits
	deadline time.Time
	nodes    int64
	stopped  bool
}

func (b *budget) start(limits Limits) {
	b.limits, b.nodes, b.stopped = limits, 0, false
	if limits.Time > 0 {
		b.deadline = time.Now().Add(limits.Time)
	}
}

// countNode counts a position that the search enters and checks the limits.
func (b *budget) countNode() {
	const interval = 1 << 10 // nodes between looks at the clock
	if b.nodes++; b.nodes == b.limits.Nodes || b.nodes%interval == 0 {
		b.poll()
	}
}

// poll stops a search that has used up its nodes or its time, or is interrupted.
func (b *budget) poll() {
	if b.nodes == b.limits.Nodes || closed(b.limits.Done) || b.limits.Time > 0 && !time.Now().Before(b.deadline) {
		b.stopped = true
	}
}

// closed reports whether a channel is closed. A nil channel is not.
func closed(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}
