package openings_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/selfplay/openings"
)

func TestPoliciesAreRead(t *testing.T) {
	sampled := func(temperature float64, swing int) dataset.OpeningPolicy {
		return dataset.OpeningPolicy{Name: dataset.SampledOpenings, Temperature: temperature, Swing: swing}
	}
	for text, want := range map[string]dataset.OpeningPolicy{
		"start":                             {},
		"sampled:8":                         sampled(0.2, 360), // a tenth of the 36 points of a side in Trench
		"sampled:8,temperature=0.25":        sampled(0.25, 360),
		"sampled:8,swing=2":                 sampled(0.2, 200),
		"sampled:8,swing=0.5,temperature=1": sampled(1, 50),
		"random:8":                          {Name: dataset.RandomOpenings, Swing: 360},
		"random:8,swing=0":                  {Name: dataset.RandomOpenings},
	} {
		p, err := openings.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		o, err := p.Opening(lookup(t, "trench/standard"), 1)
		if err != nil || o.Policy != want || o.Balanced || o.Starts != nil || (o.Plies == 8) != o.Policy.Alternates() {
			t.Errorf("%s is %+v (%v), want %+v", text, o, err, want)
		}
	}
}

func TestTheTextOfAPolicyIsRead(t *testing.T) {
	for text, want := range map[string]string{
		"sampled:12":                         "sampled:12,temperature=0.2,swing=3.6",
		"sampled:3,temperature=2,swing=0.05": "sampled:3,temperature=2,swing=0.05",
		"random:40":                          "random:40,swing=3.6",
	} {
		for _, text := range []string{text, want} {
			p, err := openings.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			o, err := p.Opening(lookup(t, "trench/standard"), 1)
			if got := o.Policy.Text(o.Plies); err != nil || got != want {
				t.Errorf("%s is %s (%v), want %s", text, got, err, want)
			}
		}
	}
}

func TestWrongPoliciesAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"":                          `"", must be start, sampled:K, suite, suite:FILE or random:K`,
		"randm:8":                   `"randm:8", must be start, sampled:K, suite, suite:FILE or random:K`,
		"start:8":                   `"start:8", must be start`,
		"start,swing=1":             `"start,swing=1", must be start`,
		"suite:":                    `"suite:", must be start`,
		"suite,swing=1":             `"suite,swing=1", must be start`,
		"random":                    `"random": K is "", must be a number of plies from 1 to 10000`,
		"random:0":                  `K is "0"`,
		"random:10001":              `K is "10001"`,
		"sampled:x":                 `K is "x"`,
		"random:8,temperature=1":    `"temperature=1" is not swing=NUMBER, once`,
		"sampled:8,":                `"" is not swing=NUMBER or temperature=NUMBER, once`,
		"sampled:8,swing=1,swing=1": `"swing=1" is not swing=NUMBER or temperature=NUMBER, once`,
		"sampled:8,swing=-1":        `swing is "-1", must be 0 to 1000 points`,
		"sampled:8,swing=1001":      `swing is "1001", must be 0 to 1000 points`,
		"sampled:8,swing=NaN":       `swing is "NaN"`,
		"sampled:8,temperature=0":   `temperature is "0", must be 0.001 to 100`,
		"sampled:8,temperature=101": `temperature is "101", must be 0.001 to 100`,
		"sampled:8,temperature=x":   `temperature is "x"`,
	} {
		if p, err := openings.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is read as %+v (%v), want an error with %s", text, p, err, want)
		}
	}
}

func TestASuiteIsThatOfTheVariantOrOfAFile(t *testing.T) {
	v := lookup(t, "ntxuva/basic")
	opening := func(text string) []string {
		t.Helper()
		p, err := openings.Parse(text)
		if err != nil || !p.IsSuite() {
			t.Fatalf("%s: %v", text, err)
		}
		o, err := p.Opening(v, 1)
		if err != nil || o.Plies != 0 {
			t.Fatalf("%s: %+v, %v", text, o, err)
		}
		return o.Starts
	}
	if got := opening("suite"); !slices.Equal(got, openings.Of(v, 1).Starts) {
		t.Errorf("the suite begins with %q", got[:2])
	}
	file := filepath.Join(t.TempDir(), "mine, too.txt")
	if err := os.WriteFile(file, []byte("# a suite\na\nb\nc\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := slices.Sorted(slices.Values(opening("suite:" + file))); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("the file has %q", got)
	}
	for text, want := range map[string]string{"suite": "ntxuva/basic{\"columns\":5} has no built-in suite; sandtable openings writes one", "suite:nowhere.txt": "nowhere.txt"} {
		p, err := openings.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Opening(lookup(t, `ntxuva/basic{"columns":5}`), 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
