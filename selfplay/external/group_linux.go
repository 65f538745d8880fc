package external

import (
	"os/exec"
	"syscall"
)

// lead makes a command that is not yet started lead a process group, and has the
// kernel kill it when the thread that starts it ends: with this process, since
// the Go runtime keeps its threads.
func lead(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// killGroup kills the process group of a command that was not waited for.
func killGroup(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // fails when all are gone
}
