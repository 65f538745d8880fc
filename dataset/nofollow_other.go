//go:build !unix

package dataset

// noFollow is not available on this system.
const noFollow = 0
