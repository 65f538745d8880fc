package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/dataset/handicap"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// Bounds of the lights, as shares. METHODS.md states them.
const (
	evenScore   = 0.03  // the first move is good if its whole interval is this near to ½,
	unevenScore = 0.05  // and bad if its whole interval is further from ½ than this
	fewDraws    = 0.2   // draws are good if the whole interval is below this,
	manyDraws   = 0.5   // and bad if the whole interval is above this
	fewCutOff   = 0.005 // the length is good if at most this share of games is cut off,
	manyCutOff  = 0.05  // and bad if more than this share is
	power       = 0.8   // the probability with which as many games as advised find an effect
)

// firstMoveLight rates the first player's score. measured says that the score shows what
// moving first is worth.
func firstMoveLight(score stats.Interval, measured bool) Light {
	l := Light{Subject: "First move", State: Look, Text: scoreText(score)}
	reach := math.Max(math.Abs(score.Low-0.5), math.Abs(score.High-0.5))
	switch {
	case score.N == 0:
		l.State, l.Text = Unknown, "no game has a result"
	case !measured:
		l.State, l.Text = Unknown, "not measured: these games begin after openings that favour one seat"
	case reach <= evenScore:
		l.State = Good
	case score.Low-0.5 > unevenScore || 0.5-score.High > unevenScore:
		l.State = Bad
	case score.Low <= 0.5 && score.High >= 0.5 && reach > unevenScore:
		l.State = Unknown
	}
	if l.State == Unknown && score.N > 0 && measured {
		l.Text += "; too few games to tell"
	}
	return l
}

func scoreText(score stats.Interval) string {
	return fmt.Sprintf("the first player scores %s; 50 %% is even", probably(score))
}

// probably formats a share with the bounds of its interval.
func probably(i stats.Interval) string {
	return fmt.Sprintf("%.1f %% (probably %.1f to %.1f)", 100*i.Estimate, 100*i.Low, 100*i.High)
}

// drawsLight rates the share of draws.
func drawsLight(draws stats.Interval) Light {
	l := Light{Subject: "Draws", State: Look, Text: fmt.Sprintf("%.1f %% of games are drawn", 100*draws.Estimate)}
	if draws.Estimate == 0 {
		l.Text = "no game is drawn"
	}
	switch {
	case draws.N == 0:
		l.State, l.Text = Unknown, "no game has a result"
	case draws.High < fewDraws:
		l.State = Good
	case draws.Low > manyDraws:
		l.State = Bad
	case draws.Low < fewDraws && draws.High > manyDraws:
		l.State, l.Text = Unknown, l.Text+"; too few games to tell"
	}
	return l
}

// lengthLight rates the share of games that the ply limit cut off. mean is the mean number
// of plies of a game.
func lengthLight(mean float64, cutOff, games int64) Light {
	if games == 0 {
		return Light{Subject: "Length", State: Unknown, Text: "no game was played"}
	}
	share := float64(cutOff) / float64(games)
	l := Light{Subject: "Length", State: Look, Text: fmt.Sprintf("%.0f plies on average; %.1f %% of games are cut off by the ply limit", mean, 100*share)}
	switch {
	case cutOff == 0:
		l.State, l.Text = Good, fmt.Sprintf("%.0f plies on average; all games come to an end", mean)
	case share <= fewCutOff:
		l.State = Good
	case share > manyCutOff:
		l.State = Bad
	}
	return l
}

// doubtsQuestion is the heading under which pages list the reasons for doubt.
const doubtsQuestion = "What should I doubt?"

// doubts lists the reasons for doubt.
func (p *Page) doubts(reasons []string) {
	p.heading(2, doubtsQuestion)
	for _, reason := range reasons {
		p.say(reason)
	}
}

// A doubtText is a reason for doubt in a few words.
type doubtText struct {
	words   string // empty for a note that does not concern the first screen
	serious bool   // makes the light bad
}

// doubtTexts are the texts of the codes of notes and warnings.
var doubtTexts = map[string]doubtText{ // constant
	string(balance.NoGames):        {"no games", true},
	string(balance.OneCluster):     {"a single game", true},
	string(balance.FewClusters):    {"few games", true},
	string(balance.CutOff):         {"games cut off", false},
	string(balance.Forfeited):      {"games lost by a failing program", false},
	string(balance.RepeatedGames):  {"repeated games", true},
	string(balance.DecidedEarly):   {"games that the opening decides", true},
	string(balance.SampleOnly):     {},
	string(balance.ParityMatters):  {"openings that favour the side to move", false},
	string(balance.FewOpenings):    {"few openings", false},
	string(handicap.MissingGames):  {"missing games", false},
	string(handicap.FailedGames):   {"games lost by a failing program", false},
	string(handicap.FewSeatGames):  {"few games", true},
	string(handicap.Helped):        {"a missing piece helps", false},
	string(handicap.OtherAgents):   {"ordinary games by other agents", false},
	string(handicap.OtherOpenings): {"ordinary games from other openings", false},
	string(compare.FewResults):     {"few games with a result", true},
	string(compare.NoChance):       {"agents that make no random choices", true},
	string(compare.DifferentGames): {"different games", false},
}

