//go:build docs

package main

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// buildCommands returns the commands that only the build of a release needs. The libraries
// that format man pages are not part of the program that is shipped.
func (a *app) buildCommands() []*cobra.Command { return []*cobra.Command{a.docsCommand()} }

func (a *app) docsCommand() *cobra.Command {
	return newCommand("docs DIR",
		"Write man pages",
		`Docs writes a man page for each command into DIR. The date of the pages is that of
SOURCE_DATE_EPOCH, in seconds since 1970, if that variable is set.`,
		`  go run -tags docs ./cmd/sandtable docs man1
  man ./man1/sandtable-farm.1`,
		func(cmd *cobra.Command, args []string) error {
			date := time.Now()
			if text := os.Getenv("SOURCE_DATE_EPOCH"); text != "" {
				seconds, err := strconv.ParseInt(text, 10, 64)
				if err != nil {
					return usage(fmt.Errorf("SOURCE_DATE_EPOCH is %q, must be seconds since 1970", text))
				}
				date = time.Unix(seconds, 0).UTC()
			}
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return err
			}
			root := cmd.Root()
			root.DisableAutoGenTag = true
			header := &doc.GenManHeader{Section: "1", Date: &date, Source: "sandtable " + version(), Manual: "Sandtable"}
			return doc.GenManTree(root, header, args[0])
		})
}
