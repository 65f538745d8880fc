package main

import (
	"bytes"
	"io"

	"github.com/sandtable-farm/sandtable/dataset"
)

// writeFile writes a file whole or not at all.
func writeFile(name string, write func(io.Writer) error) error {
	var data bytes.Buffer
	if err := write(&data); err != nil {
		return err
	}
	return dataset.WriteFile(name, data.Bytes())
}
