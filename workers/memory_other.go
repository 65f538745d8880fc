//go:build !linux

package workers

// machineMemory returns 0: how much memory the machine has is not known.
func machineMemory() int64 { return 0 }
