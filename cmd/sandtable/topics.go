package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/openings"
)

// A topic is a page of the help that is not about one command.
type topic struct {
	name string
	text func() string
}

func topics() []topic {
	return []topic{
		{"agents", agentsTopic},
		{"variants", variantsTopic},
		{"positions", positionsTopic},
		{"openings", openingsTopic},
		{"datasets", datasetsTopic},
		{"exit-codes", exitCodesTopic},
		{"environment", environmentTopic},
	}
}

func topicNames() []string {
	var names []string
	for _, t := range topics() {
		names = append(names, t.name)
	}
	return names
}

// topicOf returns the topic with a name, or nil.
func topicOf(name string) *topic {
	all := topics()
	if i := slices.IndexFunc(all, func(t topic) bool { return t.name == name }); i >= 0 {
		return &all[i]
	}
	return nil
}

func agentsTopic() string {
	return `An AGENT is a name, with options behind a colon: greedy, alphabeta:depth=3,noise=0. Omitted options have the values shown here. arena, rate, compare and train accept LABEL=AGENT, such as mine=alphabeta:depth=3, and show the label in their reports.

  ` + strings.Join(agent.Help(), "\n  ") + `

Examples:
  alphabeta:nodes=20000,noise=2
  alphabeta:nodes=20000,eval=my-weights.json      weights from sandtable train
  mcts:sims=400,temperature-plies=10
  exec:mine,time=500ms                            with --exec 'mine=python3 agent.py'
`
}

func variantsTopic() string {
	var b strings.Builder
	b.WriteString(`A VARIANT names a rule set in one of these forms:

  trench                                    the default variant of a game
  trench/standard                           a preset
  'trench/standard{"target_points":20}'     a preset with changed parameters, in quotes for the shell
  @my-rules.json                            a file, which sandtable rules VARIANT > FILE begins
`)
	for _, engine := range games.Engines() {
		fmt.Fprintf(&b, "\n%s, sandtable games %s --markdown lists the parameters:\n", engine.Title, engine.Name)
		for _, name := range engine.PresetNames() {
			if v, err := games.Lookup(name); err == nil {
				fmt.Fprintf(&b, "  %-26s %s\n", name, v.Game.Spec().Description)
			}
		}
	}
	return b.String()
}

// positionFields names the fields of the position texts of each game.
func positionFields() map[string]string {
	return map[string]string{
		"trench":     "BOARD SIDE POINTS QUIET MOVES",
		"ntxuva":     "SOUTH NORTH SIDE QUIET PLIES",
		"tankchess":  "WHITE BLACK SIDE QUIET PLIES",
		"tankbattle": "BOARD SIDE QUIET PLIES",
	}
}

func positionsTopic() string {
	var b strings.Builder
	b.WriteString(`A position text is one line of fields, which one space separates. show, legal, analyze, play, perft and replay take it with --position; in quotes, because it contains spaces. show, analyze and dataset show print it. SIDE is the side to move, QUIET the plies since the last capture, and MOVES or PLIES those since the start. A BOARD lists the rows from the top with / between them; letters are pieces and numbers are empty squares.

A move text is what legal prints. Squares are a letter for the column and a number for the row, counted from the lower left.
`)
	for _, engine := range games.Engines() {
		v, err := games.Lookup(engine.PresetNames()[0])
		if err != nil {
			continue // a preset is valid
		}
		s := env.NewState(v.Game)
		var moves []string
		legal := s.Legal(nil)
		for i := range min(3, len(legal)) {
			moves = append(moves, env.ActionText(s, legal[len(legal)*i/3]))
		}
		fmt.Fprintf(&b, "\n%s\n  fields  %s\n  start   %s\n  moves   %s\n", engine.Title, positionFields()[engine.Name], v.Game.Spec().StartText, strings.Join(moves, ", "))
	}
	return b.String()
}

func openingsTopic() string {
	return "The flag --openings of farm, compare, balance --handicap, arena, rate and train says how games begin, by one of these policies:\n\n" +
		openings.Help + "\n\nsandtable openings VARIANT --out FILE generates a suite; see sandtable openings --help. --starts FILE begins games at the positions of a file, in turn.\n"
}

func datasetsTopic() string {
	return fmt.Sprintf(`A data set is a folder that farm, arena, coordinator and collector write:

  %-20s the settings of the run, and the list of shards
  %-20s one row per game
  %-20s one row per ply, sorted by game and ply
  %-20s held by the process that writes

Without --out, farm writes to runs/VARIANT-ID. ID is a digest of the settings that decide the games, so that other settings have another folder, and the same command finds its own folder again. sandtable runs lists the data sets of a folder.

  sandtable runs                   the data sets in runs/
  sandtable dataset info DIR       what a data set contains
  sandtable dataset show DIR 0     the first game
  sandtable dataset verify DIR     replay every game and check every hash
  sandtable balance DIR            first-move advantage and values of pieces

Parquet can be read by DuckDB, pandas, Polars and Spark:
  duckdb -c "select reason, count(*) from 'DIR/episodes/*.parquet' group by 1"
`, dataset.ManifestName, dataset.EpisodesFolder+"/*.parquet", dataset.StepsFolder+"/*.parquet", "lock")
}

func exitCodesTopic() string {
	var b strings.Builder
	b.WriteString("The exit code of a command says how it ended:\n\n")
	for _, code := range exitCodes() {
		fmt.Fprintf(&b, "  %-5d %s\n", code.code, code.meaning)
	}
	b.WriteString("\nThe first Ctrl-C ends a command within a few seconds and keeps what it has. The second one ends it at once.\n")
	return b.String()
}

func environmentTopic() string {
	var b strings.Builder
	b.WriteString("These environment variables replace flags, which win over them. Secrets belong here or in files, because the list of processes shows flags.\n\n")
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "  %-29s %s\n", name, fmt.Sprintf(format, args...))
	}
	for _, s := range new(natsFlags).settings() {
		line(s.variable(), "--%s", s.flag)
	}
	line(tokenVariable, "the token itself")
	line(passwordVariable, "the password of the user itself")
	line(listenTokenVariable, "the bearer token that the pages of --listen need")
	line("NO_COLOR", "if not empty, commands write without colour")
	line("GOMAXPROCS", "default of --workers, and cores of all other work")
	return b.String()
}
