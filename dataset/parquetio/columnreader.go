package parquetio

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
)

// A columnReader reads one leaf of a file from row to row, a page at a time, as
// typed values. After the first error in its file it returns zeros.
type columnReader[T any] struct {
	file   *tableFile
	leaf   int
	name   string
	decode func(dst []T, page parquet.Page) ([]T, error)

	group   int // the next row group
	pages   parquet.Pages
	values  []T    // of the page, those that are there
	defined []byte // definition levels; empty where every value is there
	starts  []byte // repetition levels, 0 where a row begins; empty where rows are single values
	most    byte   // definition level of a value that is there
	value   int    // next one of values
	level   int    // next one of defined
}

// errEnd says that a column has no more rows.
var errEnd = errors.New("ends too early")

// ready makes sure that there is something to read.
func (c *columnReader[T]) ready() bool {
	for c.file.err == nil && c.value == len(c.values) && c.level == len(c.defined) {
		if err := guarded(c.nextPage); err != nil {
			c.file.fail("column "+c.name, err)
		}
	}
	return c.file.err == nil
}

// next returns the value of a row.
func (c *columnReader[T]) next() (v T) {
	if c.value == len(c.values) && !c.ready() {
		return v
	}
	v = c.values[c.value]
	c.value++
	return v
}

// nextOptional returns the value of a row, or false where it is null.
func (c *columnReader[T]) nextOptional() (v T, ok bool) {
	if c.level == len(c.defined) && !c.ready() {
		return v, false
	}
	c.level++
	if c.defined[c.level-1] < c.most {
		return v, false
	}
	v = c.values[c.value]
	c.value++
	return v, true
}

// nextList appends the list of a row to dst, or returns false where it is null.
func (c *columnReader[T]) nextList(dst []T) (list []T, ok bool) {
	if c.level == len(c.defined) && !c.ready() {
		return dst, false
	}
	if c.defined[c.level] < c.most {
		c.level++
		// One below the element there is an empty list, further below none.
		return dst, c.defined[c.level-1] == c.most-1
	}
	first := c.value
	for {
		c.level++
		c.value++
		if c.level == len(c.starts) || c.starts[c.level] == 0 {
			return append(dst, c.values[first:c.value]...), true
		}
	}
}

// guarded turns a panic of parquet-go over damaged bytes into an error.
func guarded(f func() error) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("damaged: %v", fault)
		}
	}()
	return f()
}

func (c *columnReader[T]) nextPage() error {
	for {
		if c.pages == nil {
			groups := c.file.groups
			if c.group == len(groups) {
				return errEnd
			}
			c.pages = groups[c.group].ColumnChunks()[c.leaf].Pages()
			c.group++
		}
		page, err := c.pages.ReadPage()
		if err == nil {
			defer parquet.Release(page)
			return c.load(page)
		}
		if !errors.Is(err, io.EOF) {
			return err
		}
		if err := c.close(); err != nil {
			return err
		}
	}
}

// load copies the values out of a page and checks that they fit its levels.
func (c *columnReader[T]) load(page parquet.Page) (err error) {
	if c.values, err = c.decode(c.values[:0], page); err != nil {
		return err
	}
	c.defined = append(c.defined[:0], page.DefinitionLevels()...)
	c.starts = append(c.starts[:0], page.RepetitionLevels()...)
	c.value, c.level = 0, 0
	here := len(c.values)
	if c.most > 0 {
		here = 0
		for _, d := range c.defined {
			if d == c.most {
				here++
			}
		}
	}
	repeated := len(c.starts) > 0
	if here != len(c.values) || repeated && (len(c.starts) != len(c.defined) || c.starts[0] != 0) {
		return errors.New("damaged: the levels of a page do not fit its values")
	}
	for i := range c.starts {
		// A row with several elements has all of them.
		if c.starts[i] != 0 && (c.defined[i] != c.most || c.defined[i-1] != c.most) {
			return errors.New("damaged: a null within a list")
		}
	}
	return nil
}

// seek makes the given row of the file the next one.
func (c *columnReader[T]) seek(row int64) error {
	if err := c.close(); err != nil {
		return err
	}
	c.values, c.defined, c.starts = c.values[:0], c.defined[:0], c.starts[:0]
	c.value, c.level = 0, 0
	for c.group = 0; c.group < len(c.file.groups); c.group++ {
		group := c.file.groups[c.group]
		if row < group.NumRows() {
			c.pages = group.ColumnChunks()[c.leaf].Pages()
			c.group++
			return guarded(func() error { return c.pages.SeekToRow(row) })
		}
		row -= group.NumRows()
	}
	return nil
}

func (c *columnReader[T]) close() error {
	if c.pages == nil {
		return nil
	}
	err := c.pages.Close()
	c.pages = nil
	return err
}
