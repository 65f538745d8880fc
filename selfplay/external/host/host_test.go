package host_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/external"
	"github.com/sandtable-farm/sandtable/selfplay/external/host"
)

// TestMain runs the test binary as a program that hosts the agent of its second argument.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "host" {
		if err := hostOf(os.Args[2]).Serve(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func hostOf(text string) *host.Host {
	return &host.Host{Name: "test 1", New: func(v *variant.Variant) (agent.Agent, error) {
		spec, err := agent.Parse(text, v, nil)
		if err != nil {
			return nil, err
		}
		return spec.New(v.Game)
	}}
}

func lookup(t *testing.T, name string) *variant.Variant {
	t.Helper()
	v, err := games.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// A hosted agent makes the choices, and reports the searches, of the agent itself.
func TestAHostedAgentPlaysAsTheAgentDoes(t *testing.T) {
	for name, text := range map[string]string{
		"trench/standard":     "alphabeta:nodes=300,noise=5",
		"ntxuva/basic":        "mcts:sims=40",
		"tankchess/16x16":     "greedy",
		"tankbattle/standard": "alphabeta:depth=1",
	} {
		v := lookup(t, name)
		spec, err := agent.Parse(text, v, nil)
		if err != nil {
			t.Fatal(err)
		}
		direct, err := spec.New(v.Game)
		if err != nil {
			t.Fatal(err)
		}
		exe, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		hosted, err := external.New([]string{exe, "host", text}, v, external.Limits{Time: time.Minute, Ready: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		defer hosted.Close()
		for game := range uint64(2) {
			s := env.NewState(v.Game)
			direct.Begin(game + 7)
			hosted.Begin(game + 7)
			if err := hosted.Watch(s); err != nil {
				t.Fatal(err)
			}
			for ply := 0; ply < 24 && s.Player() != env.NoPlayer; ply++ {
				legal := s.Legal(nil)
				var want, got dataset.Search
				a, b := direct.Choose(s, legal, &want), hosted.Choose(s, legal, &got)
				want.Has, want.Fast = want.Has&^dataset.HasFast, false
				if a != b || fmt.Sprint(want) != fmt.Sprint(got) {
					_, detail := hosted.Forfeit()
					t.Fatalf("%s, game %d, ply %d: the agent plays %s %v, hosted %d %v (%s)",
						name, game, ply, env.ActionText(s, a), want, b, got, detail)
				}
				hosted.Played(a)
				s.Apply(a)
			}
		}
	}
}

// serve returns the answers to lines, after a valid beginning in Trench.
func serve(t *testing.T, text string, lines ...string) (answers []string, err error) {
	t.Helper()
	v := lookup(t, "trench/standard")
	rules := strings.ReplaceAll(string(v.Rules), "\n", " ")
	begin := []string{"sandtable 1", "", "variant " + v.Digest + " " + v.Name, "rules " + rules}
	var out strings.Builder
	err = hostOf(text).Serve(strings.NewReader(strings.Join(append(begin, lines...), "\n")+"\n"), &out)
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n"), err
}

// position returns a position line from the start of Trench.
func position(t *testing.T, moves ...string) string {
	s := env.NewState(lookup(t, "trench/standard").Game)
	return strings.Join(append([]string{"position", env.PositionText(s), "moves"}, moves...), " ")
}

func TestAConversation(t *testing.T) {
	first := env.NewState(lookup(t, "trench/standard").Game)
	legal := first.Legal(nil)
	move := env.ActionText(first, legal[0])
	answers, err := serve(t, "random", "newgame 5", position(t), "legal x y", "go 1 movetime 100 nodes 5",
		position(t, move), "go 2 movetime 1", "quit", "nonsense after the end")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"id test 1", "ready", "ready", "ready"}
	if len(answers) != 6 || !slices.Equal(answers[:4], want) || !strings.HasPrefix(answers[4], "move 1 ") || !strings.HasPrefix(answers[5], "move 2 ") {
		t.Fatalf("answers %q", answers)
	}
	if _, err := first.ParseAction(strings.Fields(answers[4])[2]); err != nil {
		t.Errorf("the first move is not legal: %v", err)
	}
	first.Apply(legal[0])
	if _, err := first.ParseAction(strings.Fields(answers[5])[2]); err != nil {
		t.Errorf("the second move is not legal after the first: %v", err)
	}
}

// Whatever breaks the protocol is answered with an error line that names it.
func TestErrorsNameWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		agent string
		lines []string
		want  string
	}{
		{"random", []string{"newgame -1"}, `seed is "-1"`},
		{"random", []string{"dance"}, `"dance" is not a line of the protocol`},
		{"random", []string{"go 1 movetime 5"}, "go came before a position"},
		{"random", []string{"position here"}, `a position has no "moves"`},
		{"random", []string{"position here moves"}, "position: "},
		{"random", []string{position(t, "z9-z9")}, "z9"},
		{"random", []string{position(t), "go x"}, `go "x" needs a number`},
		{"random", []string{"sandtable 2"}, `protocol version is "2", must be 1`},
		{"nobody", nil, `"nobody"`},
		{"random", []string{"rules {}"}, "rules"},
	} {
		answers, err := serve(t, c.agent, c.lines...)
		last := answers[len(answers)-1]
		if err == nil || !strings.HasPrefix(last, "error ") || !strings.Contains(last, c.want) {
			t.Errorf("%q: the last answer is %q, must be an error with %q; Serve returns %v", c.lines, last, c.want, err)
		}
	}
}

func TestLinesBeforeTheRulesAreRefused(t *testing.T) {
	var out strings.Builder
	err := hostOf("random").Serve(strings.NewReader("sandtable 1\nnewgame 3\n"), &out)
	if err == nil || !strings.HasSuffix(out.String(), "error \"newgame\" came before the rules\n") {
		t.Errorf("answers %q, error %v", out.String(), err)
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestAnAnswerThatCannotBeWrittenEndsTheConversation(t *testing.T) {
	err := hostOf("random").Serve(strings.NewReader("sandtable 1\n"), brokenPipe{})
	if err == nil || !strings.Contains(err.Error(), "writing an answer") {
		t.Errorf("error %v", err)
	}
}
