package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/replay"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay"
)

// playCommand is what a person may write in a session beside moves.
type playCommand struct {
	name, words string // words are what may follow the name, for people
	least, most int    // how many words may follow
	help        string
	run         func(*session, context.Context, []string) error
}

func playCommands() []playCommand {
	return []playCommand{
		{"moves", " [TEXT [PAGE]]", 0, 2, "your legal moves, all or those that begin with TEXT or contain it", (*session).movesCommand},
		{"undo", "", 0, 0, "take back your last move and all that followed", (*session).undoCommand},
		{"hint", "", 0, 0, "what the agent of --hint would play", (*session).hintCommand},
		{"think", " on|off", 1, 1, "have your opponent tell what it thinks before it moves, or not", (*session).thinkCommand},
		{"board", "", 0, 0, "draw the board", (*session).boardCommand},
		{"position", "", 0, 0, "write the position text", (*session).positionCommand},
		{"save", " FILE", 1, 1, "write the game to a file, as replay and play --moves read it", (*session).saveCommand},
		{"help", "", 0, 0, "list the commands", (*session).helpCommand},
		{"quit", "", 0, 0, "leave", (*session).quitCommand},
	}
}

// commandHelp is a list of the commands, a line each.
func commandHelp() string {
	var b strings.Builder
	for _, c := range playCommands() {
		fmt.Fprintf(&b, "  %-20s %s\n", c.name+c.words, c.help)
	}
	return b.String()
}

// obey does what a line says, which is not empty.
func (s *session) obey(ctx context.Context, line string) error {
	words := strings.Fields(line)
	for _, c := range playCommands() {
		if c.name != words[0] {
			continue
		}
		if n := len(words) - 1; n < c.least || n > c.most {
			return fmt.Errorf("%q must be of the form %s%s", line, c.name, c.words)
		}
		return c.run(s, ctx, words[1:])
	}
	return s.personPlays(ctx, line)
}

func (s *session) undoCommand(context.Context, []string) error { return s.undo() }

func (s *session) quitCommand(context.Context, []string) error { return errLeft }

func (s *session) boardCommand(context.Context, []string) error {
	s.board()
	return nil
}

func (s *session) positionCommand(context.Context, []string) error {
	_, err := fmt.Fprintln(s.out, env.PositionText(s.now))
	return err
}

func (s *session) helpCommand(context.Context, []string) error {
	_, err := fmt.Fprintf(s.out, "A move, or as much of it as is enough; else\n%s", commandHelp())
	return err
}

func (s *session) hintCommand(ctx context.Context, _ []string) error {
	if err := s.running(); err != nil {
		return err
	}
	s.adviser.agent.Begin(env.Derive(s.seed, adviserStream, uint64(len(s.plies))))
	if s.adviser.analyst == nil {
		action := s.adviser.choose(s.now)
		if action == env.NoAction {
			reason, detail := selfplay.ForfeitOf(s.adviser.agent)
			return fmt.Errorf("%s gives no hint: %s", s.adviser.spec, cmp.Or(detail, reason.String()))
		}
		_, err := fmt.Fprintf(s.out, "hint: %s\n", env.ActionText(s.now, action))
		return err
	}
	best := s.adviser.analyst.Analyze(s.now, 1, ctx.Done(), nil).Best()
	_, err := fmt.Fprintf(s.out, "hint: %s, %s\n", env.ActionText(s.now, best.Actions[0]), lineText(s.variant.Game, s.now, best))
	return err
}

func (s *session) thinkCommand(_ context.Context, words []string) error {
	switch {
	case words[0] != "on" && words[0] != "off":
		return fmt.Errorf("think %s: must be think on or think off", words[0])
	case s.opponent.analyst == nil:
		return noLines(s.opponent.spec)
	}
	s.thinksAloud = words[0] == "on"
	_, err := fmt.Fprintf(s.out, "thinking aloud is %s\n", words[0])
	return err
}

func (s *session) saveCommand(_ context.Context, words []string) error {
	if err := writeFile(words[0], s.write); err != nil {
		return fmt.Errorf("save: %w", err)
	}
	_, err := fmt.Fprintf(s.out, "saved %d plies to %s\n", len(s.plies), words[0])
	return err
}

// write writes the game so far as text.
func (s *session) write(w io.Writer) error {
	v := s.variant
	settings := dataset.Settings{Variant: v.Name, Digest: v.Digest, Rules: v.Rules}
	var ep dataset.Episode
	ep.Reset()
	ep.Seed, ep.Start = s.seed, env.PositionText(s.start)
	ep.Agents[s.person], ep.Agents[s.person.Opponent()] = "person", s.opponent.spec.String()
	for _, ply := range s.plies {
		step := ep.AddStep()
		step.Player, step.Action = ply.player, ply.action
	}
	ep.Result, ep.Reason = s.result()
	ep.Terminated = ep.Reason != env.NoReason
	if scorer, ok := s.now.(env.Scorer); ok {
		ep.Points = [2]int{scorer.Points(env.First), scorer.Points(env.Second)}
	}
	return replay.Text(w, &settings, &ep, false)
}

// readMove reads a move text of the person, or the beginning of one.
func (s *session) readMove(text string) (env.Action, error) {
	if err := s.running(); err != nil {
		return env.NoAction, err
	}
	action, err := parseMove(s.now, text)
	if err == nil {
		return action, nil
	}
	switch begun := s.movesWith(func(move string) bool { return strings.HasPrefix(move, text) }); len(begun) {
	case 0:
		return env.NoAction, fmt.Errorf("%w; help lists the commands", err)
	case 1:
		return s.now.ParseAction(begun[0])
	default:
		return env.NoAction, errors.New(several(text, begun))
	}
}
