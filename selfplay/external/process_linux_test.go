package external_test

import (
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
)

// The test binary itself is the one that is killed, without a chance to close
// anything; its program ignores the end of its input.
func TestAProgramDiesWithWhoeverStartedIt(t *testing.T) {
	const variable = "SANDTABLE_TEST_MOTHER"
	if os.Getenv(variable) != "" {
		agent := mustStart(t, "stubborn", patient())
		var told dataset.Search
		s := begin(t, agent)
		agent.Choose(s, s.Legal(nil), &told)
		fmt.Println("pid", told.Nodes)
		select {} // until it is killed
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	mother := exec.Command(exe, "-test.run=^"+t.Name()+"$")
	mother.Env = append(os.Environ(), variable+"=1")
	out, err := mother.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := mother.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	if _, err := fmt.Fscanf(out, "pid %d\n", &pid); err != nil {
		t.Error(err)
	}
	if err := mother.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = mother.Wait() // killed, as it must be
	gone(t, pid)
}
