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
// Errors name the variant, the field and what would be right.
package variant
