package compare

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// An Expectation is a bound on a metric. Its text is
//
//	[VARIANT:]METRIC[@NODES]OPERATOR NUMBER
//
// with the operator <, <=, > or >=, such as draws<0.1, length@2000<=80 or
// trench/equal-turns:first_score>=0.45. Without a variant it applies to all variants,
// without nodes to all budgets. Spaces do not matter.
type Expectation struct {
	Variant string // empty for all variants
	Metric  string
	Nodes   int64 // −1 for all budgets
	Less    bool  // < or <=
	Equal   bool  // <= or >=
	Number  float64
}

// anyNodes is the value of Nodes for all budgets.
const anyNodes = -1

// ParseExpectation reads an expectation. Plan.Expects checks that a plan has its variant
// and its budget.
func ParseExpectation(text string) (Expectation, error) {
	fail := func(format string, args ...any) (Expectation, error) {
		return Expectation{}, fmt.Errorf("expectation %q: %s", text, fmt.Sprintf(format, args...))
	}
	e := Expectation{Nodes: anyNodes}
	rest := text
	// Variant strings may contain colons and operators; the rest contains no colon.
	if i := strings.LastIndexByte(rest, ':'); i >= 0 {
		e.Variant, rest = strings.TrimSpace(rest[:i]), rest[i+1:]
		if e.Variant == "" {
			return fail("the variant before the colon is missing")
		}
	}
	i := strings.IndexAny(rest, "<>")
	if i < 0 {
		return fail("it has no operator <, <=, > or >=, as in draws<0.1")
	}
	name, number := rest[:i], rest[i+1:]
	e.Less = rest[i] == '<'
	if number, e.Equal = strings.CutPrefix(number, "="); strings.TrimSpace(number) == "" {
		return fail("the number after the operator is missing")
	}
	var err error
	if e.Number, err = strconv.ParseFloat(strings.TrimSpace(number), 64); err != nil || e.Number-e.Number != 0 {
		return fail("%q is not a number", strings.TrimSpace(number))
	}
	name, nodes, budget := strings.Cut(name, "@")
	if budget {
		if e.Nodes, err = strconv.ParseInt(strings.TrimSpace(nodes), 10, 64); err != nil || e.Nodes < 0 {
			return fail("%q is not a number of nodes", strings.TrimSpace(nodes))
		}
	}
	e.Metric = strings.TrimSpace(name)
	m, ok := lookup(e.Metric)
	switch {
	case ok && (e.Number < 0 || m.quantity.bounded() && e.Number > 1):
		return fail("%v is not a possible value of %s (%s), must be %s", e.Number, m.Name, m.Unit, m.Range)
	case !ok:
		return fail("metric %q is unknown, must be one of %s", e.Metric, names(selected(func(*Metric) bool { return true })))
	}
	return e, nil
}

// String writes the expectation so that ParseExpectation reads it.
func (e Expectation) String() string {
	var b strings.Builder
	if e.Variant != "" {
		b.WriteString(e.Variant + ":")
	}
	b.WriteString(e.Metric)
	if e.Nodes != anyNodes {
		fmt.Fprintf(&b, "@%d", e.Nodes)
	}
	b.WriteString(e.operator() + strconv.FormatFloat(e.Number, 'g', -1, 64))
	return b.String()
}

func (e Expectation) operator() string {
	operator := ">"
	if e.Less {
		operator = "<"
	}
	if e.Equal {
		operator += "="
	}
	return operator
}

// satisfied reports whether a number is within the bound.
func (e Expectation) satisfied(x float64) bool {
	switch {
	case x == e.Number:
		return e.Equal
	case e.Less:
		return x < e.Number
	}
	return x > e.Number
}

// Expects checks that the plan has the variant, the budget and the ladder that an
// expectation needs.
func (p *Plan) Expects(e Expectation) error {
	var variants, budgets []string
	variant, budget := e.Variant == "", e.Nodes == anyNodes
	for _, v := range p.Variants {
		variant = variant || v.Name == e.Variant
		variants = append(variants, v.Name)
	}
	for _, b := range p.Budgets {
		budget = budget || b.Nodes == e.Nodes
		budgets = append(budgets, strconv.FormatInt(b.Nodes, 10))
	}
	switch {
	case !variant:
		return fmt.Errorf("expectation %s: variant %s is not compared, must be one of %s", e, e.Variant, strings.Join(variants, ", "))
	case !budget:
		return fmt.Errorf("expectation %s: no budget has %d nodes, must be one of %s", e, e.Nodes, strings.Join(budgets, ", "))
	case e.Metric == metrics[doublingScore].Name && p.LadderPairs == 0:
		return fmt.Errorf("expectation %s: the plan has no ladder, which %s needs", e, e.Metric)
	}
	return nil
}

// A CheckResult is the result of a check of an expectation.
type CheckResult string

const (
	Passed       CheckResult = "passed"    // every number in the interval satisfies it
	Failed       CheckResult = "failed"    // no number in the interval satisfies it
	Inconclusive CheckResult = "undecided" // some do, or there is no interval
)

// A Check is an expectation checked for a variant with a budget.
type Check struct {
	Expectation string          `json:"expectation"`
	Variant     string          `json:"variant"`
	Nodes       int64           `json:"nodes"`
	Metric      string          `json:"metric"`
	Interval    *stats.Interval `json:"interval"`          // nil if the metric has no estimate
	Absence     Absence         `json:"absence,omitempty"` // why Interval is nil
	Result      CheckResult     `json:"result"`
}

// Expect checks expectations for each variant and budget that they apply to, sets
// Checks, and reports whether all of them passed. It uses the intervals of the report,
// which are not adjusted for their number. The error is that of Plan.Expects.
func (r *Report) Expect(expectations ...Expectation) (passed bool, err error) {
	r.Checks, passed = []Check{}, true
	for _, e := range expectations {
		if err := r.Plan.Expects(e); err != nil {
			return false, err
		}
		for v, b := range r.Plan.arms(0) {
			variant, nodes := r.Plan.Variants[v].Name, r.Plan.Budgets[b].Nodes
			if e.Variant != "" && e.Variant != variant || e.Nodes != anyNodes && e.Nodes != nodes {
				continue
			}
			c := e.check(r.estimate(e.Metric, v, b))
			c.Variant, c.Nodes = variant, nodes
			passed = passed && c.Result == Passed
			r.Checks = append(r.Checks, c)
		}
	}
	return passed, nil
}

// check checks an expectation against an estimate.
func (e Expectation) check(of Estimate) Check {
	c := Check{Expectation: e.String(), Metric: e.Metric, Interval: of.Interval, Absence: of.Absence, Result: Inconclusive}
	if of.Interval == nil {
		return c
	}
	i := *of.Interval
	low, high := e.satisfied(i.Low), e.satisfied(i.High)
	switch {
	case low && high && i.N > 0:
		c.Result = Passed
	case !low && !high && i.N > 0:
		c.Result = Failed
	}
	return c
}

// estimate returns the estimate of a metric of a variant with a budget, both given by
// their index in the plan.
func (r *Report) estimate(metric string, variant, budget int) Estimate {
	arm := variant*len(r.Plan.Budgets) + budget
	if metric == metrics[doublingScore].Name {
		return Estimate{Metric: metric, Interval: &r.Skill.Arms[arm].Score}
	}
	list := slices.Concat(r.Outcomes[arm].Estimates, r.Feel.Arms[arm].Estimates)
	return list[slices.IndexFunc(list, func(e Estimate) bool { return e.Metric == metric })]
}
