package parquetio

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// A FrameKind is the type of the elements of a FrameColumn.
type FrameKind int

const (
	Int8 FrameKind = iota
	Uint8
	Bool
	Int32
	Int64
	Uint64
	Float32 // NaN is written as null
	Blob    // byte strings of one length
)

// A FrameColumn is a column of numbers, of lists of numbers, or of byte strings.
type FrameColumn struct {
	Name    string
	Kind    FrameKind
	Data    []byte  // the elements one after the other, little-endian
	Size    int     // bytes of an element
	Offsets []int64 // of a list: the index of the first element of each row, and the end; else nil
}

// WriteFrame writes a Parquet file of columns that all have the given number of rows.
func WriteFrame(w io.Writer, name string, rows int, columns []FrameColumn, metadata map[string]string) error {
	declared := make([]column, len(columns))
	for i := range columns {
		c := &columns[i]
		declared[i] = column{c.Name, c.node(), false}
	}
	options := []parquet.WriterOption{
		newSchema(name, declared), parquet.Compression(&zstd.Codec{Level: zstd.SpeedFastest}),
		parquet.CreatedBy("sandtable", "", ""), parquet.DataPageStatistics(false),
	}
	for i := range columns {
		if columns[i].Kind == Blob || columns[i].Kind == Uint64 {
			options = append(options, parquet.SkipPageBounds(columns[i].Name))
		}
	}
	for key, value := range metadata {
		options = append(options, parquet.KeyValueMetadata(key, value))
	}
	file := parquet.NewGenericWriter[any](w, options...)
	writers := file.ColumnWriters()
	values := make([]parquet.Value, 0, batchRows)
	for first := 0; first < rows; first += batchRows {
		for i := range columns {
			values = values[:0]
			for row := first; row < min(first+batchRows, rows); row++ {
				values = columns[i].appendRow(values, row)
			}
			if _, err := writers[i].WriteRowValues(values); err != nil {
				return fmt.Errorf("column %s: %w", columns[i].Name, err)
			}
		}
	}
	return file.Close()
}

func (c *FrameColumn) node() parquet.Node {
	if c.Offsets != nil {
		return lists()
	}
	switch c.Kind {
	case Int8:
		return numbers(8)
	case Uint8:
		return encoded(parquet.Uint(8), &parquet.RLEDictionary)
	case Bool:
		return flags()
	case Int32:
		return numbers(32)
	case Int64:
		return counters(64)
	case Uint64:
		return hashes()
	case Float32:
		return optional(parquet.Leaf(parquet.FloatType))
	}
	return parquet.Leaf(parquet.FixedLenByteArrayType(c.Size))
}

// appendRow appends the values of a row with their levels.
func (c *FrameColumn) appendRow(values []parquet.Value, row int) []parquet.Value {
	if c.Offsets == nil {
		return append(values, c.value(row))
	}
	first, end := int(c.Offsets[row]), int(c.Offsets[row+1])
	if first == end {
		return append(values, parquet.Value{}.Level(0, 0, 0))
	}
	for at := first; at < end; at++ {
		values = append(values, c.value(at).Level(min(at-first, 1), 1, 0))
	}
	return values
}

func (c *FrameColumn) value(at int) parquet.Value {
	data := c.Data[at*c.Size:][:c.Size]
	switch c.Kind {
	case Int8:
		return parquet.Int32Value(int32(int8(data[0])))
	case Uint8:
		return parquet.Int32Value(int32(data[0]))
	case Bool:
		return parquet.BooleanValue(data[0] != 0)
	case Int32:
		return parquet.Int32Value(int32(binary.LittleEndian.Uint32(data)))
	case Int64, Uint64:
		return parquet.Int64Value(int64(binary.LittleEndian.Uint64(data)))
	case Float32:
		v := math.Float32frombits(binary.LittleEndian.Uint32(data))
		if v != v {
			return parquet.Value{}
		}
		return parquet.FloatValue(v).Level(0, 1, 0)
	}
	return parquet.FixedLenByteArrayValue(data)
}
