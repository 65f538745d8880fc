//go:build long

package tankchess_test

import "math"

// referencePerft bounds the leaves that the reference counts for one case.
const referencePerft = math.MaxUint64
