package report

// balanceMethods are the formulas of pages on balance and where they come from.
func balanceMethods() []string {
	return []string{
		"Independence. The unit is the game, or the pair of games with the same opening and swapped seats. Shares have Wilson's interval (1927) at the effective " +
			"number of observations p(1 − p)/v, with v the linearised variance of a ratio of sums over clusters and Student's quantile (Dean and Pagano 2015; " +
			"Cochran 1977, 6.13). Counts a game, and legal actions a turn, have Garwood's interval (1936) of the effective count r²/v, that is the count by its design effect " +
			"(Rao and Scott 1999), by quantiles of the gamma distribution (Fay and Feuer 1997): of few events it holds the truth more often than it says, by design; " +
			"of none among g clusters it ends at 3.69/g. Other means have Student's interval by clusters. The test of the seats inverts the interval (Lehmann and Romano 2005, 3.5). " +
			"Of kinds that may be rare (squares, victims, faces, takes of several at once) it is Clopper and Pearson's (1934) at that number (Korn and Graubard 1998): of few events it holds the truth more often than it says, by design.",
		"Results from elsewhere. Differences are those of independent estimates (Newcombe 1998, method 10; Zou and Donner 2008). The test is Pearson's χ² of the table of won, drawn and lost games, with " +
			"tables drawn where counts are small for it (Cochran 1954); counts of games that come in pairs are divided by their design effect first, the greatest of the three shares' (Rao and Scott 1992). " +
			"Scores of single games have the interval of clusters of one.",
		"Opening. Plies drawn at random are no play: turns, captures, positions and lifetimes are counted after them.",
		"Sample. Positions, lifetimes and mobility are of every k-th game, k chosen so that at most 100,000 are looked at. Mobility is counted at one turn of each, drawn at random from the game's seed.",
		"Values. A position of each phase of each sampled game with a result, drawn at random from the game's seed, is a row; its columns are, for each type, pieces of the first player " +
			"less the second's, ½ or −½ for whose turn it is and, where agents play others, for which agent sits where. Positions are taken as they come, in the middle of exchanges too. The model is that of proportional odds, log(P(result better than k)/P(no better than k)) = x·β − θ_k " +
			"(McCullagh 1980), errors are robust to clusters (Liang and Zeger 1986; Cameron and Miller 2015). A value is β of the type by β of the unit; " +
			"the score when else even is the mean of both seats by β and θ. Where there are 200 clusters or more, 20,000 different rows or fewer, and the unit is four standard errors or more " +
			"from nothing, both have the percentile interval of a bootstrap of 1,000 draws of whole clusters, each fitted anew (Efron and Tibshirani 1993; Davison and Hinkley 1997, 3.8). " +
			"Else values have Fieller's interval (1954), which agrees with it where clusters are many and knows when a ratio has no bounds, and scores that of β with the θ taken as known; JSON names the method of each. " +
			"Phases are cut at two thirds and one third of the pieces, or seeds, that both sides have at the start of the rules. Clusters are positions after the opening where there " +
			"are 50 different ones or more, else games or pairs.",
		"Assumptions of the values. Odds are proportional: a piece changes the odds of winning and of not losing alike. Values add up: none depends on another. " +
			"Neither is sure; the calibration shows how far the forecasts hold. Columns with a variance inflation of 10 or more (Belsley, Kuh and Welsch 1980), " +
			"that never vary, or that tell results apart without exception, have no value, nor has any with fewer than ten clusters for each column (Peduzzi and others 1996).",
		"Forecasts. Every fifth cluster is kept from the fit and forecast: Brier's score (1950), the logarithmic one (Good 1952), and expected scores against those that came, in ten bins. " +
			"The null forecasts how often each result came in the other four fifths; to both half a position with each result is added (Krichevsky and Trofimov 1981). " +
			"Intervals are of these forecasts as they were fitted.",
		"Survival. Kaplan and Meier (1958) with the variance by clusters (Williams 1995), intervals on ln(−ln S) (Kalbfleisch and Prentice 1980), medians by Brookmeyer and Crowley (1982). " +
			"A whole ply is the least step, so medians hold the truth more often than they say. Curves end, and bounds of medians with them, where fewer than 10 games or pairs still run (Pocock, Clayton and Altman 2002). " +
			"Pieces alive at the end of their game are taken as last seen there, as if the end had nothing to do with them; it has, where losing them ends games.",
		"Ratios. Kills a loss is s/(1 − s) of the share s of kills in kills and losses, with the ends of its interval turned alike; so is value taken a value lost, with the error of the values, in logarithms of odds, added by the delta method as if independent.",
		"Names of methods, as JSON has them. “wilson, clusters”: Wilson's interval of a share by cluster. “clopper-pearson, clusters”: the exact one, of shares that may be rare. " +
			"“gamma, clusters”: counts a game. “t, clusters”: Student's, of scores of forecasts. “proportional odds, cluster-robust”: coefficients, and scores where there is no bootstrap. " +
			"“bootstrap, percentile, clusters” and “fieller, cluster-robust”: values. “odds of wilson, clusters”, and with it “delta method”: ratios. " +
			"“kaplan-meier, log-log, clusters”: shares alive. “brookmeyer-crowley”: medians of survival. “newcombe” before the name of another: differences. " +
			"A test that refuses what an interval leaves out has the interval's name. “pearson” with “chi-square” or “tables drawn”, and “design effect”: the test of results from elsewhere.",
	}
}
