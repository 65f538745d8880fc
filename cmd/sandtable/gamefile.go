package main

import (
	"fmt"
	"os"

	"github.com/sandtable-farm/sandtable/dataset/replay"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
)

const standardInput = "-" // as the name of a file of moves

// playFile plays the moves of a file by calls of apply, which must play them in s.
// A position that a header of the file names is set up first. It must be the one of
// --position where that is given, and s is there or at the start of the variant.
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

// setUp sets up the position in which the moves below headers begin.
func setUp(v *variant.Variant, s env.State, position string, headers map[string]string) error {
	if digest, given := headers[replay.DigestHeader]; given && digest != v.Digest {
		return fmt.Errorf("the game was played by the rules %s, but those of %s are %s", digest, v.Name, v.Digest)
	}
	start, given := headers[replay.StartHeader]
	switch {
	case !given:
		return nil
	case position != "" && position != start:
		return fmt.Errorf("the game begins in %s, but --position is %s", start, position)
	}
	if err := s.SetPosition(start); err != nil {
		return fmt.Errorf("header %s: %w", replay.StartHeader, err)
	}
	return nil
}

// playMoves plays move texts by calls of apply, which must play them in s.
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

// trace plays an action and appends what it did to dst, where the game tells it.
func trace(s env.State, action env.Action, dst []env.Event) []env.Event {
	if tracer, ok := s.(env.Tracer); ok {
		return tracer.Trace(action, dst)
	}
	s.Apply(action)
	return dst
}
