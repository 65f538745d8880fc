package variant

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

// Warnings returns the engine's warnings about the rule set.
func (v *Variant) Warnings() []Warning {
	if w, ok := v.rules.(Warner); ok {
		return w.Warnings()
	}
	return nil
}
