package variant

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
)

// loader loads one variant and collects its faults.
type loader struct {
	engines  []Engine
	readFile func(name string) ([]byte, error)
	what     string // what is loaded, for errors
	faults   Faults
}

// load returns the variant of a variant string. If the rule set has faults, the error is
// an *Invalid that names the variant; other errors do not name it.
func (l *loader) load(text string) (*Variant, error) {
	name, patchText := text, ""
	if i := strings.IndexByte(text, '{'); i >= 0 {
		name, patchText = text[:i], text[i:]
	}
	d, err := l.named(name)
	if err != nil {
		return nil, err
	}
	if patchText != "" {
		if err := l.override(d, patchText); err != nil {
			return nil, err
		}
	}
	return l.build(d)
}

// override merges the patch in a variant string into a draft.
func (l *loader) override(d draft, patchText string) error {
	patch, ok := parse("override", []byte(patchText), &l.faults)
	if !ok {
		return l.faults.invalid(l.what)
	}
	if len(patch.doc) == 0 {
		return nil
	}
	shown := string(canonical(patch.doc))
	for _, fixed := range []string{"game", "name", "base", "digest"} {
		if _, given := patch.doc[fixed]; given {
			l.faults.put(Fault{Field: fixed, At: patch.places[fixed], Text: "cannot be overridden"})
			delete(patch.doc, fixed)
		}
	}
	title, _ := d.doc["name"].(string)
	d.doc["name"] = title + shown
	delete(d.doc, "description")
	d.merge(patch)
	return nil
}

// named returns the complete draft of a preset or a file.
func (l *loader) named(name string) (draft, error) {
	if strings.HasPrefix(name, "@") {
		return l.file(name[1:])
	}
	engine, err := find(l.engines, name)
	if err != nil {
		return draft{}, err
	}
	return engine.preset(name)
}

func (l *loader) file(name string) (draft, error) {
	if l.readFile == nil {
		return draft{}, errors.New("variant files are not accepted here, only presets")
	}
	data, err := l.readFile(name)
	if err != nil {
		return draft{}, err
	}
	d, ok := parse(name, data, &l.faults)
	if !ok {
		return draft{}, l.faults.invalid(l.what)
	}
	game, field := d.doc["game"], "game"
	if base := d.doc["base"]; base != nil && game == nil {
		game, field = base, "base"
		if name, ok := base.(string); ok {
			game, _, _ = strings.Cut(name, "/")
		}
	}
	engine, err := l.engine(game, field)
	if err != nil {
		return draft{}, l.fatal(d, field, err)
	}
	complete, err := engine.complete(d, nil)
	if err != nil {
		return draft{}, l.fatal(d, "base", err)
	}
	if _, ok := complete.doc["name"]; !ok {
		complete.doc["name"] = engine.Name + "/" + strings.TrimSuffix(filepath.Base(name), ".json")
	}
	return complete, nil
}

// engine returns the engine that the value of a field names.
func (l *loader) engine(game any, field string) (*Engine, error) {
	switch game := game.(type) {
	case nil:
		return nil, fmt.Errorf("is missing, must be one of %s, unless base names a preset", names(l.engines))
	case string:
		if engine, err := find(l.engines, game); err == nil {
			return engine, nil
		}
		if field == "base" {
			return nil, fmt.Errorf("is %q, must be the name of a preset such as %s", game, l.engines[0].PresetNames()[0])
		}
		return nil, fmt.Errorf("is %q, must be one of %s", game, names(l.engines))
	}
	return nil, errors.New("must be a string in quotes")
}

// fatal adds a fault that makes further checks impossible, and returns all faults.
func (l *loader) fatal(d draft, field string, err error) error {
	l.faults.Add(field, "%v", err)
	l.faults.place(d.places)
	return l.faults.invalid(l.what)
}

func find(engines []Engine, name string) (*Engine, error) {
	game, _, _ := strings.Cut(name, "/")
	for i := range engines {
		if engines[i].Name == game {
			return &engines[i], nil
		}
	}
	return nil, fmt.Errorf("game %q is unknown; known are %s", game, names(engines))
}

func names(engines []Engine) string {
	var list []string
	for _, engine := range engines {
		list = append(list, engine.Name)
	}
	return strings.Join(list, ", ")
}

// build checks a complete draft and returns its variant.
func (l *loader) build(d draft) (*Variant, error) {
	engine, err := l.engine(d.doc["game"], "game")
	if err != nil {
		return nil, l.fatal(d, "game", err)
	}
	rules := engine.Rules()
	delete(d.doc, "digest")
	if err := l.check(engine, d.doc, rules); err != nil {
		return nil, err
	}
	l.faults.place(d.places)
	if err := l.faults.invalid(l.what); err != nil {
		return nil, err
	}
	rules.Head().Digest = digest(rules, engine.Version)
	return &Variant{
		Name:   rules.Head().Name,
		Digest: rules.Head().Digest,
		Rules:  indented(rules),
		Game:   engine.New(rules),
		engine: engine,
		rules:  rules,
		places: d.places,
	}, nil
}

// complete returns the variant of a complete rule set.
func (l *loader) complete(rules []byte) (*Variant, error) {
	d, ok := parse("rules", rules, &l.faults)
	if !ok {
		return nil, l.faults.invalid(l.what)
	}
	return l.build(d)
}

// check reads a document into rules and records its faults. It takes members that are
// missing or have the wrong type from the nearest preset, so that they do not hide the
// faults of the other members.
func (l *loader) check(engine *Engine, doc document, rules RuleSet) error {
	before := len(l.faults.list)
	clean, _ := shape(&l.faults, "", doc, reflect.TypeOf(rules).Elem())
	if len(l.faults.list) > before {
		preset, _, err := engine.nearest(clean.(document))
		if err != nil {
			return err
		}
		whole, err := engine.preset(preset)
		if err != nil {
			return err
		}
		whole.merge(draft{clean.(document), places{}})
		clean = whole.doc
	}
	if err := json.Unmarshal(canonical(clean), rules); err != nil {
		return err
	}
	if name := rules.Head().Name; name == "" || !ascii(name) {
		l.faults.Add("name", "is %q, must be plain ASCII and not empty", name)
	}
	l.faults.take(rules.Validate())
	return nil
}
