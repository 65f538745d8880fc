// Package search looks ahead in any game of package env: [AlphaBeta] by
// principal-variation search, [MCTS] by Monte-Carlo tree search. They know nothing
// of the game but its State, and ask an evaluator of package eval what a position
// is worth where they stop.
//
// # Alpha-beta
//
// Iterative deepening with aspiration windows at the root; principal-variation
// search (Marsland and Campbell 1982) below it; a transposition table; late-move
// reductions; at the leaves a quiescence search over captures and shots
// ([env.Noisy]) in which the player to move may always stand pat. States are
// copied, never undone: one for each ply. The sign of a score follows
// State.Player, so the same player may move several times in a row.
//
// Actions are tried in this order: the one of the transposition table, captures
// and shots by what they gain at once, two killers of the ply, then the others
// by how often they cut elsewhere.
//
// # Tree search
//
// A simulation goes down the tree by PUCT (Rosin 2011; Silver and others 2017) or
// UCT (Kocsis and Szepesvári 2006) to a position never visited, values it by a
// short quiescence search, and takes the value back up. A position gets its
// children at its second visit. Their priors come from the evaluation right after
// each action: one that looks a point worse than the best is expected a quarter as
// often. An action that was never tried counts as its position does, or as much
// less as [TreeOptions].FPU says. A result that is certain is propagated as in
// minimax ("solver": Winands and others 2008), and certain losses are not visited.
//
// Several leaves may be collected under virtual loss and valued together
// ([eval.Batcher]). After [MCTS.Follow] the next search goes on with the part of
// the tree below the action, if its position is there: known by hash, counters and
// occurrences. The part is moved to memory of its own, so that two trees of the
// greatest size are all that is ever held.
//
// Values, bonuses, the Dirichlet noise at the root and the weights of draws are
// integers and fixed-point numbers, with logarithms and powers of their own.
//
// # Scores
//
// A score is from the view of the player to move, in the evaluator's unit. A
// forced win in n plies is [Win] − n, a forced loss n − Win ([Forced]). Draws
// and ends by counters are seen because every State carries its history. The key
// of the transposition table holds, beside the hash, the counters that can end
// the game within the search and whether the position has occurred before
// ([env.Counter]). Positions that a [Prober] knows, but the one searched from, have
// its score and are searched no further.
//
// # Reproducibility
//
// The result is a function of the game, the evaluator, the options, the seed,
// the limits of depth, nodes and simulations, and of the positions searched since
// Begin. With a limit of time, or when it is interrupted, it is not.
package search
