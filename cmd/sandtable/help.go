package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/env/variant"
)

// A commandGroup is a group of commands on the first page of the help.
type commandGroup struct {
	title    string
	commands []*cobra.Command
}

// lasting is the annotation of a command that takes minutes: how long it takes.
const lasting = "lasting"

// takes says in lists of commands how long a command takes with its defaults.
func takes(cmd *cobra.Command, long string) *cobra.Command {
	cmd.Annotations = map[string]string{lasting: long}
	return cmd
}

// addHelp makes the pages and the command of the help.
func (a *app) addHelp(root *cobra.Command) {
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { a.showHelp(cmd) })
	root.SetUsageFunc(func(cmd *cobra.Command) error {
		_, err := fmt.Fprint(cmd.OutOrStderr(), helpPage(cmd, columns(cmd.OutOrStderr())))
		return err
	})
	help := newCommand("help [COMMAND|TOPIC…]",
		"Explain a command or a topic",
		`Help explains a command or a topic. The topics are `+strings.Join(topicNames(), ", ")+`.`,
		`  sandtable help farm
  sandtable help dataset verify
  sandtable help agents`,
		func(cmd *cobra.Command, args []string) error { return a.help(cmd.Root(), args) })
	help.ValidArgsFunction = func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		names := topicNames()
		for _, sub := range cmd.Root().Commands() {
			if sub.IsAvailableCommand() {
				names = append(names, sub.Name())
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
	root.SetHelpCommand(help)
}

// showHelp prints the page of a command that has --help. A word behind it that is not a
// command below it is an error, which run reports.
func (a *app) showHelp(cmd *cobra.Command) {
	if words := cmd.Flags().Args(); cmd.HasSubCommands() && len(words) > 0 {
		a.helpErr = unknownCommand(cmd, words[0])
		return
	}
	_, a.helpErr = fmt.Fprint(a.out, helpPage(cmd, columns(a.out)))
}

// help prints the page that the words name. A topic comes before a command of its name.
func (a *app) help(root *cobra.Command, words []string) error {
	if len(words) == 1 {
		if topic := topicOf(words[0]); topic != nil {
			_, err := fmt.Fprint(a.out, reflow(topic.text(), columns(a.out)))
			return err
		}
	}
	cmd := root
	for _, word := range words {
		var next *cobra.Command
		for _, sub := range cmd.Commands() {
			if sub.Name() == word {
				next = sub
			}
		}
		if next == nil {
			return unknownTopic(cmd, word)
		}
		cmd = next
	}
	_, err := fmt.Fprint(a.out, helpPage(cmd, columns(a.out)))
	return err
}

// unknownTopic is the error of a word for which the help has no page.
func unknownTopic(cmd *cobra.Command, word string) error {
	if cmd.HasParent() {
		return unknownCommand(cmd, word)
	}
	near := ""
	if topic, ok := variant.Nearest(word, topicNames()); ok {
		near = "sandtable help " + topic
	} else if path := commandLike(cmd, word); path != "" {
		near = path + " --help"
	}
	return usage(fmt.Errorf("%q is not a command or a topic of the help; topics are %s%s", word, strings.Join(topicNames(), ", "), suggestion(near)))
}

// helpPage returns the help of a command.
func helpPage(cmd *cobra.Command, width int) string {
	if !cmd.HasParent() {
		return rootPage(cmd, width)
	}
	var b strings.Builder
	text := cmd.Long
	if text == "" {
		text = cmd.Short + "."
	}
	b.WriteString(reflow(text, width))
	b.WriteString("\nUsage:\n")
	if cmd.Runnable() && !cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s\n", cmd.UseLine())
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s COMMAND [flags]\n\nCommands:\n", cmd.CommandPath())
		for _, sub := range cmd.Commands() {
			b.WriteString(commandEntry(sub, width))
		}
	}
	if cmd.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", cmd.Example)
	}
	if cmd.HasAvailableLocalFlags() {
		fmt.Fprintf(&b, "\nFlags:\n%s", cmd.LocalFlags().FlagUsagesWrapped(width))
	}
	if cmd.HasAvailableInheritedFlags() {
		fmt.Fprintf(&b, "\nGlobal flags:\n%s", cmd.InheritedFlags().FlagUsagesWrapped(width))
	}
	return b.String()
}

// rootPage returns the first page: the commands in groups, and where to read more.
func rootPage(root *cobra.Command, width int) string {
	var b strings.Builder
	b.WriteString(reflow(root.Long, width))
	for _, group := range root.Groups() {
		fmt.Fprintf(&b, "\n%s:\n", group.Title)
		for _, cmd := range root.Commands() {
			if cmd.GroupID == group.ID {
				b.WriteString(commandEntry(cmd, width))
			}
		}
	}
	var others []string
	for _, cmd := range root.Commands() {
		if cmd.GroupID == "" && cmd.IsAvailableCommand() {
			others = append(others, cmd.Name())
		}
	}
	b.WriteString(reflow("\n  Others   "+strings.Join(others, ", ")+"\n  Topics   "+strings.Join(topicNames(), ", ")+"\n"+
		"  Read     sandtable COMMAND --help, sandtable help TOPIC", width))
	return b.String()
}

// commandEntry describes a command in a list, with how long it takes if that is minutes.
func commandEntry(cmd *cobra.Command, width int) string {
	if !cmd.IsAvailableCommand() {
		return ""
	}
	text := cmd.Short
	if long := cmd.Annotations[lasting]; long != "" {
		text += " (" + long + ")"
	}
	return reflow(fmt.Sprintf("  %-*s %s", cmd.NamePadding(), cmd.Name(), text), width)
}
