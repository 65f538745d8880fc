package main

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/sandtable-farm/sandtable/dataset"
)

// writeFile writes a file whole or not at all.
func writeFile(name string, write func(io.Writer) error) error {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder, must be the name of a file to write", name)
	}
	var data bytes.Buffer
	if err := write(&data); err != nil {
		return err
	}
	return dataset.WriteFile(name, data.Bytes())
}
