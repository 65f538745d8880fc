package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

// analysisJSON is the output of analyze --json. Scores are from the point of view of
// the player to move, in the agent's unit.
type analysisJSON struct {
	Variant        string             `json:"variant"`
	Position       string             `json:"position"`
	ToMove         string             `json:"to_move"`
	Agent          string             `json:"agent"`
	Depth          int                `json:"depth"`
	Nodes          int64              `json:"nodes"`
	Seconds        float64            `json:"seconds"`
	NodesPerSecond float64            `json:"nodes_per_second"`
	Interrupted    bool               `json:"interrupted"`
	Lines          []analysisLineJSON `json:"lines"`
}

type analysisLineJSON struct {
	Score       int      `json:"score"`
	ForcedPlies *int     `json:"forced_plies"` // to a forced win, negative to a forced loss; null if nothing is forced
	Depth       int      `json:"depth"`
	Moves       []string `json:"moves"`
}

// analyzeFlags are the flags of analyze.
type analyzeFlags struct {
	position, agent string
	depth           int
	nodes           int64
	lines           int
	asJSON          bool
}

const defaultAnalyst = "alphabeta:nodes=1000000"

func (a *app) analyzeCommand() *cobra.Command {
	var f analyzeFlags
	cmd := newCommand("analyze VARIANT",
		"Show the best lines of a position",
		`Analyze searches a position with an agent and prints the best lines, best first:
score, then moves. A score is in points, from the point of view of the player to move;
"win in 5" and "loss in 4" mean a forced result in that number of plies. Progress goes
to standard error. Ctrl-C stops the search and prints the best lines so far.`,
		`  sandtable analyze trench/standard
  sandtable analyze ntxuva/basic --lines 3 --depth 12
  sandtable analyze tankchess/16x16 --agent mcts:sims=1000 --lines 3
  sandtable analyze trench/standard --position '7g/8/8/8/8/3Gs3/8/8 b 21-0 0 0' --agent alphabeta:time=1s,eval=material`,
		func(cmd *cobra.Command, args []string) error {
			if err := f.resolve(cmd); err != nil {
				return usage(err)
			}
			return a.analyze(cmd.Context(), args[0], &f)
		})
	positionFlag(cmd, &f.position)
	cmd.Flags().StringVar(&f.agent, "agent", defaultAnalyst, "agent that searches")
	cmd.Flags().IntVar(&f.depth, "depth", 0, "search depth of alphabeta in plies; excludes --agent")
	cmd.Flags().Int64Var(&f.nodes, "nodes", 0, "number of positions for alphabeta to visit; excludes --agent")
	cmd.Flags().IntVar(&f.lines, "lines", 1, "number of lines to print, each with a different first move")
	jsonFlag(cmd, &f.asJSON)
	completeAgents(cmd, "agent")
	return cmd
}

// resolve checks the flags and builds the agent string from --depth and --nodes.
func (f *analyzeFlags) resolve(cmd *cobra.Command) error {
	if f.lines < 1 {
		return fmt.Errorf("--lines is %d, must be 1 or more", f.lines)
	}
	var limits []string
	for _, limit := range []struct {
		name  string
		value int64
	}{{"depth", int64(f.depth)}, {"nodes", f.nodes}} {
		if cmd.Flags().Changed(limit.name) {
			limits = append(limits, limit.name+"="+strconv.FormatInt(limit.value, 10))
		}
	}
	if limits == nil {
		return nil
	}
	if cmd.Flags().Changed("agent") {
		return errors.New("--agent excludes --depth and --nodes: the agent string contains the limits")
	}
	f.agent = "alphabeta:" + strings.Join(limits, ",")
	return nil
}

func (a *app) analyze(ctx context.Context, text string, f *analyzeFlags) error {
	v, s, err := stateAt(text, f.position)
	if err != nil {
		return err
	}
	if err := running(s); err != nil {
		return err
	}
	spec, err := parseLocalAgent(f.agent, v, nil)
	if err != nil {
		return usage(err)
	}
	if spec.Program() != "" {
		return usage(noLines(spec))
	}
	game := v.Game
	thinker, err := spec.New(game)
	if err != nil {
		return usage(err)
	}
	analyst, ok := thinker.(agent.Analyst)
	if !ok {
		return usage(noLines(spec))
	}
	thinker.Begin(1)
	begun := time.Now()
	result := analyst.Analyze(s, f.lines, ctx.Done(), func(r *search.Result) {
		writeThought(a.err, s, game, r, time.Since(begun))
	})
	seconds := time.Since(begun).Seconds()
	report := analysisJSON{
		Variant: game.Spec().Name, Position: env.PositionText(s), ToMove: game.Spec().Players[s.Player()],
		Agent: spec.String(), Depth: result.Depth, Nodes: result.Nodes, Seconds: seconds,
		NodesPerSecond: float64(result.Nodes) / seconds, Interrupted: ctx.Err() != nil,
	}
	for i := range result.Lines {
		report.Lines = append(report.Lines, describeLine(game, s, &result.Lines[i]))
	}
	if f.asJSON {
		return writeJSON(a.out, report)
	}
	return report.write(a.out)
}

// writeThought prints the best line so far.
func writeThought(out io.Writer, s env.State, game env.Game, r *search.Result, spent time.Duration) {
	best := r.Best()
	fmt.Fprintf(out, "depth %d  %s  %d nodes  %.2f M/s  %s\n", best.Depth, search.ScoreText(best.Score), r.Nodes,
		float64(r.Nodes)/spent.Seconds()/1e6, strings.Join(describeLine(game, s, best).Moves, " "))
}

func describeLine(game env.Game, from env.State, line *search.Line) analysisLineJSON {
	d := analysisLineJSON{Score: line.Score, Depth: line.Depth, Moves: []string{}}
	if plies, forced := search.Forced(line.Score); forced {
		d.ForcedPlies = &plies
	}
	s := env.NewState(game)
	s.CopyFrom(from)
	for _, action := range line.Actions {
		d.Moves = append(d.Moves, env.ActionText(s, action))
		s.Apply(action)
	}
	return d
}

func (r *analysisJSON) write(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s  %s\n%s to move; depth %d, %d nodes in %.2f s, %.2f M nodes/s\n\n", r.Variant, r.Position, r.ToMove,
		r.Depth, r.Nodes, r.Seconds, r.NodesPerSecond/1e6)
	for _, line := range r.Lines {
		fmt.Fprintf(out, "%12s  at depth %-2d  %s\n", search.ScoreText(line.Score), line.Depth, strings.Join(line.Moves, " "))
	}
	return out.Flush()
}
