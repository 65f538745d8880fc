// Package envtest is the conformance kit that every game and preset passes. It
// knows games only through the interfaces of package env.
//
// An engine's test needs one line:
//
//	func TestConformance(t *testing.T) { envtest.Engine(t, trench.Engine()) }
//
// which runs, for each preset, every [Check] over a corpus of seeded games
// ([Run]) and compares a golden playthrough beside the engine ([Playthrough],
// rewritten by go test -rewrite). [Cases] and [Games] play files of positions
// and games that other programs worked out.
//
// A Check returns an error instead of failing a test, so that the kit itself is
// tested: it must pass a sound toy game, and find each of a list of planted
// flaws.
package envtest
