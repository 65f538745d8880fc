package tankchess

import (
	"testing"
	"unsafe"
)

func TestStatesFillWholeCacheLines(t *testing.T) {
	if size := unsafe.Sizeof(State{}); size%64 != 0 {
		t.Errorf("a state has %d bytes, want a multiple of 64", size)
	}
	if size := unsafe.Sizeof(scratch{}); size%64 != 0 {
		t.Errorf("a scratch has %d bytes, want a multiple of 64", size)
	}
}
