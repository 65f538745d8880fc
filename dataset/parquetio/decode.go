package parquetio

import (
	"fmt"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
)

// The decoders append the values of a page, nulls left out, to dst.

func int32Values(dst []int32, page parquet.Page) ([]int32, error) {
	return values(dst, page, func(v encoding.Values) []int32 { return v.Int32() })
}

func int64Values(dst []int64, page parquet.Page) ([]int64, error) {
	return values(dst, page, func(v encoding.Values) []int64 { return v.Int64() })
}

func floatValues(dst []float32, page parquet.Page) ([]float32, error) {
	return values(dst, page, func(v encoding.Values) []float32 { return v.Float() })
}

func textValues(dst []string, page parquet.Page) ([]string, error) {
	return values(dst, page, texts)
}

func boolValues(dst []bool, page parquet.Page) ([]bool, error) {
	data := page.Data()
	bits := data.Boolean()
	n := int(page.NumValues())
	if n > 8*len(bits) {
		return dst, fmt.Errorf("damaged: %d flags in %d bytes", n, len(bits))
	}
	for i := range n {
		dst = append(dst, bits[i/8]>>(i%8)&1 != 0)
	}
	return dst, nil
}

// values looks the values of a page up in its dictionary, where it has one.
func values[T any](dst []T, page parquet.Page, typed func(encoding.Values) []T) ([]T, error) {
	data := page.Data()
	dictionary := page.Dictionary()
	if dictionary == nil {
		return append(dst, typed(data)...), nil
	}
	words := typed(dictionary.Page().Data())
	for _, index := range data.Int32() {
		if uint32(index) >= uint32(len(words)) {
			return dst, fmt.Errorf("damaged: entry %d of a dictionary of %d", index, len(words))
		}
		dst = append(dst, words[index])
	}
	return dst, nil
}

func texts(v encoding.Values) []string {
	data, offsets := v.ByteArray()
	var list []string
	for i := 1; i < len(offsets); i++ {
		list = append(list, string(data[offsets[i-1]:offsets[i]]))
	}
	return list
}
