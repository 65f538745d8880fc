package agent_test

import (
	"os"
	"testing"

	"github.com/sandtable-farm/sandtable/selfplay/external/externaltest"
)

func TestMain(m *testing.M) {
	if externaltest.Main() {
		return
	}
	os.Exit(m.Run())
}
