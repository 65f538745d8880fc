package parquetio

import (
	"hash/crc32"
	"io"

	"github.com/parquet-go/parquet-go/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// A pagePacker writes pages. Its memory serves all columns in turn.
type pagePacker struct {
	codec *zstd.Codec
	// The encoded parts of a page: repetition levels, definition levels, values.
	starts, defined, values []byte
	compressed              []byte
}

// pack compresses the values and writes the page. It completes the header, adds
// the page to the size of the chunk and returns its own, header included.
func (p *pagePacker) pack(out io.Writer, page *format.PageHeader, chunk *format.ColumnMetaData) (size int32, err error) {
	if p.compressed, err = p.codec.Encode(p.compressed[:0], p.values); err != nil {
		return 0, err
	}
	parts := [...][]byte{nil, p.starts, p.defined, p.compressed}
	var crc uint32
	for _, part := range parts {
		crc = crc32.Update(crc, crc32.IEEETable, part)
		page.CompressedPageSize += int32(len(part))
	}
	page.CRC = int32(crc)
	page.UncompressedPageSize = page.CompressedPageSize + int32(len(p.values)-len(p.compressed))
	if parts[0], err = compact(page); err != nil {
		return 0, err
	}
	for _, part := range parts {
		if _, err := out.Write(part); err != nil {
			return 0, err
		}
	}
	header := int32(len(parts[0]))
	chunk.TotalCompressedSize += int64(header + page.CompressedPageSize)
	chunk.TotalUncompressedSize += int64(header + page.UncompressedPageSize)
	return header + page.CompressedPageSize, nil
}

// compact encodes a structure of the format.
func compact(v any) ([]byte, error) { return thrift.Marshal(new(thrift.CompactProtocol), v) }
