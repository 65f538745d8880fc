package external_test

import (
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/selfplay/external"
)

func TestProgramsDoNotInheritWhatIsSecret(t *testing.T) {
	t.Setenv("SANDTABLE_NATS_TOKEN", "secret")
	t.Setenv("ENGINE_OPTION", "1")
	inherited := external.Environment()
	if slices.Contains(inherited, "SANDTABLE_NATS_TOKEN=secret") || !slices.Contains(inherited, "ENGINE_OPTION=1") {
		t.Errorf("a program inherits %q", inherited)
	}
}
