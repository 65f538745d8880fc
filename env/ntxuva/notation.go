package ntxuva

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// AppendAction implements env.Notation. The text is the start house and, for a
// capture, x and the number of seeds taken: 7 or 5x4.
func (s *State) AppendAction(dst []byte, a env.Action) []byte {
	dst = strconv.AppendInt(dst, int64(a), 10)
	if taken := s.seedsTaken(int(a)); taken != 0 {
		dst = strconv.AppendInt(append(dst, 'x'), int64(taken), 10)
	}
	return dst
}

// seedsTaken returns the number of seeds that a move captures.
func (s *State) seedsTaken(start int) int {
	_, end := s.sow(start)
	c := s.capturedAt(end)
	return c.fromAttack + c.fromDefence
}

// ParseAction implements env.Notation. It accepts a capture without its x, too.
func (s *State) ParseAction(text string) (env.Action, error) {
	number, mark, marked := strings.Cut(text, "x")
	house, err := engine.ParseCount(number, s.game.houses-1)
	if err != nil {
		return 0, fmt.Errorf("move %q does not begin with a house: %w", text, err)
	}
	if s.Player() == env.NoPlayer {
		return 0, fmt.Errorf("move %q: the game is over: %v", text, s.Reason)
	}
	if s.starts>>house&1 == 0 {
		return 0, fmt.Errorf("move %q: %s; legal houses are %s", text, s.whyIllegal(house), s.legalText())
	}
	if taken := s.seedsTaken(house); marked && (taken == 0 || mark != strconv.Itoa(taken)) {
		return 0, fmt.Errorf("move %q: house %d captures %d, must be written %s", text, house, taken, env.ActionText(s, env.Action(house)))
	}
	return env.Action(house), nil
}

// whyIllegal says why a start is not legal.
func (s *State) whyIllegal(house int) string {
	g := s.game
	switch s.count(s.Next, house) {
	case 0:
		return fmt.Sprintf("house %d is empty", house)
	case 1:
		for other := range g.houses {
			if g.onlyForced && s.count(s.Next, other) > 1 {
				return fmt.Sprintf("house %d holds a single seed, which must wait while house %d holds more", house, other)
			}
		}
		if g.onlyEmpty {
			return fmt.Sprintf("the single seed of house %d may only go to an empty house", house)
		}
	}
	return fmt.Sprintf("the relay from house %d never ends", house)
}

func (s *State) legalText() string {
	var names []string
	for _, a := range s.Legal(nil) {
		names = append(names, strconv.Itoa(int(a)))
	}
	return strings.Join(names, " ")
}

// AppendPosition implements env.Notation.
func (s *State) AppendPosition(dst []byte) []byte {
	for owner := env.First; owner <= env.Second; owner++ {
		for house := range s.game.houses {
			if house > 0 {
				dst = append(dst, ',')
			}
			dst = strconv.AppendInt(dst, int64(s.count(owner, house)), 10)
		}
		dst = append(dst, ' ')
	}
	return s.AppendCounts(append(dst, sides[s.Next]))
}

// sides are the letters of the players in a position text.
const sides = "sn"

// SetPosition implements env.Notation.
func (s *State) SetPosition(text string) error {
	return engine.SetPosition(text, "SOUTH NORTH SIDE QUIET PLIES", s.game.parsePosition, s.set)
}

func (g *Game) parsePosition(fields []string) (p position, err error) {
	for owner := range p.houses {
		counts := strings.Split(fields[owner], ",")
		if len(counts) != g.houses {
			return p, fmt.Errorf("%s has %d houses, must have %d separated by commas", playerNames[owner], len(counts), g.houses)
		}
		p.houses[owner], err = g.circuit(func(house int) (int, error) { return engine.ParseCount(counts[house], g.maxSeeds()) })
		if err != nil {
			return p, fmt.Errorf("%s: %w", playerNames[owner], err)
		}
	}
	p.Turn, err = engine.ParseTurn(sides, fields[2], fields[3], fields[4])
	return p, err
}

// circuit returns a circuit, given the seeds of each house. It checks that a player
// can have that many seeds.
func (g *Game) circuit(seeds func(house int) (int, error)) (c circuit, err error) {
	total := 0
	for house := range g.houses {
		n, err := seeds(house)
		if err != nil {
			return c, fmt.Errorf("house %d: %w", house, err)
		}
		if total += n; total > g.maxSeeds() {
			return c, fmt.Errorf("has more than %d seeds, the number at the start", g.maxSeeds())
		}
		c.add(g.at[house], n)
	}
	return c, nil
}
