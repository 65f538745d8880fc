package parquetio

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
)

// A columnReader reads one leaf column of a file row by row as typed values. It decodes one
// page at a time. After the first error in its file it returns zeros.
type columnReader[T any] struct {
	file   *tableFile
	leaf   int
	name   string
	decode func(dst []T, page parquet.Page) ([]T, error)

	group   int // the next row group
	pages   parquet.Pages
	values  []T    // the non-null values of the page
	defined []byte // definition levels; empty if no value can be null
	starts  []byte // repetition levels, 0 at the start of a row; empty if rows are single values
	most    byte   // definition level of a non-null value
	value   int    // index of the next of values
	level   int    // index of the next of defined
}

// errEnd is the error of a column with too few rows.
var errEnd = errors.New("too few rows")

// ready loads the next page if the current one is used up. It reports whether there is a
// value to read.
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

// nextOptional returns the value of a row, or false if it is null.
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

// nextList appends the list of a row to dst, or returns false if it is null.
func (c *columnReader[T]) nextList(dst []T) (list []T, ok bool) {
	if c.level == len(c.defined) && !c.ready() {
		return dst, false
	}
	if c.defined[c.level] < c.most {
		c.level++
		// One level below an element means an empty list, and further below means null.
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

// guarded converts a panic of parquet-go about damaged data into an error.
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

// load copies the values of a page and checks that they match its levels.
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
		return errors.New("damaged: the levels of a page do not match its values")
	}
	for i := range c.starts {
		// In a list with several elements, none is null.
		if c.starts[i] != 0 && (c.defined[i] != c.most || c.defined[i-1] != c.most) {
			return errors.New("damaged: null within a list")
		}
	}
	return nil
}

// seek moves to the given row of the file.
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
