// Package learn makes an agent stronger by its own games. An iteration of a [Run]
//
//  1. plays self-play games by the best agent so far (data/, a data set),
//  2. samples quiet positions from them and fits a linear evaluator to what
//     became of these positions (fit.json, weights.json),
//  3. plays a match of the agent with these weights against the best
//     (gate/, a data set) and keeps the weights if a sequential test accepts that
//     they are better (report.json).
//
// The first iteration plays with the evaluator that the agent came with.
//
// # The run folder
//
//	train.json                   the settings; another run is refused, and so is another folder
//	iterations/0001/…            what the steps above leave, in this order
//	best.json                    the weights of the best agent, once there are any
//	curve.json                   the Elo of the best agent by iteration
//
// Each file is written whole, and a step whose file is there is not done again. So
// a run that was cut short, by kill -9 too, goes on where it was, and the same
// settings give the same run on one processor architecture, unless the agent
// thinks in seconds. best.json and curve.json follow from the iterations.
//
// # Positions and targets
//
// Of each game that many positions as the recipe says are drawn by its seed from
// those behind the opening in which the agent played no capture and no shot: a
// search sees to these. Each game counts the same. A position's target, as its
// mover sees it, is the game's result (1, ½, 0) mixed with the result that the
// search's score foretells. How much a score foretells is itself fitted, for each
// data set: s becomes σ(c·s/eval.Scale) with the one confidence c that agrees best
// with the results, and a forced win or loss becomes 1 or 0. A game cut off has no
// result; its positions have the search's word alone, or are left out.
//
// Every tenth game is held out from fitting, and says what the fit is worth.
package learn
