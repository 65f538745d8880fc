package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/replay"
	"github.com/sandtable-farm/sandtable/env"
)

// playCommand is a command of a session.
type playCommand struct {
	name, words string // words describes the arguments in the help
	least, most int    // number of arguments
	help        string
	run         func(*session, context.Context, []string) error
}

func playCommands() []playCommand {
	return []playCommand{
		{"moves", " [TEXT [PAGE]]", 0, 2, "list your legal moves, or those that start with or contain TEXT", (*session).movesCommand},
		{"undo", "", 0, 0, "take back your last move and the replies to it", (*session).undoCommand},
		{"hint", "", 0, 0, "show the move that the --hint agent would play", (*session).hintCommand},
		{"think", " on|off", 1, 1, "show or hide your opponent's search before each of its moves", (*session).thinkCommand},
		{"rules", "", 0, 0, "explain how to play", (*session).rulesCommand},
		{"resign", "", 0, 0, "give the game up", (*session).resignCommand},
		{"board", "", 0, 0, "draw the board", (*session).boardCommand},
		{"position", "", 0, 0, "print the position text", (*session).positionCommand},
		{"save", " FILE", 1, 1, "save the game to a file for replay and play --moves", (*session).saveCommand},
		{"help", "", 0, 0, "list the commands", (*session).helpCommand},
		{"quit", "", 0, 0, "end the session", (*session).quitCommand},
	}
}

// commandHelp returns a list of the commands, one per line.
func commandHelp() string {
	var b strings.Builder
	for _, c := range playCommands() {
		fmt.Fprintf(&b, "  %-20s %s\n", c.name+c.words, c.help)
	}
	return b.String()
}

// execute runs a non-empty line: a command or a move.
func (s *session) execute(ctx context.Context, line string) error {
	words := strings.Fields(line)
	if words[0] == "?" {
		words[0] = "help"
	}
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

func (s *session) rulesCommand(context.Context, []string) error {
	return writeHowToPlay(s.out, s.variant)
}

// resignCommand ends the game with a win of the opponent.
func (s *session) resignCommand(context.Context, []string) error {
	if err := s.running(); err != nil {
		return err
	}
	s.resigned = true
	s.over()
	return nil
}

func (s *session) positionCommand(context.Context, []string) error {
	_, err := fmt.Fprintln(s.out, env.PositionText(s.now))
	return err
}

func (s *session) helpCommand(context.Context, []string) error {
	_, err := fmt.Fprintf(s.out, "Type a move, a unique prefix of a move, or a command:\n%s", commandHelp())
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
			reason, detail := env.ForfeitOf(s.adviser.agent)
			return fmt.Errorf("agent %s has no hint: %s", s.adviser.spec, cmp.Or(detail, reason.String()))
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
		return fmt.Errorf("think is %q, must be on or off", words[0])
	case s.opponent.analyst == nil:
		return noLines(s.opponent.spec)
	}
	s.showsSearch = words[0] == "on"
	_, err := fmt.Fprintf(s.out, "showing the search is %s\n", words[0])
	return err
}

func (s *session) saveCommand(_ context.Context, words []string) error {
	if err := writeFile(words[0], s.write); err != nil {
		return fmt.Errorf("save: %w", err)
	}
	_, err := fmt.Fprintf(s.out, "saved %d plies to %s\n", len(s.plies), words[0])
	return err
}

// write writes the moves so far as a game text.
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

// readMove parses a move text, or a prefix of exactly one legal move.
func (s *session) readMove(text string) (env.Action, error) {
	if err := s.running(); err != nil {
		return env.NoAction, err
	}
	action, err := parseMove(s.now, text)
	if err == nil {
		s.begun = ""
		return action, nil
	}
	begun := s.movesFrom(text)
	switch len(begun) {
	case 0:
		return env.NoAction, fmt.Errorf("%w; type help for the commands", err)
	case 1:
		s.begun = ""
		return s.now.ParseAction(begun[0])
	}
	return env.NoAction, errors.New(several(s.begun, begun) + "\ntype the rest of the move, or another move")
}

// movesFrom returns the legal moves that begin with text, or with the beginning that an
// earlier line gave and text, and remembers that beginning.
func (s *session) movesFrom(text string) []string {
	for _, joint := range [...]string{"", "-", "x", ">", "/", "("} {
		begin := s.begun + joint + text
		if joint != "" && s.begun == "" {
			break
		}
		if moves := s.movesWith(func(move string) bool { return strings.HasPrefix(move, begin) }); len(moves) > 0 {
			s.begun = begin
			if slices.Contains(moves, begin) {
				return []string{begin}
			}
			return moves
		}
	}
	moves := s.movesWith(func(move string) bool { return strings.HasPrefix(move, text) })
	if len(moves) > 0 {
		s.begun = text
	}
	return moves
}
