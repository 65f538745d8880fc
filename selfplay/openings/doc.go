// Package openings knows how games begin: it reads opening policies ([Parse]), and finds and
// stores level openings.
//
// An opening of a suite is a position after random plies that keep the score even
// (selfplay.Opening.Balanced), in which a search sees neither side ahead and few moves lose at
// once ([Search]). A suite is a file of such positions. The program contains suites for the
// default variants, each with the command that made it ([Stored]). A suite is valid only for
// the digest of its rules: for other rules, or another behaviour version, a match begins with
// sampled plies instead ([Of]).
package openings
