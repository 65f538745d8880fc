package tankchess_test

import (
	"testing"

	"github.com/sandtable-farm/sandtable/env/envtest"
	"github.com/sandtable-farm/sandtable/env/tankchess"
)

func TestConformance(t *testing.T) { envtest.Engine(t, tankchess.Engine()) }
