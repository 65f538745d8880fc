//go:build !long

package tankchess_test

// referencePerft bounds the leaves that the reference counts for one case.
const referencePerft = 2500
