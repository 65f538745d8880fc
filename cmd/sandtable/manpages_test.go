//go:build docs

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDocsWritesAManPageForEachCommand(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1000000000")
	dir := filepath.Join(t.TempDir(), "man1")
	done(t, "", "docs", dir)
	for name, want := range map[string]string{
		"sandtable.1": "SYNOPSIS", "sandtable-farm.1": "episodes", "sandtable-dataset-export.1": "\"Sep 2001\"",
	} {
		page, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.Contains(string(page), want) {
			t.Errorf("%s does not contain %q (%v)", name, want, err)
		}
	}
	t.Setenv("SOURCE_DATE_EPOCH", "today")
	if o := sandtable(t, "", "docs", dir); o.code != exitUsage {
		t.Errorf("code %d, %s", o.code, o.err)
	}
}
