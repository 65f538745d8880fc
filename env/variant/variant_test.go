package variant_test

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// A game that consists of its rule set alone.
type rules struct {
	variant.Header
	Size   int              `json:"size" help:"squares a side"`
	Quick  bool             `json:"quick"`
	Mode   string           `json:"mode"`
	Starts []string         `json:"starts"`
	Pieces map[string]piece `json:"pieces" help:"by code"`
}

type piece struct {
	Speed int `json:"speed"`
}

func (r *rules) Validate() error {
	var faults variant.Faults
	faults.Range("size", r.Size, 1, 20)
	faults.OneOf("mode", r.Mode, "plain", "odd")
	for _, code := range []string{"HT", "LT"} {
		faults.Range("pieces."+code+".speed", r.Pieces[code].Speed, 1, 7)
	}
	return faults.Err()
}

type game struct{ *rules }

func (game) Spec() *env.Spec           { return &env.Spec{} }
func (game) NewStates(int) []env.State { return nil }

func engine(version int) []variant.Engine {
	return []variant.Engine{{
		Name: "toy", Title: "Toy", Version: version, Default: "big",
		Presets: fstest.MapFS{
			"variants/big.json": {Data: []byte(`{"game":"toy","description":"large","source":"none","size":16,"quick":false,
				"mode":"plain","starts":["a1"],"pieces":{"HT":{"speed":3},"LT":{"speed":5}}}`)},
			"variants/big/quick.json": {Data: []byte(`{"game":"toy","base":"toy/big","description":"hurried","quick":true}`)},
			"variants/a.json":         {Data: []byte(`{"game":"toy","base":"toy/big/quick","size":2}`)},
		},
		Rules: func() variant.RuleSet { return new(rules) },
		New:   func(r variant.RuleSet) env.Game { return game{r.(*rules)} },
	}}
}

