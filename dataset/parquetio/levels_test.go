package parquetio

import (
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// A page of nothing but levels.
type levels struct {
	parquet.Page
	defined, starts []byte
}

func (p levels) DefinitionLevels() []byte { return p.defined }
func (p levels) RepetitionLevels() []byte { return p.starts }

func TestPagesWhoseLevelsContradictTheirValuesAreRefused(t *testing.T) {
	for _, c := range []struct {
		name            string
		most            byte
		values          int
		defined, starts []byte
		want            string
	}{
		{"plain values", 0, 3, nil, nil, ""},
		{"one null in three", 1, 2, []byte{1, 0, 1}, nil, ""},
		{"a value too many", 1, 3, []byte{1, 0, 1}, nil, "do not match"},
		{"a value too few", 1, 1, []byte{1, 0, 1}, nil, "do not match"},
		{"lists of 2, 1 and no elements", 2, 3, []byte{2, 2, 2, 1}, []byte{0, 1, 0, 0}, ""},
		{"fewer starts than elements", 2, 3, []byte{2, 2, 2}, []byte{0, 1}, "do not match"},
		{"more starts than elements", 2, 2, []byte{2, 2}, []byte{0, 1, 1}, "do not match"},
		{"the first element continues a list", 2, 2, []byte{2, 2}, []byte{1, 1}, "do not match"},
		{"a null after an element", 2, 1, []byte{2, 1}, []byte{0, 1}, "null within a list"},
		{"an element after a null", 2, 1, []byte{1, 2}, []byte{0, 1}, "null within a list"},
	} {
		column := &columnReader[int32]{most: c.most, decode: func(dst []int32, _ parquet.Page) ([]int32, error) {
			return append(dst, make([]int32, c.values)...), nil
		}}
		err := column.load(levels{defined: c.defined, starts: c.starts})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: error is %v, want %q", c.name, err, c.want)
		}
	}
}

func TestADictionaryEntryThatDoesNotExistIsRefused(t *testing.T) {
	if err := outside(7, 3); err == nil || err.Error() != "damaged: entry 7 of a dictionary of 3" {
		t.Errorf("error is %v", err)
	}
}
