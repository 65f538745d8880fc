package parquetio

import (
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

const (
	groupRows = 1 << 18 // most rows of a row group
	batchRows = 1 << 10 // rows that are handed over at a time
)

// A tableWriter collects the rows of one file by column and hands them to
// parquet-go in batches.
type tableWriter struct {
	file    *parquet.Writer
	columns []columnWriter
	batch   int   // rows in columns
	group   int64 // rows in the row group
	rows    int64
}

type columnWriter struct {
	out    *parquet.ColumnWriter
	values []parquet.Value
}

func newTableWriter(out *shardFile, name string, columns []column, metadata map[string]string) *tableWriter {
	options := []parquet.WriterOption{
		newSchema(name, columns),
		parquet.Compression(&zstd.Codec{Level: zstd.SpeedFastest}),
		parquet.CreatedBy("sandtable", "", ""),
	}
	for key, value := range metadata {
		options = append(options, parquet.KeyValueMetadata(key, value))
	}
	t := &tableWriter{file: parquet.NewWriter(out, options...)}
	for _, c := range t.file.ColumnWriters() {
		t.columns = append(t.columns, columnWriter{out: c, values: make([]parquet.Value, 0, batchRows)})
	}
	return t
}

// endRow ends a row in which every column got its value.
func (t *tableWriter) endRow() error {
	t.batch++
	t.rows++
	if t.batch < batchRows {
		return nil
	}
	return t.flush()
}

// flush hands the batch over, and ends the row group when it is full.
func (t *tableWriter) flush() error {
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

func (c *columnWriter) int32(v int32) { c.values = append(c.values, parquet.Int32Value(v)) }

func (c *columnWriter) int64(v int64) { c.values = append(c.values, parquet.Int64Value(v)) }

func (c *columnWriter) bool(v bool) { c.values = append(c.values, parquet.BooleanValue(v)) }

// bytes keeps b until the batch is handed over.
func (c *columnWriter) bytes(b []byte) { c.values = append(c.values, parquet.ByteArrayValue(b)) }

// null and some fill an optional column; null a list that may be missing, too.

func (c *columnWriter) null() { c.values = append(c.values, parquet.Value{}) }

func (c *columnWriter) some(v parquet.Value) { c.values = append(c.values, v.Level(0, 1, 0)) }

// list fills a list of n numbers. missing is 1 where the list may be null, else 0:
// the definition level of an empty one.
func (c *columnWriter) list(n, missing int, at func(int) int32) {
	if n == 0 {
		c.values = append(c.values, parquet.Value{}.Level(0, missing, 0))
	}
	for i := range n {
		c.values = append(c.values, parquet.Int32Value(at(i)).Level(min(i, 1), missing+1, 0))
	}
}
