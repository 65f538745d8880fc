package variant_test

import (
	"encoding/json"
	"testing"

	"github.com/sandtable-farm/sandtable/env/variant"
)

func TestSquaresAreWrittenInTheOrderOfTheBoard(t *testing.T) {
	given := variant.Squares{"b10SW", "z1", "a2", "b2NE", "a1", "a10", "b2", "x", "b1"}
	got, err := json.Marshal(given)
	if want := `["x","a1","b1","z1","a2","b2","b2NE","a10","b10SW"]`; err != nil || string(got) != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
	if given[0] != "b10SW" {
		t.Error("writing has changed the list")
	}
	for _, none := range []variant.Squares{nil, {}} {
		if got, err := json.Marshal(none); err != nil || string(got) != "[]" {
			t.Errorf("no squares are %s, %v", got, err)
		}
	}
}
