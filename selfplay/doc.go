// Package selfplay plays games. An [Agent] chooses actions; an agent string such
// as "greedy" names one anywhere and records it ([ParseAgent]); a [Plan] settles
// everything that decides the episodes of a run; a [Player] plays them one by
// one into reused records, and [PlayAll] many at once on several cores.
//
// # Reproducibility
//
// An episode is a pure function of the plan (variant, agents, opening, starts,
// limit of plies, seed) and its number. Every random choice derives with
// env.Derive from the episode's seed, which is Derive(plan seed, g) with g the
// number of its game pair, or its own number where nothing is paired:
//
//	opening, attempt a     Derive(episode seed, 1, a)
//	agent in seat p        Derive(episode seed, 2, game in the pair, p)
//	resignation played on  Derive(episode seed, 3, game in the pair)
//
// The exception is an agent with a limit of time, which its recorded string tells
// ("time=1s"): what it plays depends on the machine ([AgentSpec.Timed]).
//
// # Agents
//
// The table of agents is in kinds.go, the one place that knows them all. The
// algorithms are in packages below (search, eval, endgame, external), which know
// nothing of agents. An external program is named by its agent string
// ("exec:mine"), and what the name stands for belongs to the machine that plays
// ([Commands]); so does a table of endgames, which jobs cannot name.
//
// # Data to learn from
//
// Games differ by their openings and starts, which belong to the plan, and by the
// noise of the agents. For more, mcts draws its first actions by their visits
// (temperature-plies, temperature), mixes noise into the priors of the root
// (dirichlet: what KataGo does is 1083 with the weight 25), and searches only a
// share of its moves in full (fast-sims, full-share: playout-cap randomisation,
// Wu 2019, "Accelerating Self-Play Learning in Go"); a step says whether it was
// searched fast. The value that a search tells is its score s as s / (|s| + 400).
//
// What a piece is worth is measured by games in which one side lacks it; package
// handicap plans them.
//
// # Games that end by a player's conduct
//
// An agent that returns env.NoAction loses, for the reason that it tells as a
// [Forfeiter]. Agents of this program are trusted with the legality of what they
// choose; one that is not, such as a program of its own, checks itself.
//
// By the resignation rule of a plan (dataset.Resign) a player gives up instead of
// choosing, so that the ply at which it does is not played and the rule can be
// checked on the steps that are recorded. In the share of games that is played on
// nobody resigns from then on.
//
// # Pairs
//
// With two different agents episodes 2k and 2k+1 are one pair: the same start
// and opening, seats swapped. An agent against itself is not paired. Package
// record plays a plan into a data set, package arena makes matches of pairs, and
// package learn makes an agent stronger by both.
package selfplay
