package main

import (
	"fmt"
	"os"

	"github.com/sandtable-farm/sandtable/dataset/replay"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// standardInput is the name that stands for standard input instead of a file of moves.
const standardInput = "-"

// playFile reads a file of moves and plays them with apply, which must apply each action
// to s. If a header of the file gives the start position, playFile first sets s to it; it
// must equal --position if both are given. On entry, s is at --position, or at the start.
func (a *app) playFile(v *variant.Variant, s env.State, position, name string, apply func(env.Action)) error {
	game, err := a.readGame(name)
	if err != nil {
		return err
	}
	if err := setUp(v, s, position, game.Headers); err != nil {
		return usage(err)
	}
	return playMoves(s, game.Moves, apply)
}

// readGame reads a file of moves.
func (a *app) readGame(name string) (*replay.Transcript, error) {
	in := a.in
	if name != standardInput {
		file, err := os.Open(name)
		if err != nil {
			return nil, usage(fmt.Errorf("--moves: %w", err))
		}
		defer file.Close()
		in = file
	}
	game, err := replay.ReadTranscript(in)
	return game, usage(err)
}

// setUp sets s to the start position that the headers give, if they give one.
func setUp(v *variant.Variant, s env.State, position string, headers map[string]string) error {
	if digest, given := headers[replay.DigestHeader]; given && digest != v.Digest {
		return fmt.Errorf("the game was played with rules %s, but %s has %s", digest, v.Name, v.Digest)
	}
	start, given := headers[replay.StartHeader]
	switch {
	case !given:
		return nil
	case position != "" && position != start:
		return fmt.Errorf("the game starts from %s, but --position is %s", start, position)
	}
	if err := s.SetPosition(start); err != nil {
		return fmt.Errorf("header %s: %w", replay.StartHeader, err)
	}
	return nil
}

// playMoves plays move texts with apply, which must apply each action to s.
func playMoves(s env.State, moves []string, apply func(env.Action)) error {
	for i, text := range moves {
		if s.Player() == env.NoPlayer {
			_, reason := s.Result()
			return usage(fmt.Errorf("move %d, %s: the game is over (%s)", i+1, text, reason))
		}
		action, err := parseMove(s, text)
		if err != nil {
			return usage(fmt.Errorf("move %d, %s: %w", i+1, text, err))
		}
		apply(action)
	}
	return nil
}

// trace applies an action and appends its events to dst if the game reports events.
func trace(s env.State, action env.Action, dst []env.Event) []env.Event {
	if tracer, ok := s.(env.Tracer); ok {
		return tracer.Trace(action, dst)
	}
	s.Apply(action)
	return dst
}