// doubtsLight rates the reasons for doubt, by their codes.
func doubtsLight[C ~string](codes []C) Light {
	l := Light{Subject: "Doubts", State: Good, Text: "enough games, few of them cut off or repeated"}
	var reasons []string
	for _, code := range codes {
		text, ok := doubtTexts[string(code)]
		if !ok {
			text.words = strings.ReplaceAll(string(code), "_", " ")
		}
		if text.words == "" {
			continue
		}
		if !slices.Contains(reasons, text.words) {
			reasons = append(reasons, text.words)
		}
		if l.State != Bad {
			l.State = Look
		}
		if text.serious {
			l.State = Bad
		}
	}
	if len(reasons) > mostNamed {
		reasons = append(reasons[:mostNamed-1], fmt.Sprintf("%d more", len(reasons)-mostNamed+1))
	}
	if len(reasons) > 0 {
		l.Text = listed(reasons)
	}
	return l
}

// tooFew begins answers to questions that the games leave open, after its first letter.
const tooFew = "oo few games to tell"

// openDoubts makes a good light on doubts ask for a check if the games leave an answer or
// another light open. It follows all answers and lights.
func (f *First) openDoubts() {
	l := &f.Lights[len(f.Lights)-1]
	isOpen := func(answer string) bool { return strings.Contains(answer, tooFew) }
	if l.State == Good && (slices.ContainsFunc(f.Answers, isOpen) || slices.ContainsFunc(f.Lights, func(l Light) bool { return isOpen(l.Text) })) {
		l.State, l.Text = Look, "too few games to answer all questions above"
	}
}

// limits states the bounds of good lights.
func (f *First) limits() string {
	bounds := []struct{ subject, text string }{
		{"First move", fmt.Sprintf("first player's score within %s points of 50 %%", whole(evenScore))},
		{"Draws", fmt.Sprintf("draws below %s %%", whole(fewDraws))},
		{"Length", fmt.Sprintf("at most %.1f %% of games cut off", 100*fewCutOff)},
	}
	var good []string
	for _, b := range bounds {
		if slices.ContainsFunc(f.Lights, func(l Light) bool { return l.Subject == b.subject }) {
			good = append(good, b.text)
		}
	}
	if len(good) == 0 {
		return ""
	}
	return fmt.Sprintf("Good means: %s.", listed(good))
}

// moreGames returns how many more games than those of an interval find a true distance from
// a value, in round numbers; ok is false if the interval does not show it.
func moreGames(i stats.Interval, distance float64) (more int64, ok bool) {
	need, err := i.Needed(distance, power)
	if i.N == 0 || err != nil {
		return 0, false
	}
	return roundUp(max(need-i.N, i.N)), true
}

// enough says in a sentence after a space how many more games than those of an interval
// would show a true distance from a value; empty if the interval does not show it.
func enough(i stats.Interval, distance float64, more string) string {
	games, ok := moreGames(i, distance)
	if !ok {
		return ""
	}
	return fmt.Sprintf(" About %s %s would show it.", Count(games), more)
}

// roundUp rounds a number up to two significant digits.
func roundUp(n int64) int64 {
	unit := int64(1)
	for n/unit >= 100 {
		unit *= 10
	}
	return (n + unit - 1) / unit * unit
}

// lightBounds explains the lights.
func lightBounds() [][]string {
	return [][]string{
		{"First move", fmt.Sprintf("both bounds of the first player's score are within %s points of 50 %%", whole(evenScore)), fmt.Sprintf("both bounds are more than %s points away on one side", whole(unevenScore))},
		{"Draws", fmt.Sprintf("the upper bound of the share of draws is below %s %%", whole(fewDraws)), fmt.Sprintf("the lower bound is above %s %%", whole(manyDraws))},
		{"Length", fmt.Sprintf("at most %.1f %% of games are cut off by the ply limit", 100*fewCutOff), fmt.Sprintf("more than %s %% are cut off", whole(manyCutOff))},
		{"Doubts", "the data give none", "few or repeated games make the numbers unreliable"},
	}
}

// whole formats a share in per cent without decimals.
func whole(share float64) string { return fmt.Sprintf("%.0f", 100*share) }
