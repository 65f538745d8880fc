package engine

import (
	"fmt"
	"math"
	"strconv"

	"github.com/sandtable-farm/sandtable/env"
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

// Left returns the fewest plies after which a limit of plies can end the game,
// math.MaxInt32 without such a limit, for env.Counter.
func (l *Limits) Left(c Counters) int {
	left := int32(NoLimit)
	if l.Quiet != NoLimit {
		left = l.Quiet - c.Quiet
	}
	if l.Plies != NoLimit {
		left = min(left, l.Plies-c.Plies)
	}
	return int(left)
}

// AppendCaption appends the lines of a diagram that show how near the limits are.
// Progress is what a quiet ply lacks: "a capture".
func (l *Limits) AppendCaption(dst []string, c Counters, h *History, progress string) []string {
	if l.Quiet != NoLimit {
		dst = append(dst, fmt.Sprintf("plies without %s: %d of %d", progress, c.Quiet, l.Quiet))
	}
	if l.Times != NoLimit && h.Times() > 1 {
		dst = append(dst, fmt.Sprintf("position occurred %d times of %d", h.Times(), l.Times))
	}
	if l.Plies != NoLimit {
		dst = append(dst, fmt.Sprintf("plies played: %d of %d", c.Plies, l.Plies))
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
func (l *Limits) Observe(dst []uint8, c Counters, h *History) (n int) {
	if l.Quiet != NoLimit {
		dst[n] = Scale(l.Quiet).Of(int(c.Quiet))
		n++
	}
	if l.Times != NoLimit {
		dst[n] = uint8(min(h.times, l.Times))
		n++
	}
	if l.Plies != NoLimit {
		dst[n] = Scale(l.Plies).Of(int(c.Plies))
		n++
	}
	return n
}

// LimitPlanes is the greatest number of planes that Limits.AddPlanes adds.
const LimitPlanes = 3

// Counters are the plies that a state counts and a position text ends with.
type Counters struct {
	Quiet int32 // plies since the last progress
	Plies int32 // plies played
}

// Ply counts a ply, which is quiet until the engine finds progress in it.
func (c *Counters) Ply() {
	c.Quiet++
	c.Plies++
}

// AppendText appends the last two fields of a position text, QUIET and PLIES,
// with a space before each.
func (c Counters) AppendText(dst []byte) []byte {
	dst = strconv.AppendInt(append(dst, ' '), int64(c.Quiet), 10)
	return strconv.AppendInt(append(dst, ' '), int64(c.Plies), 10)
}

// ParseCounters reads the last two fields of a position text.
func ParseCounters(quiet, plies string) (c Counters, err error) {
	err = ParseCounts(Count{"quiet plies", quiet, &c.Quiet}, Count{"plies played", plies, &c.Plies})
	return c, err
}

// Status is the first line of a diagram's caption: the side to move or how the
// game ended.
func Status(s env.State, players [2]string) string {
	result, reason := s.Result()
	switch {
	case reason == env.NoReason:
		return players[s.Player()&1] + " to move"
	case result == 0:
		return fmt.Sprintf("drawn (%v)", reason)
	case result == env.WinFor(env.First):
		return fmt.Sprintf("%s won (%v)", players[env.First], reason)
	}
	return fmt.Sprintf("%s won (%v)", players[env.Second], reason)
}
