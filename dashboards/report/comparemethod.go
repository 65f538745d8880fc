package report

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// spendingMethod describes the error spending of looks.
const spendingMethod = "Levels are those of a group sequential trial whose error spending approximates the bounds of O'Brien and Fleming (Lan and DeMets 1983): repeated confidence intervals, which hold at all looks together " +
	"(Jennison and Turnbull 2000, chapter 9)."

// looks describes the looks of a report.
func looks(r *compare.Report) string {
	if r.Sequential == nil {
		return "Looks. The plan had one look, after all games."
	}
	return fmt.Sprintf("Looks. The plan had up to %d looks. Play ended when the interval of each comparison excluded 0 or lay within its margin. %s "+
		"Each interval has the level %s for this, and the decision divides the error among the family by Bonferroni's inequality.", r.Plan.LookCount(), spendingMethod, percent(r.Level))
}

// anyLooks describes looks in general.
const anyLooks = "Looks. There is one look, after all games, or, with --sequential, several. Then play ends when the interval of each comparison excludes 0 or lies within its margin. " +
	spendingMethod + " The decision divides the error among the family by Bonferroni's inequality."

// compareEstimators is the table of the numbers of a report on a comparison.
func compareEstimators() Table {
	return Table{
		Columns: []string{"quantity", "estimator", "interval or test", "reference"},
		Rows: [][]string{
			{"scores and shares", "ratio of sums over games", "Wilson's interval at the effective number of observations p(1 − p)/v, where v is the linearised variance of the ratio; Student's quantile",
				"Wilson 1927; Dean and Pagano 2015; Cochran 1977, 6.13"},
			{"drama, repetition, coverage", "the same", "exact interval at the effective number of observations", "Clopper and Pearson 1934; Korn and Graubard 1998"},
			{"length, branching", "ratio of sums over games", "Student's interval; if all games agree, that of lead changes", ""},
			{"lead changes", "mean over games", "Garwood's interval of the effective count", "Garwood 1936; Fay and Feuer 1997"},
			{"opening diversity", "Simpson's unbiased index of first actions", "Wilson's interval with the variance of the delta method", "Simpson 1949; Agresti and Agresti 1978"},
			{"distribution of lengths", "order statistics", "difference by Cliff's delta; test of Kolmogorov and Smirnov", "Cliff 1993"},
			{"differences of shares, scores and counts", "difference of independent estimates", "square-and-add: low = d − √((a − a.low)² + (b.high − b)²), high likewise", "Newcombe 1998, method 10; Zou and Donner 2008"},
			{"differences of lengths and branching", "difference of means", "Welch's interval; if all games agree, square-and-add", "Welch 1947"},
			{"whether a number differs", "P is 1 minus the highest level whose interval excludes 0", "Holm's adjustment within the family", "Lehmann and Romano 2005, 3.5; Holm 1979"},
			{"equivalence", "two one-sided tests against the margin", "Holm's adjustment within the family", "Schuirmann 1987"},
			{"detectable difference", "two-sided t-test with the error divided by the size of the family", "the observed variance and the planned games", ""},
			{"dependence on the budget", "difference, or difference of differences, of independent estimates", "square-and-add", "Zou and Donner 2008"},
			{"values", "proportional odds, as in balance; differences of independent estimates", "cluster-robust; square-and-add", "McCullagh 1980; Liang and Zeger 1986"},
			{"score of twice the nodes", "mean over pairs of games with swapped seats", "by pairs", ""},
			{"Elo", "400·log₁₀(s/(1 − s)); the gain of a doubling is the mean over budgets", "the interval of s, transformed; square-and-add", "Elo 1978, 8.4"},
		},
		Leisure: true,
	}
}

// compareMethods are the definitions and assumptions behind the tables.
func compareMethods(looks string) []string {
	return []string{
		"Plan. The plan states variants, agents, numbers of games, margins and looks before a game is played. It is stored as plan.json beside the games.",
		"Independence. The unit is the game, on the ladder the pair of games. No two variants or budgets share a seed, so their estimates are independent. Random opening plies are drawn again if one side gets ahead or a position repeats.",
		fmt.Sprintf("Families. Within a family the probability of any false difference is at most %s. The families are: outcomes, feel, dependence of numbers on the budget, dependence of differences on the budget, scores on the ladder, and slopes of the ladder.", percent(1-stats.Level)),
		looks,
		"Coverage is estimated from a sample of games. Each estimate names its method in the JSON.",
		"Expectations. An expectation passes if the whole single interval satisfies it. It is not a test of several expectations together.",
	}
}
