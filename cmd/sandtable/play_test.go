package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
)

// playedGames are the games with a legal first move.
var playedGames = map[string]string{ // constant
	"trench/standard":     "d1-f3",
	"ntxuva/basic":        "5x4",
	"tankchess/16x16":     "h1>h2/N",
	"tankbattle/standard": "g1-f1",
}

// positionOf returns the position that the last command position wrote.
func positionOf(t *testing.T, variant, out string) string {
	t.Helper()
	v, err := games.Lookup(variant)
	if err != nil {
		t.Fatal(err)
	}
	s, found := env.NewState(v.Game), ""
	for line := range strings.Lines(out) {
		if line = strings.TrimSpace(line); s.SetPosition(line) == nil {
			found = line
		}
	}
	if found == "" {
		t.Fatalf("no position in\n%s", out)
	}
	return found
}

// movesOf returns the moves that a session told, by ply.
func movesOf(out string) (moves []string) {
	for _, m := range regexp.MustCompile(`(?m)^(\d+)\. [^:\n]+: (\S+)$`).FindAllStringSubmatch(out, -1) {
		moves = append(moves, m[2])
	}
	return moves
}

func TestPlayIsAGameOfMovesInTurn(t *testing.T) {
	for variant, move := range playedGames {
		out := done(t, move+"\nposition\n", "play", variant, "--vs", "greedy")
		moves := movesOf(out)
		if len(moves) != 2 || moves[0] != move || strings.Count(out, "to move\n") != 2 {
			t.Fatalf("%s: the moves are %v in\n%s", variant, moves, out)
		}
		if want := positionOf(t, variant, done(t, strings.Join(moves, " "), "replay", variant)[len("result: none\nreason: none\nposition: "):]); positionOf(t, variant, out) != want {
			t.Errorf("%s: the moves lead to %s, not to the position in\n%s", variant, want, out)
		}
		if !strings.HasSuffix(out, fmt.Sprintf("\nended after 2 plies: %s\n", strings.Join(moves, " "))) {
			t.Errorf("%s: the end of the input does not tell the moves:\n%s", variant, out)
		}
		if strings.Contains(out, "> ") {
			t.Errorf("%s: a pipe is asked for moves:\n%s", variant, out)
		}
	}
}

func TestPlayAsSecondBeginsWithTheAgent(t *testing.T) {
	for variant := range playedGames {
		out := done(t, "undo\nquit\nposition\n", "play", variant, "--vs", "greedy", "--as", "second")
		if len(movesOf(out)) != 1 || !strings.Contains(out, "you have no move to take back") || strings.Count(out, "to move\n") != 2 {
			t.Errorf("%s: play --as second prints\n%s", variant, out)
		}
	}
}

func TestWrongWordsLoseNothing(t *testing.T) {
	for variant := range playedGames {
		out := done(t, "position\nfly\nb9\nmoves a b c\nmoves zz\nundo now\nsave\nthink\nthink maybe\n\nposition\n", "play", variant, "--vs", "greedy")
		for _, want := range []string{"the nearest legal moves are ", "; type help for the commands", `"moves a b c" must be of the form moves [TEXT [PAGE]]`,
			"no legal move contains zz", `"undo now" must be of the form undo`, `"save" must be of the form save FILE`, "think is \"maybe\", must be on or off"} {
			if !strings.Contains(out, want) {
				t.Errorf("%s: play does not say %q:\n%s", variant, want, out)
			}
		}
		if position := positionOf(t, variant, out); strings.Count(out, position+"\n") != 2 || len(movesOf(out)) > 0 {
			t.Errorf("%s: the position is another after wrong words:\n%s", variant, out)
		}
	}
	if out := done(t, strings.Repeat("a", 100_000), "play", "trench/standard"); len(out) > 3000 {
		t.Errorf("a long word is answered by %d bytes", len(out))
	}
}

func TestAMoveMayBeCutShortWhereItIsClear(t *testing.T) {
	out := done(t, "d1-f\nd1\nd3\n", "play", "trench/standard", "--vs", "greedy")
	if !strings.Contains(out, "d1-f is ambiguous: d1-f3, d1-f1\n") || !strings.Contains(out, "d1 is ambiguous: d1-e2, d1-f3, d1-e1, d1-f1\n") || movesOf(out)[0] != "d3-e3" {
		t.Errorf("play prints\n%s", out)
	}
	out = done(t, "h1\n", "play", "tankchess/16x16", "--vs", "greedy")
	if !strings.Contains(out, " more; type moves h1 to list all\n") {
		t.Errorf("play prints\n%s", out)
	}
	// A whole move is that move, whatever else begins so.
	if out = done(t, "1\n", "play", "ntxuva/basic", "--vs", "greedy"); movesOf(out)[0] != "1" {
		t.Errorf("play prints\n%s", out)
	}
}