func load(t *testing.T, text string) *variant.Variant {
	t.Helper()
	v, err := variant.Load(engine(1), text, os.ReadFile)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func write(t *testing.T, text string) string {
	t.Helper()
	name := t.TempDir() + "/mine.json"
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestPresetsRestOnTheirBase(t *testing.T) {
	v := load(t, "toy/big/quick")
	r := v.Game.(game).rules
	if !r.Quick || r.Size != 16 || r.Description != "hurried" || r.Source != "none" || v.Name != "toy/big/quick" {
		t.Errorf("toy/big/quick is %+v", r)
	}
	if r := load(t, "toy/a").Game.(game).rules; !r.Quick || r.Size != 2 || r.Description != "" {
		t.Errorf("toy/a is %+v", r)
	}
}

func TestPresetNamesListTheDefaultFirst(t *testing.T) {
	e := engine(1)[0]
	got := strings.Join(e.PresetNames(), " ")
	if want := "toy/big toy/a toy/big/quick"; got != want {
		t.Errorf("presets are %s, want %s", got, want)
	}
}

func TestOverridesAreAMergePatch(t *testing.T) {
	v := load(t, `toy/big{"pieces":{"HT":{"speed":2}}, "size":9}`)
	r := v.Game.(game).rules
	if r.Size != 9 || r.Pieces["HT"].Speed != 2 || r.Pieces["LT"].Speed != 5 {
		t.Errorf("rules are %+v", r)
	}
	if want := `toy/big{"pieces":{"HT":{"speed":2}},"size":9}`; v.Name != want {
		t.Errorf("name is %s, want %s", v.Name, want)
	}
}

func TestAnEmptyOverrideChangesNothing(t *testing.T) {
	plain, empty := load(t, "toy/big"), load(t, "toy/big{}")
	if empty.Name != "toy/big" || string(empty.Rules) != string(plain.Rules) {
		t.Errorf("%s is %s, want %s", empty.Name, empty.Rules, plain.Rules)
	}
}

func TestRulesReadBackAsTheyWereWritten(t *testing.T) {
	for _, text := range []string{"toy/big", "toy/big/quick", `toy/big{"mode":"odd"}`} {
		v := load(t, text)
		again := load(t, "@"+write(t, string(v.Rules)))
		if again.Digest != v.Digest || string(again.Rules) != string(v.Rules) || again.Name != v.Name {
			t.Errorf("%s: read back as\n%s\nwritten as\n%s", text, again.Rules, v.Rules)
		}
		rebuilt, err := variant.FromRules(engine(1), v.Rules, v.Digest)
		if err != nil || string(rebuilt.Rules) != string(v.Rules) {
			t.Errorf("%s: FromRules gives %v, %v", text, rebuilt, err)
		}
	}
}

func TestAFileMayNameABaseAndTakesItsNameFromTheFile(t *testing.T) {
	v := load(t, "@"+write(t, `{"base":"toy/big","size":3,"digest":"sha256:of something else"}`)+`{"quick":true}`)
	r := v.Game.(game).rules
	if r.Size != 3 || !r.Quick || v.Name != `toy/mine{"quick":true}` {
		t.Errorf("%s is %+v", v.Name, r)
	}
	if v.Digest != load(t, `toy/big{"size":3,"quick":true}`).Digest {
		t.Error("the digest field of a file has an effect")
	}
}

// The digest was worked out apart from this program:
// python3 -c 'import hashlib,json; print(hashlib.sha256(json.dumps({"behaviour":1,"game":"toy","size":16,"quick":False,
// "mode":"plain","starts":["a1"],"pieces":{"HT":{"speed":3},"LT":{"speed":5}}},sort_keys=True,separators=(",",":")).encode()).hexdigest())'
func TestDigestIsOfTheCanonicalRules(t *testing.T) {
	const want = "sha256:b08ee27dc24cc682e7115a6fab1e73670035e76c8fd2ff910cd14cf8489d623f"
	v := load(t, "toy/big")
	if v.Digest != want {
		t.Errorf("digest is %s, want %s", v.Digest, want)
	}
	var doc map[string]any
	if err := json.Unmarshal(v.Rules, &doc); err != nil || doc["digest"] != want {
		t.Errorf("the written rule set says %v (%v)", doc["digest"], err)
	}
}

func TestDigestLeavesOutWhatDoesNotDecideTheGame(t *testing.T) {
	plain := load(t, "toy/big").Digest
	for _, patch := range []string{`{"description":"other"}`, `{"source":"other"}`} {
		if got := load(t, "toy/big"+patch).Digest; got != plain {
			t.Errorf("%s changes the digest", patch)
		}
	}
	if load(t, "toy/big/quick").Digest == plain {
		t.Error("another rule set has the same digest")
	}
	newer, err := variant.Load(engine(2), "toy/big", nil)
	if err != nil || newer.Digest == plain {
		t.Errorf("another behaviour version has the same digest (%v)", err)
	}
}

func TestAForeignDigestIsRefused(t *testing.T) {
	v := load(t, "toy/big")
	_, err := variant.FromRules(engine(2), v.Rules, v.Digest)
	if err == nil || !strings.Contains(err.Error(), "a different version of Sandtable") {
		t.Errorf("error is %v", err)
	}
}

func TestFaultsNameTheVariantTheFieldAndWhatWouldBeRight(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`toy/big{"pieces":{"HT":{"speed":9}}}`, `variant toy/big{"pieces":{"HT":{"speed":9}}}: override:1:18: pieces.HT.speed is 9, must be 1 to 7`},
		{`toy/big{"mode":"x"}`, `mode is "x", must be one of plain, odd`},
		{`toy/big{"sizee":1}`, `sizee is unknown; did you mean size?`},
		{`toy/big{"Size":1}`, `Size is unknown; did you mean size?`},
		{`toy/big{"wings":1}`, `wings is unknown; known are description, digest, game, mode, name, pieces, quick, size, source, starts`},
		{`toy/big{"size":null}`, `size is missing`},
		{`toy/big{"size":1.5}`, `size is 1.5, must be a whole number`},
		{`toy/big{"size":99999999999}`, `size is 99999999999, must be a whole number`},
		{`toy/big{"size":"1"}`, `size must be a whole number`},
		{`toy/big{"quick":1}`, `quick must be true or false`},
		{`toy/big{"mode":1}`, `mode must be a string`},
		{`toy/big{"starts":{}}`, `starts must be a list`},
		{`toy/big{"starts":[1]}`, `starts[0] must be a string`},
		{`toy/big{"pieces":[]}`, `pieces must be an object`},
		{`toy/big{"pieces":{"HT":1}}`, `pieces.HT must be an object`},
		{`toy/big{"pieces":{"é":{"speed":1}}}`, `ASCII`},
		{`toy/big{"size":1,"size":2}`, `override:1:11: size is given twice, first at line 1, column 2`},
		{`toy/big{"size":1}}`, `override:1:11: is not JSON: expected nothing after the object, found }`},
		{`toy/big{"size":`, `override:1:9: is not JSON: expected a value, found the end of the input`},
		{`toy/big{size}`, `override:1:2: is not JSON: expected a name in quotes or }, found "size"`},
		{`toy/big{"name":"x"}`, `name cannot be overridden`},
		{`toy/small`, `preset toy/small is unknown; known are toy/big, toy/a`},
		{`toy`, `preset toy is unknown`},
		{`chess/standard`, `game "chess" is unknown; known are toy`},
		{``, `game "" is unknown`},
		{`toy/../variants/big`, `preset toy/../variants/big is unknown`},
		{`@/nowhere/x.json`, `no such file`},
	} {
		_, err := variant.Load(engine(1), c.text, os.ReadFile)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "variant "+c.text) {
			t.Errorf("%s: error is %v, want %s", c.text, err, c.want)
		}
	}
}

