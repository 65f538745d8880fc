package external

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"
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

// waitGroup waits for a command whose group was killed. Before that it kills the processes
// that left the group: those whose environment has the command's mark. Killed processes
// that became children of this process, which happens where it is process 1 of a container,
// are waited for, too.
func waitGroup(cmd *exec.Cmd, mark string) {
	for range 10 { // a process may fork while it is looked for
		left := slices.DeleteFunc(marked(mark), func(pid int) bool { return pid == cmd.Process.Pid })
		for _, pid := range left {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
			waitChildren(pid)
		}
		if len(left) == 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	_ = cmd.Wait() // ProcessState has the same information
	waitChildren(-cmd.Process.Pid)
}

// waitChildren waits for a child of this process, or for all of a process group if id is
// negative. It returns at once if there is none.
func waitChildren(id int) {
	for err := error(nil); err == nil || err == syscall.EINTR; {
		_, err = syscall.Wait4(id, nil, 0, nil)
	}
}

// marked lists the running processes whose environment has a mark.
func marked(mark string) []int {
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		return nil // the pattern is right
	}
	var pids []int
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(text, []byte(mark)) {
			continue // it has ended, belongs to another user, or has nothing to do with the program
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}
