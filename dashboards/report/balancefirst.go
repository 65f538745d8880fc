package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/dashboards/plot"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// balanceFirst returns the first screen of a report on balance.
func balanceFirst(r *balance.Report) First {
	d, s := &r.Data, r.Seats
	var f First
	f.draw(r.Variant, variantOf(r.Variant, r.Digest, r.Rules))
	f.About = []string{playedText(d.Agents, number(d.Episodes, "game"), r.Variant, d.FromStart)}
	f.Answers = append(f.Answers, fairness(r))
	if s.Games > 0 {
		f.Answers = append(f.Answers, drawsAndLength(s.First.Draw.Estimate, mean(d.Plies, d.Episodes)))
	}
	if a := s.Against; a != nil && s.Games > 0 {
		f.Answers = append(f.Answers, againstShort(s))
	}
	f.Answers = append(f.Answers, worths(r.Values)...)
	f.Lights = []Light{
		firstMoveLight(s.First.Score, d.MeasuresFirstMove()), drawsLight(s.First.Draw), lengthLight(mean(d.Plies, d.Episodes), d.Truncated, d.Episodes), doubtsLight(d.Notes()),
	}
	f.openDoubts()
	f.balanceWorths(r.Values)
	f.balanceSteps(r)
	return f
}

// drawsAndLength says how many games are drawn and how long they are.
func drawsAndLength(draws, plies float64) string {
	drawn := fmt.Sprintf("%.1f %% of the games are drawn", 100*draws)
	if draws == 0 {
		drawn = "No game is drawn"
	}
	return fmt.Sprintf("%s, and a game takes %.0f plies on average. (A ply is one turn of one player.)", drawn, plies)
}

func mean(sum, n int64) float64 { return float64(sum) / float64(max(1, n)) }

// playedText says who played games of a variant.
func playedText(agents []string, games, variant string, fromStart bool) string {
	switch names := agentNames(agents); len(names) {
	case 0:
		return fmt.Sprintf("%s of %s, %s.", games, variant, startText(fromStart))
	case 1:
		return fmt.Sprintf("%s played %s of %s against itself, %s.", names[0], games, variant, startText(fromStart))
	default:
		return fmt.Sprintf("The agents %s played %s of %s, %s.", listed(names), games, variant, startText(fromStart))
	}
}

// bracketsText explains the intervals in a table of a first screen.
func bracketsText(level float64) string {
	return fmt.Sprintf("Brackets show where the true number probably is (%s confidence intervals).", percent(level))
}

// inBrackets returns a text in brackets after a space, or "".
func inBrackets(text string) string {
	if text == "" {
		return ""
	}
	return " (" + text + ")"
}

func startText(fromStart bool) string {
	if fromStart {
		return "each from the start position"
	}
	return "each after an opening"
}

// fairness says whether moving first matters.
func fairness(r *balance.Report) string {
	s := r.Seats
	score := s.First.Score
	if !r.Data.MeasuresFirstMove() && s.Games > 0 {
		return moverSentence(s.SideToMove.Score)
	}
	switch v := s.Verdict(); v {
	case balance.NoneShown, balance.FirstIsBetter, balance.SecondIsBetter:
		return seatSentence(r.Players[0]+", who moves first,", score, v != balance.NoneShown)
	}
	return seatAnswer(s, r.Players)
}

// seatSentence says what moving first is worth. shown says that the score differs
// significantly from ½.
func seatSentence(first string, score stats.Interval, shown bool) string {
	scores := fmt.Sprintf("%s scores %s, and 50 %% would be even", first, probably(score))
	light := firstMoveLight(score, true)
	switch {
	case light.State == Good:
		return fmt.Sprintf("The game is even, as far as %s show: %s.", number(score.N, "game"), scores)
	case shown && score.Estimate > 0.5:
		return fmt.Sprintf("Moving first is worth %.1f points of 100: %s.", 100*(score.Estimate-0.5), scores)
	case shown:
		return fmt.Sprintf("Moving first costs %.1f points of 100: %s.", 100*(0.5-score.Estimate), scores)
	}
	return fmt.Sprintf("Too few games to tell whether moving first matters: %s.", scores) + enough(score, evenScore, "more games")
}