func TestMovesListsByOriginAndByText(t *testing.T) {
	out := done(t, "moves\nmoves d1\nmoves 3\n", "play", "trench/standard")
	for _, want := range []string{"\n14 legal moves\n  d1     4  d1-e2 d1-f3 d1-e1 d1-f1\n  d2     1  d2-e2\n", "\ntype moves d1 for all moves from d1\n",
		"\n4 legal moves with d1\n  d1-e2  d1-f3  d1-e1  d1-f1\n", "\n2 legal moves with 3\n  d1-f3  d3-e3\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("play lacks %q:\n%s", want, out)
		}
	}
	if out = done(t, "moves\n", "play", "ntxuva/basic"); !strings.Contains(out, "\n12 legal moves\n  0 ") {
		t.Errorf("moves of N'txuva are\n%s", out)
	}
	out = done(t, "moves\nmoves >\nmoves > 6\nmoves > 7\nmoves > x\n", "play", "tankchess/16x16")
	for _, want := range []string{"\n549 legal moves\n", " …\n", "\n549 legal moves with >, page 1 of 6\n", "\ntype moves > 2 for the next page\n",
		"page 6 of 6\n", "PAGE is 7, must be 1 to 6 for the moves with >\n", "PAGE is x, must be"} {
		if !strings.Contains(out, want) {
			t.Errorf("play lacks %q:\n%s", want, out)
		}
	}
	for line := range strings.Lines(out[strings.Index(out, "549"):]) {
		if n := len([]rune(line)); n > listWidth+1 {
			t.Errorf("a line of %d characters: %s", n, line)
		}
	}
}

func TestUndoGoesBackToThePersonsMove(t *testing.T) {
	for variant, move := range playedGames {
		once := done(t, move+"\nposition\n", "play", variant, "--vs", "greedy")
		out := done(t, move+"\nundo\nposition\n"+move+"\nundo\nundo\n", "play", variant, "--vs", "greedy")
		if start := done(t, "position\n", "play", variant); positionOf(t, variant, out) != positionOf(t, variant, start) {
			t.Errorf("%s: undo leads to %s", variant, positionOf(t, variant, out))
		}
		if moves := movesOf(out); len(moves) != 4 || moves[0] != moves[2] || moves[1] != movesOf(once)[1] {
			t.Errorf("%s: the moves are %v", variant, moves)
		}
		if !strings.Contains(out, "you have no move to take back\n") {
			t.Errorf("%s: the second undo is not refused:\n%s", variant, out)
		}
	}
}

func TestUndoKeepsTheHistoryOfPositions(t *testing.T) {
	// The Sergeants go to and fro until the start has come three times.
	file := filepath.Join(t.TempDir(), "game.txt")
	game := strings.Repeat("d1-e1 e8-d8 e1-d1 d8-e8 ", 2)
	if err := os.WriteFile(file, []byte(strings.TrimSuffix(game, "d8-e8 ")), 0o666); err != nil {
		t.Fatal(err)
	}
	over := "result: draw\nreason: repetition\n"
	out := done(t, "d8-e8\nmoves\nhint\nd8-e8\nundo\nd8-e8\nsave "+file+"\n", "play", "trench/standard", "--as", "second", "--moves", file)
	if strings.Count(out, over) != 2 || strings.Count(out, "the game is over (repetition); type undo to take back your last move\n") != 3 {
		t.Errorf("play prints\n%s", out)
	}
	if end := done(t, "", "replay", "trench/standard", "--moves", file); !strings.HasPrefix(end, over) {
		t.Errorf("the saved game replays to\n%s", end)
	}
	if out := done(t, "undo\nposition", "play", "trench/standard", "--as", "second", "--moves", file); !strings.Contains(out, over) ||
		!strings.HasSuffix(out, " w 0-0 7 7\nended after 7 plies: "+strings.TrimSuffix(game, " d8-e8 ")+"\n") {
		t.Errorf("the saved game goes on as\n%s", out)
	}
}

