package tankchess_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/tankchess"
)

// agree compares everything that the state and the reference both know.
func (c *comparison) agree(s, spare env.State, r *reference) error {
	c.positions++
	result, reason := s.Result()
	wantResult := env.Result(0)
	if r.winner >= 0 {
		wantResult = env.WinFor(env.Player(r.winner))
	}
	wantPlayer := env.Player(r.mover)
	if r.reason != "none" {
		wantPlayer = env.NoPlayer
		c.seen[r.reason]++
		if r.reason == "escaped" && r.rules.Escape == "last_rank" {
			c.seen["last rank"]++
		}
	}
	switch {
	case env.PositionText(s) != r.text():
		return fmt.Errorf("position is %s", env.PositionText(s))
	case reason.String() != r.reason || result != wantResult:
		return fmt.Errorf("ends %v by %v, want %v by %s", result, reason, wantResult, r.reason)
	case s.Player() != wantPlayer:
		return fmt.Errorf("player is %d, want %d", s.Player(), wantPlayer)
	}
	for player := range 2 {
		if got := s.(env.Scorer).Points(env.Player(player)); got != r.points(player) {
			return fmt.Errorf("points of %d are %d, want %d", player, got, r.points(player))
		}
	}
	if err := c.sameMoves(s, r); err != nil {
		return err
	}
	if err := samePieces(s, c.game.Spec(), r); err != nil {
		return err
	}
	if err := c.sameHash(s, r); err != nil {
		return err
	}
	return c.sameThreats(s, r)
}

func (c *comparison) sameMoves(s env.State, r *reference) error {
	legal := s.Legal(nil)
	if len(legal) > c.game.Spec().MaxLegal {
		return fmt.Errorf("%d legal actions, the greatest number is said to be %d", len(legal), c.game.Spec().MaxLegal)
	}
	var noisy []env.Action
	for i, m := range r.legal {
		if i >= len(legal) || int(legal[i]) != m.action {
			return fmt.Errorf("legal actions are %v, %s (%d) is not in its place", legal, r.moveText(m), m.action)
		}
		if m.victim >= 0 {
			noisy = append(noisy, legal[i])
		}
		if m.victim >= 0 || i%16 == r.plies%16 {
			text, want := env.ActionText(s, legal[i]), r.moveText(m)
			if a, err := s.ParseAction(want); text != want || err != nil || a != legal[i] {
				return fmt.Errorf("action %d is %s and reads back as %d (%v), want %s", m.action, text, a, err, want)
			}
		}
	}
	if len(legal) > len(r.legal) {
		return fmt.Errorf("%d legal actions, want %d: %v", len(legal), len(r.legal), legal)
	}
	if got := s.(env.Noisy).Noisy(nil); !slices.Equal(got, noisy) {
		return fmt.Errorf("noisy actions are %v, want %v", got, noisy)
	}
	return nil
}

func samePieces(s env.State, spec *env.Spec, r *reference) error {
	var got, want []string
	for _, p := range s.(env.PieceLister).Pieces(nil) {
		entry := fmt.Sprint(p.Owner, " ", spec.Pieces[p.Type].Symbol, "@", string(env.AppendSquare(nil, int(p.Square), spec.Width)))
		if p.Wreck {
			got = append(got, entry+"#")
		} else {
			got = append(got, entry+p.Facing.String())
		}
	}
	for owner, tanks := range r.tanks {
		for _, t := range tanks {
			switch {
			case t.wreck:
				want = append(want, fmt.Sprint(owner, " ", t.code, "@", t.square(), "#"))
			case !t.off:
				want = append(want, fmt.Sprint(owner, " ", t.code, "@", t.pose))
			}
		}
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("pieces are %v, want %v", got, want)
	}
	return nil
}

// sameHash demands one hash for each position of the rule set and the reverse.
func (c *comparison) sameHash(s env.State, r *reference) error {
	text := strings.Join(strings.Fields(r.text())[:3], " ")
	if known, is := c.hashes[text]; is && known != s.Hash() {
		return fmt.Errorf("hash is %#x and was %#x", s.Hash(), known)
	}
	if known, is := c.texts[s.Hash()]; is && known != text {
		return fmt.Errorf("hash %#x is that of %s", s.Hash(), known)
	}
	c.hashes[text], c.texts[s.Hash()] = s.Hash(), text
	return nil
}

func (c *comparison) sameThreats(s env.State, r *reference) error {
	if r.reason != "none" || c.pick(3) > 0 {
		return nil
	}
	state := s.(*tankchess.State)
	for player := range 2 {
		check, wayOut := r.inCheck(player), r.canEscape(player)
		if state.InCheck(env.Player(player)) != check || state.CanEscape(env.Player(player)) != wayOut {
			return fmt.Errorf("player %d: in check is %v, can escape %v, want %v and %v",
				player, state.InCheck(env.Player(player)), state.CanEscape(env.Player(player)), check, wayOut)
		}
		if check {
			c.seen["check"]++
		}
		if wayOut {
			c.seen["way out"]++
		}
	}
	return nil
}
