package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env/games"
)

// outcome is what a command line left behind.
type outcome struct {
	code     int
	out, err string
}

// sandtable runs a command line in this process.
func sandtable(t *testing.T, stdin string, args ...string) outcome {
	t.Helper()
	var out, err bytes.Buffer
	code := run(t.Context(), args, streams{in: strings.NewReader(stdin), out: &out, err: &err})
	return outcome{code, out.String(), err.String()}
}

// done runs a command line that must succeed and returns its output.
func done(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	o := sandtable(t, stdin, args...)
	if o.code != exitDone {
		t.Fatalf("sandtable %s: exit code %d\n%s", strings.Join(args, " "), o.code, o.err)
	}
	return o.out
}

func TestWrongUsageSaysWhatIsWrongAndExitsWith2(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty.txt")
	if err := os.WriteFile(empty, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args string
		want string
	}{
		{"fly", `"fly" is not a command`},
		{"legal", "needs VARIANT"},
		{"legal trench/standard x", `also got "x"`},
		{"legal chess", `game "chess" is unknown; known are trench, ntxuva`},
		{"legal trench/big", "preset trench/big is unknown"},
		{`rules trench/standard{"target":1}`, "target is unknown"},
		{"rules @missing.json", "missing.json: no such file"},
		{"legal trench/standard --position x", `position "x"`},
		{"legal trench/standard --fast", "unknown flag: --fast"},
		{"legal trench/standard --log-format xml", "must be text or json"},
		{"farm --nats-creds my.creds", "--nats-creds needs --nats nats://HOST:PORT"},
		{"compare trench/standard trench/general --nats-user x", "--nats-user needs --nats"},
		{"perft trench/standard", "needs --depth"},
		{"perft trench/standard --depth -1", "must be 0 to 100"},
		{"perft trench/standard --depth x", "invalid argument"},
		{"games chess", `game "chess" is unknown`},
		{"games --json --markdown", "exclude each other"},
		{"replay trench/standard --moves missing.txt", "no such file"},
		{"bench --rounds 0", "must be positive"},
		{"bench trench/standard --agent x", `agent "x" is unknown; known are alphabeta, best, exec, greedy, mcts, random`},
		{"farm chess", `game "chess" is unknown`},
		{"farm --agent x", `--agent: agent "x" is unknown`},
		{"farm --vs greedy:depth=1", "option depth is unknown; known are none"},
		{"farm --episodes 0", "must be 1 to"},
		{"farm --episodes 9223372036854775807", "must be 1 to 1000000000000"},
		{"farm --episodes 3 --vs random", "must be even"},
		{"farm --for 1s --episodes 3", "exclude each other"},
		{"farm --for -1s", "must be more than 0"},
		{"farm --opening-plies -1", "opening plies is -1"},
		{"farm --max-plies 5 --opening-plies 5", "must be less than max plies"},
		{"farm --starts " + empty, "contains no position"},
		{"farm --workers 0", "--workers is 0"},
		{"farm --workers 1000000000", "--workers is 1000000000, must be 1 to 4096"},
		{"show trench/standard --moves " + empty + "x", "--moves"},
		{"dataset info", "needs DIR"},
		{"balance", "needs DIR"},
		{"balance " + t.TempDir(), "is not a data set"},
		{"dataset show " + t.TempDir() + " x", "EPISODE"},
	} {
		o := sandtable(t, "", strings.Fields(c.args)...)
		if o.code != exitUsage || !strings.Contains(o.err, c.want) {
			t.Errorf("sandtable %s: code %d, want 2; it says %q, want %q", c.args, o.code, o.err, c.want)
		}
		if o.out != "" {
			t.Errorf("sandtable %s: writes %q to standard output", c.args, o.out)
		}
	}
}

func TestEveryCommandHasHelpWithAnExample(t *testing.T) {
	a := &app{}
	for _, cmd := range a.root().Commands() {
		if cmd.Name() == "help" || cmd.Name() == "completion" {
			continue
		}
		out := done(t, "", cmd.Name(), "--help")
		if !strings.Contains(out, "sandtable "+cmd.Name()) || (!cmd.HasSubCommands() && !strings.Contains(out, "Examples:")) {
			t.Errorf("help of %s lacks an example:\n%s", cmd.Name(), out)
		}
	}
}

func TestShellCompletionKnowsPresetsAndAgents(t *testing.T) {
	if out := done(t, "", "__complete", "legal", ""); !strings.Contains(out, "trench/standard\n") || !strings.Contains(out, "ntxuva/basic\n") {
		t.Errorf("completion of a VARIANT offers %s", out)
	}
	if out := done(t, "", "__complete", "farm", "--agent", ""); !strings.Contains(out, "greedy\n") {
		t.Errorf("completion of an AGENT offers %s", out)
	}
	if out := done(t, "", "completion", "bash"); !strings.Contains(out, "sandtable") {
		t.Error("no completion for bash")
	}
}

