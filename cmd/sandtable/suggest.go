package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// A suggestion is a clause that ends an error message. It asks for the name that the user
// may have meant, and is empty if no name is similar.
func suggestion(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %s?", name)
}

// commandLike returns the path of the command below cmd whose name is most similar to a
// word, or "". A command at a lower level counts only if its name is the word.
func commandLike(cmd *cobra.Command, word string) string {
	var names, nested []string
	paths := map[string]string{}
	for _, sub := range cmd.Commands() {
		if !sub.IsAvailableCommand() {
			continue
		}
		names = append(names, sub.Name())
		paths[sub.Name()] = sub.CommandPath()
		for _, lower := range sub.Commands() {
			if lower.Name() == word {
				nested = append(nested, lower.CommandPath())
			}
		}
	}
	if len(nested) > 0 {
		return strings.Join(nested, " or ")
	}
	near, _ := variant.Nearest(word, names)
	return paths[near]
}

// flagLike returns the flag of a command whose name is most similar to the one that an
// error of the command line names, or "".
func flagLike(cmd *cobra.Command, unknown *pflag.NotExistError) string {
	word := unknown.GetSpecifiedName()
	if short := unknown.GetSpecifiedShortnames(); len(short) > 1 {
		word, _, _ = strings.Cut(short, "=") // -episodes
	}
	var names []string
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		if !flag.Hidden {
			names = append(names, flag.Name)
		}
	})
	near, ok := variant.Nearest(word, names)
	if !ok {
		return ""
	}
	return "--" + near
}

// variantLike returns the variant string that a wrong one may stand for, or "".
func variantLike(text string) string {
	name, patch := text, ""
	if i := strings.IndexByte(text, '{'); i >= 0 {
		name, patch = text[:i], text[i:]
	}
	if strings.HasPrefix(name, "@") {
		return ""
	}
	if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
		return "@" + text
	}
	presets := games.Presets()
	var alike []string // presets of any game with this name
	for _, preset := range presets {
		if preset == name {
			return "" // the fault is in the patch
		}
		if _, second, _ := strings.Cut(preset, "/"); strings.EqualFold(second, name) {
			alike = append(alike, preset+patch)
		}
	}
	if len(alike) > 0 {
		return strings.Join(alike, " or ")
	}
	near, ok := variant.Nearest(name, append(engineNames(games.Engines()), presets...))
	if !ok {
		return ""
	}
	return near + patch
}
