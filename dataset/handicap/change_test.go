package handicap_test

import (
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/handicap"
)

func TestParseChange(t *testing.T) {
	for text, want := range map[string]handicap.Change{
		"removed":         {},
		"last":            {Last: true},
		"speed+1":         {Attribute: "speed", By: 1},
		"armour_front-12": {Attribute: "armour_front", By: -12},
		"power+10000":     {Attribute: "power", By: 10_000},
	} {
		if got, err := handicap.ParseChange(text); err != nil || got != want {
			t.Errorf("%s is %v, %v", text, got, err)
		}
		if got := want.String(); got != text {
			t.Errorf("%v is written %s, must be %s", want, got, text)
		}
	}
	for _, text := range []string{"", "speed", "+1", "speed+0", "speed+01", "speed-", "speed+1x", "speed++1", "speed+10001", "Speed+1", "../x+1", "removed+x", "speed 1", "speed−1"} {
		if got, err := handicap.ParseChange(text); err == nil {
			t.Errorf("%q is accepted as %v", text, got)
		}
	}
}

func FuzzParseChange(f *testing.F) {
	f.Add("removed")
	f.Add("armour_rear-3")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := handicap.ParseChange(text)
		if err == nil && c.String() != text {
			t.Errorf("%q is read as %v", text, c)
		}
	})
}