func TestLegalListsNumbersAndMoves(t *testing.T) {
	out := done(t, "", "legal", "trench/standard")
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) != 14 || lines[0] != "125\td1-e2" {
		t.Errorf("legal prints %d lines, the first %q", len(lines), lines[0])
	}
	out = done(t, "", "legal", "ntxuva/basic", "--position", "0,0,0,0,0,1,0,1,0,0,0,0 0,0,1,0,0,1,1,0,0,0,0,0 s 1 68")
	if out != "5\t5\n7\t7\n" {
		t.Errorf("legal prints %q", out)
	}
}

func TestPerftPrintsTheCountAlone(t *testing.T) {
	if out := done(t, "", "perft", "trench/standard", "--depth", "3"); out != "3894\n" {
		t.Errorf("perft prints %q", out)
	}
	if out := done(t, "", "perft", "ntxuva/basic", "--depth", "0", "--split"); out != "1\n" {
		t.Errorf("perft prints %q", out)
	}
	out := done(t, "", "perft", "ntxuva/basic", "--depth", "2", "--split")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 13 || lines[12] != "132" || !strings.HasPrefix(lines[0], "0 ") {
		t.Errorf("perft --split prints %q", out)
	}
}

func TestReplayEndsWithResultReasonAndPosition(t *testing.T) {
	out := done(t, "5\n", "replay", "ntxuva/basic")
	want := "result: none\nreason: none\nposition: 3,0,3,3,0,1,4,1,3,3,0,3 2,0,2,2,2,2,2,2,2,2,0,2 n 0 1\n"
	if out != want {
		t.Errorf("replay prints %q, want %q", out, want)
	}
	moves := filepath.Join(t.TempDir(), "moves.txt")
	if err := os.WriteFile(moves, []byte("d1-f3  e8-d7\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out := done(t, "", "replay", "trench/standard", "--moves", moves); !strings.HasSuffix(out, " b 0-0 2 2\n") {
		t.Errorf("replay --moves prints %q", out)
	}
}

func TestReplayNamesTheIllegalMoveAndTheNearest(t *testing.T) {
	o := sandtable(t, "d1-f3 e8-a8", "replay", "trench/standard")
	if o.code != exitUsage || !strings.Contains(o.err, "move 2, e8-a8") || !strings.Contains(o.err, "e8-d8") {
		t.Errorf("code %d, %s", o.code, o.err)
	}
	o = sandtable(t, "1", "replay", "ntxuva/basic", "--position", "0,0,0,0,0,0,0,0,0,0,0,0 1,0,0,0,0,0,0,0,0,0,0,0 n 0 0")
	if o.code != exitUsage || !strings.Contains(o.err, "move 1, 1: the game is over (wiped_out)") {
		t.Errorf("code %d, %s", o.code, o.err)
	}
}

func TestReplayReadsGamesWithHeadersNumbersAndRemarks(t *testing.T) {
	const start = "0,0,0,0,0,1,0,1,0,0,0,0 0,0,1,0,0,1,1,0,0,0,0,0 s 1 68"
	game := fmt.Sprintf("[Start %q]\n\n2. 5 {quiet}\n", start)
	want := done(t, "5", "replay", "ntxuva/basic", "--position", start)
	for _, args := range [][]string{{}, {"--position", start}} {
		if out := done(t, game, append([]string{"replay", "ntxuva/basic"}, args...)...); out != want {
			t.Errorf("replay %v prints %q, want %q", args, out, want)
		}
	}
	for _, c := range []struct {
		game, position, want string
	}{
		{game, "0,0,0,0,0,1,0,1,0,0,0,0 0,0,1,0,0,1,1,0,0,0,0,0 s 1 67", "but --position is 0,0,0"},
		{"[Start \"x\"]\n", "", `header Start: position "x": has 1 fields`},
		{"[Digest \"sha256:0\"]\n", "", "the game was played with rules sha256:0, but ntxuva/basic has sha256:"},
		{"[Start]\n", "", `line 1: header is "[Start]", must have the form`},
	} {
		o := sandtable(t, c.game, "replay", "ntxuva/basic", "--position", c.position)
		if o.code != exitUsage || !strings.Contains(o.err, c.want) || o.out != "" {
			t.Errorf("%q: code %d, %q and %q, want %q", c.game, o.code, o.out, o.err, c.want)
		}
	}
}

func TestRulesReadBackThroughAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "my.json")
	text := done(t, "", "rules", `trench/standard{"target_points":20}`)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if again := done(t, "", "rules", "@"+file); again != text {
		t.Errorf("read back:\n%s\nwritten:\n%s", again, text)
	}
}

