package envtest

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
)

const treeSize = 3000 // positions of each tree below a corpus position

// checkHash looks for collisions (one hash, two positions) and for
// transpositions that the hash does not see (one text, two hashes) in the corpus
// and the trees below it.
func checkHash(s *Subject) error {
	byHash, byText := map[uint64]string{}, map[string]uint64{}
	look := func(state env.State) error {
		if _, reason := state.Result(); reason == env.Endless {
			return nil // the text does not say that the game is over
		}
		hash, text, facts := state.Hash(), env.PositionText(state), s.facts(state)
		if known, is := byHash[hash]; is && known != facts {
			return fmt.Errorf("hash %#x belongs to two positions:\n%s\n%s", hash, known, facts)
		}
		byHash[hash] = facts
		if known, is := byText[text]; is && known != hash {
			return fmt.Errorf("position %q has the hashes %#x and %#x", text, known, hash)
		}
		byText[text] = hash
		return nil
	}
	if err := s.walk(1, func(at spot) error { return look(at.state) }); err != nil {
		return err
	}
	return s.visitTrees(treeSize, look)
}

// facts writes what a hash decides: the board, the points and, by its text
// without the counters at its end, who is to move.
func (s *Subject) facts(state env.State) string {
	text, _, _, _ := counters(env.PositionText(state))
	return fmt.Sprint(text, anonymous(pieces(state)), points(state))
}

// checkHashCounters demands that positions of one game in which nothing but
// counters differs have one hash: same pieces with their ids, same points, same
// player, same legal actions.
func checkHashCounters(s *Subject) error {
	look := func(seen map[string]uint64, state env.State) error {
		if state.Player() == env.NoPlayer {
			return nil
		}
		if _, lists := state.(env.PieceLister); !lists {
			return nil
		}
		facts := fmt.Sprint(pieces(state), points(state), state.Player(), state.Legal(nil))
		if hash, is := seen[facts]; is && hash != state.Hash() {
			return fmt.Errorf("hash %#x was %#x when the same pieces stood so before", state.Hash(), hash)
		}
		seen[facts] = state.Hash()
		return nil
	}
	seen, line := map[string]uint64{}, -1
	if err := s.walk(1, func(at spot) error {
		if at.line != line {
			clear(seen)
			line = at.line
		}
		return look(seen, at.state)
	}); err != nil {
		return err
	}
	return s.shuffles(func(first, again env.State) error {
		clear(seen)
		if err := look(seen, first); err != nil {
			return err
		}
		return look(seen, again)
	})
}
