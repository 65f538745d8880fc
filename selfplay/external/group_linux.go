package external

import (
	"os/exec"
	"syscall"
)

// lead makes a command, before it is started, the leader of a process group. The kernel
// kills it when the thread that started it ends, which is when this process ends, because
// the Go runtime keeps its threads.
func lead(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// killGroup kills the process group of a command that was not waited for.
func killGroup(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // it fails if none is left
}
