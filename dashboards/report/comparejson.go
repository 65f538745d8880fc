package report

import (
	"strings"

	"github.com/sandtable-farm/sandtable/dataset/compare"
)

// CompareJSON returns a report on a comparison for encoding as JSON: its numbers, and
// sentences under the keys summary, answer, answers, notes, warnings and problem.
func CompareJSON(r *compare.Report) any {
	c := &compareText{report: r, labels: map[string]string{}}
	for _, v := range r.Plan.Variants {
		c.labels[v.Name] = v.Name
	}
	j := &compareJSON{
		Report: r, Summary: strings.Join(c.story(), " "), Provenance: provenanceJSON{Provenance: r.Provenance}, Outcomes: []outcomesJSON{},
		Values: c.valuesJSON(), Feel: c.feelJSON(), Skill: c.skillJSON(), Health: healthJSON{r.Health, c.warnings()},
		Checks: each(r.Checks, func(x *compare.Check) checkJSON { return checkJSON{x, checkAnswer(x)} }),
		Metrics: each(r.Metrics, func(m *compare.Metric) metricJSON {
			return metricJSON{m, textOf(m.Name).what, textOf(m.Name).more}
		}),
	}
	if r.Sequential != nil {
		j.Sequential = &sequentialJSON{r.Sequential, c.sequentialAnswer()}
	}
	for i := range r.Provenance.Variants {
		j.Provenance.Variants = append(j.Provenance.Variants, variantJSON{&r.Provenance.Variants[i], c.rulesAnswer(i)})
	}
	for i := range r.Outcomes {
		j.Outcomes = append(j.Outcomes, outcomesJSON{&r.Outcomes[i], estimatesJSON(r.Outcomes[i].Estimates), c.outcomeAnswer(i)})
	}
	if r.Against != nil {
		j.Against = &compareAgainstJSON{r.Against, comparisonsJSON(r.Against.Comparisons), c.againstAnswers()}
	}
	if x := r.Interaction; x != nil {
		change := func(against bool) func(x *compare.Change) changeJSON {
			return func(x *compare.Change) changeJSON { return changeJSON{x, c.changeAnswer(x, against)} }
		}
		j.Interaction = &interactionJSON{x, each(x.ByVariant, change(false)), each(x.Against, change(true)), c.interactionAnswer()}
	}
	return j
}

// each applies a function to every element of a list.
func each[T, U any](list []T, to func(*T) U) []U {
	all := make([]U, len(list))
	for i := range list {
		all[i] = to(&list[i])
	}
	return all
}