func TestPlayTellsWhoWon(t *testing.T) {
	for _, c := range []struct{ as, lines, want string }{
		{"first", "d3-e3xe3\n", "you win\nresult: first\nreason: points\n"},
		{"second", "", "you lose\nresult: first\nreason: points\n"},
	} {
		out := done(t, c.lines, "play", "trench/standard", "--position", winNow, "--as", c.as, "--vs", "alphabeta:depth=1")
		if !strings.HasSuffix(out, c.want) || movesOf(out)[0] != "d3-e3xe3" {
			t.Errorf("as %s play prints\n%s", c.as, out)
		}
	}
}

func TestHintsAreLegalAndChangeNothing(t *testing.T) {
	hint := regexp.MustCompile(`(?m)^hint: ([^,\s]+)`)
	for variant, move := range playedGames {
		for _, adviser := range []string{"greedy", "alphabeta:depth=2", "mcts:sims=20"} {
			args := []string{"play", variant, "--vs", "alphabeta:depth=2", "--hint", adviser}
			out := done(t, "hint\nhint\n"+move+"\nhint\n", args...)
			hints := hint.FindAllStringSubmatch(out, -1)
			if len(hints) != 3 || hints[0][1] != hints[1][1] {
				t.Fatalf("%s: the hints of %s are %v:\n%s", variant, adviser, hints, out)
			}
			done(t, hints[0][1], "replay", variant)
			done(t, strings.Join(append(movesOf(out), hints[2][1]), " "), "replay", variant)
			if plain := movesOf(done(t, move+"\n", args...)); strings.Join(plain, " ") != strings.Join(movesOf(out), " ") {
				t.Errorf("%s: with hints of %s the game is %v, without %v", variant, adviser, movesOf(out), plain)
			}
		}
	}
}

func TestThinkingAloudChangesNoMove(t *testing.T) {
	for variant, move := range playedGames {
		args := []string{"play", variant, "--vs", "alphabeta:depth=2"}
		aloud := sandtable(t, "think on\n"+move+"\n", args...)
		quiet := done(t, "think on\nthink off\n"+move+"\n", args...)
		if !strings.Contains(aloud.out, "\nsearch: ") || !strings.Contains(aloud.out, " at depth 2: "+movesOf(aloud.out)[1]) || !strings.HasPrefix(aloud.err, "depth 1  ") {
			t.Errorf("%s: play prints\n%s%s", variant, aloud.out, aloud.err)
		}
		if strings.Contains(quiet, "search:") || strings.Join(movesOf(aloud.out), " ") != strings.Join(movesOf(quiet), " ") {
			t.Errorf("%s: aloud %v, quiet %v", variant, movesOf(aloud.out), movesOf(quiet))
		}
	}
	if out := done(t, "think on\n", "play", "trench/standard", "--vs", "greedy"); !strings.Contains(out, "agent greedy does not report lines of play") {
		t.Errorf("play prints\n%s", out)
	}
}

func TestSavedGamesGoOn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "game.txt")
	for variant, move := range playedGames {
		out := done(t, move+"\nsave "+file+"\nposition\n", "play", variant, "--vs", "greedy", "--seed", "5")
		position := positionOf(t, variant, out)
		if end := done(t, "", "replay", variant, "--moves", file); end != "result: none\nreason: none\nposition: "+position+"\n" {
			t.Errorf("%s: the saved game leads to\n%s", variant, end)
		}
		if again := done(t, "position\n", "play", variant, "--moves", file); positionOf(t, variant, again) != position ||
			!strings.HasSuffix(again, out[strings.Index(out, "ended after"):]) {
			t.Errorf("%s: the game goes on as\n%s", variant, again)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{`[First "person"]`, `[Second "greedy"]`, `[Seed "5"]`, `[Reason "none"]`, "\n{not finished}\n"} {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s: the file lacks %s:\n%s", variant, want, text)
			}
		}
	}
	if out := done(t, "save "+filepath.Dir(file)+"\n", "play", "trench/standard"); !strings.Contains(out, "save: "+filepath.Dir(file)+" is a folder") {
		t.Errorf("play prints\n%s", out)
	}
}

func TestTheSameInputIsTheSameSession(t *testing.T) {
	lines := "think on\nd1-f3\nhint\nundo\nd3\n"
	args := []string{"play", "trench/standard", "--vs", "mcts:sims=50", "--seed", "3"}
	if one, two := done(t, lines, args...), done(t, lines, args...); one != two {
		t.Errorf("first\n%s\nthen\n%s", one, two)
	}
}

