package envtest

import (
	"fmt"
	"hash/maphash"

	"github.com/sandtable-farm/sandtable/env"
)

const treeSize = 3000 // positions of each tree below a corpus position

// checkHash looks for collisions (one hash, two positions) and for
// transpositions that the hash does not see (one text, two hashes) in the corpus
// and the trees below it.
func checkHash(s *Subject) error {
	type known struct {
		text  string
		facts uint64
	}
	byHash, byText := map[uint64]known{}, map[string]uint64{}
	seed := maphash.MakeSeed()
	look := func(state env.State) error {
		if _, reason := state.Result(); reason == env.Endless {
			return nil // the text does not say that the game is over
		}
		hash, text := state.Hash(), env.PositionText(state)
		rest, _, _, _ := counters(text)
		now := known{text, maphash.String(seed, rest) ^ digestBoard(seed, state)}
		if before, is := byHash[hash]; !is {
			byHash[hash] = now
		} else if before.facts != now.facts {
			return fmt.Errorf("hash %#x belongs to two positions, %q and %q", hash, before.text, text)
		}
		if before, is := byText[text]; is && before != hash {
			return fmt.Errorf("position %q has the hashes %#x and %#x", text, before, hash)
		}
		byText[text] = hash
		return nil
	}
	if err := s.walk(1, func(at spot) error { return look(at.state) }); err != nil {
		return err
	}
	return s.visitTrees(treeSize, look)
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
			return fmt.Errorf("hash is %#x, but was %#x in an earlier position with the same pieces", state.Hash(), hash)
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
