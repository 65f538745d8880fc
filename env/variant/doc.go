// Package variant makes rules data. A rule set is strict JSON; a variant string
// names one anywhere:
//
//	trench/standard                        a preset
//	trench/standard{"target_points":20}    with a JSON merge patch (RFC 7396)
//	@my-variant.json                       a file, which may be patched too
//
// A preset or a file either lists every field, or names another preset as its
// "base" and lists only what differs, again as a merge patch.
//
// The digest of a rule set is "sha256:" and the hash of its canonical JSON
// (RFC 8785) without name, description, source and digest, and with the engine's
// behaviour version as the member "behaviour". Two rule sets with one digest
// play the same game.
//
// The error of a rule set with faults is an [Invalid]: all of them at once, each
// with its field, its line and column in the file, and what would be right.
// Where members are missing or of the wrong kind, those of the nearest preset
// stand in for them while the others are checked. [Variant.Warnings] tells what
// is allowed but seldom meant, [Engine.Parameters] what there is to change.
//
// [Variant.WithAttribute] gives one side's pieces of a type another speed or power,
// where the game has such rules ([Attributer]).
package variant
