package tankchess_test

import (
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
)

// text writes the position.
func (r *reference) text() string {
	var sides []string
	for _, tanks := range r.tanks {
		var entries []string
		for _, t := range tanks {
			at := t.pose.String()
			switch {
			case t.off:
				at = "off"
			case t.wreck:
				at = t.square() + "#"
			}
			entries = append(entries, t.code+"@"+at)
		}
		sides = append(sides, strings.Join(entries, ","))
	}
	return fmt.Sprintf("%s %s %c %d %d", sides[0], sides[1], "wb"[r.mover], r.quiet, r.plies)
}

// read sets up a position text, or says why it is none.
func (g *referenceGame) read(text string) (*reference, error) {
	fields := strings.Split(text, " ")
	if len(fields) != 5 {
		return nil, fmt.Errorf("%d fields", len(fields))
	}
	r := &reference{referenceGame: g}
	if r.mover = slices.Index([]string{"w", "b"}, fields[2]); r.mover < 0 {
		return nil, errors.New("no side to move")
	}
	var err error
	if r.quiet, err = counter(fields[3]); err != nil {
		return nil, err
	}
	if r.plies, err = counter(fields[4]); err != nil {
		return nil, err
	}
	taken := map[string]bool{}
	for player := range 2 {
		if r.tanks[player], err = g.readSide(fields[player], taken); err != nil {
			return nil, err
		}
	}
	switch {
	case r.command(r.mover).off:
		return nil, errors.New("the player to move has left the board")
	case r.command(1 - r.mover).wreck:
		return nil, errors.New("the player who moved has no command tank")
	case r.command(r.mover).wreck && r.command(1-r.mover).off:
		return nil, errors.New("two ends at once")
	}
	r.begin()
	return r, nil
}

func counter(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > 1_000_000_000 || strconv.Itoa(n) != text {
		return 0, fmt.Errorf("%q is not a counter", text)
	}
	return n, nil
}

func (g *referenceGame) readSide(text string, taken map[string]bool) (tanks []tank, err error) {
	slot, commands := 0, 0
	for _, entry := range strings.Split(text, ",") {
		code, at, _ := strings.Cut(entry, "@")
		for slot < len(g.slots) && g.slots[slot] != code {
			slot++ // the types stand in their order
		}
		if slot == len(g.slots) {
			return nil, fmt.Errorf("no slot is left for %q", entry)
		}
		t := tank{code: code, slot: slot}
		slot++
		if code == "CLT" {
			commands++
		}
		if at == "off" {
			if t.off = true; code != "CLT" || g.rules.Escape != "off_board" {
				return nil, fmt.Errorf("%q cannot leave the board", entry)
			}
			tanks = append(tanks, t)
			continue
		}
		place, known := g.places[at]
		if !known {
			return nil, fmt.Errorf("%q is nowhere", entry)
		}
		t.pose, t.wreck = place.pose, place.wreck
		ground := g.ground[t.x][t.y]
		if taken[t.square()] || ground == "obstacle" || ground == "low" || ground == "water" && !g.rules.Pieces[code].Amphibious {
			return nil, fmt.Errorf("%q cannot stand there", entry)
		}
		taken[t.square()] = true
		tanks = append(tanks, t)
	}
	if commands != 1 {
		return nil, fmt.Errorf("%d command tanks", commands)
	}
	return tanks, nil
}

// asGame lets the reference be played as an env.Game, as far as positions and
// games of other programs need it.
type asGame struct {
	env.Game
	reference *referenceGame
}

type asState struct {
	env.State
	*reference
}

func (g asGame) Spec() *env.Spec {
	return &env.Spec{Actions: len(g.reference.slots)*g.reference.T*g.reference.S + 1}
}

func (g asGame) NewStates(n int) []env.State {
	states := make([]env.State, n)
	for i := range states {
		states[i] = &asState{reference: g.reference.start.clone()}
	}
	return states
}

func (s *asState) Reset()                 { s.reference = s.start.clone() }
func (s *asState) CopyFrom(src env.State) { s.reference = src.(*asState).clone() }

func (s *asState) Player() env.Player {
	if s.reason != "none" {
		return env.NoPlayer
	}
	return env.Player(s.mover)
}

func (s *asState) Legal(dst []env.Action) []env.Action {
	for _, m := range s.legal {
		dst = append(dst, env.Action(m.action))
	}
	return dst
}

// move returns the legal move of an action; there must be one.
func (s *asState) move(a env.Action) move {
	list := s.legal
	return list[slices.IndexFunc(list, func(m move) bool { return m.action == int(a) })]
}

func (s *asState) Apply(a env.Action) { s.play(s.move(a)) }

func (s *asState) Result() (env.Result, env.Reason) {
	reason, err := env.ParseReason(s.reason)
	if err != nil || s.winner < 0 {
		return 0, reason
	}
	return env.WinFor(env.Player(s.winner)), reason
}

func (s *asState) Hash() uint64 {
	h := fnv.New64()
	h.Write([]byte(s.key()))
	return h.Sum64()
}

func (s *asState) AppendAction(dst []byte, a env.Action) []byte {
	return append(dst, s.moveText(s.move(a))...)
}

func (s *asState) ParseAction(text string) (env.Action, error) {
	for _, m := range s.legal {
		if s.moveText(m) == text {
			return env.Action(m.action), nil
		}
	}
	return env.NoAction, fmt.Errorf("%q is not a legal move", text)
}

func (s *asState) AppendPosition(dst []byte) []byte { return append(dst, s.text()...) }

func (s *asState) SetPosition(text string) error {
	r, err := s.read(text)
	if err == nil {
		s.reference = r
	}
	return err
}
