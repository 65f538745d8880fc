package variant_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sandtable-farm/sandtable/env/variant"
)

// check loads a file named my.json and returns what is wrong with it, a line each.
func check(t *testing.T, text, override string) string {
	t.Helper()
	read := func(string) ([]byte, error) { return []byte(text), nil }
	_, err := variant.Load(engine(1), "@my.json"+override, read)
	var invalid *variant.Invalid
	if !errors.As(err, &invalid) {
		t.Fatalf("%s: error is %v, not a list of faults", text, err)
	}
	var lines []string
	for _, fault := range invalid.Faults {
		lines = append(lines, fault.Error())
		if !errors.Is(err, fault) {
			t.Errorf("the error does not wrap %v", fault)
		}
	}
	return strings.Join(lines, "\n")
}

func TestEveryFaultOfAFileComesWithItsPlace(t *testing.T) {
	got := check(t, `{
  "game": "toy", "size": 99,
  "quick": "yes",
  "mode": "x",
	"starts": ["a1", 7, {}],
  "pieces": {"HT": {"speed": 0}, "é": {"speed": 1}, "LT": {"spede": 3}},
  "moed": 1
}`, "")
	want := `my.json:2:18: size is 99, must be 1 to 20
my.json:3:3: quick must be true or false
my.json:4:3: mode is "x", must be one of plain, odd
my.json:5:19: starts[1] must be a string in quotes
my.json:5:22: starts[2] must be a string in quotes
my.json:6:21: pieces.HT.speed is 0, must be 1 to 7
my.json:6:34: pieces.é has a name that is not plain ASCII
my.json:6:53: pieces.LT.speed is missing
my.json:6:60: pieces.LT.spede is unknown; did you mean speed?
my.json:7:3: moed is unknown; did you mean mode?`
	if got != want {
		t.Errorf("faults are\n%s\nwant\n%s", got, want)
	}
}

func TestAMissingFieldPointsAtTheObjectThatLacksIt(t *testing.T) {
	got := check(t, "\n  {\"game\":\"toy\",\"quick\":true,\"size\":9,\"starts\":[],\n\"pieces\":{\"HT\":{}, \"LT\":{\"speed\":1}}}", "")
	if want := "my.json:2:3: mode is missing\nmy.json:3:11: pieces.HT.speed is missing"; got != want {
		t.Errorf("faults are\n%s\nwant\n%s", got, want)
	}
	got = check(t, `{"base":"toy/big",
"size":null}`, "")
	if want := "my.json:2:1: size is missing"; got != want {
		t.Errorf("faults are\n%s\nwant\n%s", got, want)
	}
}

func TestAFaultOfTheBaseStandsWhereTheBaseIsNamed(t *testing.T) {
	odd := engine(1)
	odd[0].Presets = fstest.MapFS{"variants/big.json": {Data: []byte(`{"game":"toy","size":16,"quick":false,
		"mode":"plain","starts":[],"pieces":{"HT":{"speed":9},"LT":{"speed":5}}}`)}}
	for text, want := range map[string]string{
		"@my.json":                           "variant @my.json: my.json:1:2: pieces.HT.speed is 9, must be 1 to 7 (the value comes from toy/big)",
		"toy/big":                            "variant toy/big: pieces.HT.speed is 9, must be 1 to 7 (the value comes from toy/big)",
		`@my.json{"pieces":{"HT":null}}`:     `variant @my.json{"pieces":{"HT":null}}: override:1:12: pieces.HT.speed is 0, must be 1 to 7`,
		`@my.json{"pieces":{"LT":null}}`:     "my.json:1:2: pieces.HT.speed is 9",
		`toy/big{"pieces":{"HT":{}}}`:        "pieces.HT.speed is 9, must be 1 to 7 (the value comes from toy/big)",
		`toy/big{"pieces":5}`:                "override:1:2: pieces must be an object in braces",
		`toy/big{"pieces":{"HT":"fast"}}`:    "override:1:12: pieces.HT must be an object in braces",
		`toy/big{"starts":{"a":{"b":null}}}`: "override:1:2: starts must be a list in brackets",
	} {
		_, err := variant.Load(odd, text, func(string) ([]byte, error) { return []byte(`{"base":"toy/big"}`), nil })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error is %v, want %s", text, err, want)
		}
	}
}

func TestFaultsOfFileAndOverrideComeTogether(t *testing.T) {
	got := check(t, `{"base":"toy/big","size":99,"quick":true,"quick":false}`, `{"mode":"x","name":"y"}`)
	want := `my.json:1:19: size is 99, must be 1 to 20
my.json:1:42: quick is given twice, first at line 1, column 29
override:1:2: mode is "x", must be one of plain, odd
override:1:13: name cannot be overridden`
	if got != want {
		t.Errorf("faults are\n%s\nwant\n%s", got, want)
	}
}

