package library

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"sync"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// mostText is the longest text, in bytes, that functions read.
const mostText = 4 << 20

// game is a loaded rule set.
type game struct {
	variant *variant.Variant
	spec    *env.Spec
	lists   sync.Pool // of *[]env.Action, with room for the legal actions of a position

	describe sync.Once
	text     []byte // the description
	fault    error
}

func (*game) what() string { return "game" }

// nameOnce holds the list of games.
type nameOnce struct {
	sync.Once
	text []byte
}

// Games writes the variant strings of all presets as a JSON list.
func (l *Library) Games(buffer []byte) (int64, error) {
	l.names.Do(func() { l.names.text, _ = json.Marshal(games.Presets()) }) // strings always encode
	return put(buffer, l.names.text), nil
}

// source names a rule set: a variant string, or the text of a rule file. Overrides are a
// JSON merge patch. A digest, unless empty, must be that of the result.
type source struct {
	Variant   string          `json:"variant"`
	Rules     string          `json:"rules"`
	Overrides json.RawMessage `json:"overrides"`
	Digest    string          `json:"digest"`
}

// Load opens the game of a JSON object with the member variant (a variant string) or
// rules (the JSON text of a rule file), and with the optional members overrides (an object
// of rule parameters) and digest.
func (l *Library) Load(text []byte) (n int64, err error) {
	defer recovered(&err)
	var from source
	if err := decode(text, "game", &from); err != nil {
		return 0, err
	}
	v, err := from.load()
	if err != nil {
		return 0, err
	}
	g := &game{variant: v, spec: v.Game.Spec()}
	g.lists.New = func() any {
		list := g.spec.NewActions()
		return &list
	}
	return l.open(g), nil
}

func (s *source) load() (*variant.Variant, error) {
	name, read := s.Variant, readRules
	switch {
	case (s.Variant == "") == (s.Rules == ""):
		return nil, faultf(Value, "a game needs either variant or rules")
	case s.Rules != "":
		name, read = "@rules", func(string) ([]byte, error) { return []byte(s.Rules), nil }
	}
	if patch := bytes.TrimSpace(s.Overrides); len(patch) > 0 && !bytes.Equal(patch, []byte("null")) {
		if patch[0] != '{' || bytes.ContainsRune([]byte(name), '{') {
			return nil, faultf(Value, "overrides must be an object, and the variant string must not have overrides too")
		}
		name += string(patch)
	}
	v, err := games.Load(name, read)
	if err == nil && s.Digest != "" && v.Digest != s.Digest {
		err = fmt.Errorf("%s has digest %s, must have %s: a different version of Sandtable wrote it", v.Name, v.Digest, s.Digest)
	}
	return v, err
}

// readRules reads a rule file.
func readRules(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > mostText {
		return nil, fmt.Errorf("%s must be a file of at most %d bytes", name, mostText)
	}
	return os.ReadFile(name)
}

// decode reads a JSON object into to, which has a field for each known member.
func decode(text []byte, what string, to any) error {
	if len(text) > mostText {
		return faultf(Value, "the JSON text of the %s has %d bytes, must be at most %d", what, len(text), mostText)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return faultf(Value, "%s: %v", what, err)
	}
	if d.More() {
		return faultf(Value, "%s: text follows the JSON object", what)
	}
	return nil
}

// list calls f with an empty list for the legal actions of a position.
func (g *game) list(f func(list []env.Action)) {
	list := g.lists.Get().(*[]env.Action)
	defer g.lists.Put(list)
	f((*list)[:0])
}

// Describe writes the description of a game as JSON; see description.
func (l *Library) Describe(handle int64, buffer []byte) (n int64, err error) {
	defer recovered(&err)
	g, err := l.game(handle)
	if err != nil {
		return 0, err
	}
	g.describe.Do(func() { g.text, g.fault = json.Marshal(describe(g.variant)) })
	return put(buffer, g.text), g.fault
}
