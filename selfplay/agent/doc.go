// Package agent holds the agents that play games, and the strings that name them.
//
// An [Agent] chooses actions. An agent string such as "greedy" or
// "alphabeta:depth=4" describes one: [Parse] turns it into a [Spec], and
// [Spec.New] makes the agent. Everything that a Spec leaves out takes its default,
// and [Spec.String] writes every option out, so that the recorded string says
// exactly what played.
//
// The table of agents is in kinds.go, the one place that knows them all. The
// algorithms are in packages below (search, eval, external), which know nothing of
// agents.
//
// # Custom agents
//
// [Custom] makes a Spec of a Go program's own Agent. Such a Spec plays wherever a
// parsed one does in the same process: in a selfplay.Player, an arena match, a
// recording and a batch of environments. A job of a farm cannot carry it, because
// jobs travel to other machines; a farm can run an external program, exec:NAME,
// instead.
//
// # What belongs to a machine
//
// What the name of an external program stands for ([Commands]) belongs to the
// machine that plays, and so does an endgame table, which a job cannot name.
// Weights travel with the run by their digest.
//
// # Data to learn from
//
// For varied games, mcts draws its first actions by their visits
// (temperature-plies, temperature), mixes noise into the priors of the root
// (dirichlet; KataGo uses 1083 with the weight 25), and searches only a share of its
// moves in full (fast-sims, full-share: playout-cap randomisation, Wu 2019,
// "Accelerating Self-Play Learning in Go"); a step says whether its search was fast.
// The recorded value of a search with score s is s / (|s| + 400).
package agent
