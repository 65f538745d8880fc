package ntxuva_test

import (
	"testing"

	"github.com/sandtable-farm/sandtable/env/envtest"
	"github.com/sandtable-farm/sandtable/env/ntxuva"
)

func TestConformance(t *testing.T) { envtest.Engine(t, ntxuva.Engine()) }

// TestConformanceOfOtherRules runs the kit where the presets do not go.
func TestConformanceOfOtherRules(t *testing.T) {
	for _, name := range customRules {
		t.Run(name, func(t *testing.T) { envtest.Run(t, load(t, name)) })
	}
}

// customRules cover every value of every parameter, both kernels, and the
// smallest and largest boards.
var customRules = []string{
	`ntxuva/basic{"endless":"pass","no_progress":30}`,
	`ntxuva/basic{"endless":"draw"}`,
	`ntxuva/basic{"single_step":"relay"}`,
	`ntxuva/basic{"single_step":"relay","singles":"always","endless":"draw","capture":"attack_only"}`,
	`ntxuva/4{"single_step":"relay","singles":"always","endless":"pass"}`,
	`ntxuva/4{"seeds":3,"endless":"draw"}`,
	`ntxuva/8{"single_step":"relay","singles":"always","endless":"pass"}`,
	`ntxuva/10{"endless":"draw","singles":"always"}`,
	`ntxuva/basic{"columns":2,"seeds":3,"singles":"always"}`,
	`ntxuva/basic{"columns":3,"repetition":2,"no_progress":1000}`,
	`ntxuva/basic{"columns":3,"seeds":4,"endless":"pass"}`,
	`ntxuva/basic{"columns":16,"seeds":1,"single_step":"relay"}`,
	`ntxuva/basic{"columns":2,"seeds":4,"endless":"draw"}`,
	`ntxuva/basic{"repetition":0,"no_progress":0}`,
	`ntxuva/basic{"repetition":0,"no_progress":5}`,
}
