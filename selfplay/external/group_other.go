//go:build !unix

package external

import "os/exec"

// lead does nothing: there are no process groups.
func lead(*exec.Cmd) {}

// killGroup kills the process of a command that was not waited for.
func killGroup(cmd *exec.Cmd) {
	_ = cmd.Process.Kill() // it fails if the process has ended
}

// waitGroup waits for a command whose group was killed.
func waitGroup(cmd *exec.Cmd, _ string) {
	_ = cmd.Wait() // ProcessState has the same information
}
