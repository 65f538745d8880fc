package workers

import (
	"bytes"
	"os"
	"strconv"
)

// machineMemory returns the bytes of memory that this process can have, or 0 when that is
// not known: those of the machine, or of its control group if that has fewer.
func machineMemory() int64 {
	total := int64(0)
	if data, err := os.ReadFile("/proc/meminfo"); err == nil {
		if fields := bytes.Fields(data); len(fields) > 1 { // MemTotal: N kB
			total = parseBytes(fields[1]) << 10
		}
	}
	if data, err := os.ReadFile("/sys/fs/cgroup/memory.max"); err == nil {
		if limit := parseBytes(bytes.TrimSpace(data)); limit > 0 && (total == 0 || limit < total) {
			total = limit
		}
	}
	return total
}

// parseBytes returns 0 for a text that is not a number, such as max.
func parseBytes(text []byte) int64 {
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil {
		return 0
	}
	return n
}
