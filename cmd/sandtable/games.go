package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/variant"
)

func (a *app) gamesCommand() *cobra.Command {
	var asJSON, asMarkdown bool
	cmd := newCommand("games [GAME]",
		"List all games and presets",
		`Games lists all games and their presets: players, actions, observation shape, piece
types, the source of the rules, and which ends of the game are house rules.`,
		`  sandtable games
  sandtable games trench --markdown
  sandtable games --json`,
		func(_ *cobra.Command, args []string) error {
			if asJSON && asMarkdown {
				return usage(errors.New("--json and --markdown exclude each other"))
			}
			engines, err := chosen(args)
			if err != nil {
				return err
			}
			if asJSON {
				return writeGamesJSON(a.out, engines)
			}
			for i, engine := range engines {
				if i > 0 {
					fmt.Fprintln(a.out)
				}
				if asMarkdown {
					page, err := games.Page(engine)
					if err != nil {
						return err
					}
					fmt.Fprint(a.out, page)
				} else if err := writeGame(a.out, engine); err != nil {
					return err
				}
			}
			return nil
		})
	cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return engineNames(games.Engines()), cobra.ShellCompDirectiveNoFileComp
	}
	jsonFlag(cmd, &asJSON)
	cmd.Flags().BoolVar(&asMarkdown, "markdown", false, "write the documentation page")
	return cmd
}

func engineNames(engines []variant.Engine) []string {
	var names []string
	for _, engine := range engines {
		names = append(names, engine.Name)
	}
	return names
}

// chosen returns the engine that the argument names, or all engines without an argument.
func chosen(args []string) ([]variant.Engine, error) {
	all := games.Engines()
	if len(args) == 0 {
		return all, nil
	}
	for _, engine := range all {
		if engine.Name == args[0] {
			return []variant.Engine{engine}, nil
		}
	}
	word, _, _ := strings.Cut(args[0], "/")
	near, _ := variant.Nearest(word, engineNames(all))
	return nil, usage(fmt.Errorf("game %q is unknown; known are %s%s", args[0], strings.Join(engineNames(all), ", "), suggestion(near)))
}

func writeGame(out io.Writer, engine variant.Engine) error {
	first, err := games.Lookup(engine.PresetNames()[0])
	if err != nil {
		return err
	}
	spec := first.Game.Spec()
	fmt.Fprintf(out, "%s: %s\n", engine.Name, engine.Title)
	fmt.Fprintf(out, "  players  %s (first), %s\n", spec.Players[0], spec.Players[1])
	fmt.Fprintf(out, "  rules    %s\n", spec.Source)
	for _, piece := range spec.Pieces {
		fmt.Fprintf(out, "  piece    %s %-10s %d against %d; %s\n", piece.Symbol, piece.Name, piece.Count[0], piece.Count[1], games.Attributes(piece))
	}
	for _, end := range spec.Ends {
		fmt.Fprintf(out, "  end      %-12s %s: %s\n", end.Reason, games.HouseRule(end), end.Description)
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "  VARIANT\tACTIONS\tMOST LEGAL\tOBSERVATION\tDESCRIPTION")
	for _, name := range engine.PresetNames() {
		v, err := games.Lookup(name)
		if err != nil {
			return err
		}
		s := v.Game.Spec()
		fmt.Fprintf(table, "  %s\t%d\t%d\t%d×%d×%d\t%s\n", name, s.Actions, s.MaxLegal, len(s.Planes), s.Height, s.Width, s.Description)
	}
	return table.Flush()
}

// gameJSON is a preset in the output of games --json.
type gameJSON struct {
	Variant     string      `json:"variant"`
	Digest      string      `json:"digest"`
	Title       string      `json:"title"`
	Description string      `json:"description"`
	Source      string      `json:"source"`
	Version     int         `json:"behaviour_version"`
	Players     [2]string   `json:"players"`
	Actions     int         `json:"actions"`
	MaxLegal    int         `json:"max_legal"`
	Observation [3]int      `json:"observation_shape"`
	Planes      []planeJSON `json:"planes"`
	Pieces      []pieceJSON `json:"pieces"`
	Ends        []endJSON   `json:"ends"`
	Start       string      `json:"start"`
}

type planeJSON struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Max         uint8  `json:"max"`
	Uniform     bool   `json:"uniform"`
}

type pieceJSON struct {
	Name       string         `json:"name"`
	Symbol     string         `json:"symbol"`
	Count      [2]int         `json:"count"`
	Attributes map[string]int `json:"attributes"`
}

type endJSON struct {
	Reason      string `json:"reason"`
	Description string `json:"description"`
	HouseRule   bool   `json:"house_rule"`
}

func writeGamesJSON(out io.Writer, engines []variant.Engine) error {
	var all []gameJSON
	for _, engine := range engines {
		for _, name := range engine.PresetNames() {
			v, err := games.Lookup(name)
			if err != nil {
				return err
			}
			all = append(all, describe(engine, v))
		}
	}
	return writeJSON(out, map[string]any{"variants": all})
}

func describe(engine variant.Engine, v *variant.Variant) gameJSON {
	s := v.Game.Spec()
	g := gameJSON{
		Variant: v.Name, Digest: v.Digest, Title: engine.Title, Description: s.Description, Source: s.Source,
		Version: s.Version, Players: s.Players, Actions: s.Actions, MaxLegal: s.MaxLegal,
		Observation: [3]int{len(s.Planes), s.Height, s.Width}, Start: s.StartText,
	}
	for _, plane := range s.Planes {
		g.Planes = append(g.Planes, planeJSON(plane))
	}
	for _, piece := range s.Pieces {
		g.Pieces = append(g.Pieces, pieceJSON{piece.Name, piece.Symbol, piece.Count, attributeMap(piece)})
	}
	for _, end := range s.Ends {
		g.Ends = append(g.Ends, endJSON{end.Reason.String(), end.Description, end.HouseRule})
	}
	return g
}

func attributeMap(piece env.PieceType) map[string]int {
	m := map[string]int{}
	for _, attribute := range piece.Attributes {
		m[attribute.Name] = attribute.Value
	}
	return m
}
