package engine

import (
	"fmt"
	"math"
)

// NoLimit is the value of a limit that is off.
const NoLimit = math.MaxInt32

// Limits are the numbers with which a rule set ends long games.
type Limits struct {
	Quiet int32 // plies in a row without progress
	Times int32 // occurrences of a position
	Plies int32 // plies of the game
}

// NewLimits returns the limits of a rule set, in which 0 means off.
func NewLimits(noProgress, repetition, plies int) Limits {
	limit := func(n int) int32 {
		if n == 0 {
			return NoLimit
		}
		return int32(n)
	}
	return Limits{Quiet: limit(noProgress), Times: limit(repetition), Plies: limit(plies)}
}

// HistorySize returns how many keys a History needs: none without repetition,
// else one for each position between two irreversible plies. Repetition needs a
// limit of quiet plies.
func (l *Limits) HistorySize() int {
	if l.Times == NoLimit {
		return 0
	}
	return int(l.Quiet) + 1
}

// Counters implements env.Counter.
func (l *Limits) Counters(b *Base) (left, times int) {
	fewest := int32(NoLimit)
	if l.Quiet != NoLimit {
		fewest = l.Quiet - b.Quiet
	}
	if l.Plies != NoLimit {
		fewest = min(fewest, l.Plies-b.Plies)
	}
	return int(fewest), b.History.Times()
}

// appendCaption appends the lines of a diagram that show how near the limits are.
// Progress is what a quiet ply lacks: "a capture".
func (l *Limits) appendCaption(dst []string, b *Base, progress string) []string {
	if l.Quiet != NoLimit {
		dst = append(dst, fmt.Sprintf("plies without %s: %d of %d", progress, b.Quiet, l.Quiet))
	}
	if l.Times != NoLimit && b.History.Times() > 1 {
		dst = append(dst, fmt.Sprintf("position occurred %d times of %d", b.History.Times(), l.Times))
	}
	if l.Plies != NoLimit {
		dst = append(dst, fmt.Sprintf("plies played: %d of %d", b.Plies, l.Plies))
	}
	return dst
}

// AddPlanes adds the uniform planes that show how near the limits are. Progress
// is what ends a row of quiet plies: "the last capture".
func (l *Limits) AddPlanes(planes *Planes, progress string) {
	if l.Quiet != NoLimit {
		planes.AddScaled(Scale(l.Quiet), "quiet plies", "everywhere the plies since "+progress)
	}
	if l.Times != NoLimit {
		planes.AddUniform(int(l.Times), "occurrences", "everywhere how often the position has occurred, this time included")
	}
	if l.Plies != NoLimit {
		planes.AddScaled(Scale(l.Plies), "plies", "everywhere the plies played")
	}
}

// Observe writes the values of the planes that AddPlanes adds and returns how
// many there are, at most LimitPlanes.
func (l *Limits) Observe(dst []uint8, b *Base) (n int) {
	if l.Quiet != NoLimit {
		dst[n] = Scale(l.Quiet).Of(int(b.Quiet))
		n++
	}
	if l.Times != NoLimit {
		dst[n] = uint8(min(b.History.times, l.Times))
		n++
	}
	if l.Plies != NoLimit {
		dst[n] = Scale(l.Plies).Of(int(b.Plies))
		n++
	}
	return n
}

// LimitPlanes is the greatest number of planes that Limits.AddPlanes adds.
const LimitPlanes = 3