func TestGamesTellsEverythingAsJSON(t *testing.T) {
	var list struct{ Variants []gameJSON }
	if err := json.Unmarshal([]byte(done(t, "", "games", "--json")), &list); err != nil {
		t.Fatal(err)
	}
	all := list.Variants
	if len(all) != len(games.Presets()) || all[0].Variant != "trench/standard" || all[0].Actions != 2560 || len(all[0].Pieces) != 5 {
		t.Errorf("games --json gives %d presets, the first %+v", len(all), all[0])
	}
	text := done(t, "", "games", "trench")
	for _, want := range []string{"trench/short-2013", "house rule", "published", "General", "2560"} {
		if !strings.Contains(text, want) {
			t.Errorf("games trench does not tell %s:\n%s", want, text)
		}
	}
}

func TestShowDrawsTextAndSVG(t *testing.T) {
	if out := done(t, "", "show", "trench/standard"); !strings.Contains(out, "G") || strings.Count(out, "\n") < 9 {
		t.Errorf("show prints\n%s", out)
	}
	if out := done(t, "d1-f3", "show", "trench/standard", "--moves", "-"); !strings.Contains(out, "[S]") || !strings.Contains(out, "(.)") {
		t.Errorf("show does not mark the move:\n%s", out)
	}
	file := filepath.Join(t.TempDir(), "board.svg")
	done(t, "", "show", "ntxuva/basic", "--svg", file)
	svg, err := os.ReadFile(file)
	if err != nil || !bytes.HasPrefix(bytes.TrimSpace(svg), []byte("<")) || !bytes.Contains(svg, []byte("</svg>")) {
		t.Errorf("the file holds %.60q (%v)", svg, err)
	}
	picture := filepath.Join(t.TempDir(), "board.png")
	done(t, "", "show", "ntxuva/basic", "--png", picture, "--svg", file, "--width", "200")
	if data, err := os.ReadFile(picture); err != nil || !bytes.Contains(data, []byte("IHDR\x00\x00\x00\xc8")) {
		t.Errorf("the PNG file holds %.30q (%v), want an image that is 200 pixels wide", data, err)
	}
	if svg, err := os.ReadFile(file); err != nil || !bytes.Contains(svg, []byte(`width="200"`)) {
		t.Errorf("the SVG file holds %.90q (%v), want a picture that is 200 pixels wide", svg, err)
	}
	if o := sandtable(t, "", "show", "ntxuva/basic", "--width", "-1"); o.code != exitUsage || !strings.Contains(o.err, "--width is -1, must be 0 to 16384") {
		t.Errorf("code %d, %s", o.code, o.err)
	}
	if o := sandtable(t, "", "show", "ntxuva/basic", "--svg", filepath.Dir(file)); o.code == exitDone ||
		!strings.Contains(o.err, filepath.Dir(file)+" is a folder, must be the name of a file") {
		t.Errorf("code %d, %s", o.code, o.err)
	}
	if o := sandtable(t, "", "show", "ntxuva/basic", "--svg", "/nowhere/board.svg"); o.code == exitDone || !strings.Contains(o.err, "/nowhere") {
		t.Errorf("code %d, %s", o.code, o.err)
	}
}

func TestReportsCanBeJSON(t *testing.T) {
	for _, c := range []struct {
		args string
		want string
	}{
		{"legal ntxuva/4 --json", `{"schema":1,"moves":[{"action":0,"move":"0"}`},
		{"perft trench/standard --depth 2 --split --json", `{"schema":1,"depth":2,"count":192,"split":[{"move":`},
		{"perft ntxuva/basic --depth 3 --json", `{"schema":1,"depth":3,"count":852}`},
		{"replay ntxuva/basic --json", `{"schema":1,"result":"none","reason":"none","position":"2,2`},
	} {
		var compact bytes.Buffer
		if err := json.Compact(&compact, []byte(done(t, "", strings.Fields(c.args)...))); err != nil || !strings.Contains(compact.String(), c.want) {
			t.Errorf("sandtable %s: %s (%v), want %s", c.args, compact.String(), err, c.want)
		}
	}
}

func TestAWrongPositionIsToldOnce(t *testing.T) {
	for _, variant := range games.Presets() {
		o := sandtable(t, "", "show", variant, "--position", "bad")
		if o.code != exitUsage || strings.Count(o.err, "position") != 1 {
			t.Errorf("%s: code %d, %s", variant, o.code, o.err)
		}
	}
}

func TestErrorsStayShort(t *testing.T) {
	o := sandtable(t, "", "show", "trench/standard", "--position", strings.Repeat("a", 100_000))
	if o.code != exitUsage || len(o.err) > 1000 {
		t.Errorf("code %d, an error of %d bytes", o.code, len(o.err))
	}
}
