package envtest

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

var _ = flag.Bool("rewrite", false, "rewrite golden files instead of comparing them")

func rewriting() bool { return flag.Lookup("rewrite").Value.String() == "true" }

// Golden demands that the file holds got. With -rewrite it writes the file.
func Golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if rewriting() {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("no golden file (go test -rewrite writes it): %v", err)
	}
	if err := compare(got, want); err != nil {
		t.Errorf("%s: %v (go test -rewrite accepts it)", file, err)
	}
}

// compare names the first line in which two texts differ.
func compare(got, want []byte) error {
	if bytes.Equal(got, want) {
		return nil
	}
	g, w := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range min(len(g), len(w)) {
		if !bytes.Equal(g[i], w[i]) {
			return fmt.Errorf("line %d is\n%s\nand was\n%s", i+1, g[i], w[i])
		}
	}
	return fmt.Errorf("%d lines, and was %d", len(g), len(w))
}
