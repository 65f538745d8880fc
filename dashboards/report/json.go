package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/dataset/handicap"
)

// An object is encoded as the JSON object of base followed by more keys, which replace keys
// of base.
type object struct {
	base any
	more []member
}

type member struct {
	key   string
	value any
}

// answered adds a sentence under the key answer.
func answered(base any, sentence string) object {
	return object{base, []member{{"answer", sentence}}}
}

// answers adds a sentence to every element of a list.
func answers[T any](list []T, sentence func(*T) string) []object {
	return each(list, func(x *T) object { return answered(x, sentence(x)) })
}

// each applies a function to every element of a list.
func each[T, U any](list []T, to func(*T) U) []U {
	all := make([]U, len(list))
	for i := range list {
		all[i] = to(&list[i])
	}
	return all
}

// MarshalJSON implements json.Marshaler.
func (o object) MarshalJSON() ([]byte, error) {
	data, err := unescaped(o.base)
	if err != nil {
		return nil, err
	}
	var members []member
	in := json.NewDecoder(bytes.NewReader(data))
	_, _ = in.Token() // the opening brace; base is an object
	for in.More() {
		key, _ := in.Token()
		var value json.RawMessage
		if err := in.Decode(&value); err != nil {
			return nil, err
		}
		replaced := func(m member) bool { return m.key == key }
		if !slices.ContainsFunc(o.more, replaced) {
			members = append(members, member{key.(string), value})
		}
	}
	var out bytes.Buffer
	out.WriteByte('{')
	for i, m := range append(members, o.more...) {
		value, err := unescaped(m.value)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out.WriteByte(',')
		}
		fmt.Fprintf(&out, "%q:%s", m.key, value)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// unescaped encodes a value and leaves <, > and & to the caller's encoder.
func unescaped(value any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(value)
	return bytes.TrimSpace(out.Bytes()), err
}

// BalanceJSON returns a report on balance for encoding as JSON: its numbers, and the
// sentences of [Balance] under the keys answer, problem, assumptions and notes.
func BalanceJSON(r *balance.Report) any {
	seats := answered(r.Seats, seatAnswer(r.Seats, r.Players))
	if a := r.Seats.Against; a != nil {
		seats.more = append(seats.more, member{"against", object{a, []member{{"answer", againstAnswer(r.Seats, r.Players)}, {"assumptions", againstAssumptions(a.Name)}}}})
	}
	column := func(t *balance.TypeValue) any {
		if t == nil {
			return nil
		}
		return object{t, []member{{"problem", problemText(t.Problem)}}}
	}
	phase := func(v *balance.PhaseValues) object {
		return object{v, []member{
			{"types", each(v.Types, column)}, {"turn", column(v.Turn)}, {"agents", each(v.Agents, column)}, {"answer", phaseAnswer(v.Problem)},
		}}
	}
	return object{r, []member{
		{"first", balanceFirst(r)}, {"seats", seats},
		{"values", object{r.Values, []member{{"phases", each(r.Values.Phases, phase)}, {"answer", valuesAnswer(r.Values)}}}},
		{"activity", answered(r.Activity, activityAnswer(r.Activity))},
		{"notes", balanceNotes(&r.Data)},
	}}
}

// HandicapJSON returns a report on handicaps for encoding as JSON: its numbers, and
// sentences under the keys name, answer, problem and notes.
func HandicapJSON(r *handicap.Report) any {
	effect := func(e *handicap.Effect) object {
		var regression any
		if c := e.Regression; c != nil {
			regression = object{c, []member{{"problem", regressionProblem(c)}, {"answer", regressionAnswer(c)}}}
		}
		named := struct {
			Name string `json:"name"`
			*handicap.Effect
		}{effectName(e), e}
		return object{named, []member{{"problem", effectProblem(e, r.Unit)}, {"regression", regression}, {"answer", effectAnswer(e)}}}
	}
	return object{r, []member{
		{"first", handicapFirst(r)}, {"handicaps", each(r.Handicaps, effect)}, {"worth", worthJSON(r)}, {"curves", answers(r.Curves, curveAnswer)}, {"answer", handicapAnswer(r)}, {"notes", handicapNotes(r)},
	}}
}

// PlanJSON returns the plan of a comparison for encoding as JSON. Counts are numbers,
// unlike in plan.json.
func PlanJSON(p *compare.Plan) any {
	return object{p, []member{
		{"games", p.Games}, {"ladder_pairs", p.LadderPairs},
		{"budgets", each(p.Budgets, func(b *compare.Budget) object { return object{b, []member{{"nodes", b.Nodes}}} })},
	}}
}

// CompareJSON returns a report on a comparison for encoding as JSON: its numbers, and
// sentences under the keys summary, answer, answers, notes, warnings and problem.
func CompareJSON(r *compare.Report) any {
	c := &compareText{report: r, labels: map[string]string{}}
	for _, v := range r.Plan.Variants {
		c.labels[v.Name] = v.Name
	}
	o := object{base: r}
	add := func(key string, value any) { o.more = append(o.more, member{key, value}) }
	add("plan", PlanJSON(r.Plan))
	add("first", c.first())
	add("summary", strings.Join(c.story(), " "))
	if r.Sequential != nil {
		add("sequential", answered(r.Sequential, c.sequentialAnswer()))
	}
	estimates := func(list []compare.Estimate) []any {
		return each(list, func(e *compare.Estimate) any {
			if e.Absence == compare.Present {
				return e
			}
			return answered(e, absence(e.Absence))
		})
	}
	add("provenance", object{r.Provenance, []member{{"variants", answers(r.Provenance.Variants, c.rulesAnswer)}}})
	add("outcomes", each(r.Outcomes, func(x *compare.Outcomes) object {
		return object{x, []member{{"estimates", estimates(x.Estimates)}, {"answer", c.outcomeAnswer(x)}}}
	}))
	var against, interaction any // null without them
	if a := r.Against; a != nil {
		against = object{a, []member{{"comparisons", answers(a.Comparisons, comparisonAnswer)}, {"answers", c.againstAnswers()}}}
	}
	if x := r.Interaction; x != nil {
		interaction = object{x, []member{
			{"by_variant", answers(x.ByVariant, c.changeAnswer)}, {"against_baseline", answers(x.Against, c.differenceAnswer)}, {"answer", c.interactionAnswer()},
		}}
	}
	add("against_baseline", against)
	add("interaction", interaction)
	value := func(v *compare.VariantValue) any {
		if problem := valueProblem(v); problem != "" {
			return object{v, []member{{"problem", problem}}}
		}
		return v
	}
	values := func(b *compare.BudgetValues) object {
		return object{b, []member{{"notes", each(b.Missing, c.missingValues)}, {"types", each(b.Types, func(t *compare.TypeValue) object {
			return object{t, []member{{"variants", each(t.Variants, value)}}}
		})}}}
	}
	add("values", object{r.Values, []member{{"budgets", each(r.Values.Budgets, values)}, {"answer", c.valuesAnswer()}}})
	f, l := &r.Feel, &r.Skill
	arm := func(a *compare.ArmFeel) object { return object{a, []member{{"estimates", estimates(a.Estimates)}}} }
	add("feel", object{f, []member{
		{"arms", each(f.Arms, arm)}, {"against_baseline", answers(f.Against, comparisonAnswer)},
		{"lengths_against_baseline", answers(f.Lengths, c.lengthAnswer)}, {"answers", c.feelAnswers()},
	}})
	add("skill", object{l, []member{
		{"arms", answers(l.Arms, ladderAnswer)}, {"variants", answers(l.Variants, slopeAnswer)},
		{"against_baseline", answers(l.Against, comparisonAnswer)}, {"answer", c.skillAnswer()},
	}})
	add("health", object{r.Health, []member{{"warnings", c.warnings()}}})
	if len(r.Checks) > 0 {
		add("checks", answers(r.Checks, checkAnswer))
	}
	add("metrics", each(r.Metrics, func(m *compare.Metric) object {
		what, greater := definition(m.Name)
		return object{m, []member{{"what", what}, {"direction", greater}}}
	}))
	return o
}
