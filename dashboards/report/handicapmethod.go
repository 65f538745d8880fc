package report

// handicapMethods are the formulas of pages on handicaps and where they come from.
func handicapMethods() []string {
	return []string{
		"Design. The number of a game decides which player is handicapped, each as often, so that nothing else can decide both that and the result. " +
			"A removal takes one piece of the type off the start, each piece of the type in turn; then random plies are drawn anew for each game, until an opening in which the score is what it was and no position came twice. " +
			"An attribute is changed for all pieces of the type of one side. Both sides are played by the same agent, which knows the changed rules and sees the board as it is.",
		"Score. With the mean s₁ of what the first player scored in the n₁ games in which it was handicapped, and s₂ of the second, the score is s = (s₁ + s₂)/2 and the loss ½ − s. " +
			"What a seat is worth adds to one of them and takes as much from the other. Games are independent: their seeds are, and openings are drawn for each. " +
			"The two means have Wilson's interval (1927) at the effective number of observations s(1 − s)/v with Student's quantile (Dean and Pagano 2015), where v is the variance of the mean; " +
			"the ends of that of their sum are as far off as the root of the sum of the squares of theirs (Zou and Donner 2008).",
		"Elo and log odds. 400·log₁₀((1 − s)/s) and ln((1 − s)/s) of the score and of the ends of its interval (Elo 1978, 8.4): what the side without the handicap is ahead. A draw counts as half a win.",
		"Test. P is 1 less the highest level whose interval leaves no loss out (Lehmann and Romano 2005, 3.5). It is adjusted by Holm's method (1979) over all handicaps of the page, so that any false finding among them has a probability of 5 % at most. " +
			"So are the tests of the regression over the types, and those of a curve, whether its ends differ, over the curves.",
		"What could be shown. The least loss that a two-sided t-test at 5 % divided by the number of handicaps, which Holm's method is never worse than, finds with a power of 80 %, with the variance that the games have.",
		"Worth. The ratio of the loss in log odds to that of the unit, two independent estimates, with the interval of variance estimates recovery (Newcombe 2016; of symmetric intervals it is Fieller's, 1954). " +
			"Where the loss of the unit may be nothing at 95 %, nothing bounds a worth and none is told.",
		"Regression. The score of who is one ahead and otherwise even, by the regression of package balance of the results of unchanged games on differences of counts: proportional odds, errors by cluster. " +
			"Its difference from 1 − s is that of two independent estimates (Newcombe 1998, method 10; Zou and Donner 2008). P follows from the interval (Altman and Bland 2011), with Holm's adjustment over the types.",
		"Assumptions. A missing piece takes with it what it could have been taken for: nobody has points for it. The regression's score is an association, linear in log odds, of positions of all phases and of openings of unchanged games. The experiment's is a cause, at the start of the game, for this agent: an agent may play a piece badly that others would miss more. " +
			"Games that were cut off are left out as if they were like the others. Nothing is said of two handicaps at once.",
	}
}