// moverSentence says what the side to move scores after openings that favour one seat.
func moverSentence(score stats.Interval) string {
	return fmt.Sprintf("After the opening the side to move scores %s. This is not the worth of moving first: it is that of being to move in these positions.", probably(score))
}

// againstShort compares the results with those of games from elsewhere.
func againstShort(s *balance.Seats) string {
	a := s.Against
	text := fmt.Sprintf("In %s of %s the first player scores %.1f %%", number(a.Games, "game"), a.Name, 100*a.First.Score.Estimate)
	if differs(a.Score) {
		return text + fmt.Sprintf(": the games here differ by %s.", points("%+.1f", a.Score))
	}
	return text + ": too few games to tell whether these games differ." + enough(a.Score, evenScore, "more games")
}

// valued lists the types with a value other than the unit, the greatest first.
func valued(v *balance.Values) (list []*balance.TypeValue) {
	if len(v.Phases) == 0 {
		return nil
	}
	whole := &v.Phases[0]
	for i := range whole.Types {
		t := &whole.Types[i]
		if t.Value != nil && t.Type != v.Unit && valueCell(t.Value, false) != "no bounds" {
			list = append(list, t)
		}
	}
	slices.SortStableFunc(list, func(a, b *balance.TypeValue) int { return cmp.Compare(b.Value.Estimate, a.Value.Estimate) })
	return list
}

// oneMore names one piece of a type with its article.
func oneMore(name string, counted bool) string {
	if counted {
		return "one seed in " + article(name)
	}
	return article(name)
}

