// Package search plays any game of package env by looking ahead: [AlphaBeta] is a
// principal-variation search, [MCTS] a Monte-Carlo tree search. They use a game only
// through its State, and evaluate positions with an evaluator of package eval.
//
// # Alpha-beta
//
// AlphaBeta deepens iteratively, with aspiration windows at the root and
// principal-variation search (Marsland and Campbell 1982) below it, and a transposition
// table. It reduces late moves by a table of logarithms and leaves out moves that hardly
// matter: late quiet moves, quiet moves far below alpha (futility pruning), and positions
// far above beta, by the evaluation or by a null move (Donninger 1993). The constants are
// data, one set for each game ([Tuning]); the README of the package lists what each
// technique gained. At the leaves, a quiescence search follows captures and shots
// ([env.Noisy]); the player to move may always stand pat. The search never takes an action
// back: it keeps a copy of the State for each ply. The sign of a score follows
// State.Player, so a player may move several times in a row.
//
// Moves are ordered as follows: the move of the transposition table, captures and
// shots by their prize, the two killers of the ply, the counter-move, then the others by
// history: of the action, of the action after the last one and after the player's last
// one, and of the piece.
//
// Recorded games depend on the behaviour of the search, so it has a [Version], and
// Options.Version selects an older one.
//
// # Monte-Carlo tree search
//
// A simulation descends the tree by PUCT (Rosin 2011; Silver and others 2017) or UCT
// (Kocsis and Szepesvári 2006) to an unvisited position, evaluates it with a short
// quiescence search and backs the value up. A position is expanded at its second
// visit. The priors of its actions come from the evaluation right after each action:
// an action whose score is a point below the best gets a quarter of the best action's
// prior. An unvisited action has the value of its parent position, less [TreeOptions].FPU.
// Proven results are backed up as in minimax (MCTS-Solver: Winands and others 2008),
// and proven losses are not visited.
//
// Several leaves can be collected under virtual loss and evaluated together
// ([eval.Batcher]). After [MCTS.Follow], the next search reuses the subtree below the
// action if it contains the new position, which is recognised by its hash, counters
// and repetitions. The subtree is copied to a second buffer, so a search holds at most
// two trees.
//
// Values, exploration bonuses, Dirichlet noise and sampling weights are integers or
// fixed-point numbers. Their logarithms and powers do not use package math, which
// differs between processors.
//
// # Scores
//
// A score is from the view of the player to move, in the evaluator's unit. A forced
// win in n plies scores [Win] − n, a forced loss n − Win (see [Forced]). The search
// sees repetitions and ends by counters because every State carries its history. Keys
// of the transposition table combine the hash with the counters that can end the game
// within the search and with the number of repetitions ([env.Counter]). A [Prober]
// supplies the score of every position that it knows; the search does not continue
// below such a position. It does not ask for the score of the root.
//
// # Reproducibility
//
// A result depends only on the game, the evaluator, the options, the seed, the limits
// of depth, nodes and simulations, and the positions searched since Begin. A search
// with a time limit, or an interrupted one, is not reproducible.
package search
