package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/selfplay/tablebase/judge"
)

// solved writes a small table and returns its file.
func solved(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "four.table")
	done(t, "", "endgame", "solve", "ntxuva/4", "--seeds", "3", "--out", file)
	return file
}

func TestEndgameSolveWritesATableThatInfoTellsOf(t *testing.T) {
	file := solved(t)
	text := done(t, "", "endgame", "info", file)
	for _, want := range []string{"endgames of ntxuva/4, complete up to 3 seeds per player\n", "26,896 positions; the longest win or loss takes 36 plies\n", "table sha256:"} {
		if !strings.Contains(text, want) {
			t.Errorf("info does not tell %q:\n%s", want, text)
		}
	}
	var d tableJSON
	if err := json.Unmarshal([]byte(done(t, "", "endgame", "solve", "ntxuva/4", "--seeds", "3", "--out", file, "--json")), &d); err != nil {
		t.Fatal(err)
	}
	if d.Variant != "ntxuva/4" || d.Seeds != 3 || len(d.Sides) != 9 || d.Positions != 26_896 || !strings.Contains(text, d.Table) || !strings.Contains(text, d.Rules) {
		t.Errorf("%+v", d)
	}
	if more := done(t, "", "endgame", "solve", "ntxuva/4", "--seeds", "4", "--out", file); !strings.Contains(more, "complete up to 4 seeds") {
		t.Errorf("going on gives\n%s", more)
	}
}

func TestEndgameProbeTellsThePositionAndItsMoves(t *testing.T) {
	file, position := solved(t), "0,1,0,0,0,1,0,0 0,0,1,0,0,1,0,0 n 7 30"
	var d probeJSON
	if err := json.Unmarshal([]byte(done(t, "", "endgame", "probe", file, "--position", position, "--json")), &d); err != nil {
		t.Fatal(err)
	}
	if d.Variant != "ntxuva/4" || d.Position != position || d.ToMove != "North" || len(d.Moves) != 2 {
		t.Fatalf("%+v", d)
	}
	if best := d.Moves[0]; best.Result != d.Result || best.Plies != d.Plies || d.Result == "draw" {
		t.Errorf("the position is a %s in %d, its best move a %s in %d", d.Result, d.Plies, best.Result, best.Plies)
	}
	end := done(t, strings.Join(d.Line, " "), "replay", "ntxuva/4", "--position", position)
	if wins := map[string]string{"win": "result: second", "loss": "result: first"}; len(d.Line) != d.Plies || !strings.Contains(end, wins[d.Result]) {
		t.Errorf("a %s in %d: the line %v ends with\n%s", d.Result, d.Plies, d.Line, end)
	}
	text := done(t, "", "endgame", "probe", file, "--position", position)
	if !strings.HasPrefix(text, "ntxuva/4  "+position+"\nNorth to move: "+d.Result+" in ") || strings.Count(text, "\n") != 7 {
		t.Errorf("probe prints\n%s", text)
	}
	// The counters do not matter.
	late := strings.Replace(position, "n 7 30", "n 199 900", 1)
	if got, want := done(t, "", "endgame", "probe", file, "--position", late), strings.Replace(text, position, late, 1); got != want {
		t.Errorf("late in the game probe prints\n%s", got)
	}
	// What search finds without a table.
	analysis := done(t, "", "analyze", "ntxuva/4", "--position", position, "--agent", "alphabeta:depth=40,noise=0")
	if want := strings.SplitAfter(text, "North to move: ")[1]; !strings.Contains(analysis, strings.SplitN(want, "\n", 2)[0]+"  ") {
		t.Errorf("the table says\n%s\nanalyze\n%s", text, analysis)
	}
}

func TestEndgameVerifyFindsDamage(t *testing.T) {
	file := solved(t)
	if out := done(t, "", "endgame", "verify", file, "--samples", "500"); !strings.Contains(out, "the checksums of 26,896 positions match; 500 positions agree") {
		t.Errorf("verify prints %s", out)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-5] ^= 1
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"verify", file}, {"solve", "ntxuva/4", "--seeds", "3", "--out", file}} {
		if o := sandtable(t, "", append([]string{"endgame"}, args...)...); o.code != exitFault || !strings.Contains(o.err, "positions of 3 seeds against 3 do not match their checksum") {
			t.Errorf("%v: code %d, %s", args, o.code, o.err)
		}
	}
}

