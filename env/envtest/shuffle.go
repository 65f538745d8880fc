package envtest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
)

// shuffles finds positions of the corpus in which both players can move to and
// fro, so that the same position occurs a second time four plies later, and
// visits the pair. Games without such play have none.
func (s *Subject) shuffles(visit func(first, again env.State) error) error {
	const breadth = 6 // actions tried to and to answer
	steps := s.game.NewStates(4)
	return s.walk(9, func(at spot) error {
		if at.state.Player() == env.NoPlayer {
			return nil
		}
		want := anonymous(pieces(at.state))
		first := env.NewState(s.game)
		first.CopyFrom(at.state)
		for _, there := range spread(at.legal, breadth) {
			steps[0].CopyFrom(first)
			steps[0].Apply(there)
			for _, answer := range spread(steps[0].Legal(nil), breadth) {
				steps[1].CopyFrom(steps[0])
				steps[1].Apply(answer)
				for _, back := range steps[1].Legal(nil) {
					steps[2].CopyFrom(steps[1])
					steps[2].Apply(back)
					if !almost(anonymous(pieces(steps[2])), want) {
						continue
					}
					for _, home := range steps[2].Legal(nil) {
						steps[3].CopyFrom(steps[2])
						steps[3].Apply(home)
						if steps[3].Player() == first.Player() && slices.Equal(anonymous(pieces(steps[3])), want) {
							if err := visit(first, steps[3]); err != nil {
								return fmt.Errorf("after actions %d %d %d %d: %w", there, answer, back, home, err)
							}
							return nil
						}
					}
				}
			}
		}
		return nil
	})
}

// almost reports whether all pieces but at most one stand as wanted; both lists
// are by square.
func almost(pieces, want []env.Piece) bool {
	missing := 0
	for _, p := range want {
		if !slices.Contains(pieces, p) {
			missing++
		}
	}
	return len(pieces) == len(want) && missing <= 1
}

// spread picks up to n actions evenly from a list.
func spread(actions []env.Action, n int) []env.Action {
	if len(actions) <= n {
		return actions
	}
	picked := make([]env.Action, n)
	for i := range picked {
		picked[i] = actions[i*len(actions)/n]
	}
	return picked
}

// counters splits the two counters off a position text: in every game it ends
// in the quiet plies and the plies played.
func counters(text string) (rest string, quiet, plies int, err error) {
	fields := strings.Split(text, " ")
	if len(fields) < 3 {
		return text, 0, 0, fmt.Errorf("position %q does not end in its quiet plies and its plies", text)
	}
	n := len(fields) - 2
	if quiet, err = strconv.Atoi(fields[n]); err == nil {
		plies, err = strconv.Atoi(fields[n+1])
	}
	if err != nil {
		return text, 0, 0, fmt.Errorf("position %q does not end in its quiet plies and its plies: %w", text, err)
	}
	return strings.Join(fields[:n], " "), quiet, plies, nil
}
