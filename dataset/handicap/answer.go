package handicap

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// who says who is handicapped.
func (e *Effect) who() string {
	switch {
	case e.Attribute != "":
		return fmt.Sprintf("A side whose every %s has %s %s", e.Type, e.Attribute, change(e.By))
	case e.Counted:
		return "A side with one less in one " + e.Type
	}
	return fmt.Sprintf("A side without one %s", e.Type)
}

// answer says in a sentence what a handicap does.
func (e *Effect) answer() string {
	who := e.who()
	games := e.Seats[0].games() + e.Seats[1].games()
	switch {
	case games == 0:
		return fmt.Sprintf("No game has a result: nothing can be told of %s.", e.Name)
	case e.Seats[0].games() < 2 || e.Seats[1].games() < 2:
		return fmt.Sprintf("Too few games of one seat have a result: nothing can be told of %s.", e.Name)
	case e.allDrawn():
		return fmt.Sprintf("All %s games were drawn: %s scores as before, and such games say little of pieces.", dataset.Count(games), lower(who))
	case e.Adjusted > significant:
		return fmt.Sprintf("No effect is shown: %s scores %s, 50 %% being even.%s", lower(who), dataset.Share(e.Score), e.couldShow())
	case e.Loss.Estimate > 0:
		return fmt.Sprintf("%s scores %s instead of 50 %%: it loses %s.", who, dataset.Share(e.Score), points(e.Loss))
	}
	return fmt.Sprintf("%s scores %s instead of 50 %%: it gains %s.", who, dataset.Share(e.Score), points(less(0, e.Loss)))
}

func (s *Seat) games() int64 { return s.Wins + s.Draws + s.Losses }

func (e *Effect) allDrawn() bool {
	return !slices.ContainsFunc(e.Seats[:], func(s Seat) bool { return s.Wins+s.Losses > 0 })
}

// couldShow says what the games would have shown, for no effect shown is not none.
func (e *Effect) couldShow() string {
	if e.Detectable == nil {
		return ""
	}
	return fmt.Sprintf(" That does not say that there is none: a loss of %.1f points would have been found %.0f times in 100.",
		100*e.Detectable.Loss, 100*e.Detectable.Power)
}

// answer says whether experiment and regression agree.
func (c *Comparison) answer() string {
	if c.Problem != "" {
		return fmt.Sprintf("There is nothing to compare with: %s.", strings.TrimSuffix(c.Problem, "."))
	}
	both := fmt.Sprintf("By regression who is one ahead scores %s, by experiment %s: ", dataset.Share(c.Regression), dataset.Share(c.Causal))
	switch {
	case c.Adjusted > significant:
		return both + "no difference is shown."
	case c.Difference.Estimate > 0:
		return both + "more than the piece causes from the start."
	}
	return both + "less than the piece causes from the start."
}

// answer says whether the attribute matters.
func (c *Curve) answer() string {
	first, last := c.Points[0].By, c.Points[len(c.Points)-1].By
	what := fmt.Sprintf("from %s %s to %s", c.Attribute, change(first), change(last))
	switch {
	case c.Adjusted > significant:
		return fmt.Sprintf("No difference of the score %s is shown: %s.", what, points(c.Rise))
	case c.Rise.Estimate > 0:
		return fmt.Sprintf("%s the score of the side rises by %s.", upper(what), points(c.Rise))
	}
	return fmt.Sprintf("%s the score of the side falls by %s.", upper(what), points(less(0, c.Rise)))
}

// answer sums the effects up, the greatest loss first.
func (r *Report) answer() string {
	var costs, gains, open []string
	order := make([]*Effect, len(r.Handicaps))
	for i := range order {
		order[i] = &r.Handicaps[i]
	}
	slices.SortStableFunc(order, func(a, b *Effect) int {
		switch {
		case a.Loss.Estimate > b.Loss.Estimate:
			return -1
		case a.Loss.Estimate < b.Loss.Estimate:
			return 1
		}
		return 0
	})
	for _, e := range order {
		named := fmt.Sprintf("%s (%.1f points)", e.Name, 100*e.Loss.Estimate)
		switch {
		case e.Adjusted > significant:
			open = append(open, e.Name)
		case e.Loss.Estimate > 0:
			costs = append(costs, named)
		default:
			gains = append(gains, fmt.Sprintf("%s (%.1f points)", e.Name, -100*e.Loss.Estimate))
		}
	}
	var says []string
	for _, part := range []struct {
		what string
		list []string
	}{
		{"Shown to cost the side that has it, in points of a hundred of the score", costs},
		{"Shown to help it", gains},
		{"No effect is shown of", open},
	} {
		if len(part.list) > 0 {
			says = append(says, part.what+": "+strings.Join(part.list, ", ")+".")
		}
	}
	if len(says) == 0 {
		return "Nothing was played: nothing can be told."
	}
	return strings.Join(says, " ")
}

