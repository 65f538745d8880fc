package games_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// oddValues are what a slip of the pen may leave in a rule file; nil takes the
// member out.
func oddValues() []any {
	return []any{nil, -1, 0, 7, 2_000_000_000, "", "a1", "Z9", true, []any{}, []any{"a1", 3}, map[string]any{}}
}

// visit calls use for each member of an object, and for the first element of
// each list, with a function that sets it.
func visit(field string, value any, set func(any), use func(field string, set func(any))) {
	switch value := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			inner := value[name]
			setInner := func(odd any) {
				if value[name] = odd; odd == nil {
					delete(value, name)
				}
			}
			visit(field+"."+name, inner, setInner, use)
			setInner(inner)
		}
	case []any:
		if len(value) > 0 {
			first := value[0]
			visit(field+"[0]", first, func(odd any) { value[0] = odd }, use)
			value[0] = first
		}
	}
	if field != "" {
		use(field, set)
	}
}

func TestOddValuesAreRefusedAtTheirPlaceOrMakeAGame(t *testing.T) {
	for _, engine := range games.Engines() {
		v, err := games.Lookup(engine.PresetNames()[0])
		if err != nil {
			t.Fatal(err)
		}
		var rules map[string]any
		if err := json.Unmarshal(v.Rules, &rules); err != nil {
			t.Fatal(err)
		}
		made, refused := 0, 0
		visit("", rules, nil, func(field string, set func(any)) {
			for _, odd := range oddValues() {
				set(odd)
				text, err := json.MarshalIndent(rules, "", " ")
				if err != nil {
					t.Fatal(err)
				}
				err = tryRules(text)
				var invalid *variant.Invalid
				switch {
				case err == nil:
					made++
				case errors.As(err, &invalid):
					refused++
				default:
					t.Errorf("%s: %s set to %v: %v", engine.Name, field, odd, err)
				}
			}
		})
		if made < 10 || refused < 100 {
			t.Errorf("%s: %d games made, %d rule sets refused", engine.Name, made, refused)
		}
	}
}

// tryRules loads a rule file and plays a game of it for a while. Its error wraps
// a *variant.Invalid where the file is refused as it should be.
func tryRules(text []byte) error {
	v, err := games.Load("@odd.json", func(string) ([]byte, error) { return text, nil })
	var invalid *variant.Invalid
	if errors.As(err, &invalid) {
		for _, fault := range invalid.Faults {
			if fault.At.Line == 0 {
				return fmt.Errorf("fault without a place: %v", fault.Message())
			}
		}
	}
	if err != nil {
		return err
	}
	for _, w := range v.Warnings() {
		if v.Place(w.Field).Line == 0 || w.Text == "" {
			return fmt.Errorf("warning without a place or a text: %+v", w)
		}
	}
	s, r := env.NewState(v.Game), env.NewRand(1)
	for range 20 {
		legal := s.Legal(nil)
		if len(legal) == 0 {
			break
		}
		s.Apply(legal[r.IntN(len(legal))])
	}
	position := env.PositionText(s)
	if err := s.SetPosition(position); err != nil {
		return fmt.Errorf("position %q does not read back: %v", position, err)
	}
	return nil
}
