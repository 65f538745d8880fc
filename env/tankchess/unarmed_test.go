package tankchess_test

import (
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env/tankchess"
	"github.com/sandtable-farm/sandtable/env/variant"
)

func TestUnarmedTypesNeedNoGunRange(t *testing.T) {
	load := func(gun string) *variant.Variant {
		t.Helper()
		const truck = `tankchess/16x16{"pieces":{"T":{"name":"Truck","order":9,"value":1,"speed":2,"armour":{"front":0,"side":0,"rear":0},"power":0,"gun":`
		v, err := variant.Load([]variant.Engine{tankchess.Engine()}, truck+gun+"}}}", nil)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	short, long := load(`{"arcs":[]}`), load(`{"arcs":[],"least":0}`)
	if short.Digest != long.Digest {
		t.Errorf("without a range the digest is %s, with a range of 0 %s", short.Digest, long.Digest)
	}
	// The complete rule set has the range, so that the digests of earlier rule sets hold.
	if !strings.Contains(string(short.Rules), `"least": 0`) {
		t.Errorf("the rules lack the least range:\n%s", short.Rules)
	}
}
