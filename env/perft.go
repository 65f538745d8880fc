package env

// Perft counts the action sequences of the given length from s, which must be a
// state of g: 1 for depth 0, and 0 for a finished position at any other depth. It
// does not change the state.
func Perft(g Game, s State, depth int) uint64 {
	return newCounter(g, depth).count(s, depth)
}

// PerftMove is the count of a perft for one first action.
type PerftMove struct {
	Action Action
	Count  uint64
}

// PerftSplit returns Perft of depth−1 after each legal action, in ascending order. The
// depth must be at least 1. The counts add up to Perft of depth.
func PerftSplit(g Game, s State, depth int) []PerftMove {
	var split []PerftMove
	PerftEach(g, s, depth, nil, func(move PerftMove) { split = append(split, move) })
	return split
}

// PerftEach calls each with the elements of PerftSplit, as it counts them. It returns false
// as soon as done is closed; nil means that nothing interrupts.
func PerftEach(g Game, s State, depth int, done <-chan struct{}, each func(PerftMove)) bool {
	c := newCounter(g, depth)
	c.done = done
	next := NewState(g)
	for _, a := range s.Legal(nil) {
		next.CopyFrom(s)
		next.Apply(a)
		count := c.count(next, depth-1)
		if c.stopped {
			return false
		}
		each(PerftMove{Action: a, Count: count})
	}
	return true
}

// counter holds one state and one list of actions for each depth of a perft.
type counter struct {
	states  []State
	legal   [][]Action
	done    <-chan struct{} // interrupts the count when it is closed
	stopped bool
}

func newCounter(g Game, depth int) *counter {
	c := &counter{states: g.NewStates(max(depth, 0) + 1), legal: make([][]Action, max(depth, 0)+1)}
	for i := range c.legal {
		c.legal[i] = g.Spec().NewActions()
	}
	return c
}

func (c *counter) count(s State, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	legal := s.Legal(c.legal[depth][:0])
	if depth == 1 {
		return uint64(len(legal))
	}
	const checked = 2 // plies of a tree that is worth a look at done
	if depth >= checked {
		select {
		case <-c.done:
			c.stopped = true
		default:
		}
	}
	if c.stopped {
		return 0
	}
	next, sum := c.states[depth], uint64(0)
	for _, a := range legal {
		next.CopyFrom(s)
		next.Apply(a)
		sum += c.count(next, depth-1)
	}
	return sum
}
