package report

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/dashboards/plot"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/render"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// A First is the first screen of a page, for readers who know the game but no statistics.
type First struct {
	About   []string `json:"about"`   // the games and the agents
	Answers []string `json:"answers"` // three to five sentences
	Lights  []Light  `json:"lights"`
	Next    []Step   `json:"next"` // what to try
	// Table has the main numbers, and Figure draws them.
	Table  Table  `json:"-"`
	Figure Figure `json:"-"`
	// Picture draws the start position as SVG; nil if the rules are unknown.
	Picture func(io.Writer) error `json:"-"`
	Caption string                `json:"-"` // of the picture
}

// A State is the colour of a light.
type State string

const (
	Good    State = "good"
	Look    State = "look"    // worth a look
	Bad     State = "bad"     // a problem
	Unknown State = "unknown" // too few games to tell
)

// A Light rates one aspect of a game by fixed bounds, which METHODS.md states.
type Light struct {
	Variant string `json:"variant,omitempty"` // empty on pages about one variant
	Subject string `json:"subject"`
	State   State  `json:"state"`
	Text    string `json:"text"`
}

// A Step is a command to try next, with the reason.
type Step struct {
	Why     string `json:"why"`
	Command string `json:"command"`
}

// sign returns the shape of a light. The shapes differ, so that they need no colour.
func (s State) sign() string {
	switch s {
	case Good:
		return "●"
	case Look:
		return "▲"
	case Bad:
		return "■"
	}
	return "○"
}

// word returns the state in words.
func (s State) word() string {
	switch s {
	case Look:
		return "check this"
	case Unknown:
		return "unclear"
	}
	return string(s)
}

// subject names what a light rates.
func (l *Light) subject() string {
	if l.Variant != "" {
		return l.Variant + ": " + uncapital(l.Subject)
	}
	return l.Subject
}

// mostListed is the greatest number of variants whose lights are listed with their texts.
const mostListed = 2

// lightGrid returns the lights of variants as a table with a row for each, without their
// texts, and the other lights. The table is nil if there are few variants.
func (f *First) lightGrid() (grid *Table, others []Light) {
	t := &Table{Columns: []string{"variant"}}
	for _, l := range f.Lights {
		if l.Variant == "" {
			others = append(others, l)
			continue
		}
		if !slices.Contains(t.Columns, l.Subject) {
			t.Columns = append(t.Columns, l.Subject)
		}
		if last := len(t.Rows) - 1; last < 0 || t.Rows[last][0] != l.Variant {
			t.Rows = append(t.Rows, []string{l.Variant})
		}
		row := &t.Rows[len(t.Rows)-1]
		*row = append(*row, l.State.sign()+" "+l.State.word())
	}
	if len(t.Rows) <= mostListed {
		return nil, f.Lights
	}
	return t, others
}

// step adds a command, whose words are quoted for a shell where necessary.
func (f *First) step(why string, words ...string) {
	f.Next = append(f.Next, Step{why, strings.Join(each(words, func(word *string) string { return quoted(*word) }), " ")})
}

// unquoted matches words that a shell reads as they are.
var unquoted = regexp.MustCompile(`^([\w./:=,@%+-]+|&&)$`)

