package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/render"
	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

// A session is a game of a person against an agent.
type session struct {
	out      *printer  // the game and the answers to commands
	thoughts io.Writer // what agents think before they move
	prompts  bool

	variant *variant.Variant
	start   env.State // before the first ply; never changed
	now     env.State
	plies   []playedPly
	last    []env.Event // what the last ply did
	forfeit env.Reason  // why the opponent lost without an end by the rules; else NoReason

	person            env.Player
	opponent, adviser *partner
	seed              uint64
	takenBack         uint64 // how often
	thinksAloud       bool
}

// A printer keeps the first error of writing, after which a session ends.
type printer struct {
	to    io.Writer
	fault error
}

// Write implements io.Writer.
func (p *printer) Write(text []byte) (int, error) {
	n, err := p.to.Write(text)
	if p.fault == nil {
		p.fault = err
	}
	return n, err
}

// playedPly is a ply of a session.
type playedPly struct {
	player env.Player
	action env.Action
	text   string
}

// Streams of random numbers under the seed of a session.
const (
	opponentStream = 1
	adviserStream  = 2
)

// errLeft ends a session that the person leaves.
var errLeft = errors.New("the person leaves")

// readLines sends the lines of a reader without their ends until ctx is done, and
// closes the channel after the last one. A last line without an end counts.
func readLines(ctx context.Context, in io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		reader := bufio.NewReader(in)
		for {
			line, err := reader.ReadString('\n')
			if line != "" {
				select {
				case lines <- strings.TrimSpace(line):
				case <-ctx.Done():
					return
				}
			}
			if err != nil {
				return
			}
		}
	}()
	return lines
}

// run plays until the person leaves, lines end or ctx is done. The error says that
// nobody can be told of the game any more.
func (s *session) run(ctx context.Context, lines <-chan string) error {
	names := s.variant.Game.Spec().Players
	fmt.Fprintf(s.out, "%s: you are %s, %s is %s; help lists the commands\n\n", s.variant.Name,
		names[s.person], s.opponent.spec, names[s.person.Opponent()])
	s.board()
	s.reply(ctx)
	for ctx.Err() == nil && s.out.fault == nil {
		s.prompt()
		var line string
		more := false
		select {
		case line, more = <-lines:
		case <-ctx.Done():
		}
		if !more {
			if s.prompts {
				fmt.Fprintln(s.out)
			}
			break
		}
		if line == "" {
			continue
		}
		err := s.obey(ctx, line)
		if errors.Is(err, errLeft) {
			break
		}
		if err != nil {
			fmt.Fprintln(s.out, shortened(err.Error(), 600))
		}
	}
	s.leave()
	return s.out.fault
}

// prompt asks a person at a terminal for a line.
func (s *session) prompt() {
	switch {
	case !s.prompts:
	case s.running() != nil:
		fmt.Fprint(s.out, "over> ")
	default:
		fmt.Fprintf(s.out, "%s> ", s.variant.Game.Spec().Players[s.person])
	}
}

// leave ends the session with the moves of a game that still runs.
func (s *session) leave() {
	if s.running() != nil || len(s.plies) == 0 {
		return
	}
	texts := make([]string, len(s.plies))
	for i, ply := range s.plies {
		texts[i] = ply.text
	}
	fmt.Fprintf(s.out, "left after %d plies: %s\n", len(s.plies), strings.Join(texts, " "))
}

// play plays a legal action of whoever is to move.
func (s *session) play(action env.Action) {
	s.plies = append(s.plies, playedPly{s.now.Player(), action, env.ActionText(s.now, action)})
	s.last = trace(s.now, action, s.last[:0])
}

// advance plays the next action of the game, of which the opponent is told.
func (s *session) advance(action env.Action) {
	s.play(action)
	s.opponent.played(action)
}

// personPlays plays a move of the person and what the agent answers.
func (s *session) personPlays(ctx context.Context, text string) error {
	action, err := s.readMove(text)
	if err != nil {
		return err
	}
	s.advance(action)
	s.tell()
	s.reply(ctx)
	return nil
}

