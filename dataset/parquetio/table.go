package parquetio

import (
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

const (
	groupRows = 1 << 18 // greatest number of rows in a row group
	batchRows = 1 << 9  // greatest number of rows in a batch
	// wordBytes is the greatest size of a dictionary. A column with more distinct values,
	// such as node counts, continues without one.
	wordBytes = 1 << 17
)

// A tableConfig holds what all files of a data set have in common.
type tableConfig struct {
	run      string
	metadata map[string]string
	codec    *zstd.Codec // shared, so that files reuse the encoders' memory
}

// A tableWriter writes the files of a table one after the other, each from begin to close.
// It collects rows by column and passes them to parquet-go in batches.
type tableWriter struct {
	file    *parquet.GenericWriter[any]
	columns []columnWriter
	batch   int   // number of rows in columns
	group   int64 // number of rows in the row group
	rows    int64
}

// A columnWriter collects the values of a column for a batch. While all of them are the
// usual one of the column, it only counts them.
type columnWriter struct {
	out    *parquet.ColumnWriter
	values []parquet.Value
	usual  []parquet.Value // a batch of the usual value, which is null unless a table sets it
	same   int             // number of usual values; values is empty unless it is 0
}

func newTableWriter(name string, columns []column, config *tableConfig) *tableWriter {
	options := []parquet.WriterOption{
		newSchema(name, columns),
		parquet.Compression(config.codec),
		parquet.CreatedBy("sandtable", "", ""),
		parquet.DataPageStatistics(false), // the column index has them
		parquet.DictionaryMaxBytes(wordBytes),
	}
	for _, c := range columns {
		if c.unordered {
			options = append(options, parquet.SkipPageBounds(c.name))
		}
	}
	for key, value := range config.metadata {
		options = append(options, parquet.KeyValueMetadata(key, value))
	}
	t := &tableWriter{file: parquet.NewGenericWriter[any](io.Discard, options...)}
	nulls := make([]parquet.Value, batchRows)
	for _, c := range t.file.ColumnWriters() {
		t.columns = append(t.columns, columnWriter{out: c, usual: nulls})
	}
	return t
}

// begin starts a file and reuses the memory of the previous one.
func (t *tableWriter) begin(out *shardFile) {
	t.file.Reset(out)
	t.batch, t.group, t.rows = 0, 0, 0
	for i := range t.columns {
		t.columns[i].values, t.columns[i].same = t.columns[i].values[:0], 0
	}
}

// endRows completes n rows, for which every column has its values.
func (t *tableWriter) endRows(n int) error {
	t.batch += n
	t.rows += int64(n)
	if t.batch < batchRows {
		return nil
	}
	return t.flush()
}

// flush writes the batch, and ends the row group if it is full.
func (t *tableWriter) flush() error {
	if t.batch == 0 {
		return nil
	}
	for i := range t.columns {
		c := &t.columns[i]
		values := c.values
		if c.same > 0 {
			values = c.usual[:c.same]
		}
		if _, err := c.out.WriteRowValues(values); err != nil {
			return err
		}
		c.values, c.same = c.values[:0], 0
	}
	t.group += int64(t.batch)
	t.batch = 0
	if t.group+batchRows <= groupRows {
		return nil
	}
	t.group = 0
	return t.file.Flush()
}

// close writes the rest of the rows and the footer.
func (t *tableWriter) close() error {
	if err := t.flush(); err != nil {
		return err
	}
	return t.file.Close()
}

// addUsual appends the usual value n times.
func (c *columnWriter) addUsual(n int) {
	if len(c.values) == 0 {
		c.same += n
		return
	}
	c.values = append(c.values, c.usual[:n]...)
}

// grow appends n values to the column and returns them for the caller to fill.
func (c *columnWriter) grow(n int) []parquet.Value {
	if c.same > 0 {
		c.values, c.same = append(c.values, c.usual[:c.same]...), 0
	}
	first := len(c.values)
	c.values = slices.Grow(c.values, n)[:first+n]
	return c.values[first:]
}

func (c *columnWriter) add(v parquet.Value) { c.grow(1)[0] = v }

// addOptional appends v to an optional column if there is true, and null otherwise.
func (c *columnWriter) addOptional(v parquet.Value, there bool) {
	if !there {
		c.addUsual(1)
		return
	}
	c.add(v.Level(0, 1, 0))
}

// list appends a list of n numbers and returns its elements for the caller to fill (see
// listMemo). missing, the definition level of an empty list, is 1 if the list may be null,
// else 0.
func (c *columnWriter) list(n, missing int) []parquet.Value {
	if n == 0 {
		c.add(parquet.Value{}.Level(0, missing, 0))
		return nil
	}
	return c.grow(n)
}

func textValue(s string) parquet.Value { return parquet.ByteArrayValue([]byte(s)) }

// A textMemo holds the Value of the last text of a column in which texts repeat.
type textMemo struct {
	text  string
	value parquet.Value
}

func (m *textMemo) get(text string) parquet.Value {
	if text != m.text || m.value.IsNull() {
		*m = textMemo{text, textValue(text)}
	}
	return m.value
}

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
