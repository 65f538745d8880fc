package tankbattle

import (
	"testing"
	"unsafe"
)

func TestStatesFillWholeCacheLines(t *testing.T) {
	if size := unsafe.Sizeof(State{}); size%64 != 0 {
		t.Errorf("a state has %d bytes, which is no multiple of 64", size)
	}
}
