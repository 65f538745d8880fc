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
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

// A session is a game between a person and an agent.
type session struct {
	out      *printer  // the game and the output of commands
	thoughts io.Writer // the search of the opponent
	prompts  bool

	variant *variant.Variant
	start   env.State // before the first ply; not changed
	now     env.State
	plies   []playedPly
	last    []env.Event // events of the last ply
	forfeit env.Reason  // why the opponent forfeited, or NoReason

	person            env.Player
	opponent, adviser *partner
	seed              uint64
	resigned          bool   // the person gave the game up
	begun             string // beginning of a move that the person typed
	colour            bool   // the output is a terminal that shows colours
	takenBack         uint64 // number of undo commands
	showsSearch       bool
}

// A printer remembers the first write error, after which the session ends.
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

// Random streams derived from the seed of a session.
const (
	opponentStream = 1
	adviserStream  = 2
)

// errLeft is returned by the quit command.
var errLeft = errors.New("session ended by the person")

// readLines sends the lines of a reader, without line ends, until ctx is done, and closes
// the channel after the last one. The last line need not have a line end.
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

// run plays until the person quits, lines is closed or ctx is done. It returns the first
// write error.
func (s *session) run(ctx context.Context, lines <-chan string) error {
	names := s.variant.Game.Spec().Players
	fmt.Fprintf(s.out, "%s: you are %s, %s is %s; type help for the commands\n\n", s.variant.Name,
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
		err := s.execute(ctx, line)
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

// prompt prints the prompt if the input is a terminal.
func (s *session) prompt() {
	switch {
	case !s.prompts:
	case s.running() != nil:
		fmt.Fprint(s.out, "over> ")
	default:
		fmt.Fprintf(s.out, "%s> ", s.variant.Game.Spec().Players[s.person])
	}
}

// leave prints the moves of an unfinished game.
func (s *session) leave() {
	if s.running() != nil || len(s.plies) == 0 {
		return
	}
	texts := make([]string, len(s.plies))
	for i, ply := range s.plies {
		texts[i] = ply.text
	}
	fmt.Fprintf(s.out, "ended after %d plies: %s\n", len(s.plies), strings.Join(texts, " "))
}

// play applies a legal action of the player to move.
func (s *session) play(action env.Action) {
	s.plies = append(s.plies, playedPly{s.now.Player(), action, env.ActionText(s.now, action)})
	s.last = trace(s.now, action, s.last[:0])
}

// advance applies the next action and reports it to the opponent.
func (s *session) advance(action env.Action) {
	s.play(action)
	s.opponent.played(action)
}

// personPlays plays a move of the person and the agent's reply.
func (s *session) personPlays(ctx context.Context, text string) error {
	action, err := s.readMove(text)
	if err != nil {
		return err
	}
	s.advance(action)
	s.showMove()
	if s.running() != nil {
		s.board()
	}
	s.reply(ctx)
	return nil
}

// reply plays the agent's moves while it is to move. If the game is then over, it prints
// the result.
func (s *session) reply(ctx context.Context) {
	for s.now.Player() == s.person.Opponent() {
		action, thought := s.think(ctx)
		if ctx.Err() != nil {
			return
		}
		if action == env.NoAction {
			var detail string
			s.forfeit, detail = env.ForfeitOf(s.opponent.agent)
			fmt.Fprintf(s.out, "%s forfeits: %s\n", s.opponent.spec, cmp.Or(detail, s.forfeit.String()))
			break
		}
		s.advance(action)
		s.showPly()
		if thought != "" {
			fmt.Fprintf(s.out, "search: %s\n\n", thought)
		}
	}
	if s.running() != nil {
		s.over()
	}
}

// think lets the opponent choose an action. If the session shows the search, thought is
// the opponent's line of play.
func (s *session) think(ctx context.Context) (action env.Action, thought string) {
	if !s.showsSearch {
		return s.opponent.choose(s.now), ""
	}
	begun := time.Now()
	best := s.opponent.analyst.Analyze(s.now, 1, ctx.Done(), func(r *search.Result) {
		writeThought(s.thoughts, s.now, s.variant.Game, r, time.Since(begun))
	}).Best()
	return best.Actions[0], lineText(s.variant.Game, s.now, best)
}

// showPly prints the last ply and the board after it.
func (s *session) showPly() {
	s.showMove()
	fmt.Fprintln(s.out)
	s.board()
}

func (s *session) showMove() {
	ply := s.plies[len(s.plies)-1]
	fmt.Fprintf(s.out, "%d. %s: %s\n", len(s.plies), s.variant.Game.Spec().Players[ply.player], ply.text)
}

func (s *session) board() {
	text := render.Text(s.now, s.last...)
	if s.colour {
		text = coloured(text)
	}
	fmt.Fprintln(s.out, text)
}

// result returns how the game ended, by the rules or by a forfeit of the opponent.
func (s *session) result() (env.Result, env.Reason) {
	if s.resigned {
		return env.WinFor(s.person.Opponent()), env.Resigned
	}
	if s.forfeit != env.NoReason {
		return env.WinFor(s.person), s.forfeit
	}
	return s.now.Result()
}

// running returns an error if the game is over.
func (s *session) running() error {
	if _, reason := s.result(); reason != env.NoReason {
		return fmt.Errorf("the game is over (%s); type undo to take back your last move", reason)
	}
	return nil
}

// over prints the result of the game.
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
		fmt.Fprintln(s.out, "type undo to take back your last move, save FILE to save the game, or quit")
	}
}

// undo returns to the position before the person's last move. It replays the game from
// the start, so that the history of the position is correct.
func (s *session) undo() error {
	n := len(s.plies) - 1
	for n >= 0 && s.plies[n].player != s.person {
		n--
	}
	if n < 0 {
		return errors.New("you have no move to take back")
	}
	back := s.plies[:n]
	s.resigned, s.begun = false, ""
	s.plies, s.last, s.forfeit = s.plies[:0], s.last[:0], env.NoReason
	s.now.CopyFrom(s.start)
	for _, ply := range back {
		s.play(ply.action)
	}
	s.takenBack++
	s.board()
	return s.restartOpponent()
}

// restartOpponent starts a new episode of the opponent at the current position.
func (s *session) restartOpponent() error {
	return s.opponent.begin(env.Derive(s.seed, opponentStream, s.takenBack), s.start, s.plies)
}

// close closes the agents that were created.
func (s *session) close() error {
	var faults []error
	for _, p := range []*partner{s.opponent, s.adviser} {
		if p != nil {
			faults = append(faults, p.close())
		}
	}
	return errors.Join(faults...)
}
