package parquetio

import "github.com/parquet-go/parquet-go"

// A memo caches the parquet.Values of numbers, with the levels of a non-null value.
// Copying a Value is several times faster than setting its levels, and the numbers in a
// game repeat.
type memo struct {
	entries []memoEntry // by the low bits of the number; every one is valid
	value   func(int64) parquet.Value
}

type memoEntry struct {
	number int64
	value  parquet.Value
}

// newMemo returns a memo of size numbers, which must be a power of two.
func newMemo(size int, value func(int64) parquet.Value) *memo {
	m := &memo{entries: make([]memoEntry, size), value: value}
	for i := range m.entries {
		m.entries[i] = memoEntry{int64(i), value(int64(i))}
	}
	return m
}

func (m *memo) get(number int64) parquet.Value {
	e := &m.entries[uint64(number)&uint64(len(m.entries)-1)]
	if e.number != number {
		*e = memoEntry{number, m.value(number)}
	}
	return e.value
}

// some32 and some64 return the Value of a number in an optional column.

func some32(v int64) parquet.Value { return parquet.Int32Value(int32(v)).Level(0, 1, 0) }

func some64(v int64) parquet.Value { return parquet.Int64Value(v).Level(0, 1, 0) }

// A listMemo returns the Values of the elements of a list of numbers.
type listMemo struct {
	first func(int64) parquet.Value
	next  *memo
}

// newListMemo returns a memo for a list. missing is 1 if the list may be null, else 0.
func newListMemo(size, missing int) listMemo {
	at := func(repetition int) func(int64) parquet.Value {
		return func(v int64) parquet.Value { return parquet.Int32Value(int32(v)).Level(repetition, missing+1, 0) }
	}
	return listMemo{first: at(0), next: newMemo(size, at(1))}
}

// element returns the Value of v as element i of a list.
func (m *listMemo) element(i int, v int32) parquet.Value {
	if i == 0 {
		return m.first(int64(v))
	}
	return m.next.get(int64(v))
}