// reply plays the moves of the agent while it is to move, and tells of the end
// of the game when that has come.
func (s *session) reply(ctx context.Context) {
	for s.now.Player() == s.person.Opponent() {
		action, thought := s.think(ctx)
		if ctx.Err() != nil {
			return
		}
		if action == env.NoAction {
			var detail string
			s.forfeit, detail = selfplay.ForfeitOf(s.opponent.agent)
			fmt.Fprintf(s.out, "%s gives up: %s\n", s.opponent.spec, cmp.Or(detail, s.forfeit.String()))
			break
		}
		s.advance(action)
		s.tell()
		if thought != "" {
			fmt.Fprintf(s.out, "thought: %s\n\n", thought)
		}
	}
	if s.running() != nil {
		s.over()
	}
}

// think has the opponent choose an action. Where it thinks aloud, thought is its
// line of play.
func (s *session) think(ctx context.Context) (action env.Action, thought string) {
	if !s.thinksAloud {
		return s.opponent.choose(s.now), ""
	}
	begun := time.Now()
	best := s.opponent.analyst.Analyze(s.now, 1, ctx.Done(), func(r *search.Result) {
		writeThought(s.thoughts, s.now, s.variant.Game, r, time.Since(begun))
	}).Best()
	return best.Actions[0], lineText(s.variant.Game, s.now, best)
}

// tell shows the last ply and the board after it.
func (s *session) tell() {
	ply := s.plies[len(s.plies)-1]
	fmt.Fprintf(s.out, "%d. %s: %s\n\n", len(s.plies), s.variant.Game.Spec().Players[ply.player], ply.text)
	s.board()
}

func (s *session) board() { fmt.Fprintln(s.out, render.Text(s.now, s.last...)) }

// result returns how the game ended, by its rules or by the opponent's conduct.
func (s *session) result() (env.Result, env.Reason) {
	if s.forfeit != env.NoReason {
		return env.WinFor(s.person), s.forfeit
	}
	return s.now.Result()
}

// running refuses what needs a game that is not over.
func (s *session) running() error {
	if _, reason := s.result(); reason != env.NoReason {
		return fmt.Errorf("the game is over (%s); undo takes your last move back", reason)
	}
	return nil
}

// over tells how the game has ended.
func (s *session) over() {
	result, reason := s.result()
	verdict := "a draw"
	switch result.For(s.person) {
	case 1:
		verdict = "you win"
	case -1:
		verdict = "you lose"
	}
	fmt.Fprintf(s.out, "%s\nresult: %s\nreason: %s\n", verdict, winner(result, reason), reason)
	if s.prompts {
		fmt.Fprintln(s.out, "undo takes your last move back, save FILE keeps the game, quit leaves")
	}
}

// undo goes back to before the person's last move. The position is played anew
// from the start, so that its history is what it was.
func (s *session) undo() error {
	n := len(s.plies) - 1
	for n >= 0 && s.plies[n].player != s.person {
		n--
	}
	if n < 0 {
		return errors.New("there is no move of yours to take back")
	}
	back := s.plies[:n]
	s.plies, s.last, s.forfeit = s.plies[:0], s.last[:0], env.NoReason
	s.now.CopyFrom(s.start)
	for _, ply := range back {
		s.play(ply.action)
	}
	s.takenBack++
	s.board()
	return s.beginAgain()
}

// beginAgain lets the opponent forget what it has seen of the game but its moves.
func (s *session) beginAgain() error {
	return s.opponent.begin(env.Derive(s.seed, opponentStream, s.takenBack), s.start, s.plies)
}

// close closes the agents that are there.
func (s *session) close() error {
	var faults []error
	for _, p := range []*partner{s.opponent, s.adviser} {
		if p != nil {
			faults = append(faults, p.close())
		}
	}
	return errors.Join(faults...)
}
