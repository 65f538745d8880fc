package replay

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/render"
)

// Text writes an episode with the given settings for people: headers in brackets, a blank
// line, the numbered moves, and the result in braces. [ReadTranscript] reads this form.
// With boards it also draws every position, and each move precedes the position that it
// leads to. An episode without a run has no headers for the run and its number.
func Text(w io.Writer, settings *dataset.Settings, ep *dataset.Episode, boards bool) error {
	r, err := New(settings)
	if err != nil {
		return err
	}
	return r.Text(w, ep, boards)
}

// Text is the function [Text] for an episode of the replayer's settings.
func (r *Replayer) Text(w io.Writer, ep *dataset.Episode, boards bool) (err error) {
	out := bufio.NewWriter(w)
	for _, h := range headers(r.settings, ep) {
		fmt.Fprintf(out, "[%s %q]\n", h[0], h[1])
	}
	fmt.Fprintln(out)
	if boards {
		err = r.writeBoards(out, ep)
	} else {
		err = r.writeMoves(out, ep, true)
		fmt.Fprintln(out)
	}
	if err != nil {
		return err
	}
	fmt.Fprintln(out, ending(ep))
	return out.Flush()
}

func headers(settings *dataset.Settings, ep *dataset.Episode) [][2]string {
	list := [][2]string{{"Variant", settings.Variant}, {DigestHeader, settings.Digest}}
	if ep.Run != "" {
		list = append(list, [2]string{"Run", ep.Run}, [2]string{"Episode", fmt.Sprint(ep.Number)})
	}
	if ep.Worker != "" {
		list = append(list, [2]string{"Worker", ep.Worker})
	}
	if ep.Pair != dataset.NoPair {
		list = append(list, [2]string{"Pair", fmt.Sprint(ep.Pair)})
	}
	if ep.ResignPly != dataset.NoPly {
		list = append(list, [2]string{"ResignPly", fmt.Sprint(ep.ResignPly)})
	}
	return append(list,
		[2]string{"Seed", fmt.Sprint(ep.Seed)},
		[2]string{"First", ep.Agents[env.First]},
		[2]string{"Second", ep.Agents[env.Second]},
		[2]string{StartHeader, ep.Start},
		[2]string{"OpeningPlies", fmt.Sprint(ep.OpeningPlies)},
		[2]string{"Plies", fmt.Sprint(ep.Plies())},
		[2]string{"Points", fmt.Sprintf("%d-%d", ep.Points[0], ep.Points[1])},
		[2]string{"Result", result(ep)},
		[2]string{"Reason", reason(ep)},
	)
}

func result(ep *dataset.Episode) string {
	if !ep.Terminated {
		return "none"
	}
	return ep.Result.String()
}

func reason(ep *dataset.Episode) string {
	if ep.Truncated {
		return dataset.TruncatedReason
	}
	return ep.Reason.String()
}

func ending(ep *dataset.Episode) string {
	switch {
	case ep.Truncated:
		return fmt.Sprintf("{not finished: truncated after %d plies}", ep.Plies())
	case !ep.Terminated:
		return "{not finished}"
	}
	return fmt.Sprintf("{result: %s, reason: %s}", result(ep), reason(ep))
}

// Moves writes the move texts of an episode with the given settings, separated by white
// space.
func Moves(w io.Writer, settings *dataset.Settings, ep *dataset.Episode) error {
	r, err := New(settings)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	if err := r.writeMoves(out, ep, false); err != nil {
		return err
	}
	return out.Flush()
}

// moves calls each with the state before every ply and the text of its move, and then with
// the final state and an empty text.
func (r *Replayer) moves(ep *dataset.Episode, each func(ply int, s env.State, move string)) error {
	ply := 0
	for s, err := range r.Positions(ep) {
		if err != nil {
			return err
		}
		move := ""
		if ply < len(ep.Steps) {
			move = env.ActionText(s, ep.Steps[ply].Action)
		}
		each(ply, s, move)
		ply++
	}
	return nil
}

// writeMoves writes lines of moves. If numbered, it writes the number of the ply, counted
// from 1, before each move of the first player and at the start of each line.
func (r *Replayer) writeMoves(out *bufio.Writer, ep *dataset.Episode, numbered bool) error {
	const width = 80
	var line strings.Builder
	err := r.moves(ep, func(ply int, s env.State, move string) {
		if move == "" {
			return
		}
		item := move
		if numbered && s.Player() == env.First {
			item = fmt.Sprintf("%d. %s", ply+1, move)
		}
		if line.Len() > 0 && line.Len()+1+len(item) > width {
			fmt.Fprintln(out, line.String())
			line.Reset()
		}
		if numbered && line.Len() == 0 {
			item = fmt.Sprintf("%d. %s", ply+1, move)
		}
		if line.Len() > 0 {
			line.WriteByte(' ')
		}
		line.WriteString(item)
	})
	if line.Len() > 0 {
		fmt.Fprintln(out, line.String())
	}
	return err
}

func (r *Replayer) writeBoards(out *bufio.Writer, ep *dataset.Episode) error {
	players := r.game.Spec().Players
	next := env.NewState(r.game)
	tracer, traces := next.(env.Tracer)
	var last []env.Event
	return r.moves(ep, func(ply int, s env.State, move string) {
		fmt.Fprintf(out, "%s\n", render.Text(s, last...))
		if move == "" {
			return
		}
		step := &ep.Steps[ply]
		if traces {
			next.CopyFrom(s)
			last = tracer.Trace(step.Action, last[:0])
		}
		fmt.Fprintf(out, "%d. %s: %s (%s)\n\n", ply+1, players[step.Player&1], move, details(step))
	})
}

// details describes the source of a move and its search statistics.
func details(step *dataset.Step) string {
	items := []string{step.Source.String(), fmt.Sprintf("%d legal", step.LegalCount)}
	t := &step.Search
	if t.Has&dataset.HasValue != 0 {
		items = append(items, fmt.Sprintf("value %+.3f", t.Value))
	}
	if t.Has&dataset.HasScore != 0 {
		items = append(items, fmt.Sprintf("score %+d", t.Score))
	}
	if t.Has&dataset.HasNodes != 0 {
		items = append(items, fmt.Sprintf("nodes %d", t.Nodes))
	}
	if t.Has&dataset.HasDepth != 0 {
		items = append(items, fmt.Sprintf("depth %d", t.Depth))
	}
	if t.Fast {
		items = append(items, "shortened by a playout cap")
	}
	return strings.Join(items, ", ")
}