// The fields of these types replace those of the embedded types with the same key.
type (
	compareJSON struct {
		*compare.Report
		Summary     string              `json:"summary"`
		Sequential  *sequentialJSON     `json:"sequential,omitempty"`
		Provenance  provenanceJSON      `json:"provenance"`
		Outcomes    []outcomesJSON      `json:"outcomes"`
		Against     *compareAgainstJSON `json:"against_baseline"`
		Interaction *interactionJSON    `json:"interaction"`
		Values      compareValuesJSON   `json:"values"`
		Feel        feelJSON            `json:"feel"`
		Skill       skillJSON           `json:"skill"`
		Health      healthJSON          `json:"health"`
		Checks      []checkJSON         `json:"checks,omitempty"`
		Metrics     []metricJSON        `json:"metrics"`
	}
	sequentialJSON struct {
		*compare.Sequential
		Answer string `json:"answer"`
	}
	provenanceJSON struct {
		compare.Provenance
		Variants []variantJSON `json:"variants"`
	}
	variantJSON struct {
		*compare.VariantData
		Answer string `json:"answer"`
	}
	outcomesJSON struct {
		*compare.Outcomes
		Estimates []estimateJSON `json:"estimates"`
		Answer    string         `json:"answer"`
	}
	estimateJSON struct {
		*compare.Estimate
		Answer string `json:"answer,omitempty"`
	}
	comparisonJSON struct {
		*compare.Comparison
		Answer string `json:"answer"`
	}
	compareAgainstJSON struct {
		*compare.Against
		Comparisons []comparisonJSON `json:"comparisons"`
		Answers     []string         `json:"answers"`
	}
	interactionJSON struct {
		*compare.Interaction
		ByVariant []changeJSON `json:"by_variant"`
		Against   []changeJSON `json:"against_baseline"`
		Answer    string       `json:"answer"`
	}
	changeJSON struct {
		*compare.Change
		Answer string `json:"answer"`
	}
	compareValuesJSON struct {
		Budgets []budgetValuesJSON `json:"budgets"`
		Answer  string             `json:"answer"`
	}
	budgetValuesJSON struct {
		*compare.BudgetValues
		Notes []string          `json:"notes"`
		Types []compareTypeJSON `json:"types"`
	}
	compareTypeJSON struct {
		*compare.TypeValue
		Variants []variantValueJSON `json:"variants"`
	}
	variantValueJSON struct {
		*compare.VariantValue
		Problem string `json:"problem,omitempty"`
	}
	feelJSON struct {
		*compare.GameFeel
		Arms    []armFeelJSON    `json:"arms"`
		Against []comparisonJSON `json:"against_baseline"`
		Lengths []lengthJSON     `json:"lengths_against_baseline"`
		Answers []string         `json:"answers"`
	}
	armFeelJSON struct {
		*compare.ArmFeel
		Estimates []estimateJSON `json:"estimates"`
	}
	lengthJSON struct {
		*compare.LengthComparison
		Answer string `json:"answer"`
	}
	skillJSON struct {
		Arms     []armLadderJSON     `json:"arms"`
		Variants []variantLadderJSON `json:"variants"`
		Against  []comparisonJSON    `json:"against_baseline"`
		Answer   string              `json:"answer"`
	}
	armLadderJSON struct {
		*compare.ArmLadder
		Answer string `json:"answer"`
	}
	variantLadderJSON struct {
		*compare.VariantLadder
		Answer string `json:"answer"`
	}
	healthJSON struct {
		compare.Health
		Warnings []string `json:"warnings"`
	}
	checkJSON struct {
		*compare.Check
		Answer string `json:"answer"`
	}
	metricJSON struct {
		*compare.Metric
		What      string `json:"what"`
		Direction string `json:"direction"`
	}
)

func estimatesJSON(list []compare.Estimate) []estimateJSON {
	return each(list, func(e *compare.Estimate) estimateJSON { return estimateJSON{e, absence(e.Absence)} })
}

func comparisonsJSON(list []compare.Comparison) []comparisonJSON {
	return each(list, func(x *compare.Comparison) comparisonJSON { return comparisonJSON{x, comparisonAnswer(x)} })
}

func (c *compareText) valuesJSON() compareValuesJSON {
	return compareValuesJSON{Answer: c.valuesAnswer(), Budgets: each(c.report.Values.Budgets, func(b *compare.BudgetValues) budgetValuesJSON {
		return budgetValuesJSON{b, each(b.Missing, c.missingValues), each(b.Types, func(t *compare.TypeValue) compareTypeJSON {
			return compareTypeJSON{t, each(t.Variants, func(v *compare.VariantValue) variantValueJSON { return variantValueJSON{v, valueProblem(v)} })}
		})}
	})}
}

func (c *compareText) feelJSON() feelJSON {
	f := &c.report.Feel
	return feelJSON{
		GameFeel: f, Against: comparisonsJSON(f.Against), Answers: c.feelAnswers(),
		Arms:    each(f.Arms, func(a *compare.ArmFeel) armFeelJSON { return armFeelJSON{a, estimatesJSON(a.Estimates)} }),
		Lengths: each(f.Lengths, func(l *compare.LengthComparison) lengthJSON { return lengthJSON{l, c.lengthAnswer(l)} }),
	}
}

func (c *compareText) skillJSON() skillJSON {
	l := &c.report.Skill
	return skillJSON{
		Arms:     each(l.Arms, func(a *compare.ArmLadder) armLadderJSON { return armLadderJSON{a, ladderAnswer(a)} }),
		Variants: each(l.Variants, func(v *compare.VariantLadder) variantLadderJSON { return variantLadderJSON{v, slopeAnswer(v)} }),
		Against:  comparisonsJSON(l.Against), Answer: c.skillAnswer(),
	}
}