func TestCtrlCLeavesTheGame(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in, lines := io.Pipe()
	defer lines.Close()
	go func() {
		for _, line := range []string{"d1-f3\n", "\n", "\n"} { // the last is read after the answer to the first
			fmt.Fprint(lines, line)
		}
		cancel()
	}()
	var out bytes.Buffer
	code := run(ctx, []string{"play", "trench/standard", "--vs", "greedy"}, streams{in: in, out: &out, err: io.Discard})
	if code != exitDone || !strings.Contains(out.String(), "ended after 2 plies: d1-f3 ") {
		t.Errorf("exit code %d\n%s", code, out.String())
	}
}

func TestPlaySaysWhatIsWrong(t *testing.T) {
	file := filepath.Join(t.TempDir(), "game.txt")
	if err := os.WriteFile(file, []byte("[Digest \"sha256:0\"]\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	illegal := filepath.Join(t.TempDir(), "illegal.txt")
	if err := os.WriteFile(illegal, []byte("d1-f3 e8-a8\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{}, "needs VARIANT"},
		{[]string{"chess"}, `game "chess" is unknown`},
		{[]string{"trench/standard", "--as", "third"}, `--as is "third", must be first or second`},
		{[]string{"trench/standard", "--vs", "fly"}, `--vs: agent "fly" is unknown`},
		{[]string{"trench/standard", "--hint", "greedy:depth=1"}, "--hint: agent"},
		{[]string{"trench/standard", "--position", "7g/8/8/8/8/8/8/7G w 25-0 0 0"}, "the game is over in this position: first, points"},
		{[]string{"trench/standard", "--moves", "/nowhere"}, "--moves: open /nowhere"},
		{[]string{"trench/standard", "--moves", file}, "the game was played with rules sha256:0"},
		{[]string{"trench/standard", "--moves", illegal}, "move 2, e8-a8"},
		{[]string{"trench/standard", "--web"}, "unknown flag"},
	} {
		o := sandtable(t, "", append([]string{"play"}, c.args...)...)
		if o.code != exitUsage || !strings.Contains(o.err, c.want) || o.out != "" {
			t.Errorf("play %v: exit code %d, %s%s; must say %s", c.args, o.code, o.out, o.err, c.want)
		}
	}
}

// full is a disk without space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

func TestAGameThatNobodyCanSeeFails(t *testing.T) {
	var err bytes.Buffer
	code := run(t.Context(), []string{"play", "trench/standard", "--vs", "greedy"}, streams{in: strings.NewReader("d1-f3\n"), out: full{}, err: &err})
	if code != exitFailed || !strings.Contains(err.String(), "no space left") {
		t.Errorf("exit code %d\n%s", code, err.String())
	}
}

func TestAMoveMayBeTypedInParts(t *testing.T) {
	for _, c := range []struct{ variant, lines, want string }{
		{"trench/standard", "d1\nf3\n", "d1-f3"},
		{"trench/standard", "d1\nd3-e3\n", "d3-e3"},
		{"tankchess/16x16", "h1\nh2\nN\n", "h1>h2/N"},
	} {
		out := done(t, c.lines, "play", c.variant, "--vs", "greedy")
		if moves := movesOf(out); len(moves) != 2 || moves[0] != c.want {
			t.Errorf("%q plays %v, want %s:\n%s", c.lines, moves, c.want, out)
		}
	}
}

func TestResigningLosesAndUndoTakesItBack(t *testing.T) {
	out := done(t, "?\nrules\nd1-f3\nresign\nd3-e3\nundo\nd1-f3\n", "play", "trench/standard", "--vs", "greedy")
	for _, want := range []string{"  resign ", "How to play Trench\n", "you lose\nresult: second\nreason: resigned\n", "the game is over (resigned)", "\nended after 2 plies: d1-f3 "} {
		if !strings.Contains(out, want) {
			t.Errorf("play lacks %q:\n%s", want, out)
		}
	}
}

func TestColoursMarkPiecesAndTheLastMove(t *testing.T) {
	if got, want := coloured("  1 [S]ss.\n     a b\n"), "  1 "+red+"["+noColour+blue+"S"+noColour+red+"]"+noColour+yellow+"ss"+noColour+".\n     a b\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
