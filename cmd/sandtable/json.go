package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// jsonFlag adds --json to a command.
func jsonFlag(cmd *cobra.Command, asJSON *bool) {
	cmd.Flags().BoolVar(asJSON, "json", false, "write JSON")
}

// jsonSchema is the version of the structure of all output with --json. Fields may be
// added to a version.
const jsonSchema = 1

// writeJSON writes a value, which must be encoded as an object, as indented JSON. Its first
// key is "schema". Counts are numbers; seeds and digests are strings, because they use all
// of 64 bits or more.
func writeJSON(out io.Writer, value any) error {
	var data bytes.Buffer
	enc := json.NewEncoder(&data)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return err
	}
	object := bytes.TrimSpace(data.Bytes())
	if len(object) < 2 || object[0] != '{' {
		return fmt.Errorf("the output of --json is %.40q, must be an object", object)
	}
	var all bytes.Buffer
	fmt.Fprintf(&all, `{"schema":%d`, jsonSchema)
	if object[1] != '}' {
		all.WriteByte(',')
	}
	all.Write(object[1:])
	var indented bytes.Buffer
	if err := json.Indent(&indented, all.Bytes(), "", "  "); err != nil {
		return err
	}
	indented.WriteByte('\n')
	_, err := indented.WriteTo(out)
	return err
}
