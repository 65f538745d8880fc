package main

import (
	"os"
	"testing"
)

func TestThePythonModuleIsWhatTheLibraryExports(t *testing.T) {
	want, err := generate("..")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../../env/python/src/sandtable/_abi.py")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("_abi.py is out of date; run go run ./cmd/libsandtable/gen > env/python/src/sandtable/_abi.py")
	}
}
