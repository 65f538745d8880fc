package variant

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sort"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
)

// An Engine describes a game package: how to read its rule sets and create games
// from them.
type Engine struct {
	Name    string         // first part of every variant string: "trench"
	Title   string         // the game's name in texts: "Trench"
	Version int            // behaviour version: raised when the same rules play a different game
	Default string         // the default preset: "standard"
	Presets fs.FS          // holds the folder variants: variants/16x16/zh.json is preset 16x16/zh
	Rules   func() RuleSet // returns an empty rule set to read JSON into
	// New returns the game of a valid rule set.
	New func(RuleSet) env.Game
	// History describes every behaviour version, from 1 to Version.
	History []Change
}

// A Change describes what a behaviour version changed.
type Change struct {
	Version int
	Date    string // "2026-11-21"
	What    string
}

// RuleSet is implemented by a pointer to each engine's Rules struct, which embeds Header.
type RuleSet interface {
	// Head returns the embedded header.
	Head() *Header
	// Validate returns all faults as Faults.Err does, or nil.
	Validate() error
}

// Header describes a rule set. Only Game is part of the digest.
type Header struct {
	Game        string `json:"game"`
	Name        string `json:"name,omitempty"`
	Description string `json:"description,omitempty"`
	Source      string `json:"source,omitempty"`
	Digest      string `json:"digest,omitempty"`
}

// Head returns h. It implements RuleSet.
func (h *Header) Head() *Header { return h }

// presetDir is the folder of an engine's Presets.
const presetDir = "variants"

// PresetNames returns the variant strings of the engine's presets, the default
// first, the others sorted.
func (e *Engine) PresetNames() []string {
	names := []string{e.Name + "/" + e.Default}
	err := fs.WalkDir(e.Presets, presetDir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name := e.Name + strings.TrimSuffix(strings.TrimPrefix(file, presetDir), ".json")
		if name != names[0] {
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		panic(fmt.Sprintf("engine %s: embedded presets: %v", e.Name, err))
	}
	sort.Strings(names[1:])
	return names
}

// preset returns the complete draft of a preset.
func (e *Engine) preset(name string) (draft, error) { return e.presetBelow(name, nil) }

// presetBelow returns the complete draft of a preset. above lists the presets that
// have it as their base, directly or indirectly.
func (e *Engine) presetBelow(name string, above []string) (draft, error) {
	if slices.Contains(above, name) {
		return draft{}, fmt.Errorf("preset %s is its own base", name)
	}
	if presets := e.PresetNames(); !slices.Contains(presets, name) {
		return draft{}, fmt.Errorf("preset %s is unknown; known are %s", name, strings.Join(presets, ", "))
	}
	data, err := fs.ReadFile(e.Presets, presetDir+strings.TrimPrefix(name, e.Name)+".json")
	if err != nil {
		return draft{}, err
	}
	var faults Faults
	d, _ := parse(name+".json", data, &faults)
	if err := faults.Err(); err != nil {
		return draft{}, err
	}
	d.doc["name"] = name
	d, err = e.complete(d, append(above, name))
	if err != nil {
		return draft{}, err
	}
	return d.moved(Place{Base: name}), nil
}

// complete merges a draft into the preset that it names as its base, if any. The place
// of a field of the base is where the draft names the base. above lists the preset of
// the draft, if it is one, and the presets that have it as their base, directly or
// indirectly.
func (e *Engine) complete(d draft, above []string) (draft, error) {
	if _, ok := d.doc["base"]; !ok {
		return d, nil
	}
	name, ok := d.doc["base"].(string)
	if !ok {
		return draft{}, errors.New("must be the name of a preset")
	}
	base, err := e.presetBelow(name, above)
	if err != nil {
		return draft{}, err
	}
	at := d.places["base"]
	at.Base = name
	delete(d.doc, "base")
	delete(base.doc, "name")
	delete(base.doc, "description")
	base.moved(at).merge(d)
	return base, nil
}
