package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/tablebase"
)

// probeJSON is the output of endgame probe --json. Values are from the point of view of
// the player to move.
type probeJSON struct {
	Variant  string          `json:"variant"`
	Position string          `json:"position"`
	ToMove   string          `json:"to_move"`
	Result   string          `json:"result"` // win, draw or loss
	Plies    int             `json:"plies"`  // to the end; 0 for a draw
	Moves    []probeMoveJSON `json:"moves"`  // best first
	Line     []string        `json:"line"`   // best play to the end; empty for a draw

	value tablebase.Value
}

type probeMoveJSON struct {
	Action env.Action `json:"action"`
	Move   string     `json:"move"`
	Result string     `json:"result"`
	Plies  int        `json:"plies"`

	value tablebase.Value
}

func resultWord(v tablebase.Value) string { return [...]string{"loss", "draw", "win"}[v.Result+1] }

func (a *app) endgameProbeCommand() *cobra.Command {
	var position string
	var asJSON bool
	cmd := newCommand("probe FILE",
		"Look up a position in an endgame table",
		`Probe prints the value of a position for the player to move, then the value of each legal
move, best first, then the moves of best play to the end. A value is "draw", or a number
of plies with best play, such as "win in 5" or "loss in 4". Probe ignores the counters of
the position.`,
		`  sandtable endgame probe four.table --position '0,0,3,0,1,0,0,1 1,0,0,2,0,1,0,0 s 0 40'`,
		func(_ *cobra.Command, args []string) error {
			return withTable(args[0], func(table *tablebase.Table) error {
				d, err := probe(table, position)
				if err != nil {
					return err
				}
				if asJSON {
					return writeJSON(a.out, d)
				}
				return d.write(a.out)
			})
		})
	positionFlag(cmd, &position)
	jsonFlag(cmd, &asJSON)
	return cmd
}

// probe looks up a position; an empty text means the start position.
func probe(table *tablebase.Table, position string) (*probeJSON, error) {
	v := table.Variant()
	s := env.NewState(v.Game)
	if position != "" {
		if err := s.SetPosition(position); err != nil {
			return nil, usage(err)
		}
	}
	if err := running(s); err != nil {
		return nil, err
	}
	text := env.PositionText(s)
	if err := tablebase.ClearCounters(s); err != nil {
		return nil, err
	}
	p := table.Prober()
	value, ok := p.Probe(s)
	if !ok {
		points := s.(env.Scorer)
		return nil, usage(fmt.Errorf("the table contains positions with at most %d seeds per player; here South has %d and North %d",
			table.Seeds(), points.Points(env.First), points.Points(env.Second)))
	}
	d := &probeJSON{
		Variant: v.Name, Position: text, ToMove: v.Game.Spec().Players[s.Player()],
		Result: resultWord(value), Plies: value.Plies, value: value,
	}
	for _, action := range s.Legal(nil) {
		value, ok := p.After(s, action)
		if !ok {
			return nil, fmt.Errorf("the table does not contain the position after move %s", env.ActionText(s, action))
		}
		d.Moves = append(d.Moves, probeMoveJSON{action, env.ActionText(s, action), resultWord(value), value.Plies, value})
	}
	slices.SortStableFunc(d.Moves, func(a, b probeMoveJSON) int { return b.value.Compare(a.value) })
	d.Line = bestLine(p, s, value)
	return d, nil
}

// bestLine plays a won or lost position to its end in s and returns the moves. Of
// several equally good moves it plays the first.
func bestLine(p *tablebase.Prober, s env.State, value tablebase.Value) []string {
	line := []string{}
	var legal []env.Action
	for value.Result != 0 && s.Player() != env.NoPlayer {
		legal = s.Legal(legal[:0])
		best := legal[0]
		for _, action := range legal {
			if after, ok := p.After(s, action); ok && after == value {
				best = action
				break
			}
		}
		line = append(line, env.ActionText(s, best))
		s.Apply(best)
		value = tablebase.Value{Result: -value.Result, Plies: value.Plies - 1}
	}
	return line
}

func (d *probeJSON) write(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s  %s\n%s to move: %v\n\n", d.Variant, d.Position, d.ToMove, d.value)
	for _, m := range d.Moves {
		fmt.Fprintf(out, "%12v  %s\n", m.value, m.Move)
	}
	if len(d.Line) > 0 {
		fmt.Fprintf(out, "\n%s\n", strings.Join(d.Line, " "))
	}
	return out.Flush()
}