func quoted(word string) string {
	if unquoted.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// draw sets the picture of the start, if the rules are known. name is that of the variant.
func (f *First) draw(name string, v *variant.Variant) {
	if v == nil {
		return
	}
	state := v.Game.NewStates(1)[0]
	f.Picture = func(w io.Writer) error { return render.SVG(w, state, render.Options{}) }
	f.Caption = "The start of " + name + "."
	letters := []string{}
	for _, t := range v.Game.Spec().Pieces {
		if t.MaxCount <= 1 {
			letters = append(letters, t.Symbol+" "+t.Name)
		}
	}
	if len(letters) > 0 {
		f.Caption += " " + capital(strings.Join(letters, ", ")) + "."
	}
}

// variantOf returns the variant of a report, or nil if this program cannot play its rules.
// A report without rules is older.
func variantOf(name, digest string, rules []byte) *variant.Variant {
	if len(rules) == 0 {
		return known(name, digest)
	}
	v, err := games.FromRules(rules, digest)
	if err != nil {
		return nil
	}
	return v
}

// known returns the variant of a preset, or nil if the name stands for other rules than
// those of the digest, as that of a file does.
func known(name, digest string) *variant.Variant {
	if strings.HasPrefix(name, "@") {
		return nil // the file may have changed
	}
	v, err := games.Lookup(name)
	if err != nil || v.Digest != digest {
		return nil
	}
	return v
}

// pasteable returns the word that stands for a variant in a command, without the number of
// a variant that is compared with itself.
func pasteable(name, digest string) string {
	name, _, _ = strings.Cut(name, " (")
	if !strings.HasPrefix(name, "@") && known(name, digest) == nil {
		return "@FILE.json"
	}
	return name
}

// sibling returns another preset of the same game, or "" if there is none.
func sibling(name string) string {
	game, _, _ := strings.Cut(name, "/")
	for _, other := range games.Presets() {
		if other != name && strings.HasPrefix(other, game+"/") {
			return other
		}
	}
	return ""
}

// tweak returns a preset with one number of its rules lowered by about a fifth, as an example
// of a change of the rules, and says what it changes. Both are "" if it has no such number.
func tweak(name, digest string) (changed, what string) {
	v := known(name, digest)
	if v == nil || strings.Contains(name, "{") {
		return "", ""
	}
	var rules map[string]any
	if err := json.Unmarshal(v.Rules, &rules); err != nil {
		return "", ""
	}
	for _, field := range slices.Sorted(maps.Keys(rules)) {
		n, ok := rules[field].(float64)
		if !ok || n < 2 || field == "no_progress" || field == "repetition" {
			continue
		}
		less := int64(n * 4 / 5)
		changed := fmt.Sprintf("%s{%q:%d}", name, field, less)
		if _, err := games.Lookup(changed); err == nil {
			return changed, fmt.Sprintf("%s is %g; try %d", field, n, less)
		}
	}
	return "", ""
}

// agentNames names agents without their settings, which the folded questions list, or with
// them where the short names are not distinct.
func agentNames(recorded []string) []string {
	short := each(recorded, func(a *string) string { name, _, _ := strings.Cut(*a, ":"); return name })
	if distinct := slices.Compact(slices.Sorted(slices.Values(short))); len(distinct) == len(short) {
		return short
	}
	return each(recorded, func(a *string) string { return agentName(*a) })
}

// agentName shortens a recorded agent for display: without the options that are off and
// those to omit, and with digests cut.
func agentName(recorded string, omit ...string) string {
	name, rest, _ := strings.Cut(recorded, ":")
	var items []string
	for item := range strings.SplitSeq(rest, ",") {
		switch item {
		case "", "depth=0", "hash=0", "table=none", "time=0s":
			continue
		}
		if name, _, _ := strings.Cut(item, "="); slices.Contains(omit, name) {
			continue
		}
		items = append(items, digestsIn.ReplaceAllString(item, "$1…"))
	}
	if len(items) == 0 {
		return name
	}
	return name + ":" + strings.Join(items, ",")
}

var digestsIn = regexp.MustCompile(`(sha256:[0-9a-f]{8})[0-9a-f]+`)

// firstMarkdown writes the first screen as Markdown, without picture and figure.
func (p *Page) firstMarkdown(w *lines) {
	f := &p.First
	for _, text := range f.About {
		fmt.Fprintf(w, "\n%s\n", marked(text))
	}
	w.WriteByte('\n')
	for _, text := range f.Answers {
		fmt.Fprintf(w, "- %s\n", marked(text))
	}
	if len(f.Table.Rows) > 0 {
		f.Table.markdown(w)
	}
	grid, listed := f.lightGrid()
	if grid != nil {
		grid.markdown(w)
	}
	if len(listed) > 0 {
		t := Table{Columns: []string{"aspect", "light", ""}, Rows: each(listed, func(l *Light) []string {
			return []string{l.subject(), l.State.sign() + " " + l.State.word(), l.Text}
		})}
		t.markdown(w)
	}
	if limits := f.limits(); limits != "" {
		fmt.Fprintf(w, "\n%s\n", marked(limits))
	}
	for i, s := range f.Next {
		if i == 0 {
			w.WriteString("\nWhat to try next:\n")
		}
		fmt.Fprintf(w, "\n- %s:\n\n      %s\n", marked(s.Why), s.Command)
	}
}

// firstHTML writes the first screen as HTML.
func (p *Page) firstHTML(w *html) error {
	f := &p.First
	for _, text := range f.About {
		fmt.Fprintf(w, "<p class=\"about\">%s</p>\n", prose(text))
	}
	w.WriteString("<div class=\"first\">\n<div>\n<ul class=\"answers\">\n")
	for _, text := range f.Answers {
		fmt.Fprintf(w, "<li>%s</li>\n", prose(text))
	}
	w.WriteString("</ul>\n")
	grid, listed := f.lightGrid()
	if grid != nil {
		grid.grid(w)
	}
	if len(listed) > 0 {
		w.WriteString("<ul class=\"lights\">\n")
		for i := range listed {
			l := &listed[i]
			fmt.Fprintf(w, "<li class=\"%s\"><b>%s</b> <strong><i>%s</i> %s</strong> <span>%s</span></li>\n", l.State, escaped(l.subject()), l.State.sign(), l.State.word(), prose(l.Text))
		}
		w.WriteString("</ul>\n")
	}
	if limits := f.limits(); limits != "" {
		fmt.Fprintf(w, "<p class=\"caption\">%s</p>\n", prose(limits))
	}
	w.WriteString("</div>\n")
	if f.Picture != nil {
		if err := w.figure("board", f.Picture, f.Caption); err != nil {
			return err
		}
		w.WriteString("</figure>\n")
	}
	w.WriteString("</div>\n<div class=\"pair\">\n")
	if f.Figure.Draw != nil {
		if err := f.Figure.html(w); err != nil {
			return err
		}
	}
	if len(f.Table.Rows) > 0 {
		if err := f.Table.html(w); err != nil {
			return err
		}
	}
	w.WriteString("</div>\n")
	if len(f.Next) > 0 {
		w.WriteString("<h2>What to try next</h2>\n<dl class=\"next\">\n")
		for _, s := range f.Next {
			fmt.Fprintf(w, "<dt>%s</dt>\n<dd><code>%s</code></dd>\n", escaped(s.Why), unbroken(s.Command))
		}
		w.WriteString("</dl>\n")
	}
	return nil
}

// bars sets the figure of the first screen: estimates around a mark.
func (f *First) bars(title, axis string, mark float64, list []plot.Estimate, caption string) {
	if len(list) > 0 {
		f.Figure = Figure{Draw: func(w io.Writer) error { return plot.Estimates(w, title, axis, mark, list) }, Table: Table{Caption: caption}, Known: true}
	}
}
