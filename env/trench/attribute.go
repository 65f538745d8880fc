package trench

import (
	"fmt"
	"maps"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// longestAttribute is the attribute that can differ between the sides.
const longestAttribute = "longest_move"

// WithAttribute implements variant.Attributer.
func (r *Rules) WithAttribute(player env.Player, symbol, attribute string, by int) (variant.RuleSet, error) {
	rank := strings.Index(letters, symbol)
	switch {
	case len(symbol) != 1 || rank < 0:
		return nil, fmt.Errorf("%q is not a rank; the ranks are G, L, C, S, P", symbol)
	case attribute != longestAttribute:
		return nil, fmt.Errorf("attribute %q cannot differ between the sides, must be %s", attribute, longestAttribute)
	}
	longest := [2]int{r.longestMove(env.First, rank), r.longestMove(env.Second, rank)}
	if by < -maxLongestMove || by > maxLongestMove || longest[player&1]+by < 1 || longest[player&1]+by > maxLongestMove {
		return nil, fmt.Errorf("%s of %s is %d and cannot be changed by %+d, must stay within 1 to %d", attribute, symbol, longest[player&1], by, maxLongestMove)
	}
	longest[player&1] += by
	out := *r
	out.Pieces, out.White = maps.Clone(r.Pieces), maps.Clone(r.White)
	piece := out.Pieces[symbol]
	piece.LongestMove = longest[env.First]
	out.Pieces[symbol] = piece
	if out.White == nil {
		out.White = map[string]Apart{}
	}
	if out.White[symbol] = (Apart{LongestMove: longest[env.Second]}); longest[0] == longest[1] {
		delete(out.White, symbol)
	}
	if len(out.White) == 0 {
		out.White = nil
	}
	return &out, nil
}
