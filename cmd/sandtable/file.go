package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/sandtable-farm/sandtable/dataset"
)

// writeFile writes a file atomically. If name is an existing device or pipe, it writes to
// it directly.
func writeFile(name string, write func(io.Writer) error) error {
	if err := checkFile(name); err != nil {
		return err
	}
	var data bytes.Buffer
	if err := write(&data); err != nil {
		return err
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return os.WriteFile(name, data.Bytes(), 0)
	}
	return dataset.WriteFile(name, data.Bytes())
}

// checkFile returns an error if a file of this name cannot be written. Commands call it
// before the work whose result the file will hold.
func checkFile(name string) error {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder, must be the name of a file", name)
	}
	switch info, err := os.Stat(filepath.Dir(name)); {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder, so %s cannot be written", filepath.Dir(name), name)
	}
	return nil
}
