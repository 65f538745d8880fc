package variant

// A Warning tells of something that is allowed in a rule set but that its author
// may not have meant, such as a start position that favours one side.
type Warning struct {
	Field string // "layout.mines[3]"; empty when it is the rule set as a whole
	Text  string // reads on from the field's name, or is a sentence of its own without one
}

// Warner is a RuleSet that can warn. It is asked only after Validate found no
// fault.
type Warner interface {
	Warnings() []Warning
}

// Warnings returns what the engine warns of, nil where it has nothing to say.
func (v *Variant) Warnings() []Warning {
	if w, ok := v.rules.(Warner); ok {
		return w.Warnings()
	}
	return nil
}
