package variant

import (
	"fmt"
	"slices"
)

// A Warning describes a setting that is allowed but that the author of the rule set
// probably did not intend, such as a start position that favours one player.
type Warning struct {
	Field string // "layout.mines[3]"; empty for the rule set as a whole
	Text  string // continues the field's name; a full sentence if Field is empty
}

// Warner is a RuleSet that can warn. Warnings may be called only if Validate
// returned nil.
type Warner interface {
	Warnings() []Warning
}

// Warnings returns the engine's warnings about the rule set, and one if the rule set has
// the name of a preset but other rules.
func (v *Variant) Warnings() []Warning {
	var list []Warning
	if v.TakesName() {
		list = append(list, Warning{Field: "name", Text: fmt.Sprintf("is %q, the name of a preset with other rules; change or remove the name", v.Name)})
	}
	if w, ok := v.rules.(Warner); ok {
		list = append(list, w.Warnings()...)
	}
	return list
}

// TakesName reports whether the rule set has the name of a preset but other rules, such as
// an edited copy that keeps its name.
func (v *Variant) TakesName() bool {
	if !slices.Contains(v.engine.PresetNames(), v.Name) {
		return false
	}
	preset, err := Load([]Engine{*v.engine}, v.Name, nil)
	return err == nil && preset.Digest != v.Digest
}
