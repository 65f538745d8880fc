// Package variant loads rule sets. A rule set is a strict JSON document. A variant
// string, which [Load] accepts, names one:
//
//	trench/standard                        a preset
//	trench/standard{"target_points":20}    with a JSON merge patch (RFC 7396)
//	@my-variant.json                       a file, which may be patched too
//
// A preset or a file lists every field, or names another preset as its "base" and
// lists only the differences, as a merge patch.
//
// The digest of a rule set is "sha256:" and the hash of its canonical JSON
// (RFC 8785), without name, description, source and digest, and with the engine's
// behaviour version as the member "behaviour". Two rule sets with the same digest
// play the same game.
//
// If a rule set has faults, the error is an [Invalid]. It lists all faults, each
// with its field, its line and column in the file, and the correct values. Members
// that are missing or have the wrong type are replaced by those of the nearest
// preset, so that the other members can still be checked. [Variant.Warnings]
// reports settings that are allowed but probably not intended, and
// [Engine.Parameters] lists the fields of a rule set.
//
// [Variant.WithAttribute] changes an attribute, such as speed or power, of one
// player's pieces of a type, if the game's rules allow it ([Attributer]).
package variant
