package export

import (
	"io"

	"github.com/sandtable-farm/sandtable/dataset/parquetio"
)

// kinds are the Parquet types of numbers.
var kinds = map[string]parquetio.FrameKind{
	int8Type: parquetio.Int8, uint8Type: parquetio.Uint8, boolType: parquetio.Bool, int32Type: parquetio.Int32,
	int64Type: parquetio.Int64, uint64Type: parquetio.Uint64, float32Type: parquetio.Float32,
}

// writeParquet writes rows as a Parquet file.
func writeParquet(w io.Writer, t *table, metadata map[string]string) error {
	columns := make([]parquetio.FrameColumn, len(t.columns))
	for i, c := range t.columns {
		columns[i] = parquetio.FrameColumn{Name: c.Name, Kind: kinds[c.Type], Data: c.data, Size: c.size(), Offsets: c.offsets}
		if c.isBlob() {
			columns[i].Kind, columns[i].Size = parquetio.Blob, c.rowBytes()
		}
	}
	return parquetio.WriteFrame(w, "positions", t.rows, columns, metadata)
}
