package ntxuva

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// AppendAction appends the start house and, for a capture, x and the number of
// pieces taken: 7 or 5x4.
func (s *State) AppendAction(dst []byte, a env.Action) []byte {
	dst = strconv.AppendInt(dst, int64(a), 10)
	_, end := s.outcome(int(a))
	if l := s.lootAt(end); l.fromAttack != 0 {
		dst = append(dst, 'x')
		dst = strconv.AppendInt(dst, int64(l.fromAttack+l.fromDefence), 10)
	}
	return dst
}

// ParseAction reads a move text; the number of the house alone will do.
func (s *State) ParseAction(text string) (env.Action, error) {
	number, mark, marked := strings.Cut(text, "x")
	house, err := engine.ParseCount(number, s.game.houses-1)
	if err != nil {
		return 0, fmt.Errorf("move %q does not begin with a house: %w", text, err)
	}
	if s.Player() == env.NoPlayer {
		return 0, fmt.Errorf("move %q: the game is over: %v", text, s.reason)
	}
	if s.starts&s.game.bit(house) == 0 {
		return 0, fmt.Errorf("move %q: %s; legal houses are %s", text, s.whyNot(house), s.legalText())
	}
	_, end := s.outcome(house)
	l := s.lootAt(end)
	taken := l.fromAttack + l.fromDefence
	if marked && (taken == 0 || mark != strconv.Itoa(taken)) {
		return 0, fmt.Errorf("move %q: house %d captures %d, so it is written %s", text, house, taken, s.AppendAction(nil, env.Action(house)))
	}
	return env.Action(house), nil
}

// whyNot says why a start is not legal.
func (s *State) whyNot(house int) string {
	rules := &s.game.rules
	switch s.count(s.player, house) {
	case 0:
		return fmt.Sprintf("house %d is empty", house)
	case 1:
		for other := range s.game.houses {
			if rules.Singles == whenForced && s.count(s.player, other) > 1 {
				return fmt.Sprintf("house %d holds a single piece, which must wait while house %d holds more", house, other)
			}
		}
		if rules.SingleStep == emptyOnly {
			return fmt.Sprintf("the single piece of house %d may only go to an empty house", house)
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

// greatestCounter bounds the counters, so that every position has a text that is
// read back; they stop there.
const greatestCounter = 999_999_999

var sideNames = [2]string{"s", "n"}

// AppendPosition appends SOUTH NORTH SIDE QUIET PLIES.
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
	dst = append(dst, sideNames[s.player]...)
	for _, counter := range []int{s.quiet, s.plies} {
		dst = append(dst, ' ')
		dst = strconv.AppendInt(dst, int64(counter), 10)
	}
	return dst
}

// SetPosition sets up the position of a text.
func (s *State) SetPosition(text string) error {
	fields := strings.Split(text, " ")
	if len(fields) != 5 {
		return fmt.Errorf("position: has %d fields, must have 5 separated by one blank each: south north side quiet plies", len(fields))
	}
	var houses [2]circuit
	for owner := range houses {
		if err := s.game.parseCircuit(&houses[owner], fields[owner]); err != nil {
			return fmt.Errorf("position: %s %w", s.game.spec.Players[owner], err)
		}
	}
	var player env.Player
	switch fields[2] {
	case sideNames[env.First]:
		player = env.First
	case sideNames[env.Second]:
		player = env.Second
	default:
		return fmt.Errorf("position: side is %q, must be s or n", fields[2])
	}
	var counters [2]int
	for i, what := range []string{"quiet plies", "plies played"} {
		n, err := engine.ParseCount(fields[3+i], greatestCounter)
		if err != nil {
			return fmt.Errorf("position: %s: %w", what, err)
		}
		counters[i] = n
	}
	s.houses, s.player, s.quiet, s.plies = houses, player, counters[0], counters[1]
	s.begin()
	return nil
}

func (g *game) parseCircuit(c *circuit, text string) error {
	counts := strings.Split(text, ",")
	if len(counts) != g.houses {
		return fmt.Errorf("has %d houses, must have %d separated by commas", len(counts), g.houses)
	}
	total, limit := 0, g.houses*g.rules.Seeds
	for house, count := range counts {
		n, err := engine.ParseCount(count, limit)
		if err != nil {
			return fmt.Errorf("house %d: %w", house, err)
		}
		if total += n; total > limit {
			return fmt.Errorf("has more than the %d pieces of the start", limit)
		}
		c.add(g.at[house], n)
	}
	return nil
}
