package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAFileIsWrittenOnlyWhereOneCanBe(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	hello := func(out io.Writer) error {
		_, err := io.WriteString(out, "hello")
		return err
	}
	if err := writeFile(file, hello); err != nil {
		t.Fatal(err)
	}
	if err := writeFile(file, func(io.Writer) error { return errors.New("half") }); err == nil || err.Error() != "half" {
		t.Errorf("error is %v", err)
	}
	if data, err := os.ReadFile(file); err != nil || string(data) != "hello" {
		t.Errorf("the file holds %q, %v", data, err)
	}
	for name, want := range map[string]string{
		dir:                               "is a folder, must be the name of a file",
		filepath.Join(file, "below"):      "is not a folder",
		filepath.Join(dir, "none", "new"): "none: ",
	} {
		if err := writeFile(name, hello); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error is %v, must be %s", name, err, want)
		}
	}
}

func TestADeviceIsWrittenToAndNotReplaced(t *testing.T) {
	// A name for the device that may be lost.
	name := filepath.Join(t.TempDir(), "null")
	if err := os.Symlink(os.DevNull, name); err != nil {
		t.Fatal(err)
	}
	if err := writeFile(name, func(out io.Writer) error { _, err := io.WriteString(out, "x"); return err }); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().IsRegular() {
		t.Errorf("a device has become a file of mode %v, %v", info.Mode(), err)
	}
}
