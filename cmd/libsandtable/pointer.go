//go:build cgo

package main

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/sandtable-farm/sandtable/cmd/libsandtable/library"
)

// lib holds all objects of the process: exported functions have no receiver.
var lib = library.New()

// result returns what an exported function returns.
func result(n int64, err error) int64 { return lib.Code(n, err) }

// array returns n elements of the caller's memory. It is nil if n is 0.
func array[T any](start unsafe.Pointer, n int64) ([]T, error) {
	var element T
	size, align := unsafe.Sizeof(element), unsafe.Alignof(element)
	switch {
	case n < 0 || n > math.MaxInt64/int64(size)/2:
		return nil, fmt.Errorf("an array has the length %d", n)
	case n == 0:
		return nil, nil
	case start == nil:
		return nil, fmt.Errorf("an array of %d elements has no address", n)
	case uintptr(start)%align != 0:
		return nil, fmt.Errorf("an array is not aligned to %d bytes", align)
	}
	return unsafe.Slice((*T)(start), n), nil
}

// with calls f with an array of the caller's memory.
func with[T any](start unsafe.Pointer, n int64, f func([]T) (int64, error)) (code int64) {
	defer func() {
		if r := recover(); r != nil {
			code = result(0, library.Panicked(r))
		}
	}()
	a, err := array[T](start, n)
	if err != nil {
		return result(0, err)
	}
	return result(f(a))
}

// pieces returns pieces of the caller's memory, given their addresses and their sizes in
// bytes. A piece without an address is nil.
func pieces(pointers, sizes unsafe.Pointer, count int64) ([][]byte, error) {
	const most = 64
	if count > most {
		return nil, fmt.Errorf("%d arrays, must be at most %d", count, most)
	}
	starts, err := array[unsafe.Pointer](pointers, count)
	if err != nil {
		return nil, err
	}
	lengths, err := array[int64](sizes, count)
	if err != nil {
		return nil, err
	}
	memory := make([][]byte, count)
	for i := range memory {
		if starts[i] == nil {
			continue
		}
		if memory[i], err = array[byte](starts[i], lengths[i]); err != nil {
			return nil, err
		}
	}
	return memory, nil
}
