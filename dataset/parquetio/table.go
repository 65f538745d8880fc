package parquetio

import (
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

const (
	groupRows = 1 << 18 // most rows of a row group
	batchRows = 1 << 9  // most rows that are handed over at a time
	// wordBytes is the size of a dictionary beyond which a column goes on without
	// one: the nodes of a search hardly ever repeat.
	wordBytes = 1 << 17
)

// A tableConfig is what all files of a data set have in common.
type tableConfig struct {
	run      string
	metadata map[string]string
	codec    *zstd.Codec // keeps the encoders' memory from file to file
}

// A tableWriter writes the files of a table one after the other, from begin to
// close. It collects rows by column and hands them to parquet-go in batches.
type tableWriter struct {
	file    *parquet.GenericWriter[any]
	columns []columnWriter
	batch   int   // rows in columns
	group   int64 // rows in the row group
	rows    int64
}

type columnWriter struct {
	out    *parquet.ColumnWriter
	values []parquet.Value
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
	for _, c := range t.file.ColumnWriters() {
		t.columns = append(t.columns, columnWriter{out: c})
	}
	return t
}

// begin begins a file, in the memory of the one before.
func (t *tableWriter) begin(out *shardFile) {
	t.file.Reset(out)
	t.batch, t.group, t.rows = 0, 0, 0
	for i := range t.columns {
		t.columns[i].values = t.columns[i].values[:0]
	}
}

// endRows ends n rows in which every column got its values.
func (t *tableWriter) endRows(n int) error {
	t.batch += n
	t.rows += int64(n)
	if t.batch < batchRows {
		return nil
	}
	return t.flush()
}

// flush hands the batch over, and ends the row group when it is full.
func (t *tableWriter) flush() error {
	if t.batch == 0 {
		return nil
	}
	for i := range t.columns {
		c := &t.columns[i]
		if _, err := c.out.WriteRowValues(c.values); err != nil {
			return err
		}
		c.values = c.values[:0]
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

// grow makes room for n more values and returns it.
func (c *columnWriter) grow(n int) []parquet.Value {
	first := len(c.values)
	c.values = slices.Grow(c.values, n)[:first+n]
	return c.values[first:]
}

func (c *columnWriter) add(v parquet.Value) { c.values = append(c.values, v) }

// addOptional fills a column that may be null.
func (c *columnWriter) addOptional(v parquet.Value, there bool) {
	if there {
		v = v.Level(0, 1, 0)
	} else {
		v = parquet.Value{}
	}
	c.add(v)
}

// list makes room for a list of n numbers and returns it, to be filled with
// elements (see listMemo). missing is 1 where the list may be null, else 0: the definition level
// of an empty one.
func (c *columnWriter) list(n, missing int) []parquet.Value {
	if n == 0 {
		c.add(parquet.Value{}.Level(0, missing, 0))
		return nil
	}
	return c.grow(n)
}

func textValue(s string) parquet.Value { return parquet.ByteArrayValue([]byte(s)) }
