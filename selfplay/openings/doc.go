// Package openings makes and keeps balanced openings, in which matches begin.
//
// An opening is a position after random plies in which nobody has got ahead
// (selfplay.Opening.Balanced) and a search sees nobody ahead ([Search]). A suite is
// a file of such positions; the ones of the default variants are stored in the
// program, each with the command that made it ([Stored]). They belong to a digest:
// of other rules, or of another behaviour version, they say nothing, and a match
// falls back on random plies ([Of]).
package openings
