package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay/external"
)

// calls returns the arguments of the calls of sandtable in lines for a shell.
func calls(t *testing.T, text string) (all [][]string) {
	t.Helper()
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\\\n", " "), "\n") {
		line = strings.Replace(strings.TrimSpace(line), "go run ./cmd/sandtable", "sandtable", 1)
		if !strings.Contains(line, "sandtable ") {
			continue
		}
		line, _, _ = strings.Cut(line, " # ")
		line, _, _ = strings.Cut(line, "  #")
		words, err := external.ParseCommand(line)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		begin := slices.Index(words, "sandtable")
		if begin < 0 {
			continue
		}
		words = words[begin+1:]
		if end := slices.IndexFunc(words, func(word string) bool { return word == "|" || word == ">" }); end >= 0 {
			words = words[:end]
		}
		all = append(all, words)
	}
	return all
}

// accepted checks the command, the flags, the arguments and the variants of a call, as far
// as that is possible without doing what it asks for.
func accepted(t *testing.T, call []string) {
	t.Helper()
	line := commandLine(call)
	a := &app{}
	cmd, rest, err := a.root().Find(call)
	if err == nil {
		err = cmd.ParseFlags(rest)
	}
	if err == nil {
		err = cmd.ValidateArgs(cmd.Flags().Args())
	}
	if err != nil {
		t.Errorf("%s: %v", line, err)
		return
	}
	for _, word := range cmd.Flags().Args() {
		game, _, preset := strings.Cut(word, "/")
		if preset && slices.Contains(engineNames(games.Engines()), game) {
			if _, err := lookup(word); err != nil {
				t.Errorf("%s: %v", line, err)
			}
		}
	}
}

func TestEveryExampleOfTheHelpIsAccepted(t *testing.T) {
	n := 0
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		for _, call := range calls(t, cmd.Example) {
			accepted(t, call)
			n++
		}
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	visit((&app{}).root())
	if n < 80 {
		t.Errorf("the help has %d examples, want 80 or more", n)
	}
}

func TestEveryCommandOfTheReadmeIsAccepted(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for i, block := range strings.Split(string(readme), "```") {
		if i%2 == 0 {
			continue
		}
		_, block, _ = strings.Cut(block, "\n") // the name of the language
		for _, call := range calls(t, block) {
			accepted(t, call)
			n++
		}
	}
	if n < 20 {
		t.Errorf("the README has %d commands, want 20 or more", n)
	}
}

// The examples of farm --help, in their cheap forms, run one after the other in one folder.
func TestTheExamplesOfFarmRunOneAfterTheOther(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, call := range calls(t, (&app{}).farmCommand().Example) {
		if slices.Contains(call, "exec:mine") || slices.Contains(call, "--share") || slices.Contains(call, "--for") {
			continue // these need a program, a network or time
		}
		call = append(call, "--listen", "off", "--episodes", "2", "--max-plies", "12")
		if out := done(t, "", call...); strings.Contains(out, "nothing was played") {
			t.Errorf("%s plays nothing", commandLine(call))
		}
	}
}
