// Command gen writes the Python module _abi.py: the exported functions of the library with
// the types of their arguments, and the numbers and names that both sides share. Run it
// with
//
//	go run ./cmd/libsandtable/gen > env/python/src/sandtable/_abi.py
package main

import (
	"fmt"
	"os"
)

func main() {
	text, err := generate("cmd/libsandtable")
	if err == nil {
		_, err = os.Stdout.WriteString(text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}
