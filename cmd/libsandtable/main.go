// Command libsandtable is the C library of Sandtable, for other languages: games, batches
// of environments, single states, agents and matches. The Python package sandtable is made
// on it. Build it with
//
//	go build -buildmode=c-shared -o libsandtable.so ./cmd/libsandtable
//
// Every function takes and returns 64-bit numbers and pointers. A pointer to text or to an
// array is followed by its length in elements; text is UTF-8 and does not end in NUL. A
// negative result is the code of an error, which st_error reads. Package library says what
// the functions do, and which rules hold for handles, long calls and memory.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "libsandtable is a C library; build it with go build -buildmode=c-shared ./cmd/libsandtable")
	os.Exit(2)
}
