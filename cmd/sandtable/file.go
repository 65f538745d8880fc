package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/sandtable-farm/sandtable/dataset"
)

// writeFile writes a file whole or not at all; into what is there and no file, such
// as a device or a pipe, it writes.
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

// checkFile tells of a name that no file can have, before the work is done whose
// result it is to hold.
func checkFile(name string) error {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder, must be the name of a file to write", name)
	}
	switch info, err := os.Stat(filepath.Dir(name)); {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is no folder, so that %s cannot be written", filepath.Dir(name), name)
	}
	return nil
}