func TestEveryFaultIsReported(t *testing.T) {
	_, err := variant.Load(engine(1), `toy/big{"size":0,"mode":"x","pieces":{"LT":null}}`, nil)
	for _, want := range []string{"size is 0", `mode is "x"`, "pieces.LT.speed is 0"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s is not in %v", want, err)
		}
	}
}

func TestFilesCanBeRefused(t *testing.T) {
	if _, err := variant.Load(engine(1), "@x.json", nil); err == nil || !strings.Contains(err.Error(), "not accepted here") {
		t.Errorf("error is %v", err)
	}
	missing := errors.New("gone")
	_, err := variant.Load(engine(1), "@x.json", func(string) ([]byte, error) { return nil, missing })
	if !errors.Is(err, missing) {
		t.Errorf("error %v does not wrap its cause", err)
	}
}

func TestParametersListWhatValidateWants(t *testing.T) {
	e := engine(1)[0]
	got, err := e.Parameters()
	want := []variant.Parameter{
		{Field: "size", Values: "1 to 20", Default: "16", Meaning: "squares a side"},
		{Field: "quick", Values: "true or false", Default: "false"},
		{Field: "mode", Values: "one of plain, odd", Default: `"plain"`},
		{Field: "starts", Values: "a list", Default: `["a1"]`},
		{Field: "pieces", Values: "an object", Meaning: "by code"},
		{Field: "pieces.*.speed", Values: "1 to 7"},
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("parameters are %+v (%v)", got, err)
	}
}

func FuzzLoad(f *testing.F) {
	f.Add("toy/big")
	f.Add(`toy/big{"pieces":{"HT":{"speed":2}}}`)
	f.Add(`toy/a{"starts":[],"x":{"y":[1,{}]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		v, err := variant.Load(engine(1), text, nil)
		if err != nil {
			return
		}
		again, err := variant.FromRules(engine(1), v.Rules, v.Digest)
		if err != nil || again.Name != v.Name {
			t.Fatalf("%q loads, but its rules do not: %v", text, err)
		}
		if _, err := variant.Load(engine(1), v.Name, nil); err != nil {
			t.Fatalf("%q loads, but its name %q does not: %v", text, v.Name, err)
		}
	})
}
