package compare

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// An Expectation is what a designer wants of a metric, as text:
//
//	[VARIANT:]METRIC[@NODES]OPERATOR NUMBER
//
// with an operator of <, <=, > and >=, such as draws<0.1, length@2000<=80 or
// trench/equal-turns:first_score>=0.45. Without a variant, or a budget of nodes, it
// is wanted of all. Blanks do not matter.
type Expectation struct {
	Variant string // empty: all
	Metric  string
	Nodes   int64 // −1: all
	Less    bool  // < or <=
	Equal   bool  // <= or >=
	Number  float64
}

// anyNodes stands for all budgets.
const anyNodes = -1

// ParseExpectation reads an expectation. Whether a plan has the variant and the
// budget is for Plan.Expects to say.
func ParseExpectation(text string) (Expectation, error) {
	fail := func(format string, args ...any) (Expectation, error) {
		return Expectation{}, fmt.Errorf("expectation %q: %s", text, fmt.Sprintf(format, args...))
	}
	e := Expectation{Nodes: anyNodes}
	rest := text
	// Variant strings may hold colons and operators, the rest holds no colon.
	if i := strings.LastIndexByte(rest, ':'); i >= 0 {
		e.Variant, rest = strings.TrimSpace(rest[:i]), rest[i+1:]
		if e.Variant == "" {
			return fail("there is no variant before the colon")
		}
	}
	i := strings.IndexAny(rest, "<>")
	if i < 0 {
		return fail("it has no <, <=, > or >=, as in draws<0.1")
	}
	name, number := rest[:i], rest[i+1:]
	e.Less = rest[i] == '<'
	if number, e.Equal = strings.CutPrefix(number, "="); strings.TrimSpace(number) == "" {
		return fail("there is no number after the operator")
	}
	var err error
	if e.Number, err = strconv.ParseFloat(strings.TrimSpace(number), 64); err != nil || e.Number-e.Number != 0 {
		return fail("%q is no number", strings.TrimSpace(number))
	}
	name, nodes, budget := strings.Cut(name, "@")
	if budget {
		if e.Nodes, err = strconv.ParseInt(strings.TrimSpace(nodes), 10, 64); err != nil || e.Nodes < 0 {
			return fail("%q is no number of nodes", strings.TrimSpace(nodes))
		}
	}
	e.Metric = strings.TrimSpace(name)
	m, ok := lookup(e.Metric)
	switch {
	case ok && (e.Number < 0 || m.quantity.bounded() && e.Number > 1):
		return fail("%v is beyond what %s can be: %s, %s", e.Number, m.Name, m.Unit, m.Range)
	case !ok:
		return fail("there is no metric %q, must be one of %s", e.Metric, strings.Join(names(func(*Metric) bool { return true }), ", "))
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

// satisfied reports whether a number is what is wanted.
func (e Expectation) satisfied(x float64) bool {
	switch {
	case x == e.Number:
		return e.Equal
	case e.Less:
		return x < e.Number
	}
	return x > e.Number
}

// Expects checks that a plan has what an expectation names.
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
		return fmt.Errorf("expectation %s: there is no variant %s, must be one of %s", e, e.Variant, strings.Join(variants, ", "))
	case !budget:
		return fmt.Errorf("expectation %s: there is no budget of %d nodes, must be one of %s", e, e.Nodes, strings.Join(budgets, ", "))
	case e.Metric == metrics[doublingScore].Name && p.LadderPairs == 0:
		return fmt.Errorf("expectation %s: the plan has no ladder, which %s is of", e, e.Metric)
	}
	return nil
}

// A CheckResult says whether an expectation holds.
type CheckResult string

const (
	Passed       CheckResult = "passed" // of all that the interval holds
	Failed       CheckResult = "failed" // of nothing that the interval holds
	Inconclusive CheckResult = "undecided"
)

// A Check is what an expectation has come to for a variant with a budget.
type Check struct {
	Expectation string          `json:"expectation"`
	Variant     string          `json:"variant"`
	Nodes       int64           `json:"nodes,string"`
	Metric      string          `json:"metric"`
	Interval    *stats.Interval `json:"interval"` // nil where there is none; then it is undecided
	Result      CheckResult     `json:"result"`
	Answer      string          `json:"answer"`
}

// Expect checks expectations, for each variant and budget that they name, and puts
// what came of them into Checks. It returns whether all have passed. Intervals are
// those of the report, each for itself. The error is that of Plan.Expects.
func (r *Report) Expect(expectations ...Expectation) (passed bool, err error) {
	r.Checks, passed = []Check{}, true
	for _, e := range expectations {
		if err := r.Plan.Expects(e); err != nil {
			return false, err
		}
		for v := range r.Plan.Variants {
			for b := range r.Plan.Budgets {
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
	}
	return passed, nil
}

// check holds an expectation against an estimate.
func (e Expectation) check(of Estimate) Check {
	c := Check{Expectation: e.String(), Metric: e.Metric, Interval: of.Interval, Result: Inconclusive}
	if of.Interval == nil {
		c.Answer = fmt.Sprintf("undecided: %s", of.Answer)
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
	c.Answer = fmt.Sprintf("%s: %s is %s", c.Result, e.Metric, numbered(i))
	return c
}

// estimate returns a metric of a variant with a budget, both by index in the plan.
func (r *Report) estimate(metric string, variant, budget int) Estimate {
	arm := variant*len(r.Plan.Budgets) + budget
	if metric == metrics[doublingScore].Name {
		if len(r.Skill.Arms) == 0 {
			return Estimate{Metric: metric, Answer: r.Skill.Answer}
		}
		return Estimate{Metric: metric, Interval: &r.Skill.Arms[arm].Score}
	}
	for _, list := range [][]Estimate{r.Outcomes[arm].Estimates, r.Feel.Arms[arm].Estimates} {
		for _, e := range list {
			if e.Metric == metric {
				return e
			}
		}
	}
	return Estimate{Metric: metric, Answer: "it was not measured"}
}
