// Package selfplay plays games between agents.
//
// A [Plan] holds everything that decides the episodes of a run; [NewPlan] makes one
// from a rule set and two agents (package agent), and [Open] from the settings in a
// job or a manifest. A [Player] plays the episodes of a plan one by one into reused
// records, and [PlayAll] plays many at once on several cores.
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
// The exception is an agent with a limit of time, which its recorded string shows
// ("time=1s"): what it plays depends on the machine ([agent.Spec.Timed]).
//
// # Games that end by a player's conduct
//
// An agent that returns env.NoAction loses, for the reason that it tells as an
// [env.Forfeiter]. Agents of this program are trusted with the legality of what they
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
