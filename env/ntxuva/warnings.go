package ntxuva

import (
	"fmt"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// slowSeeds is the number of seeds per house from which a relay can take a second.
const slowSeeds = 4

// Warnings implements variant.Warner.
func (r *Rules) Warnings() []variant.Warning {
	var list []variant.Warning
	if r.Seeds >= slowSeeds {
		list = append(list, variant.Warning{Field: "seeds",
			Text: fmt.Sprintf("is %d: some relays are so long that a ply can take a second", r.Seeds)})
	}
	if r.Repetition == 0 && r.NoProgress == 0 {
		list = append(list, variant.Warning{
			Text: "repetition and no_progress are both 0: a game in which neither player captures never ends"})
	}
	return append(list, r.firstMoveWarnings()...)
}

// firstMoveWarnings lists the first moves that end the game or capture.
func (r *Rules) firstMoveWarnings() []variant.Warning {
	g := newGame(*r)
	next := env.NewState(g).(*State)
	var capturing, ending []string
	for _, a := range g.start.Legal(nil) {
		text := env.ActionText(&g.start, a)
		next.CopyFrom(&g.start)
		next.Apply(a)
		if next.Points(env.Second) < g.start.Points(env.Second) {
			capturing = append(capturing, text)
		}
		if _, reason := next.Result(); reason != env.NoReason {
			ending = append(ending, fmt.Sprintf("%s (%v)", text, reason))
		}
	}
	var list []variant.Warning
	if len(ending) > 0 {
		list = append(list, variant.Warning{Text: "these first moves end the game at once: " + strings.Join(ending, ", ")})
	}
	if len(capturing) > 0 {
		list = append(list, variant.Warning{Text: "these first moves capture: " + strings.Join(capturing, ", ")})
	}
	return list
}
