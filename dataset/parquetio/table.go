package parquetio

import (
	"encoding/binary"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
)

const (
	groupRows = 1 << 18 // most rows of a row group
	magic     = "PAR1"  // at both ends of a file
)

// A tableWriter writes the files of a table, one after the other, from begin to
// close. Every row needs a value in each of its columns.
type tableWriter struct {
	declared []column
	schema   *parquet.Schema
	columns  []*columnWriter // as declared
	packer   *pagePacker
	empty    format.FileMetaData // the footer of a file without rows

	out     *shardFile
	footer  format.FileMetaData
	indexes []pageIndex // of the chunks in the file
	group   int         // rows in the row group
}

// A pageIndex is the encoded index of the pages of a chunk.
type pageIndex struct{ bounds, places []byte }

// newTableWriter makes the writer of a table. Its columns are made by texts,
// flags, int32s, int64s and floats.
func newTableWriter(name string, columns []column, metadata map[string]string, codec *zstd.Codec) (*tableWriter, error) {
	t := &tableWriter{
		declared: columns, schema: newSchema(name, columns),
		columns: make([]*columnWriter, len(columns)), packer: &pagePacker{codec: codec},
	}
	options := []parquet.WriterOption{t.schema, parquet.CreatedBy("sandtable", "", "")}
	for key, value := range metadata {
		options = append(options, parquet.KeyValueMetadata(key, value))
	}
	file := parquet.NewGenericWriter[any](io.Discard, options...)
	if err := file.Close(); err != nil {
		return nil, err
	}
	t.empty = *file.File().Metadata()
	return t, nil
}

// add makes c the writer of column i.
func (t *tableWriter) add(i int, c *columnWriter, values pageValues, bounds func() (least, most parquet.Value)) {
	leaf, _ := t.schema.Lookup(t.schema.Columns()[i]...)
	c.init(leaf, values, t.packer)
	if !t.declared[i].unordered {
		c.bounds = bounds
	}
	t.columns[i] = c
}

// begin begins a file.
func (t *tableWriter) begin(out *shardFile) error {
	t.out, t.footer, t.indexes, t.group = out, t.empty, t.indexes[:0], 0
	for _, c := range t.columns {
		c.begin()
	}
	_, err := io.WriteString(out, magic)
	return err
}

// room returns how many rows the row group may still take.
func (t *tableWriter) room() int { return groupRows - t.group }

// endRows ends n rows in which every column got its values.
func (t *tableWriter) endRows(n int) error {
	for _, c := range t.columns {
		if err := c.endRows(n); err != nil {
			return err
		}
	}
	t.group += n
	if t.room() > 0 {
		return nil
	}
	return t.endGroup()
}

func (t *tableWriter) endGroup() error {
	if t.group == 0 {
		return nil
	}
	group := format.RowGroup{NumRows: int64(t.group), FileOffset: t.out.bytes, Ordinal: int16(len(t.footer.RowGroups))}
	for _, c := range t.columns {
		if err := c.endChunk(t.out); err != nil {
			return err
		}
		if err := t.keepIndex(c); err != nil {
			return err
		}
		group.Columns = append(group.Columns, format.ColumnChunk{MetaData: c.meta})
		group.TotalByteSize += c.meta.TotalUncompressedSize
		group.TotalCompressedSize += c.meta.TotalCompressedSize
		c.begin()
	}
	t.footer.RowGroups = append(t.footer.RowGroups, group)
	t.footer.NumRows += group.NumRows
	t.group = 0
	return nil
}

func (t *tableWriter) keepIndex(c *columnWriter) (err error) {
	var index pageIndex
	bounds := c.index.ColumnIndex()
	if index.bounds, err = compact(&bounds); err != nil {
		return err
	}
	if index.places, err = compact(&c.places); err != nil {
		return err
	}
	t.indexes = append(t.indexes, index)
	return nil
}

// close writes the rest of the rows, the index and the footer.
func (t *tableWriter) close() error {
	if err := t.endGroup(); err != nil {
		return err
	}
	if err := t.writeIndexes(); err != nil {
		return err
	}
	footer, err := compact(&t.footer)
	if err != nil {
		return err
	}
	footer = binary.LittleEndian.AppendUint32(footer, uint32(len(footer)))
	_, err = t.out.Write(append(footer, magic...))
	return err
}

// writeIndexes writes the bounds of all pages and then their places: readers
// fetch each kind in one piece.
func (t *tableWriter) writeIndexes() error {
	for i, index := range t.indexes {
		chunk := t.chunk(i)
		chunk.ColumnIndexOffset, chunk.ColumnIndexLength = t.out.bytes, int32(len(index.bounds))
		if _, err := t.out.Write(index.bounds); err != nil {
			return err
		}
	}
	for i, index := range t.indexes {
		chunk := t.chunk(i)
		chunk.OffsetIndexOffset, chunk.OffsetIndexLength = t.out.bytes, int32(len(index.places))
		if _, err := t.out.Write(index.places); err != nil {
			return err
		}
	}
	return nil
}

// chunk returns what the footer says of a chunk, by its number in the file.
func (t *tableWriter) chunk(i int) *format.ColumnChunk {
	return &t.footer.RowGroups[i/len(t.columns)].Columns[i%len(t.columns)]
}

// rows returns the number of rows of the file after close.
func (t *tableWriter) rows() int64 { return t.footer.NumRows }
