package report

// handicapEstimators is the table of the numbers of a report on handicaps.
func handicapEstimators() Table {
	return Table{
		Columns: []string{"quantity", "estimator", "interval or test", "reference"},
		Rows: [][]string{
			{"score s", "(s₁ + s₂)/2, where s₁ is the mean score of the first player in the games in which it has the handicap, and s₂ that of the second",
				"Wilson's interval of s₁ and s₂ at the effective number of observations s(1 − s)/v, where v is the variance of the mean; Student's quantile; square-and-add",
				"Wilson 1927; Dean and Pagano 2015; Zou and Donner 2008"},
			{"loss", "½ − s", "the interval of s, transformed", ""},
			{"loss in Elo and in log odds", "400·log₁₀((1 − s)/s) and ln((1 − s)/s); a draw counts ½", "the interval of s, transformed", "Elo 1978, 8.4"},
			{"whether there is an effect", "P is 1 minus the highest level whose interval excludes a loss of 0", "Holm's adjustment over all handicaps of the report", "Lehmann and Romano 2005, 3.5; Holm 1979"},
			{"detectable loss", "two-sided t-test at 5 % divided by the number of handicaps, with a power of 80 %", "the observed variance; conservative, because Holm's method is never worse", ""},
			{"value", "loss in log odds divided by that of the unit, two independent estimates", "variance estimates recovery for ratios; with symmetric intervals it is Fieller's interval. If the unit's loss does not differ significantly from 0, values have no bounds and are omitted",
				"Newcombe 2016; Fieller 1954"},
			{"score by regression", "score of the side that is one ahead and otherwise even, by proportional odds, as in balance", "cluster-robust", "McCullagh 1980; Liang and Zeger 1986"},
			{"regression minus experiment", "difference of independent estimates, the experiment's being 1 − s", "square-and-add; P follows from the interval; Holm's adjustment over the types", "Newcombe 1998, method 10; Altman and Bland 2011"},
			{"response to an attribute", "score at the greatest change minus the score at the least", "square-and-add; Holm's adjustment over the curves", "Zou and Donner 2008"},
		},
		Leisure: true,
	}
}

// handicapMethods are the definitions and assumptions behind the table.
func handicapMethods() []string {
	return []string{
		"Design. The number of a game decides which player has the handicap, each equally often, so nothing else can decide both that and the result. " +
			"A removal takes one piece of the type off the start, each piece of the type in turn. Then random plies are drawn, and drawn again if the score changes or a position repeats. " +
			"An attribute is changed for all pieces of the type of one side. The same agent plays both sides. It knows the changed rules and sees the board as it is.",
		"Independence. Games are independent, by their seeds and their random openings. The advantage of a seat raises one of s₁ and s₂ and lowers the other equally, so it cancels out.",
		"Assumptions. A piece that was never there cannot be captured for points. The regression's score is an association, linear in log odds, over positions of all phases and over openings of the unchanged games. " +
			"The experiment's score is an effect, at the start of the game, for this agent; an agent may play a piece badly that others would miss more. " +
			"Games that were cut off are left out as if they were like the others. Nothing is known about two handicaps together.",
	}
}
