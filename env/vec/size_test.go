package vec

import (
	"testing"
	"unsafe"
)

func TestWhatGoroutinesWriteToFillsWholeCacheLines(t *testing.T) {
	if size := unsafe.Sizeof(slot{}); size%64 != 0 {
		t.Errorf("a slot has %d bytes, must be a multiple of 64", size)
	}
	if size := unsafe.Sizeof(sleeper{}); size%64 != 0 {
		t.Errorf("a sleeper has %d bytes, must be a multiple of 64", size)
	}
}
