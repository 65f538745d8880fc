package parquetio

import (
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/format"
	"github.com/parquet-go/parquet-go/hashprobe"
)

const (
	// mostWords is the length of a dictionary beyond which a column goes on
	// without one: the nodes of a search hardly ever repeat.
	mostWords = 1 << 14
	tableLoad = 0.85 // of a hash table before it grows
)

type number interface{ int32 | int64 | float32 }

// A numberColumn writes numbers.
type numberColumn[T number] struct {
	columnWriter
	page     []T
	encodeBy func(e encoding.Encoding, dst []byte, src []T) ([]byte, error)
	valueOf  func(T) parquet.Value

	dictionary []T
	table      table[T] // finds the numbers of the dictionary; nil where there is none
	indices    []int32
}

// A table gives numbers their indices in a dictionary, new ones those at its end.
type table[T number] interface {
	Probe(numbers []T, indices []int32) (added int)
	Reset()
}

func (t *tableWriter) int32s(i int) *numberColumn[int32] {
	c := &numberColumn[int32]{encodeBy: encoding.Encoding.EncodeInt32, valueOf: parquet.Int32Value}
	t.add(i, &c.columnWriter, c, c.bounds)
	if c.indexed {
		c.table = hashprobe.NewInt32Table(0, tableLoad)
	}
	return c
}

func (t *tableWriter) int64s(i int) *numberColumn[int64] {
	c := &numberColumn[int64]{encodeBy: encoding.Encoding.EncodeInt64, valueOf: parquet.Int64Value}
	t.add(i, &c.columnWriter, c, c.bounds)
	if c.indexed {
		c.table = hashprobe.NewInt64Table(0, tableLoad)
	}
	return c
}

func (t *tableWriter) floats(i int) *numberColumn[float32] {
	c := &numberColumn[float32]{encodeBy: encoding.Encoding.EncodeFloat, valueOf: parquet.FloatValue}
	t.add(i, &c.columnWriter, c, c.bounds)
	return c
}

// add appends a row.
func (c *numberColumn[T]) add(v T) { c.page = append(c.page, v) }

// addOptional appends a row that is null or v.
func (c *numberColumn[T]) addOptional(v T, there bool) {
	if !there {
		c.defined = append(c.defined, 0)
		return
	}
	c.page = append(c.page, v)
	c.defined = append(c.defined, 1)
}

// grow makes room for n rows and returns it.
func (c *numberColumn[T]) grow(n int) []T {
	first := len(c.page)
	c.page = slices.Grow(c.page, n)[:first+n]
	return c.page[first:]
}

// list makes room for a row that is a list of n numbers and returns it.
func (c *numberColumn[T]) list(n int) []T {
	c.addList(n)
	return c.grow(n)
}

func (c *numberColumn[T]) len() int { return len(c.page) }

func (c *numberColumn[T]) clearPage() { c.page = c.page[:0] }

func (c *numberColumn[T]) clearChunk() {
	if c.table != nil {
		c.dictionary = c.dictionary[:0]
		c.table.Reset()
	}
}

func (c *numberColumn[T]) encode(dst []byte) ([]byte, format.Encoding, error) {
	if c.table == nil || len(c.dictionary) > mostWords {
		dst, err := c.encodeBy(c.plain, dst, c.page)
		return dst, c.plain.Encoding(), err
	}
	c.indices = slices.Grow(c.indices[:0], len(c.page))[:len(c.page)]
	if c.table.Probe(c.page, c.indices) > 0 {
		for i, index := range c.indices {
			if int(index) == len(c.dictionary) {
				c.dictionary = append(c.dictionary, c.page[i])
			}
		}
	}
	return encodeIndices(dst, c.indices)
}

func encodeIndices(dst []byte, indices []int32) ([]byte, format.Encoding, error) {
	dst, err := parquet.RLEDictionary.EncodeInt32(dst, indices)
	return dst, format.RLEDictionary, err
}

func (c *numberColumn[T]) words(dst []byte) ([]byte, int, error) {
	if c.table == nil {
		return dst, noWords, nil
	}
	dst, err := c.encodeBy(&parquet.Plain, dst, c.dictionary)
	return dst, len(c.dictionary), err
}

func (c *numberColumn[T]) bounds() (least, most parquet.Value) {
	lo, hi := c.page[0], c.page[0]
	for _, v := range c.page {
		if v < lo {
			lo = v
		}
		if v > hi {
			hi = v
		}
	}
	return c.valueOf(lo), c.valueOf(hi)
}
