package agent_test

import (
	"errors"
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
	"github.com/sandtable-farm/sandtable/selfplay/selfplaytest"
)

// weightsFor returns a rule set and a file of weights for it.
func weightsFor(t *testing.T, name string, value float64) (*variant.Variant, string) {
	t.Helper()
	v, err := games.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	layout, err := eval.NewLayout(v.Game)
	if err != nil {
		t.Fatal(err)
	}
	values := make([]float64, layout.Size())
	for i := range values {
		values[i] = value
	}
	weights, err := eval.NewWeights(v.Game, v.Digest, values, "made for a test")
	if err != nil {
		t.Fatal(err)
	}
	return v, string(weights.JSON())
}

// folder is a folder of files in memory.
type folder map[string]string

func (f folder) ReadFile(name string) ([]byte, error) {
	if content, ok := f[name]; ok {
		return []byte(content), nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

func TestWeightsAreRecordedByTheDigestOfTheirFileAndTravelWithTheRun(t *testing.T) {
	v, content := weightsFor(t, "ntxuva/4", 3)
	from := &agent.Sources{ReadFile: folder{"my.json": content}.ReadFile}
	c := selfplay.Config{Variant: v, MaxPlies: 50, Seed: 1}
	for i, text := range []string{"alphabeta:depth=1,eval=my.json", "mcts:sims=3,eval=my.json"} {
		var err error
		if c.Agents[i], err = agent.Parse(text, v, from); err != nil {
			t.Fatal(err)
		}
	}
	p := selfplaytest.Must(t, c)
	digest := dataset.FileDigest(content)
	if got := p.Config().Agents[0].String(); !strings.Contains(got, "eval="+digest+",") {
		t.Errorf("recorded as %s", got)
	}
	settings := p.Cut(4, 0).Settings()
	if want := (dataset.Files{digest: content}); !reflect.DeepEqual(settings.Files, want) {
		t.Errorf("files are %v", settings.Files)
	}
	back, err := selfplay.Open(&settings, nil)
	if err != nil {
		t.Fatal(err)
	}
	if again := back.Settings(); !reflect.DeepEqual(again, settings) {
		t.Errorf("settings come back as %+v", again)
	}
	if a, b := selfplaytest.Play(t, p, 1, 0, 4), selfplaytest.Play(t, back, 1, 0, 4); !reflect.DeepEqual(a, b) {
		t.Error("the plan that comes back plays other games")
	}

	settings.Files = dataset.Files{digest: content + " "}
	if err := settings.Validate(); err == nil || !strings.Contains(err.Error(), "has the digest") {
		t.Errorf("files of another digest: %v", err)
	}
	settings.Files = nil
	if _, err := selfplay.Open(&settings, nil); err == nil || !strings.Contains(err.Error(), "are not available") {
		t.Errorf("settings without their files: %v", err)
	}
}

func TestAgentsOfSettingsReadNoFiles(t *testing.T) {
	settings := selfplaytest.Plan(t, "ntxuva/4", "alphabeta", "greedy", nil).Cut(4, 0).Settings()
	settings.Agents[0] = "alphabeta:eval=/etc/hostname"
	if _, err := selfplay.Open(&settings, nil); err == nil || !strings.Contains(err.Error(), "is unknown; known are linear, ") {
		t.Errorf("error is %v", err)
	}
}

func TestWrongFilesOfWeightsAreNamed(t *testing.T) {
	v, content := weightsFor(t, "ntxuva/4", 1)
	_, other := weightsFor(t, "trench/standard", 1)
	from := &agent.Sources{ReadFile: folder{
		"other.json": other, "half.json": content[:len(content)/2], "bytes.json": "\xff\xfe",
	}.ReadFile}
	for file, want := range map[string]string{
		"other.json": "weights other.json: ", "half.json": "weights half.json: ", "bytes.json": "the file is not UTF-8 text",
		"none.json": `evaluator "none.json" is not one of linear, material, score or a file of weights`,
		"sha256:00": "the weights with this digest are not available",
	} {
		_, err := agent.Parse("alphabeta:eval="+file, v, from)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error is %v, must be %s", file, err, want)
		}
		if file == "none.json" && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%v does not wrap the cause", err)
		}
	}
}

// So what is recorded of an agent with shipped weights can be typed.
func TestShippedWeightsAreKnownByTheirDigestToo(t *testing.T) {
	for _, name := range games.Presets() {
		v, err := games.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := eval.Shipped(v.Digest); !ok {
			continue
		}
		recorded, err := agent.Parse("alphabeta:eval=linear", v, nil)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := agent.Parse(recorded.String(), v, nil); err != nil || again.String() != recorded.String() {
			t.Errorf("%s is read as %s, %v", recorded, again, err)
		}
	}
}

func TestRuleSetsWithoutShippedWeightsSaySo(t *testing.T) {
	v, err := games.Lookup(`trench/standard{"target_points":3}`)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := agent.Parse("alphabeta:eval=linear", v, nil); err == nil || !strings.Contains(err.Error(), "no weights are shipped") {
		t.Errorf("error is %v", err)
	}
	if best, err := agent.Parse("best", v, nil); err != nil || !strings.Contains(best.String(), "eval=score") {
		t.Errorf("best is %s, %v", best, err)
	}
}

// At 20,000 nodes material beats the shipped weights of Tank Chess 16x16 by 104 Elo (41 to 167).
func TestTheBestAgentOfTankChessCountsMaterial(t *testing.T) {
	for _, name := range []string{"tankchess/16x16", "tankchess/20x20"} {
		v, err := games.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		best, err := agent.Parse("best", v, nil)
		if err != nil || !strings.Contains(best.String(), "eval=material,") || !strings.Contains(best.String(), "nodes=20000,") {
			t.Errorf("best of %s is %s, %v", name, best, err)
		}
	}
}

func TestTheBestAgentHasTheShippedWeights(t *testing.T) {
	best, err := parse(t, "best")
	if err != nil {
		t.Fatal(err)
	}
	linear, err := parse(t, "alphabeta:eval=linear,nodes=20000,noise=2")
	if err != nil || best.String() != linear.String() || !strings.Contains(best.String(), "eval=sha256:") {
		t.Errorf("best is %s, with the shipped weights it is %s, %v", best, linear, err)
	}
}

func TestShortAgentsLeaveOutDefaultsAndMostOfADigest(t *testing.T) {
	for recorded, want := range map[string]string{
		"random": "random",
		"alphabeta:depth=0,eval=sha256:e31376d731263ce40b926b7a969ac86a14998ffb72048a10da4b7f4ee36d93e4,hash=16,nodes=500,noise=2,table=none,time=0s":           "alphabeta:eval=sha256:e31376d7…,nodes=500,noise=2,version=1",
		"alphabeta:depth=0,eval=sha256:e31376d731263ce40b926b7a969ac86a14998ffb72048a10da4b7f4ee36d93e4,hash=16,nodes=500,noise=2,table=none,time=0s,version=2": "alphabeta:eval=sha256:e31376d7…,nodes=500,noise=2",
		"exec:engine,depth=0,time=2s": "exec:engine,time=2s",
		"of another program:x=1":      "of another program:x=1",
	} {
		if got := agent.Short(recorded); got != want {
			t.Errorf("%s is %s in short, must be %s", recorded, got, want)
		}
	}
	spec, err := parse(t, "mcts:eval=score")
	if got := agent.Short(spec.String()); err != nil || got != "mcts:eval=score,sims=2000" {
		t.Errorf("%s is %s in short, %v", spec, got, err)
	}
}
