package export

import (
	"bufio"
	"encoding/base64"
	"encoding/binary"
	"io"
	"math"
	"strconv"
)

// writeCSV writes rows with a header line. No value needs quotes.
func writeCSV(w io.Writer, t *table) error {
	out := bufio.NewWriter(w)
	var line []byte
	for i, c := range t.columns {
		if i > 0 {
			line = append(line, ',')
		}
		line = append(line, c.Name...)
	}
	out.Write(append(line, '\n'))
	for row := range t.rows {
		line = line[:0]
		for i, c := range t.columns {
			if i > 0 {
				line = append(line, ',')
			}
			if c.isBlob() {
				line = base64.StdEncoding.AppendEncode(line, c.blob(row))
				continue
			}
			first, end := c.bounds(row)
			for at := first; at < end; at++ {
				if at > first {
					line = append(line, ' ')
				}
				line = c.appendElement(line, at, "", "1", "0")
			}
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return out.Flush()
}

// writeJSONL writes a JSON object for each row.
func writeJSONL(w io.Writer, t *table) error {
	out := bufio.NewWriter(w)
	var line []byte
	for row := range t.rows {
		line = append(line[:0], '{')
		for i, c := range t.columns {
			if i > 0 {
				line = append(line, ',')
			}
			line = append(strconv.AppendQuote(line, c.Name), ':')
			line = c.appendJSON(line, row)
		}
		if _, err := out.Write(append(line, '}', '\n')); err != nil {
			return err
		}
	}
	return out.Flush()
}

func (v *values) appendJSON(b []byte, row int) []byte {
	if v.isBlob() {
		b = base64.StdEncoding.AppendEncode(append(b, '"'), v.blob(row))
		return append(b, '"')
	}
	first, end := v.bounds(row)
	if !v.List {
		if v.Name == hashColumn { // JSON numbers have 53 bits in many programs
			return append(v.appendElement(append(b, '"'), first, "", "", ""), '"')
		}
		return v.appendElement(b, first, "null", "true", "false")
	}
	b = append(b, '[')
	for at := first; at < end; at++ {
		if at > first {
			b = append(b, ',')
		}
		b = v.appendElement(b, at, "null", "true", "false")
	}
	return append(b, ']')
}

// appendElement appends an element as text.
func (v *values) appendElement(b []byte, at int, missing, yes, no string) []byte {
	switch v.Type {
	case int8Type:
		return strconv.AppendInt(b, int64(int8(v.data[at])), 10)
	case uint8Type:
		return strconv.AppendUint(b, uint64(v.data[at]), 10)
	case boolType:
		if v.data[at] == 0 {
			return append(b, no...)
		}
		return append(b, yes...)
	case int32Type:
		return strconv.AppendInt(b, int64(int32(binary.LittleEndian.Uint32(v.data[4*at:]))), 10)
	case int64Type:
		return strconv.AppendInt(b, int64(binary.LittleEndian.Uint64(v.data[8*at:])), 10)
	case uint64Type:
		return strconv.AppendUint(b, binary.LittleEndian.Uint64(v.data[8*at:]), 10)
	}
	value := math.Float32frombits(binary.LittleEndian.Uint32(v.data[4*at:]))
	if value != value {
		return append(b, missing...)
	}
	return strconv.AppendFloat(b, float64(value), 'g', -1, 32)
}
