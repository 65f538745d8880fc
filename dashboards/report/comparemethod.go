package report

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// spendingMethod is how looks keep their error.
const spendingMethod = "Levels are those of a group sequential trial whose error is spent as O'Brien and Fleming's bounds would (Lan and DeMets 1983): repeated confidence intervals, which hold at all looks at once " +
	"(Jennison and Turnbull 2000, chapter 9)."

// looks says how often the games of a report were looked at.
func looks(r *compare.Report) string {
	if r.Sequential == nil {
		return "Looks. The games were looked at once, when all were played."
	}
	return fmt.Sprintf("Looks. The games were looked at up to %d times, as planned, and playing ended where each comparison's interval left out no difference or lay within its margin. %s "+
		"For that each is at level %s here, and the decision divides the error among the family by Bonferroni's inequality.", r.Plan.LookCount(), spendingMethod, percent(r.Level))
}

// anyLooks says how often games are looked at.
const anyLooks = "Looks. Games are looked at once, when all are played, or, with --sequential, several times, as planned; then playing ends where each comparison's interval leaves out no difference or lies within its margin. " +
	spendingMethod + " The decision divides the error among the family by Bonferroni's inequality."

// compareMethods are the formulas of pages of comparisons and where they come from,
// with what is said of looks, and what the metrics are.
func compareMethods(looks string, metrics []compare.Metric) []string {
	list := []string{
		"Plan. All of it was stated before a game was played: variants, agents, games, margins, looks. It is kept as plan.json beside the games.",
		"Games. Each variant with each budget has games of its own seed; no two share one, so that estimates of different variants and budgets are independent, " +
			"and the unit is the game, on the ladder the pair of games. Openings are random plies, drawn anew where a side gets ahead or a position comes twice.",
		"Estimates. Shares and scores have Wilson's interval (1927) at the effective number of observations p(1 − p)/v, with v the linearised variance of a ratio of sums over games and Student's quantile " +
			"(Dean and Pagano 2015; Cochran 1977, 6.13), drama, repetition and coverage Clopper and Pearson's (1934) at that number (Korn and Graubard 1998); means such as lengths have Student's, and changes of the lead, which are counts, " +
			"Garwood's (1936) at the effective count (Fay and Feuer 1997). Where all games agree in length, or branching, their mean is taken for one of as many counts as there are games, likewise. Each estimate names its method in the JSON.",
		fmt.Sprintf("Differences of shares and scores have the interval of Newcombe's hybrid method (1998, method 10; Zou and Donner 2008), low = d − √((a − a.low)² + (b.high − b)²), high alike; those of means Welch's (1947). "+
			"A test inverts its interval: P is 1 less the highest level that leaves 0 out (Lehmann and Romano 2005, 3.5), so that test and interval agree. "+
			"Holm's adjustment (1979) keeps the probability of any false difference in a family at %s; outcomes, feel, the numbers' dependence on thinking, that of differences, scores on the ladder and its slopes are a family each.", percent(1-stats.Level)),
		"Equivalence is tested by two one-sided tests (Schuirmann 1987) against the margin, adjusted by Holm likewise. The detectable difference is that of a two-sided test by Student's t at the error divided by the size of the family, " +
			"with the variance seen and the games planned.",
		looks,
		"Dependence on thinking. A difference of differences of four independent estimates: its interval has the ends of both combined as above.",
		"Values. The results are regressed on differences of counts by proportional odds with errors by cluster (McCullagh 1980; Liang and Zeger 1986), as sandtable balance does it; a value is a ratio of coefficients. " +
			"Differences of values combine the intervals of both variants; no test is made of them.",
		"Feel. Drama is the mean deficit of the eventual winner by search value over the plies at which it is behind, lead changes, decisiveness and completion are after Browne (2008, Automatic Generation and Evaluation of Recombination Games), " +
			"with the definitions given below; who leads is what the agents' search says. Coverage is of a sample of games. Opening diversity is Simpson's (1949) unbiased index of first actions with Wilson's interval at the effective number of observations, the variance being the delta method's (Agresti and Agresti 1978). " +
			"Lengths are compared by Cliff's delta (1993) and a test of their distributions (Kolmogorov and Smirnov).",
		"Skill. The score of pairs of games with swapped seats has the interval of its pairs; Elo is 400·log₁₀(s/(1 − s)).",
		"Expectations. One passes where the whole interval satisfies it, at the level of a single interval: it is no test of several at once.",
	}
	for i := range metrics {
		m := &metrics[i]
		list = append(list, fmt.Sprintf("%s (%s; %s, %s): %s. %s.", capital(words(m.Name)), m.Name, m.Unit, m.Range, m.What, capital(m.Direction)))
	}
	return list
}
