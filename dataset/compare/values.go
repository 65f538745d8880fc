package compare

import (
	"math"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// values compares the values of pieces in the variants.
func (a *analysis) values() Values {
	r := Values{Budgets: []BudgetValues{}}
	for b := range a.plan.Budgets {
		v := a.valuesWith(b)
		if len(v.Types) > 0 {
			r.Budgets = append(r.Budgets, v)
		} else {
			r.Missing = append(r.Missing, v.Missing...)
		}
	}
	return r
}

func (a *analysis) valuesWith(budget int) BudgetValues {
	r := BudgetValues{Nodes: a.plan.Budgets[budget].Nodes, Units: []string{}, Types: []TypeValue{}}
	all := make([][]balance.TypeValue, len(a.played)) // by variant
	for v := range a.played {
		of, unit := a.played[v][budget].Values, ""
		if of != nil {
			unit = of.Unit
			if len(of.Phases) > 0 {
				all[v] = of.Phases[0].Types
			}
			if len(all[v]) == 0 {
				r.Missing = append(r.Missing, MissingValues{Variant: a.plan.Variants[v].Name, Problem: of.Problem()})
			}
		}
		r.Units = append(r.Units, unit)
		for _, t := range all[v] {
			if !slices.ContainsFunc(r.Types, func(known TypeValue) bool { return known.Type == t.Type }) {
				r.Types = append(r.Types, TypeValue{Type: t.Type})
			}
		}
	}
	for i := range r.Types {
		for v := range a.played {
			r.Types[i].Variants = append(r.Types[i].Variants, a.value(r.Types[i].Type, v, all, r.Units))
		}
	}
	return r
}

// value returns the value of a type in a variant.
func (a *analysis) value(name string, variant int, all [][]balance.TypeValue, units []string) VariantValue {
	r := VariantValue{Variant: a.plan.Variants[variant].Name}
	own, baseline := typed(all[variant], name), typed(all[0], name)
	if own == nil {
		r.Absent = !a.has(variant, name)
		return r
	}
	r.Value, r.Score, r.Problem = own.Value, own.Score, own.Problem
	if variant == 0 || baseline == nil {
		return r
	}
	difference := func(a, b *stats.Interval) *stats.Interval {
		if a == nil || b == nil {
			return nil
		}
		d := stats.Difference(*a, *b)
		if math.IsInf(d.Low, 0) && math.IsInf(d.High, 0) {
			return nil
		}
		return &d
	}
	r.ScoreDifference = difference(own.Score, baseline.Score)
	if units[variant] == units[0] && name != units[0] {
		r.ValueDifference = difference(own.Value, baseline.Value)
	}
	return r
}

// has reports whether a variant has pieces of a type.
func (a *analysis) has(variant int, name string) bool {
	for _, t := range a.rules[variant].Game.Spec().Pieces {
		if t.Name == name {
			return true
		}
	}
	return false
}

func typed(list []balance.TypeValue, name string) *balance.TypeValue {
	for i := range list {
		if list[i].Type == name {
			return &list[i]
		}
	}
	return nil
}
