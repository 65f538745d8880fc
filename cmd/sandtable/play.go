package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dataset/replay"
	"github.com/sandtable-farm/sandtable/env"
)

// playFlags are the flags of play.
type playFlags struct {
	position, moves string
	vs, hint        string
	as              string
	seed            uint64
	programs        programFlag
}

// strongAgent is the default opponent and the default agent for hints.
const strongAgent = "best"

func (a *app) playCommand() *cobra.Command {
	var f playFlags
	cmd := newCommand("play VARIANT",
		"Play against an agent in the terminal",
		`Play lets you play a game against an agent. It draws the board after every reply and reads
one line for each of your moves: a move text, any prefix that is unique among the legal
moves, the parts of a move in turn (the piece, the target, the shot), or a command:

`+commandHelp()+`
Boards are coloured in a terminal unless the environment variable NO_COLOR is set.
If standard input is a file or a pipe, play prints no prompt. Ctrl-C or the end of the input
ends the session and prints the moves. --moves resumes a game written by save or dataset
show.`,
		`  sandtable play trench/standard
  sandtable play ntxuva/basic --vs mcts:sims=2000 --as second
  sandtable play tankchess/16x16 --moves my-game.txt
  sandtable play trench/standard --vs exec:mine --exec 'mine=python3 agent.py'
  printf 'moves d1\nd1-f3\nundo\nhint\n' | sandtable play trench/standard --vs greedy`,
		func(cmd *cobra.Command, args []string) error {
			s, err := a.newSession(args[0], &f)
			if err != nil {
				return err
			}
			ctx, cancel := context.WithCancel(cmd.Context())
			defer cancel()
			return errors.Join(s.run(ctx, readLines(ctx, a.in)), s.close())
		})
	positionFlag(cmd, &f.position)
	cmd.Flags().StringVar(&f.moves, "moves", "", "`FILE` of moves to resume from")
	cmd.Flags().StringVar(&f.vs, "vs", strongAgent, "agent to play against")
	cmd.Flags().StringVar(&f.hint, "hint", strongAgent, "agent that gives hints")
	cmd.Flags().StringVar(&f.as, "as", "first", "your side: first or second")
	cmd.Flags().Uint64Var(&f.seed, "seed", 1, "seed of the agents")
	f.programs.add(cmd)
	completeAgents(cmd, "vs")
	completeAgents(cmd, "hint")
	return cmd
}

// newSession checks the flags and sets up a session.
func (a *app) newSession(text string, f *playFlags) (*session, error) {
	v, start, err := stateAt(text, f.position)
	if err != nil {
		return nil, err
	}
	a.warnName(v)
	s := &session{
		out: &printer{to: a.out}, thoughts: a.err, prompts: isTerminal(a.in),
		colour:  isTerminal(a.out) && os.Getenv("NO_COLOR") == "",
		variant: v, start: start, now: env.NewState(v.Game), seed: f.seed,
	}
	switch f.as {
	case "first":
		s.person = env.First
	case "second":
		s.person = env.Second
	default:
		return nil, usage(fmt.Errorf("--as is %q, must be first or second", f.as))
	}
	var before replay.Transcript
	if f.moves != "" {
		game, err := a.readGame(f.moves)
		if err != nil {
			return nil, err
		}
		if err := setUp(v, start, f.position, game.Headers); err != nil {
			return nil, usage(err)
		}
		before = *game
	}
	if err := running(start); err != nil {
		return nil, err
	}
	s.now.CopyFrom(start)
	if err := playMoves(s.now, before.Moves, s.play); err != nil {
		return nil, err
	}
	if err := s.addAgents(f); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// addAgents creates the agents of a session.
func (s *session) addAgents(f *playFlags) error {
	commands, err := f.programs.commands()
	if err != nil {
		return usage(err)
	}
	if s.opponent, err = newPartner(f.vs, s.variant, commands); err != nil {
		return usage(fmt.Errorf("--vs: %w", err))
	}
	if s.adviser, err = newPartner(f.hint, s.variant, commands); err != nil {
		return usage(fmt.Errorf("--hint: %w", err))
	}
	return s.restartOpponent()
}
