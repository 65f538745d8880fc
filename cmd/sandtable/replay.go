package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"sort"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/env"
)

func (a *app) replayCommand() *cobra.Command {
	var position, moves string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "replay VARIANT",
		Short: "Play move texts and tell where they lead",
		Long: `Replay plays move texts separated by white space, from standard input unless
--moves names a file. It ends with three lines:

  result: first|second|draw|none
  reason: why the game ended, none while it runs
  position: the position text`,
		Example: `  echo 'd1-f3 e8-d7' | sandtable replay trench/standard
  sandtable replay ntxuva/basic --moves game.txt`,
		Args:              exactArgs("a VARIANT"),
		ValidArgsFunction: completeVariants,
		RunE: func(_ *cobra.Command, args []string) error {
			_, s, err := stateAt(args[0], position)
			if err != nil {
				return err
			}
			if moves == "" {
				moves = standardInput
			}
			if _, err := a.playFile(s, moves); err != nil {
				return err
			}
			result, reason := s.Result()
			end := replayJSON{winner(result, reason), reason.String(), env.PositionText(s)}
			if asJSON {
				return writeJSON(a.out, end)
			}
			_, err = fmt.Fprintf(a.out, "result: %s\nreason: %s\nposition: %s\n", end.Result, end.Reason, end.Position)
			return err
		},
	}
	positionFlag(cmd, &position)
	cmd.Flags().StringVar(&moves, "moves", "", "file of move texts (default: standard input)")
	jsonFlag(cmd, &asJSON)
	return cmd
}

// replayJSON is the output of replay --json.
type replayJSON struct {
	Result   string `json:"result"`
	Reason   string `json:"reason"`
	Position string `json:"position"`
}

const standardInput = "-" // as the name of a file of moves

// playFile plays the move texts of a file and returns what the last one did.
func (a *app) playFile(s env.State, name string) (last []env.Event, err error) {
	if name == standardInput {
		return playMoves(s, a.in)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, usage(fmt.Errorf("--moves: %w", err))
	}
	defer file.Close()
	return playMoves(s, file)
}

// playMoves plays the move texts of a reader, which white space separates, and
// returns what the last one did where the game tells it.
func playMoves(s env.State, in io.Reader) (last []env.Event, err error) {
	tracer, traces := s.(env.Tracer)
	words := bufio.NewScanner(in)
	words.Split(bufio.ScanWords)
	for n := 1; words.Scan(); n++ {
		if s.Player() == env.NoPlayer {
			_, reason := s.Result()
			return nil, usage(fmt.Errorf("move %d, %s: the game is over (%s)", n, words.Text(), reason))
		}
		action, err := s.ParseAction(words.Text())
		if err != nil {
			return nil, usage(fmt.Errorf("move %d, %s: %w; the nearest legal moves are %s", n, words.Text(), err, nearest(s, words.Text())))
		}
		if traces {
			last = tracer.Trace(action, last[:0])
		} else {
			s.Apply(action)
		}
	}
	if err := words.Err(); err != nil {
		return nil, fmt.Errorf("reading moves: %w", err)
	}
	return last, nil
}

// winner names a result, none while the game runs.
func winner(result env.Result, reason env.Reason) string {
	if reason == env.NoReason {
		return "none"
	}
	return result.String()
}

// nearest returns the five legal moves that look most like text.
func nearest(s env.State, text string) string {
	const shown = 5
	type candidate struct {
		text     string
		distance int
	}
	var all []candidate
	for _, action := range s.Legal(nil) {
		move := env.ActionText(s, action)
		all = append(all, candidate{move, editDistance(move, text)})
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].distance < all[j].distance })
	var texts []string
	for _, c := range all[:min(shown, len(all))] {
		texts = append(texts, c.text)
	}
	return strings.Join(texts, ", ")
}

// editDistance is the Levenshtein distance in bytes, of at most 64 of each text.
func editDistance(a, b string) int {
	a, b = a[:min(len(a), 64)], b[:min(len(b), 64)]
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
