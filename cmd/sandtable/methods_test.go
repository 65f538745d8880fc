package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestMethodsDescribesTheNumbers(t *testing.T) {
	out := done(t, "", "methods")
	for _, want := range []string{"# Methods of the reports", "| quantity | estimator | interval or test | assumptions | reference |", "## Lights", "| comebacks | drama |", "## References"} {
		if !strings.Contains(out, want) {
			t.Errorf("methods lacks %q", want)
		}
	}
	file := filepath.Join(t.TempDir(), "methods.html")
	if out := done(t, "", "methods", "--report", file); out != "" {
		t.Errorf("it also writes %s", out)
	}
	page, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(page), "<h2>Quantities</h2>") || strings.Contains(string(page), "<details>") {
		t.Errorf("%v, the page begins %.200s", err, page)
	}
	if o := sandtable(t, "", "methods", "--report", "methods.pdf"); o.code != exitUsage || !strings.Contains(o.err, "must end in .html or .md") {
		t.Errorf("code %d: %s", o.code, o.err)
	}
}
