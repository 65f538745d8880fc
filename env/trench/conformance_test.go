package trench_test

import (
	"testing"

	"github.com/sandtable-farm/sandtable/env/envtest"
	"github.com/sandtable-farm/sandtable/env/trench"
)

func TestConformance(t *testing.T) { envtest.Engine(t, trench.Engine()) }