func TestWhatIsNotJSONSaysWhereAndWhatWasExpected(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{``, `my.json:1:1: expected a JSON object in braces, found the end of the input`},
		{` [1]`, `my.json:1:2: expected a JSON object in braces, found [`},
		{"{\n \"game\" \"toy\"}", `my.json:2:9: is not JSON: expected : after the name "game", found "`},
		{"{\"size\": 3\n \"mode\":1}", `my.json:2:2: is not JSON: expected , or } after size, found "`},
		{"{\"size\": 3,\n}", `my.json:1:11: is not JSON: there must be no comma after the last value, size`},
		{`{"starts":["a1" "a2"]}`, `my.json:1:17: is not JSON: expected , or ] after starts[0], found "`},
		{`{"starts":["a1",]}`, `my.json:1:16: is not JSON: there must be no comma after the last value, starts[0]`},
		{"{\"mode\": \"plain\n}", `my.json:1:10: is not JSON: the string has no closing quote on its line`},
		{`{"mode": "\x"}`, `my.json:1:10: is not JSON: invalid character 'x' in string escape code`},
		{`{"size": 01}`, `my.json:1:10: is not JSON: "01" is not a number`},
		{`{"size": True}`, `my.json:1:10: is not JSON: expected a value, found "True"`},
		{`{"é": 1, 'b':2}`, `my.json:1:10: is not JSON: expected a name in quotes, found "'b'"`},
		{"{ // mine\n}", `my.json:1:3: is not JSON: expected a name in quotes or }, found / (JSON has no comments)`},
		{`{"a":` + strings.Repeat("[", 1000), `is nested deeper than 100`},
		{`{"size":1} x`, `my.json:1:12: is not JSON: expected nothing after the object, found "x"`},
	} {
		if got := check(t, c.text, ""); !strings.Contains(got, c.want) {
			t.Errorf("%s: fault is %s, want %s", c.text, got, c.want)
		}
	}
}

func TestAFileMayHaveManyObjectsThatAreNotNested(t *testing.T) {
	pieces := `"HT":{"speed":3},"LT":{"speed":5}`
	for i := range 200 {
		pieces += fmt.Sprintf(`,"X%d":{"speed":1}`, i)
	}
	v := load(t, "@"+write(t, `{"base":"toy/big","pieces":{`+pieces+`}}`))
	if n := len(v.Game.(game).rules.Pieces); n != 202 {
		t.Errorf("the file has %d pieces, must have 202", n)
	}
}

func TestAFileSaysWhoseRulesItHolds(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{}`, `my.json:1:1: game is missing, must be one of toy, unless base names a preset`},
		{`{"game":1}`, `my.json:1:2: game must be a string in quotes`},
		{`{"game":"chess"}`, `my.json:1:2: game is "chess", must be one of toy`},
		{`{"base":"chess/x"}`, `my.json:1:2: base is "chess", must be the name of a preset such as toy/big`},
		{`{"base":5}`, `my.json:1:2: base must be a string in quotes`},
		{`{"game":"toy","base":"toy/x"}`, `my.json:1:15: base preset toy/x is unknown; known are toy/big`},
		{`{"game":"toy","base":[]}`, `my.json:1:15: base must be the name of a preset`},
	} {
		if got := check(t, c.text, ""); !strings.Contains(got, c.want) {
			t.Errorf("%s: fault is %s, want %s", c.text, got, c.want)
		}
	}
}

func TestAByteOrderMarkIsNoFault(t *testing.T) {
	load(t, "@"+write(t, "\ufeff"+`{"base":"toy/big"}`))
}

func TestPresetsThatRestOnThemselvesAreRefused(t *testing.T) {
	loop := engine(1)
	loop[0].Presets = fstest.MapFS{
		"variants/big.json":  {Data: []byte(`{"base":"toy/back"}`)},
		"variants/back.json": {Data: []byte(`{"base":"toy/big"}`)},
	}
	if _, err := variant.Load(loop, "toy/big", nil); err == nil || !strings.Contains(err.Error(), "is its own base") {
		t.Errorf("error is %v", err)
	}
}

func TestNearestPresetAndWhatDiffers(t *testing.T) {
	for _, c := range []struct{ text, preset, differs string }{
		{"toy/a", "toy/a", ""},
		{`toy/big{"size":3}`, "toy/big", "size 16 3"},
		{`toy/a{"size":16,"mode":"odd"}`, "toy/big/quick", `mode "plain" "odd"`},
		{`toy/big{"starts":[],"pieces":{"HT":{"speed":1},"XT":{"speed":7}}}`, "toy/big", `pieces.HT.speed 3 1; pieces.XT  {"speed":7}; starts ["a1"] []`},
		{`toy/big{"description":"x"}`, "toy/big", ""},
	} {
		preset, differences, err := load(t, c.text).Nearest()
		var list []string
		for _, d := range differences {
			list = append(list, d.Field+" "+string(d.From)+" "+string(d.To))
		}
		if differs := strings.Join(list, "; "); err != nil || preset != c.preset || differs != c.differs {
			t.Errorf("%s is nearest to %s, but %s (%v)", c.text, preset, differs, err)
		}
	}
}

func TestAFieldWithoutAFaultHasAPlace(t *testing.T) {
	v := load(t, "@"+write(t, "{\"base\":\"toy/big\",\n \"pieces\":{\"HT\":{\"speed\":1}}}"))
	for field, want := range map[string]string{"pieces.HT.speed": ":2:18", "pieces.HT.armour[2]": ":2:12", "size": ":1:2", "": ":1:1"} {
		if got := v.Place(field).String(); !strings.HasSuffix(got, want) {
			t.Errorf("%q is at %s, want %s", field, got, want)
		}
	}
}

func FuzzFile(f *testing.F) {
	for _, seed := range []string{`{"base":"toy/big","size":99}`, `{"game":"toy","pieces":{"HT":[1,{"a":null}]}}`, "{\"a\":\n\"\\u00e9\"}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, err := variant.Load(engine(1), "@my.json", func(string) ([]byte, error) { return []byte(text), nil })
		var invalid *variant.Invalid
		if err != nil && !errors.As(err, &invalid) {
			t.Fatalf("%q: error %v is no list of faults", text, err)
		}
	})
}

func TestFilesAreReadByTheirName(t *testing.T) {
	if _, err := variant.Load(engine(1), "@nowhere.json", os.ReadFile); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error is %v", err)
	}
}
