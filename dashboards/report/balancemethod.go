package report

// balanceEstimators is the table of the numbers of a report on balance.
func balanceEstimators() Table {
	return Table{
		Columns: []string{"quantity", "estimator", "interval or test", "method in JSON", "reference"},
		Rows: [][]string{
			{"shares and scores", "ratio of sums over clusters",
				"Wilson's interval at the effective number of observations p(1 − p)/v, where v is the linearised variance of the ratio; Student's quantile",
				"“wilson, clusters”", "Wilson 1927; Dean and Pagano 2015; Cochran 1977, 6.13"},
			{"shares that may be rare: by square, victim and face; turns that take several", "the same",
				"exact interval at the effective number of observations; conservative with few events",
				"“clopper-pearson, clusters”", "Clopper and Pearson 1934; Korn and Graubard 1998"},
			{"counts per game, legal actions per turn", "mean over clusters",
				"Garwood's interval of the effective count r²/v, the count divided by its design effect; conservative with few events. With no event in g clusters, the upper bound is 3.69/g",
				"“gamma, clusters”", "Garwood 1936; Fay and Feuer 1997; Rao and Scott 1999"},
			{"whether the seats are even", "score", "P is 1 minus the highest level whose interval excludes 50 %", "that of the interval", "Lehmann and Romano 2005, 3.5"},
			{"differences from results elsewhere", "difference of independent estimates; games from elsewhere are clusters of one",
				"square-and-add of both intervals", "“newcombe”, followed by the method of both", "Newcombe 1998, method 10; Zou and Donner 2008"},
			{"whether results equal those elsewhere", "Pearson's χ² of won, drawn and lost games",
				"χ² distribution, or random tables if expected counts are small. Counts of pairs are divided first by the greatest design effect of the three shares",
				"“pearson”, with “chi-square” or “tables drawn”, and “design effect”", "Cochran 1954; Rao and Scott 1992"},
			{"log odds of a type", "maximum likelihood of proportional odds, log(P(better than k)/P(no better than k)) = x·β − θ_k", "cluster-robust errors",
				"“proportional odds, cluster-robust”", "McCullagh 1980; Liang and Zeger 1986; Cameron and Miller 2015"},
			{"value of a type", "β of the type divided by β of the unit",
				"percentile bootstrap: 1,000 draws of whole clusters, each fitted again. Fieller's interval if there are fewer than 200 clusters, more than 20,000 distinct rows, or the unit is less than four standard errors from 0",
				"“bootstrap, percentile, clusters” or “fieller, cluster-robust”", "Efron and Tibshirani 1993; Davison and Hinkley 1997, 3.8; Fieller 1954"},
			{"score if otherwise even", "expected score of the side that is one ahead, by β and θ, averaged over both seats",
				"the same bootstrap, or the interval of β with θ taken as known", "“bootstrap, percentile, clusters” or “proportional odds, cluster-robust”", ""},
			{"scores of forecasts", "mean Brier and logarithmic scores of every fifth cluster, which the fit excludes", "Student's interval by cluster", "“t, clusters”",
				"Brier 1950; Good 1952; Krichevsky and Trofimov 1981"},
			{"share alive", "Kaplan and Meier's estimator", "on the scale ln(−ln S), with the variance by cluster", "“kaplan-meier, log-log, clusters”",
				"Kaplan and Meier 1958; Williams 1995; Kalbfleisch and Prentice 1980"},
			{"half-life, first capture, first contact", "median of that curve", "Brookmeyer and Crowley's interval; conservative, because a ply is the smallest step",
				"“brookmeyer-crowley”", "Brookmeyer and Crowley 1982; Pocock, Clayton and Altman 2002"},
			{"kills per loss", "s/(1 − s), where s = kills/(kills + losses)", "the interval of s, transformed the same way", "“odds of wilson, clusters”", ""},
			{"value taken per value lost", "the same, weighted by values", "as before, with the error of the values added on the log scale", "“odds of wilson, clusters”, with “delta method”", "Zou and Donner 2008"},
		},
		Leisure: true,
	}
}

// balanceMethods are the definitions and assumptions behind the table.
func balanceMethods() []string {
	return []string{
		"Clusters. The unit of independence is the game, or the pair of games with the same opening and swapped seats. In the regression, games with the same position after the opening " +
			"are one cluster if there are 50 such positions or more.",
		"Opening. The random plies of the opening are not play: turns, captures, positions and lifetimes are counted after them.",
		"Sample. Positions, lifetimes and mobility come from every k-th game, with k such that at most 100,000 games are sampled. Mobility is counted at one turn of each game, drawn with the game's seed.",
		"Rows of the regression. Each sampled game with a result gives one position for each phase that it goes through, drawn with the game's seed, even in the middle of an exchange. The phases " +
			"end when two thirds, and then one third, of both sides' pieces, or seeds, at the start are left. The columns are the number of pieces of each type, the first player's minus the second's; " +
			"½ or −½ for the player to move; and, if different agents play each other, ½ or −½ for each agent's seat.",
		"Assumptions of the regression. Odds are proportional: a piece changes the odds of winning and of not losing by the same factor. Values add up: none depends on another. " +
			"Neither is certain, and the calibration shows how far the forecasts hold. A column has no value if it never varies, if it predicts every result, if its variance inflation factor is 10 or more " +
			"(Belsley, Kuh and Welsch 1980), or if there are fewer than ten clusters per column (Peduzzi and others 1996).",
		"Forecasts. The null forecast is the frequency of each result in the fitted clusters. Half a position with each result is added to both forecasts, so that no result has probability 0. " +
			"Expected and observed scores are compared in ten bins. The intervals are those of the fitted forecasts.",
		"Survival. Pieces alive at the end of their game are censored there, as if the end were independent of them. It is not if losing them ends games. " +
			"Curves, and the bounds of medians, end when fewer than 10 games or pairs still run.",
	}
}
