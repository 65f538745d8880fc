package variant

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
)

// A Variant is a rule set with the game it makes. It is immutable.
type Variant struct {
	Name   string   // the variant string in its shortest canonical form; files are named by the file's own name
	Digest string   // "sha256:…"
	Rules  []byte   // the complete rule set as JSON for people and files, digest included; ends in a newline
	Game   env.Game // the game

	rules RuleSet
}

// Load resolves a variant string. readFile reads the files of @FILE; it may be
// nil where files are not wanted.
func Load(engines []Engine, text string, readFile func(name string) ([]byte, error)) (*Variant, error) {
	v, err := load(engines, text, readFile)
	if err != nil {
		return nil, fault(text, err)
	}
	return v, nil
}

// FromRules makes a variant of a complete rule set, as Variant.Rules holds it,
// and refuses it when its digest is not the given one, because then this
// program would play another game.
func FromRules(engines []Engine, rules []byte, digest string) (*Variant, error) {
	doc, err := parse(rules)
	if err != nil {
		return nil, fmt.Errorf("rule set: %w", err)
	}
	v, err := build(engines, doc)
	if err != nil {
		return nil, fmt.Errorf("rule set: %w", err)
	}
	if v.Digest != digest {
		return nil, fmt.Errorf("rule set %s has digest %s here, not %s: it was made by another version of Sandtable", v.Name, v.Digest, digest)
	}
	return v, nil
}

func load(engines []Engine, text string, readFile func(string) ([]byte, error)) (*Variant, error) {
	name, patchText := text, ""
	if i := strings.IndexByte(text, '{'); i >= 0 {
		name, patchText = text[:i], text[i:]
	}
	doc, err := named(engines, name, readFile)
	if err != nil {
		return nil, err
	}
	if patchText != "" {
		patch, err := parse([]byte(patchText))
		if err != nil {
			return nil, err
		}
		for _, own := range []string{"game", "name", "base", "digest"} {
			if _, given := patch[own]; given {
				return nil, fmt.Errorf("%s cannot be overridden", own)
			}
		}
		if len(patch) > 0 {
			title, _ := doc["name"].(string)
			doc["name"] = title + string(canonical(patch))
			delete(doc, "description")
			doc = merge(doc, patch).(document)
		}
	}
	return build(engines, doc)
}

// named returns the complete document of a preset or a file.
func named(engines []Engine, name string, readFile func(string) ([]byte, error)) (document, error) {
	if !strings.HasPrefix(name, "@") {
		engine, err := find(engines, name)
		if err != nil {
			return nil, err
		}
		return engine.preset(name)
	}
	if readFile == nil {
		return nil, fmt.Errorf("files are not read here")
	}
	data, err := readFile(name[1:])
	if err != nil {
		return nil, err
	}
	doc, err := parse(data)
	if err != nil {
		return nil, err
	}
	game, ok := doc["game"].(string)
	if !ok {
		base, _ := doc["base"].(string)
		game, _, _ = strings.Cut(base, "/")
	}
	engine, err := find(engines, game)
	if err != nil {
		return nil, err
	}
	if doc, err = engine.complete(doc, nil); err != nil {
		return nil, err
	}
	if _, ok := doc["name"]; !ok {
		doc["name"] = engine.Name + "/" + strings.TrimSuffix(filepath.Base(name[1:]), ".json")
	}
	return doc, nil
}

func find(engines []Engine, name string) (*Engine, error) {
	game, _, _ := strings.Cut(name, "/")
	var known []string
	for i := range engines {
		if engines[i].Name == game {
			return &engines[i], nil
		}
		known = append(known, engines[i].Name)
	}
	return nil, fmt.Errorf("%q is no game; known are %s", game, strings.Join(known, ", "))
}

// build checks a complete document and makes its variant.
func build(engines []Engine, doc document) (*Variant, error) {
	game, _ := doc["game"].(string)
	engine, err := find(engines, game)
	if err != nil {
		return nil, err
	}
	rules := engine.Rules()
	delete(doc, "digest")
	var faults Faults
	strict(&faults, "", doc, reflect.TypeOf(rules).Elem())
	if err := faults.Err(); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(canonical(doc), rules); err != nil {
		return nil, err
	}
	if name := rules.Head().Name; name == "" || !ascii(name) {
		faults.Add("name", "is %q, must be plain ASCII and not empty", name)
		return nil, faults.Err()
	}
	if err := rules.Validate(); err != nil {
		return nil, err
	}
	rules.Head().Digest = digest(rules, engine.Version)
	return &Variant{
		Name:   rules.Head().Name,
		Digest: rules.Head().Digest,
		Rules:  indented(rules),
		Game:   engine.New(rules),
		rules:  rules,
	}, nil
}

func digest(rules RuleSet, behaviour int) string {
	doc, err := parse(indented(rules))
	if err != nil {
		panic(fmt.Sprintf("a valid rule set does not parse: %v", err))
	}
	for _, name := range []string{"name", "description", "source", "digest"} {
		delete(doc, name)
	}
	doc["behaviour"] = json.Number(strconv.Itoa(behaviour))
	sum := sha256.Sum256(canonical(doc))
	return "sha256:" + hex.EncodeToString(sum[:])
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

// fault names the variant in front of every line of an error.
func fault(text string, err error) error {
	lines := strings.Split(err.Error(), "\n")
	if len(lines) == 1 {
		return fmt.Errorf("variant %s: %w", text, err)
	}
	for i := range lines {
		lines[i] = "variant " + text + ": " + lines[i]
	}
	return fmt.Errorf("%s", strings.Join(lines, "\n"))
}
