package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/external"
	"github.com/sandtable-farm/sandtable/selfplay/tablebase"
)

// parseAgent reads an agent string of the command line, which may name files and
// the external programs of a flag; where there is no such flag they are nil.
func parseAgent(text string, v *variant.Variant, commands agent.Commands) (agent.Spec, error) {
	return agent.Parse(text, v, &agent.Sources{ReadFile: readSmall, Commands: commands})
}

// parseLocalAgent reads an agent string as parseAgent does, of an agent that plays
// in this process alone and may have a table of endgames.
func parseLocalAgent(text string, v *variant.Variant, commands agent.Commands) (agent.Spec, error) {
	openTable := func(name string) (agent.Table, error) { return tablebase.Open(name) }
	return agent.Parse(text, v, &agent.Sources{ReadFile: readSmall, Commands: commands, OpenTable: openTable})
}

// mostRead bounds the files that agents name: they go into every job of a farm,
// and NATS takes messages of a mebibyte.
const mostRead = 512 << 10

// readSmall reads a file that an agent names.
func readSmall(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, mostRead+1))
	if err == nil && len(content) > mostRead {
		err = fmt.Errorf("%s has more than %d bytes, as many as an agent's file may have", name, mostRead)
	}
	return content, err
}

// programFlag is the flag that says what the names of external programs stand for.
type programFlag struct {
	given []string
}

func (f *programFlag) add(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.given, "exec", nil,
		"NAME=COMMAND: what agent exec:NAME runs, without a shell; quotes keep blanks together; may be repeated")
}

func (f *programFlag) commands() (agent.Commands, error) {
	commands := agent.Commands{}
	for _, text := range f.given {
		name, line, ok := strings.Cut(text, "=")
		if !ok {
			return nil, fmt.Errorf("--exec is %q, must be of the form NAME=COMMAND", text)
		}
		if err := agent.CheckProgramName(name); err != nil {
			return nil, fmt.Errorf("--exec: %w", err)
		}
		if commands[name] != nil {
			return nil, fmt.Errorf("--exec gives %s twice", name)
		}
		command, err := external.ParseCommand(line)
		if err != nil {
			return nil, fmt.Errorf("--exec %s: %w", name, err)
		}
		commands[name] = command
	}
	return commands, nil
}