func TestEndgameJudgeTellsHowOftenAgentsBlunder(t *testing.T) {
	file := solved(t)
	args := []string{"endgame", "judge", file, "greedy", "alphabeta:depth=1,hash=0,table=" + file, "--positions", "200"}
	var list struct{ Verdicts []judge.Verdict }
	if err := json.Unmarshal([]byte(done(t, "", append(args, "--json")...)), &list); err != nil {
		t.Fatal(err)
	}
	verdicts := list.Verdicts
	if len(verdicts) != 2 || verdicts[0].Agent != "greedy" || verdicts[0].Blunders.Estimate < 0.05 || verdicts[1].Blunders.Estimate != 0 {
		t.Errorf("%+v", verdicts)
	}
	if text := done(t, "", args...); !strings.Contains(text, "0.00 %    0.00 %   1.88 %        200  alphabeta:depth=1,") {
		t.Errorf("judge prints\n%s", text)
	}
}

func TestEndgameSaysWhatIsWrong(t *testing.T) {
	file := solved(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"fly"}, `"fly" is not a command`},
		{[]string{"solve", "ntxuva/4"}, "--out FILE is missing"},
		{[]string{"solve", "trench/standard", "--out", file}, "cannot solve trench/standard, only variants of ntxuva"},
		{[]string{"solve", "ntxuva/4", "--out", file, "--seeds", "17"}, "seeds is 17, must be 1 to 16"},
		{[]string{"solve", "ntxuva/4", "--out", file, "--workers", "0"}, "--workers is 0"},
		{[]string{"solve", "ntxuva/basic", "--out", file, "--seeds", "1"}, "has positions of a different rule set, ntxuva/4 ("},
		{[]string{"solve", "ntxuva/4", "--out", "endgame_test.go"}, "not an endgame table"},
		{[]string{"solve", "ntxuva/4", "--out", file + "/x/y"}, file},
		{[]string{"info", file + "x"}, "no such file"},
		{[]string{"info", "endgame_test.go"}, "not an endgame table"},
		{[]string{"verify", file, "--samples", "-1"}, "--samples is -1"},
		{[]string{"judge", file}, "needs FILE AGENT…"},
		{[]string{"judge", file, "x"}, `agent "x" is unknown`},
		{[]string{"judge", file, "greedy", "--positions", "0"}, "positions is 0, must be 1 or more"},
		{[]string{"judge", file, "greedy", "--exec", "x"}, "--exec is \"x\""},
		{[]string{"probe", file}, "at most 3 seeds per player; here South has 16 and North 16"},
		{[]string{"probe", file, "--position", "x"}, "position"},
		{[]string{"probe", file, "--position", "0,0,0,0,0,0,0,0 1,0,0,0,0,0,0,0 s 0 0"}, "the game is over in this position: second, wiped_out"},
	} {
		o := sandtable(t, "", append([]string{"endgame"}, c.args...)...)
		if o.code != exitUsage && !strings.HasSuffix(c.want, file) || o.code == exitDone || !strings.Contains(o.err, c.want) || o.out != "" {
			t.Errorf("%v: exit code %d, %s%s; must say %s", c.args, o.code, o.out, o.err, c.want)
		}
	}
}

func TestEndgameSolveStopsAndSaysHowToGoOn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "table")
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	var out, err strings.Builder
	code := run(ctx, []string{"endgame", "solve", "ntxuva/4", "--seeds", "12", "--out", file}, streams{in: strings.NewReader(""), out: &out, err: &err})
	if code != exitInterrupted || !strings.Contains(err.String(), "stopped; "+file+" is complete up to ") {
		t.Errorf("exit code %d, %s%s", code, out.String(), err.String())
	}
}

func TestAgentsWithATablePlayHereButNotOnAFarm(t *testing.T) {
	agent := "alphabeta:depth=1,table=" + solved(t)
	position := "0,1,0,0,0,1,0,0 0,0,1,0,0,1,0,0 n 7 30"
	if out := done(t, "", "analyze", "ntxuva/4", "--position", position, "--agent", agent); !strings.Contains(out, " in ") || !strings.Contains(out, "depth 1,") {
		t.Errorf("analyze prints\n%s", out)
	}
	done(t, "", "arena", "ntxuva/4", agent, "random", "--pairs", "2", "--out", filepath.Join(t.TempDir(), "match"))
	o := sandtable(t, "", "farm", "ntxuva/4", "--agent", agent, "--episodes", "2", "--out", filepath.Join(t.TempDir(), "run"))
	if o.code != exitUsage || !strings.Contains(o.err, "an endgame table stays on its machine and cannot go into the jobs of a farm") {
		t.Errorf("code %d, %s", o.code, o.err)
	}
}
