package engine

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
)

// BeginDiagram overwrites d with an empty board of plain squares and a caption that has only the status. FirstLight is as in env.Diagram.
func BeginDiagram(d *env.Diagram, s env.State, spec *env.Spec, firstLight bool) {
	d.Width, d.Height, d.Squares = spec.Width, spec.Height, true
	d.Players, d.FirstLight, d.Pieces = spec.Players, firstLight, spec.Pieces
	d.Cells = d.Cells[:0]
	for range spec.Width * spec.Height {
		d.Cells = append(d.Cells, env.Cell{Owner: env.NoPlayer, Count: env.None})
	}
	d.Caption = append(d.Caption[:0], status(s, spec.Players))
}

// EndDiagram appends the score of each player and the lines that show how near the
// limits are. Progress is what a quiet ply lacks: "a capture".
func (l *Limits) EndDiagram(d *env.Diagram, s env.Scorer, b *Base, score, progress string) {
	d.Caption = append(d.Caption, fmt.Sprintf("%s: %s %d, %s %d", score,
		d.Players[env.First], s.Points(env.First), d.Players[env.Second], s.Points(env.Second)))
	d.Caption = l.appendCaption(d.Caption, b, progress)
}

// status is the first line of a diagram's caption: the side to move or how the
// game ended.
func status(s env.State, players [2]string) string {
	result, reason := s.Result()
	switch {
	case reason == env.NoReason:
		return players[s.Player()&1] + " to move"
	case result == 0:
		return fmt.Sprintf("drawn (%v)", reason)
	case result == env.WinFor(env.First):
		return fmt.Sprintf("%s won (%v)", players[env.First], reason)
	}
	return fmt.Sprintf("%s won (%v)", players[env.Second], reason)
}
