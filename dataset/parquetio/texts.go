package parquetio

import (
	"github.com/parquet-go/parquet-go/encoding/plain"
	"github.com/parquet-go/parquet-go/format"
)

// A textColumn writes texts that repeat: each is an index into a dictionary.
type textColumn struct {
	columnWriter
	page       []int32
	dictionary []string
	table      map[string]int32 // the indices of the dictionary
	last       int32            // index of the last row
}

func (t *tableWriter) texts(i int) *textColumn {
	c := &textColumn{table: map[string]int32{}}
	t.add(i, &c.columnWriter, c, nil)
	return c
}

// add appends n rows of the same text.
func (c *textColumn) add(text string, n int) {
	if int(c.last) >= len(c.dictionary) || text != c.dictionary[c.last] {
		c.last = c.indexOf(text)
	}
	for range n {
		c.page = append(c.page, c.last)
	}
}

func (c *textColumn) indexOf(text string) int32 {
	index, known := c.table[text]
	if !known {
		index = int32(len(c.dictionary))
		c.table[text] = index
		c.dictionary = append(c.dictionary, text)
	}
	return index
}

func (c *textColumn) len() int { return len(c.page) }

func (c *textColumn) clearPage() { c.page = c.page[:0] }

func (c *textColumn) clearChunk() {
	c.dictionary = c.dictionary[:0]
	clear(c.table)
}

func (c *textColumn) encode(dst []byte) ([]byte, format.Encoding, error) {
	return encodeIndices(dst, c.page)
}

func (c *textColumn) words(dst []byte) ([]byte, int, error) {
	for _, text := range c.dictionary {
		dst = plain.AppendByteArrayString(dst, text)
	}
	return dst, len(c.dictionary), nil
}
