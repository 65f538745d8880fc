package parquetio

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
)

// The decoders append the non-null values of a page to dst.

func int32Values(dst []int32, page parquet.Page) ([]int32, error) {
	return values(dst, page, func(v encoding.Values) []int32 { return v.Int32() })
}

func int64Values(dst []int64, page parquet.Page) ([]int64, error) {
	return values(dst, page, func(v encoding.Values) []int64 { return v.Int64() })
}

func floatValues(dst []float32, page parquet.Page) ([]float32, error) {
	return values(dst, page, func(v encoding.Values) []float32 { return v.Float() })
}

// boolValues reads one value at a time. After a seek, the bits of a page start anywhere in
// a byte, and only the value reader knows where.
func boolValues(dst []bool, page parquet.Page) ([]bool, error) {
	if page.NumNulls() == page.NumValues() {
		return dst, nil
	}
	var some [64]parquet.Value
	reader := page.Values()
	for {
		n, err := reader.ReadValues(some[:])
		for _, v := range some[:n] {
			if !v.IsNull() {
				dst = append(dst, v.Boolean())
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return dst, nil
		case err != nil:
			return dst, err
		case n == 0:
			return dst, io.ErrNoProgress
		}
	}
}

// values appends the values of a page, looked up in its dictionary if it has one.
func values[T any](dst []T, page parquet.Page, typed func(encoding.Values) []T) ([]T, error) {
	data := page.Data()
	dictionary := page.Dictionary()
	if dictionary == nil {
		return append(dst, typed(data)...), nil
	}
	words := typed(dictionary.Page().Data())
	dst = slices.Grow(dst, len(data.Int32()))
	for _, index := range data.Int32() {
		if uint32(index) >= uint32(len(words)) {
			return dst, outside(index, len(words))
		}
		dst = append(dst, words[index])
	}
	return dst, nil
}

// A textReader reads a column of strings as indices into the words of its page.
type textReader struct {
	*columnReader[int32]
	words []string
}

func textsOf(t *tableFile, name string) *textReader {
	r := new(textReader)
	r.columnReader = columnOf(t, name, r.decode)
	return r
}

// next returns the text of a row.
func (r *textReader) next() string {
	if i := r.columnReader.next(); int(i) < len(r.words) {
		return r.words[i]
	}
	return ""
}

// nextOptional returns the text of a row, or "" if it is null.
func (r *textReader) nextOptional() string {
	if i, ok := r.columnReader.nextOptional(); ok && int(i) < len(r.words) {
		return r.words[i]
	}
	return ""
}

func (r *textReader) decode(dst []int32, page parquet.Page) ([]int32, error) {
	data, dictionary := page.Data(), page.Dictionary()
	if dictionary == nil {
		r.words = texts(data)
		for i := range r.words {
			dst = append(dst, int32(i))
		}
		return dst, nil
	}
	r.words = texts(dictionary.Page().Data())
	for _, index := range data.Int32() {
		if uint32(index) >= uint32(len(r.words)) {
			return dst, outside(index, len(r.words))
		}
	}
	return append(dst, data.Int32()...), nil
}

func outside(index int32, words int) error {
	return fmt.Errorf("damaged: entry %d of a dictionary of %d", index, words)
}

func texts(v encoding.Values) []string {
	data, offsets := v.ByteArray()
	var list []string
	for i := 1; i < len(offsets); i++ {
		list = append(list, string(data[offsets[i-1]:offsets[i]]))
	}
	return list
}
