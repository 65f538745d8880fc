package parquetio

import (
	"bytes"
	"math/bits"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// pageEntries is the number of values and nulls after which a page ends.
const pageEntries = 1 << 15

// A columnWriter makes the chunks of one column, a chunk for each row group. It
// keeps the levels of the page at hand, beside its values, and the finished pages.
type columnWriter struct {
	leaf    parquet.LeafColumn
	values  pageValues
	bounds  func() (least, most parquet.Value) // of the values of the page; nil where they help nobody
	plain   encoding.Encoding                  // of pages without a dictionary
	indexed bool                               // declared to have a dictionary
	packer  *pagePacker

	// The page: definition levels, none where every row has a value, and
	// repetition levels, none where no row is a list.
	defined, starts []byte
	rows            int

	// The chunk.
	pages  bytes.Buffer
	done   int // rows in pages
	meta   format.ColumnMetaData
	index  parquet.ColumnIndexer
	places format.OffsetIndex // relative to the first page until endChunk
}

// pageValues are the values of a page, nulls left out, and the dictionary of the
// chunk, where it has one.
type pageValues interface {
	len() int
	clearPage()
	clearChunk()
	// encode encodes the page into the memory of dst, which is empty.
	encode(dst []byte) ([]byte, format.Encoding, error)
	// words encodes the dictionary in the same way and returns its length.
	words(dst []byte) ([]byte, int, error)
}

const noWords = -1 // length of a dictionary that is not there

func (c *columnWriter) init(leaf parquet.LeafColumn, values pageValues, packer *pagePacker) {
	c.leaf, c.values, c.packer, c.plain = leaf, values, packer, &parquet.Plain
	c.index = leaf.Node.Type().NewColumnIndexer(parquet.DefaultColumnIndexSizeLimit)
	switch declared := leaf.Node.Encoding(); {
	case declared == nil:
	case declared.Encoding() == format.RLEDictionary:
		c.indexed = true
	default:
		c.plain = declared
	}
}

// begin begins a chunk.
func (c *columnWriter) begin() {
	c.clearPage()
	c.values.clearChunk()
	c.pages.Reset()
	c.index.Reset()
	c.places.PageLocations = c.places.PageLocations[:0]
	c.done = 0
	c.meta = format.ColumnMetaData{
		Type: format.Type(c.leaf.Node.Type().Kind()), PathInSchema: c.leaf.Path, Codec: format.Zstd,
	}
	if c.leaf.MaxDefinitionLevel > 0 {
		c.noteEncoding(format.RLE) // of the levels
	}
}

func (c *columnWriter) clearPage() {
	c.values.clearPage()
	c.defined, c.starts, c.rows = c.defined[:0], c.starts[:0], 0
}

// addNulls appends n rows that are null.
func (c *columnWriter) addNulls(n int) {
	c.defined = repeat(c.defined, 0, n)
	if c.leaf.MaxRepetitionLevel > 0 {
		c.starts = repeat(c.starts, 0, n)
	}
}

// addList appends the levels of a row that is a list of n values.
func (c *columnWriter) addList(n int) {
	c.starts = append(c.starts, 0)
	there := byte(c.leaf.MaxDefinitionLevel)
	if n == 0 {
		c.defined = append(c.defined, there-1)
		return
	}
	c.starts = repeat(c.starts, 1, n-1)
	c.defined = repeat(c.defined, there, n)
}

// repeat appends a level n times.
func repeat(levels []byte, level byte, n int) []byte {
	first := len(levels)
	levels = slices.Grow(levels, n)[:first+n]
	for i := range levels[first:] {
		levels[first+i] = level
	}
	return levels
}

// entries returns the number of values and nulls in the page.
func (c *columnWriter) entries() int { return max(c.values.len(), len(c.defined)) }

// endRows ends n rows that got their values, and the page when it is full.
func (c *columnWriter) endRows(n int) error {
	c.rows += n
	if c.entries() < pageEntries {
		return nil
	}
	return c.endPage()
}

func (c *columnWriter) endPage() error {
	if c.rows == 0 {
		return nil
	}
	header := format.DataPageHeaderV2{
		NumValues: int32(c.entries()), NumNulls: int32(c.entries() - c.values.len()), NumRows: int32(c.rows),
		IsCompressed: thrift.New(true),
	}
	p := c.packer
	var err error
	if p.starts, err = encodeLevels(p.starts, c.starts, c.leaf.MaxRepetitionLevel); err != nil {
		return err
	}
	if p.defined, err = encodeLevels(p.defined, c.defined, c.leaf.MaxDefinitionLevel); err != nil {
		return err
	}
	if p.values, header.Encoding, err = c.values.encode(p.values[:0]); err != nil {
		return err
	}
	header.RepetitionLevelsByteLength, header.DefinitionLevelsByteLength = int32(len(p.starts)), int32(len(p.defined))
	place := format.PageLocation{Offset: int64(c.pages.Len()), FirstRowIndex: int64(c.done)}
	page := format.PageHeader{Type: format.DataPageV2, DataPageHeaderV2: thrift.New(header)}
	if place.CompressedPageSize, err = p.pack(&c.pages, &page, &c.meta); err != nil {
		return err
	}
	c.places.PageLocations = append(c.places.PageLocations, place)
	c.note(&header)
	c.done += c.rows
	c.clearPage()
	return nil
}

func encodeLevels(dst, levels []byte, most int) ([]byte, error) {
	if most == 0 {
		return dst[:0], nil
	}
	return (&rle.Encoding{BitWidth: bits.Len(uint(most))}).EncodeLevels(dst, levels)
}

// note adds the page to the index and to the statistics of the chunk.
func (c *columnWriter) note(page *format.DataPageHeaderV2) {
	values, nulls := int64(page.NumValues), int64(page.NumNulls)
	stats := &c.meta.Statistics
	c.meta.NumValues += values
	stats.NullCount += nulls
	c.noteEncoding(page.Encoding)
	var least, most parquet.Value
	if c.bounds != nil && nulls < values {
		least, most = c.bounds()
		typ := c.leaf.Node.Type()
		if stats.MinValue == nil || typ.Compare(least, typ.Kind().Value(stats.MinValue)) < 0 {
			stats.MinValue = least.Bytes()
		}
		if stats.MaxValue == nil || typ.Compare(most, typ.Kind().Value(stats.MaxValue)) > 0 {
			stats.MaxValue = most.Bytes()
		}
	}
	c.index.IndexPage(values, nulls, least, most)
}

func (c *columnWriter) noteEncoding(e format.Encoding) {
	if !slices.Contains(c.meta.Encoding, e) {
		c.meta.Encoding = append(c.meta.Encoding, e)
	}
}

// endChunk writes the chunk, its dictionary first, and completes meta and places.
func (c *columnWriter) endChunk(out *shardFile) error {
	if err := c.endPage(); err != nil {
		return err
	}
	if err := c.writeWords(out); err != nil {
		return err
	}
	c.meta.DataPageOffset = out.bytes
	for i := range c.places.PageLocations {
		c.places.PageLocations[i].Offset += out.bytes
	}
	_, err := out.Write(c.pages.Bytes())
	return err
}

func (c *columnWriter) writeWords(out *shardFile) error {
	p := c.packer
	var words int
	var err error
	if p.values, words, err = c.values.words(p.values[:0]); err != nil || words == noWords {
		return err
	}
	p.starts, p.defined = p.starts[:0], p.defined[:0]
	header := format.DictionaryPageHeader{NumValues: int32(words), Encoding: format.Plain}
	page := format.PageHeader{Type: format.DictionaryPage, DictionaryPageHeader: thrift.New(header)}
	c.noteEncoding(header.Encoding)
	c.meta.DictionaryPageOffset = out.bytes
	_, err = p.pack(out, &page, &c.meta)
	return err
}