// fewGames is below how many games of a seat intervals are not to be relied on.
const fewGames = 50

// notes tells what a reader must know.
func (a *analysis) notes(r *Report) {
	note := func(format string, args ...any) { r.Notes = append(r.Notes, fmt.Sprintf(format, args...)) }
	// all tells of every handicap that something holds of, in one note.
	all := func(of func(g *games) (n, total int64, holds bool), sentence string) {
		var names []string
		for i, g := range a.games {
			if n, total, holds := of(g); holds {
				names = append(names, fmt.Sprintf("%s (%s of %s)", r.Handicaps[i].Name, dataset.Count(n), dataset.Count(total)))
			}
		}
		if len(names) > 0 {
			note("%s: %s.", sentence, strings.Join(names, ", "))
		}
	}
	all(func(g *games) (int64, int64, bool) { return g.missing, g.missing + g.episodes, g.missing > 0 }, "Games of the plan are missing")
	all(func(g *games) (int64, int64, bool) { return g.truncated, g.episodes, g.truncated > 0 },
		"Games were cut off by the limit of plies and are left out; if they differ from the others, scores are biased")
	all(func(g *games) (int64, int64, bool) { return g.failed, g.episodes, g.failed > 0 },
		"Games were lost by a program that crashed, was late or played what is illegal, and are left out")
	all(func(g *games) (int64, int64, bool) {
		few := min(g.seats[0].games(), g.seats[1].games())
		return few, g.decided(), few < fewGames && g.told()
	}, fmt.Sprintf("A seat has so few games with a result that intervals are rough, below %d", fewGames))
	all(func(g *games) (int64, int64, bool) { return g.distinct, g.episodes, 10*g.distinct < 9*g.episodes },
		"Few of the games are different ones; those that repeat others tell nothing new, so intervals are too narrow, and more random plies or an agent with noise would help")
	all(func(g *games) (int64, int64, bool) {
		return g.openings, g.episodes, g.openings < fewGames && g.episodes >= fewGames
	},
		"Games begin from few different positions, and the numbers are those of these openings, not of others")
	var helped []string
	for i := range r.Handicaps {
		if e := &r.Handicaps[i]; e.Attribute == "" && e.Adjusted <= significant && e.Loss.Estimate < 0 {
			helped = append(helped, e.Name)
		}
	}
	if len(helped) > 0 {
		note("To have less helps here, which may say more of the agent than of the pieces; a stronger one, such as with more positions a move, may tell otherwise: %s.", strings.Join(helped, ", "))
	}
	if c := r.Control; c != nil && !c.SameAgent {
		note("The games of the unchanged rules were played by others: %s. Where they differ from the experiment, that may be because of the agents.", strings.Join(c.Data.Agents, "; "))
	}
	if c := r.Control; c != nil && !c.SameOpenings {
		note("The games of the unchanged rules begin otherwise than those of the experiment, with more or fewer random plies or from other positions; that may be why they differ.")
	}
	note("All of it holds for the agent that played both sides, and for pieces that are missing, or other, from the start of the game.")
}

// change writes by how much an attribute is other.
func change(by int) string { return dataset.Decimal("%+.0f", float64(by)) }

// points writes a difference of scores in words.
func points(i stats.Interval) string {
	write := func(x float64) string { return dataset.Decimal("%.1f", 100*x) }
	return fmt.Sprintf("%s points of a hundred (%s to %s)", write(i.Estimate), write(i.Low), write(i.High))
}

func lower(sentence string) string { return strings.ToLower(sentence[:1]) + sentence[1:] }

func upper(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