func article(name string) string {
	if strings.ContainsRune("AEIOUaeiou", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}

// Bounds of first screens: the types or variants that a sentence names, the sentences of one
// kind, and the rows of the table.
const (
	mostNamed     = 4
	mostSentences = 3
	mostRows      = 6
)

// worths says what the pieces are worth.
func worths(v *balance.Values) []string {
	list := valued(v)
	if len(list) == 0 {
		if answer := valuesAnswer(v); answer != "" {
			return []string{answer}
		}
		return nil
	}
	var sure, open []string
	for _, t := range list[:min(mostNamed, len(list))] {
		name := oneMore(t.Type, t.Counted)
		if unsure(t.Value) {
			open = append(open, fmt.Sprintf("%s (probably %s to %s)", name, figure(t.Value.Low), figure(t.Value.High)))
			continue
		}
		if len(sure) == 0 {
			sure = append(sure, fmt.Sprintf("%s is worth about as much as %s", capital(name), times(t.Value.Estimate, v.Unit, t.Counted)))
			continue
		}
		sure = append(sure, fmt.Sprintf("%s as %s", name, Decimal("%.1f", t.Value.Estimate)))
	}
	var texts []string
	if len(sure) > 0 {
		texts = append(texts, listed(sure)+".")
	}
	if len(open) > 0 {
		texts = append(texts, fmt.Sprintf("Too few games to tell how much these are worth, where %s is 1: %s.", oneMore(v.Unit, list[0].Counted), listed(open)))
		if games := worthGames(v); games > 0 {
			texts[len(texts)-1] += fmt.Sprintf(" About %s in all would show it.", number(games, "game"))
		}
	}
	return append(texts, "These worths count how often the side that was one piece ahead won. Being ahead often goes with a better position too, so games in which one side lacks the piece can give other numbers: “What to try next” has the command that plays them.")
}

// unsure reports whether the bounds of a worth are too far apart to name one number: the
// upper bound is more than twice the lower one.
func unsure(worth *stats.Interval) bool { return worth.Low <= 0 || worth.High > 2*worth.Low }

// worthGames returns how many games in all bring the bounds of the worths that first screens
// name close enough, in round numbers; 0 if the worths are known or have no use as a guide.
func worthGames(v *balance.Values) (games int64) {
	list := valued(v)
	for _, t := range list[:min(mostNamed, len(list))] {
		if !unsure(t.Value) || t.Value.Estimate <= 0 || math.IsInf(t.Value.High-t.Value.Low, 0) {
			continue
		}
		// The width falls with the root of the number of games; at a third of the worth on
		// either side, the upper bound is twice the lower one.
		times := (t.Value.High - t.Value.Low) / (2 * t.Value.Estimate / 3)
		if need := float64(v.Games) * times * times; need < mostAdvised {
			games = max(games, roundUp(max(int64(need), 2*v.Games)))
		}
	}
	return games
}

// mostAdvised is the greatest number of games that first screens advise to play.
const mostAdvised = 1e7

// listed joins parts of a sentence.
func listed(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}

// times names a number of pieces.
func times(n float64, name string, counted bool) string {
	switch text := Decimal("%.1f", n); {
	case counted:
		return fmt.Sprintf("%s in %s", text, article(name))
	case text == "1.0":
		return "one " + name
	default:
		return text + " " + name + "s"
	}
}

// balanceWorths sets the figure and the table of the first screen.
func (f *First) balanceWorths(v *balance.Values) {
	if len(v.Phases) == 0 {
		return
	}
	var list []plot.Estimate
	for _, t := range valued(v) {
		list = append(list, plot.Estimate{Name: t.Type, Interval: *t.Value})
	}
	f.bars("What each piece is worth", "worth, in "+v.Unit+"s", 1, list,
		fmt.Sprintf("How many %ss each piece is worth: the dot is the estimate, the bar is where the true worth probably is (%s confidence interval), n = %s positions. The broken line is one %[1]s.", v.Unit, percent(stats.Level), Count(v.Phases[0].Rows)))
	f.Table = Table{Columns: []string{"piece", "worth, in " + v.Unit + "s", "score of the side that is one ahead", "n"}, Caption: bracketsText(stats.Level)}
	for i := range v.Phases[0].Types {
		t := &v.Phases[0].Types[i]
		if t.Score == nil {
			continue
		}
		f.Table.Rows = append(f.Table.Rows, []string{t.Type, valueCell(t.Value, t.Type == v.Unit), shareCell(*t.Score), Count(t.Score.N)})
	}
}

// balanceSteps adds what to try next.
func (f *First) balanceSteps(r *balance.Report) {
	d := &r.Data
	name := pasteable(r.Variant, r.Digest)
	score := r.Seats.First.Score
	light := firstMoveLight(score, d.MeasuresFirstMove())
	again := len(d.Agents) == 1 && !strings.Contains(d.Agents[0], "sha256:") && len(d.Sources) > 0
	more := func(why string, games int64, openings ...string) {
		to := d.Sources[0].Dir + "-more"
		words := append([]string{"sandtable", "farm", name, "--agent", d.Agents[0]}, openings...)
		f.step(why, append(words, "--episodes", fmt.Sprint(games), "--seed", fmt.Sprint(d.Sources[0].Seed+1), "--out", to, "&&", "sandtable", "balance", to)...)
	}
	switch worth := worthGames(r.Values); {
	case again && light.State == Unknown:
		games, why := int64(10_000), "Play games from the start of the rules, which show what moving first is worth"
		if more, ok := moreGames(score, evenScore); ok && d.MeasuresFirstMove() {
			games, why = more, "Play more games, to find out whether moving first matters"
		}
		more(why, max(games, worth), "--openings", "start")
	case again && worth > 0:
		more("Play enough games to learn the worths that are open", worth)
	}
	f.step("Measure what each piece is worth", "sandtable", "balance", "--handicap", name)
	if light.State == Look || light.State == Bad {
		changed, what := tweak(name, r.Digest)
		if other := cmp.Or(changed, sibling(r.Variant)); other != "" {
			f.step("See whether a change of the rules makes the game more even"+inBrackets(what), "sandtable", "compare", name, other)
			return
		}
	}
	f.step("See whether this holds for stronger players", "sandtable", "compare", name, "--budgets", "500,2000", "--report", "compare.html")
}
