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

// A Variant is a rule set and its game. It is immutable.
type Variant struct {
	Name   string   // the shortest canonical variant string; for a file, the name that the file contains, or else the file's name
	Digest string   // "sha256:…"
	Rules  []byte   // the complete rule set as indented JSON, including the digest; ends in a newline
	Game   env.Game // the game of these rules

	engine *Engine
	rules  RuleSet
	places places
}

// Place returns the place of a field in the text that the variant was loaded from, or
// that of the innermost object around the field.
func (v *Variant) Place(field string) Place { return v.places.at(field) }

// Load returns the variant that a variant string names. readFile reads the file of an
// @FILE string; if it is nil, Load refuses such strings. If the rule set has faults,
// the error wraps an *Invalid that lists them all.
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

// FromRules returns the variant of a complete rule set, as Variant.Rules holds it.
// It returns an error if the digest differs from the given one, because this program
// would then play a different game.
func FromRules(engines []Engine, rules []byte, digest string) (*Variant, error) {
	l := loader{engines: engines, what: "rule set"}
	v, err := l.complete(rules)
	if err != nil {
		return nil, err
	}
	if v.Digest != digest {
		return nil, fmt.Errorf("rule set %s has digest %s, must have %s: a different version of Sandtable wrote it", v.Name, v.Digest, digest)
	}
	return v, nil
}

// Fingerprint returns the first bytes of the hash in a rule set's digest. Snapshots
// contain it to identify their rules independently of the name. The rule set must
// be valid; behaviour is the engine's behaviour version.
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
