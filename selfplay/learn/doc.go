// Package learn trains the linear evaluator of an agent on the agent's own games. An
// iteration of a [Run]
//
//  1. plays self-play games with the best agent so far (data/, a data set),
//  2. samples quiet positions from them and fits a linear evaluator to their targets
//     (fit.json, weights.json),
//  3. plays a match between the agent with these weights and the best agent (gate/, a
//     data set), and keeps the weights if a sequential test accepts that they are
//     better (report.json).
//
// The first iteration plays with the agent's initial evaluator.
//
// # The run folder
//
//	train.json         the settings of the run
//	iterations/0001/…  the files of the steps above
//	best.json          the weights of the best agent, if any were accepted
//	curve.json         the Elo of the best agent by iteration
//
// Every file is written atomically, and a step whose file exists is not repeated. A run
// that is interrupted, even by kill -9, therefore resumes where it stopped. Equal settings
// give equal runs on one processor architecture, unless the agent has a time limit.
// best.json and curve.json are derived from the iterations. Train refuses a folder that
// has different settings or contains anything other than a training run.
//
// # Positions and targets
//
// Each game contributes up to Recipe.Positions random positions, drawn with the game's
// seed from those after the opening in which the agent played neither a capture nor a
// shot; the quiescence search handles the other positions. Every game has the same
// weight. The target of a position, from its mover's view, is the result of the game
// (1, ½ or 0) mixed with the result that the search's score predicts. A score s
// predicts σ(c·s/eval.Scale), where c, the confidence, is fitted to the results of each
// data set; a forced win or loss predicts 1 or 0. A truncated game has no result: its
// positions use the prediction alone, or are left out if they have no score.
//
// Every tenth game is held out from the fit and measures its quality.
package learn
