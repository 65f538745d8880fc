package tankbattle_test

import (
	"testing"

	"github.com/sandtable-farm/sandtable/env/envtest"
	"github.com/sandtable-farm/sandtable/env/tankbattle"
)

func TestConformance(t *testing.T) { envtest.Engine(t, tankbattle.Engine()) }
