package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
)

func TestADataSetOfAnotherVersionIsRefusedAsSuch(t *testing.T) {
	dir := smallFarm(t)
	file := filepath.Join(dir, dataset.ManifestName)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), `"schema_version": 2`, `"schema_version": 1`, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"dataset info " + dir, "dataset verify " + dir, "dataset show " + dir + " 0", "farm --listen off --episodes 60 --out " + dir} {
		o := sandtable(t, "", strings.Fields(command)...)
		if want := "schema_version is 1, this program reads 2; use the version"; o.code != exitFailed || !strings.Contains(o.err, want) {
			t.Errorf("%s: exit code %d, want %d and %q\n%s", command, o.code, exitFailed, want, o.err)
		}
	}
}
