package envtest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
)

func checkActionTexts(s *Subject) error {
	return s.walk(1, func(at spot) error {
		texts := map[string]env.Action{}
		for _, a := range at.legal {
			marked := string(at.state.AppendAction([]byte("|"), a))
			text, ok := strings.CutPrefix(marked, "|")
			if !ok {
				return errors.New("method AppendAction does not append to the slice it is given")
			}
			if b, taken := texts[text]; taken {
				return fmt.Errorf("actions %d and %d are both %q", b, a, text)
			}
			texts[text] = a
			if text == "" || strings.ContainsAny(text, " \t\r\n") {
				return fmt.Errorf("action %d has the text %q, must be one word", a, text)
			}
			parsed, err := at.state.ParseAction(text)
			if err != nil {
				return fmt.Errorf("action %d has the text %q, which does not parse: %w", a, text, err)
			}
			if parsed != a {
				return fmt.Errorf("action %d has the text %q, which parses as action %d", a, text, parsed)
			}
		}
		return nil
	})
}

func checkDamagedActions(s *Subject) error {
	r := env.NewRand(2)
	var texts []string
	return s.walk(5, func(at spot) error {
		for _, a := range at.legal {
			if len(texts) < 200 {
				texts = append(texts, env.ActionText(at.state, a))
			} else if r.IntN(8) == 0 {
				texts[r.IntN(len(texts))] = env.ActionText(at.state, a)
			}
		}
		for range 40 {
			if len(texts) == 0 {
				break
			}
			text := texts[r.IntN(len(texts))]
			if r.IntN(4) > 0 {
				text = damage(r, text)
			}
			a, err := at.state.ParseAction(text)
			if err == nil && !slices.Contains(at.legal, a) {
				return fmt.Errorf("%q parses as action %d, which is not legal", text, a)
			}
			if err != nil && err.Error() == "" {
				return fmt.Errorf("%q is refused with an empty error", text)
			}
		}
		for _, text := range []string{"", " ", "\x00", "-", strings.Repeat("9", 400), strings.Repeat("a1", 400)} {
			if a, err := at.state.ParseAction(text); err == nil {
				return fmt.Errorf("%q parses as action %d", text, a)
			}
		}
		return nil
	})
}

// checkPositions sets up each position of the corpus from its text, on a state that
// has held other positions. A text has no history, so a draw by repetition or an
// endless move is not final there, and the observation is the same only if the
// position occurs for the first time in the game.
func checkPositions(s *Subject) error {
	state, before, start := env.NewState(s.game), map[string]bool{}, -1
	return s.walk(1, func(at spot) error {
		if at.line != start {
			start = at.line
			clear(before)
		}
		want := s.portray(at.state)
		board := fmt.Sprint(anonymous(want.pieces))
		again := before[board]
		before[board] = true
		if err := state.SetPosition(want.text); err != nil {
			return fmt.Errorf("its own text is refused: %w", err)
		}
		got := s.portray(state)
		if historic(want.reason) {
			if got.text != want.text || got.hash != want.hash && want.reason == env.Repetition {
				return fmt.Errorf("its text sets up %q with hash %#x instead of %#x", got.text, got.hash, want.hash)
			}
			return nil
		}
		if err := want.differsNow(got); err != nil {
			return fmt.Errorf("played and set up: %w", err)
		}
		if !again && !want.seesAs(got) {
			return errors.New("the position has different observations when played and when set up, though it does not repeat")
		}
		return nil
	})
}

// historic reports whether an end depends on more than the position text.
func historic(reason env.Reason) bool { return reason == env.Repetition || reason == env.Endless }

func checkDamagedPositions(s *Subject) error {
	r := env.NewRand(3)
	state := env.NewState(s.game)
	return s.walk(13, func(at spot) error {
		text := env.PositionText(at.state)
		state.CopyFrom(at.state)
		want := s.portray(state)
		for range 60 {
			mutant := damage(r, text)
			if err := state.SetPosition(mutant); err != nil {
				if err := want.differs(s.portray(state)); err != nil {
					return fmt.Errorf("before and after %q was refused: %w", mutant, err)
				}
				continue
			}
			if now := env.PositionText(state); now != mutant {
				return fmt.Errorf("%q is accepted and sets up %q", mutant, now)
			}
			if err := errors.Join(s.legalFault(state), s.resultFault(state), s.pieceFault(state)); err != nil {
				return fmt.Errorf("%q is accepted: %w", mutant, err)
			}
			s.wander(r, state)
			if err := s.legalFault(state); err != nil {
				return fmt.Errorf("%q is accepted, and some plies on at %q: %w", mutant, env.PositionText(state), err)
			}
			state.CopyFrom(at.state)
		}
		return nil
	})
}

// damage changes a text in one or two places.
func damage(r *env.Rand, text string) string {
	for range 1 + r.IntN(2) {
		text = damageOnce(r, text)
	}
	return text
}

func damageOnce(r *env.Rand, text string) string {
	if text == "" {
		return "x"
	}
	i := r.IntN(len(text))
	j := i + 1 + r.IntN(len(text)-i)
	const odd = "0123456789-/, +xXaAbBwsnPCg#@N\x00\xffé"
	char := string(text[r.IntN(len(text))])
	if r.IntN(2) == 0 {
		k := r.IntN(len(odd))
		char = odd[k : k+1]
	}
	fields := strings.Split(text, " ")
	f := r.IntN(len(fields))
	switch r.IntN(9) {
	case 0:
		return text[:i] + text[j:]
	case 1:
		return text[:j] + text[i:]
	case 2:
		return text[:i]
	case 3:
		return text[:i] + char + text[i:]
	case 4, 5:
		return text[:i] + char + text[i+1:]
	case 6:
		return strings.Join(slices.Delete(fields, f, f+1), " ")
	case 7:
		numbers := []string{"-1", "00", "01", "+1", "1e3", "255", "256", "65536", "2147483648", "99999999999999999999"}
		fields[f] = numbers[r.IntN(len(numbers))]
		return strings.Join(fields, " ")
	}
	g := r.IntN(len(fields))
	fields[f], fields[g] = fields[g], fields[f]
	return strings.Join(fields, " ")
}
