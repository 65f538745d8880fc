// Package selfplay plays games between agents.
//
// A [Plan] holds everything that decides the episodes of a run; [NewPlan] makes one
// from a rule set and two agents (package agent), and [Open] from the settings in a
// job or a manifest. A [Player] plays the episodes of a plan one by one into reused
// records, and [PlayAll] plays many at once on several cores.
//
// # Reproducibility
//
// An episode is a pure function of the plan (variant, agents, opening, starts, maximum
// number of plies, seed) and of its number. All random numbers derive with env.Derive
// from the episode's seed, which is Derive(plan seed, g); g is the number of the game
// pair or, without pairs, of the episode:
//
//	opening, attempt a     Derive(episode seed, 1, a)
//	agent in seat p        Derive(episode seed, 2, game in the pair, p)
//	resignation played on  Derive(episode seed, 3, game in the pair)
//
// The exception is an agent with a time limit, which its recorded string shows
// ("time=1s"): what it plays depends on the machine ([agent.Spec.Timed]).
//
// # Forfeits and resignation
//
// An agent that returns env.NoAction loses, for the reason that it gives as an
// [env.Forfeiter]. A Player does not check that the actions of agents are legal; the
// agent that runs an external program does so itself.
//
// Under the resignation rule of a plan (dataset.Resign) a player resigns instead of
// choosing an action, so that the rule can be checked against the recorded steps. In a
// share of the games the rule is ignored from the ply on at which it first holds.
//
// # Pairs
//
// With two different agents, episodes 2k and 2k+1 are a pair: they have the same start
// and opening, and the seats are swapped. The games of an agent against itself are not
// paired. Package record plays a plan into a data set, package arena plays matches of
// pairs, and package learn improves an agent with both.
package selfplay
