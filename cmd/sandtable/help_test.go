package main

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
)

func wantLines(t *testing.T, what, text string, lines, columns int) {
	t.Helper()
	if n := strings.Count(text, "\n"); n > lines {
		t.Errorf("%s has %d lines, must have at most %d:\n%s", what, n, lines, text)
	}
	for line := range strings.Lines(text) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > columns {
			t.Errorf("%s has a line of %d columns, must have at most %d: %s", what, n, columns, line)
		}
	}
}

func TestTheFirstPageFitsAScreenAndNamesEveryCommand(t *testing.T) {
	for _, args := range [][]string{nil, {"--help"}, {"help"}} {
		page := done(t, "", args...)
		wantLines(t, "the first page", page, 40, 80)
		for _, cmd := range (&app{}).root().Commands() {
			if cmd.IsAvailableCommand() && !strings.Contains(page, cmd.Name()) {
				t.Errorf("the first page does not name %s", cmd.Name())
			}
		}
		for _, name := range topicNames() {
			if !strings.Contains(page, name) {
				t.Errorf("the first page does not name the topic %s", name)
			}
		}
	}
}

func TestHelpFitsThePage(t *testing.T) {
	for _, width := range []int{60, 80} {
		for _, topic := range topics() {
			for line := range strings.Lines(reflow(topic.text(), width)) {
				// A position cannot be broken.
				if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > width && len(strings.Fields(line)) > 2 {
					t.Errorf("help %s at %d columns has a line of %d: %s", topic.name, width, n, line)
				}
			}
		}
	}
}

func TestHelpTopicsStateWhatTheProgramKnows(t *testing.T) {
	for topic, wants := range map[string][]string{
		"agents":       agent.Names(),
		"variants":     games.Presets(),
		"openings":     {"sampled:K", "--starts"},
		"datasets":     {"manifest.json", "episodes/*.parquet"},
		"exit-codes":   {"130 ", "0 ", "3 "},
		"environment":  {"SANDTABLE_NATS_URL", listenTokenVariable, tokenVariable, passwordVariable, "NO_COLOR"},
		"positions":    {"BOARD SIDE POINTS QUIET MOVES"},
		"farm":         {"Usage:\n  sandtable farm [VARIANT…]", "--episodes"},
		"dataset info": {"sandtable dataset info DIR", "--json"},
	} {
		text := done(t, "", append([]string{"help"}, strings.Fields(topic)...)...)
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("help %s does not name %s", topic, want)
			}
		}
	}
}

func TestPositionFieldsAreThoseOfTheGames(t *testing.T) {
	for _, engine := range games.Engines() {
		v, err := games.Lookup(engine.Name + "/" + strings.SplitN(engine.PresetNames()[0], "/", 2)[1])
		if err != nil {
			t.Fatal(err)
		}
		err = env.NewState(v.Game).SetPosition("x")
		if want := positionFields()[engine.Name]; err == nil || want == "" || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: fields are %q, but the game says %v", engine.Name, want, err)
		}
	}
}

// Thirty mistakes that people make, each with what the answer must suggest.
func TestMistakesGetASuggestion(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("ok.json", []byte(done(t, "", "rules", "trench")), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{"shwo trench", "did you mean sandtable show?"},
		{"datset info x", "did you mean sandtable dataset?"},
		{"frm", "did you mean sandtable farm?"},
		{"analyse trench", "did you mean sandtable analyze?"},
		{"verify x", "did you mean sandtable dataset verify or sandtable endgame verify?"},
		{"info x", "did you mean sandtable dataset info or sandtable endgame info?"},
		{"agents", "did you mean sandtable help agents?"},
		{"positions", "did you mean sandtable help positions?"},
		{"help agnets", "did you mean sandtable help agents?"},
		{"help fram", "did you mean sandtable farm --help?"},
		{"help nonsense", "topics are agents, variants"},
		{"dataset verfy x", "did you mean sandtable dataset verify?"},
		{"dataset verfy --help", "did you mean sandtable dataset verify?"},
		{"help dataset inf", "did you mean sandtable dataset info?"},
		{"farm --epsiodes 5", "did you mean --episodes?"},
		{"farm -episodes 5", "did you mean --episodes?"},
		{"farm --worker 2", "did you mean --workers?"},
		{"farm --episodes many", "a whole number such as 5000, 100k, 1e5 or 2M"},
		{"farm --episodes 1.5", "a whole number such as"},
		{"show trnch", "did you mean trench?"},
		{"show trench/standart", "did you mean trench/standard?"},
		{"show Trench/Standard", "did you mean trench/standard?"},
		{"show standard", "did you mean trench/standard or tankbattle/standard?"},
		{"show 16x16", "did you mean tankchess/16x16"},
		{"show ok.json", "did you mean @ok.json?"},
		{`farm trench/standart{"target_points":20}`, `did you mean trench/standard{"target_points":20}?`},
		{"games trench/standard", "did you mean trench?"},
		{"farm --agent greddy", "did you mean greedy?"},
		{"farm --agent alpha-beta", "did you mean alphabeta?"},
		{"farm --agent alphabeta:dept=3", "did you mean depth?"},
		{"arena trench greedy randm", "did you mean random?"},
		{"analyze trench --agent mcts:sim=40", "did you mean sims?"},
	} {
		o := sandtable(t, "", strings.Fields(c.args)...)
		if o.code != exitUsage || !strings.Contains(o.err, c.want) || o.out != "" {
			t.Errorf("sandtable %s: code %d, %q and %q, want %q", c.args, o.code, o.out, o.err, c.want)
		}
	}
}

func TestTheNameOfAGameIsItsDefaultVariant(t *testing.T) {
	for _, c := range [][2]string{
		{"trench", "trench/standard"}, {"ntxuva", "ntxuva/basic"}, {`trench{"target_points":20}`, `trench/standard{"target_points":20}`},
	} {
		if short, long := done(t, "", "rules", c[0]), done(t, "", "rules", c[1]); short != long {
			t.Errorf("%s gives\n%s\nwant\n%s", c[0], short, long)
		}
	}
}

func TestNumbersMayHaveASuffixOrAnExponent(t *testing.T) {
	for text, want := range map[string]string{
		"5000": "5000", "100k": "100000", "1e5": "100000", "2M": "2000000", "1.5k": "1500", "1G": "1000000000",
		"1_000": "1000", "1,000": "1000", "-1": "-1", "1e0": "1", "18446744073709551615": "18446744073709551615",
	} {
		if digits, err := wholeDigits(text); err != nil || digits != want {
			t.Errorf("%s is %s (%v), want %s", text, digits, err, want)
		}
	}
	for _, text := range []string{"", "k", "1.5", "ten", "1e-1", "0x10", "1e999999999", "1/2", "NaN", "Inf"} {
		if digits, err := wholeDigits(text); err == nil {
			t.Errorf("%q is %s, want an error", text, digits)
		}
	}
	if out := done(t, "", "perft", "ntxuva", "--depth", "3e0"); out != "852\n" {
		t.Errorf("perft prints %q", out)
	}
	o := sandtable(t, "", "farm", "--seed", "1e30")
	if o.code != exitUsage || !strings.Contains(o.err, "too large") {
		t.Errorf("code %d, %s", o.code, o.err)
	}
}
