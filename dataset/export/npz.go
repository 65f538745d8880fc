package export

import (
	"archive/zip"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
)

// offsetsSuffix is the suffix of the name of the array that says where the rows of a list
// begin.
const offsetsSuffix = "_offsets"

// writeNPZ writes rows as a NumPy archive: a zip file with a .npy file for each array.
func writeNPZ(w io.Writer, t *table, compress bool) error {
	archive := zip.NewWriter(w)
	method := zip.Store
	if compress {
		method = zip.Deflate
	}
	array := func(name, kind string, shape []int, data []byte) error {
		file, err := archive.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: method})
		if err != nil {
			return err
		}
		if _, err := file.Write(npyHeader(kind, shape)); err != nil {
			return err
		}
		_, err = file.Write(data)
		return err
	}
	for _, c := range t.columns {
		shape := append([]int{t.rows}, c.Shape...)
		if c.List {
			shape[0] = int(c.offsets[t.rows])
			offsets := make([]byte, 0, 8*len(c.offsets))
			for _, at := range c.offsets {
				offsets = binary.LittleEndian.AppendUint64(offsets, uint64(at))
			}
			if err := array(c.Name+offsetsSuffix, int64Type, []int{len(c.offsets)}, offsets); err != nil {
				return err
			}
		}
		if err := array(c.Name, c.Type, shape, c.data); err != nil {
			return err
		}
	}
	return archive.Close()
}

// npyAlign is the alignment of the data in a .npy file.
const npyAlign = 64

// npyHeader returns the header of a .npy file, version 1.0.
func npyHeader(kind string, shape []int) []byte {
	var dims strings.Builder
	for i, d := range shape {
		if i > 0 {
			dims.WriteByte(' ')
		}
		fmt.Fprintf(&dims, "%d,", d)
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", kind, dims.String())
	const prefix = "\x93NUMPY\x01\x00"
	size := len(prefix) + 2 + len(text) + 1
	text += strings.Repeat(" ", (npyAlign-size%npyAlign)%npyAlign) + "\n"
	header := append([]byte(prefix), 0, 0)
	binary.LittleEndian.PutUint16(header[len(prefix):], uint16(len(text)))
	return append(header, text...)
}
