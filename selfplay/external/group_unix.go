//go:build unix && !linux

package external

import (
	"os/exec"
	"syscall"
)

// lead makes a command, before it is started, the leader of a process group.
func lead(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills the process group of a command that was not waited for.
func killGroup(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // it fails if none is left
}

// waitGroup waits for a command whose group was killed.
func waitGroup(cmd *exec.Cmd, _ string) {
	_ = cmd.Wait() // ProcessState has the same information
}
