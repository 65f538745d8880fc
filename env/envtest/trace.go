package envtest

import (
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// checkTrace demands that Trace plays as Apply does, and that its events lead
// from the piece list before to the one after.
func checkTrace(s *Subject) error {
	applied, traced := env.NewState(s.game), env.NewState(s.game)
	return s.walk(7, func(at spot) error {
		tracer, ok := traced.(env.Tracer)
		if !ok {
			return nil
		}
		before := pieces(at.state)
		for _, a := range spread(at.legal, 24) {
			applied.CopyFrom(at.state)
			applied.Apply(a)
			traced.CopyFrom(at.state)
			trace := func(dst []env.Event) []env.Event { return tracer.Trace(a, dst) }
			events, err := appended("Trace", env.Event{Count: -77}, trace)
			if err != nil {
				return err
			}
			if err := s.portray(applied).differs(s.portray(traced)); err != nil {
				return fmt.Errorf("action %d, applied and traced: %w", a, err)
			}
			ply := tracedPly{before: before, after: pieces(traced), events: events, mover: at.state.Player()}
			if err := s.traceFault(ply); err != nil {
				return fmt.Errorf("action %d with events %+v: %w", a, events, err)
			}
		}
		return nil
	})
}

// tracedPly is what one ply did, as lists of pieces and as events.
type tracedPly struct {
	before, after []env.Piece
	events        []env.Event
	mover         env.Player
}

func (s *Subject) traceFault(t tracedPly) error {
	sown := false
	for _, e := range t.events {
		if err := s.eventFault(e, t.mover); err != nil {
			return err
		}
		sown = sown || e.Kind == env.Sown
	}
	if sown {
		return t.conserved()
	}
	return t.followed()
}

func (s *Subject) eventFault(e env.Event, mover env.Player) error {
	squares := s.spec.Width * s.spec.Height
	ok := func(n int16, limit int) bool { return n == env.None || n >= 0 && int(n) < limit }
	switch {
	case e.Kind > env.LeftBoard:
		return fmt.Errorf("event of unknown kind %v", e.Kind)
	case e.Player != mover:
		return fmt.Errorf("event of player %d in a ply of player %d", e.Player, mover)
	case !ok(e.From, squares) || !ok(e.To, squares):
		return fmt.Errorf("squares %d and %d are off the board", e.From, e.To)
	case !ok(e.Piece, len(s.spec.Pieces)) || !ok(e.Victim, len(s.spec.Pieces)):
		return fmt.Errorf("piece types %d and %d are unknown", e.Piece, e.Victim)
	case e.Face < env.NoFace || e.Face > env.Rear:
		return fmt.Errorf("face %d is unknown", e.Face)
	case (e.Kind == env.Captured || e.Kind == env.Destroyed) && e.Victim == env.None:
		return fmt.Errorf("%v event without a victim", e.Kind)
	}
	return nil
}

// conserved checks a ply in which seeds were sown: the mover's seeds stay on the
// board, and exactly the captured seeds of the enemy leave it.
func (t tracedPly) conserved() error {
	count := func(list []env.Piece, p env.Player) (n int) {
		for _, piece := range list {
			if piece.Owner == p {
				n += int(piece.Count)
			}
		}
		return n
	}
	captured := 0
	for _, e := range t.events {
		if e.Kind == env.Captured {
			captured += int(e.Count)
		}
	}
	enemy := t.mover.Opponent()
	if own := count(t.before, t.mover); own != count(t.after, t.mover) {
		return fmt.Errorf("the mover had %d seeds and has %d", own, count(t.after, t.mover))
	}
	if left := count(t.before, enemy) - captured; left != count(t.after, enemy) {
		return fmt.Errorf("a capture of %d seeds leaves %[3]d, must leave %[2]d", captured, left, count(t.after, enemy))
	}
	return nil
}

// followed checks a ply of pieces by their ids.
func (t tracedPly) followed() error {
	now := map[int16]env.Piece{}
	for _, p := range t.before {
		now[p.ID] = p
	}
	destroyed := map[int16]bool{}
	for _, e := range t.events {
		switch e.Kind {
		case env.Moved:
			p, stands := now[e.PieceID]
			if !stands || p.Type != e.Piece || p.Square != e.From || p.Owner != t.mover {
				return fmt.Errorf("%v: the acting piece is %+v", e, p)
			}
			p.Square = e.To
			now[e.PieceID] = p
		case env.Captured, env.Destroyed:
			p, stands := now[e.VictimID]
			if !stands || p.Wreck || p.Type != e.Victim || p.Square != e.To {
				return fmt.Errorf("%v: the victim is %+v", e, p)
			}
			if e.Kind == env.Captured {
				delete(now, e.VictimID)
			} else {
				destroyed[e.VictimID] = true
			}
		case env.LeftBoard:
			if _, stands := now[e.PieceID]; !stands {
				return fmt.Errorf("%v: the piece does not exist", e)
			}
			delete(now, e.PieceID)
		}
	}
	for _, p := range t.after {
		was, known := now[p.ID]
		if !known {
			return fmt.Errorf("afterwards the board has %+v", p)
		}
		if was.Type != p.Type || was.Owner != p.Owner || was.Square != p.Square || (was.Wreck || destroyed[p.ID]) != p.Wreck || was.Count != p.Count {
			return fmt.Errorf("by the events the piece is %+v, on the board it is %+v", was, p)
		}
		delete(now, p.ID)
	}
	for id, p := range now {
		if !destroyed[id] {
			return fmt.Errorf("%+v is gone without an event", p)
		}
	}
	return nil
}

// checkNoisy demands that the noisy actions are exactly the legal ones whose events
// capture or destroy.
func checkNoisy(s *Subject) error {
	next := env.NewState(s.game)
	return walkAs(s, 7, func(at spot, noisy env.Noisy) error {
		listed, err := appended("Noisy", env.Action(-77), noisy.Noisy)
		if err != nil {
			return err
		}
		tracer, ok := next.(env.Tracer)
		if !ok {
			return nil
		}
		var want []env.Action
		for _, a := range at.legal {
			next.CopyFrom(at.state)
			if slices.ContainsFunc(tracer.Trace(a, nil), func(e env.Event) bool {
				return e.Kind == env.Captured || e.Kind == env.Destroyed
			}) {
				want = append(want, a)
			}
		}
		if !slices.Equal(listed, want) {
			return fmt.Errorf("noisy actions are %v, those that capture or destroy are %v", listed, want)
		}
		return nil
	})
}
