package parquetio

import (
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// A flagColumn writes booleans.
type flagColumn struct {
	columnWriter
	page []bool
}

func (t *tableWriter) flags(i int) *flagColumn {
	c := new(flagColumn)
	t.add(i, &c.columnWriter, c, c.bounds)
	return c
}

// add appends a row.
func (c *flagColumn) add(flag bool) { c.page = append(c.page, flag) }

func (c *flagColumn) len() int { return len(c.page) }

func (c *flagColumn) clearPage() { c.page = c.page[:0] }

func (c *flagColumn) clearChunk() {}

func (c *flagColumn) encode(dst []byte) ([]byte, format.Encoding, error) {
	dst = append(dst, make([]byte, (len(c.page)+7)/8)...)
	for i, flag := range c.page {
		if flag {
			dst[i/8] |= 1 << (i % 8)
		}
	}
	return dst, format.Plain, nil
}

func (c *flagColumn) words(dst []byte) ([]byte, int, error) { return dst, noWords, nil }

func (c *flagColumn) bounds() (least, most parquet.Value) {
	return parquet.BooleanValue(!slices.Contains(c.page, false)), parquet.BooleanValue(slices.Contains(c.page, true))
}
