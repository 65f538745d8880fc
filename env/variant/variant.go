package variant

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/sandtable-farm/sandtable/env"
)

// A Variant is a rule set with the game it makes. It is immutable.
type Variant struct {
	Name   string   // the variant string in its shortest canonical form; files are named by the file's own name
	Digest string   // "sha256:…"
	Rules  []byte   // the complete rule set as JSON for people and files, digest included; ends in a newline
	Game   env.Game // the game

	engine *Engine
	rules  RuleSet
	places places
}

// Place returns where a field stands in the text that the variant was loaded
// from, or the object around it that does.
func (v *Variant) Place(field string) Place { return v.places.at(field) }

// Load resolves a variant string. readFile reads the files of @FILE; it may be
// nil where files are not wanted. The error of a rule set that was found but has
// faults wraps an *Invalid with all of them.
func Load(engines []Engine, text string, readFile func(name string) ([]byte, error)) (*Variant, error) {
	l := loader{engines: engines, readFile: readFile, what: "variant " + text}
	v, err := l.load(text)
	if err == nil {
		return v, nil
	}
	var invalid *Invalid
	if errors.As(err, &invalid) && invalid.What == l.what {
		return nil, err
	}
	return nil, fmt.Errorf("%s: %w", l.what, err)
}

// FromRules makes a variant of a complete rule set, as Variant.Rules holds it,
// and refuses it when its digest is not the given one, because then this
// program would play another game.
func FromRules(engines []Engine, rules []byte, digest string) (*Variant, error) {
	l := loader{engines: engines, what: "rule set"}
	v, err := l.complete(rules)
	if err != nil {
		return nil, err
	}
	if v.Digest != digest {
		return nil, fmt.Errorf("rule set %s has digest %s here, not %s: it was made by another version of Sandtable", v.Name, v.Digest, digest)
	}
	return v, nil
}

// Fingerprint returns the first bytes of the hash in a rule set's digest. It
// tells in a snapshot which rules it belongs to, whatever they are called. The
// rule set must be valid; behaviour is the engine's behaviour version.
func Fingerprint(rules RuleSet, behaviour int) [16]byte {
	sum := hash(rules, behaviour)
	return [16]byte(sum[:])
}

func digest(rules RuleSet, behaviour int) string {
	sum := hash(rules, behaviour)
	return "sha256:" + hex.EncodeToString(sum[:])
}

func hash(rules RuleSet, behaviour int) [sha256.Size]byte {
	doc := reread(indented(rules))
	for _, name := range headNames() {
		delete(doc, name)
	}
	doc["behaviour"] = json.Number(strconv.Itoa(behaviour))
	return sha256.Sum256(canonical(doc))
}

func indented(rules RuleSet) []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(rules); err != nil {
		panic(fmt.Sprintf("a rule set does not encode: %v", err))
	}
	return out.Bytes()
}
