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

// parseAgent parses an agent string from the command line. The string may name files,
// and external programs if commands lists them; commands may be nil.
func parseAgent(text string, v *variant.Variant, commands agent.Commands) (agent.Spec, error) {
	return agent.Parse(text, v, &agent.Sources{ReadFile: readSmall, Commands: commands})
}

// parseLocalAgent is like parseAgent, for an agent that plays only in this process and
// may therefore also name an endgame tablebase.
func parseLocalAgent(text string, v *variant.Variant, commands agent.Commands) (agent.Spec, error) {
	openTable := func(name string) (agent.Table, error) { return tablebase.Open(name) }
	return agent.Parse(text, v, &agent.Sources{ReadFile: readSmall, Commands: commands, OpenTable: openTable})
}

// mostRead is the size limit, in bytes, of a file that an agent string names. The file
// travels in every job of a farm, and a NATS message holds at most one mebibyte.
const mostRead = 512 << 10

// readSmall reads a file of at most mostRead bytes.
func readSmall(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, mostRead+1))
	if err == nil && len(content) > mostRead {
		err = fmt.Errorf("%s is larger than %d bytes, the limit for an agent's file", name, mostRead)
	}
	return content, err
}

// programFlag is the flag --exec, which assigns commands to the names of external programs.
type programFlag struct {
	given []string
}

func (f *programFlag) add(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.given, "exec", nil,
		"command for the agent exec:NAME, as `NAME=COMMAND`; it runs without a shell, and quotes group words; repeatable")
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
