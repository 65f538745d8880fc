package parquetio

import (
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
)

// A column is the declaration of one leaf or list of a table.
type column struct {
	name string
	node parquet.Node
	// unordered columns have no bounds in the statistics, where they would not be useful.
	unordered bool
}

// Kinds of columns. The encodings were chosen by measuring games of the greedy and the
// random agent; see BenchmarkCommit.

func words() parquet.Node { return encoded(parquet.String(), &parquet.RLEDictionary) }

func flags() parquet.Node { return parquet.Leaf(parquet.BooleanType) }

// counters are numbers that mostly increase in equal steps.
func counters(bits int) parquet.Node { return encoded(parquet.Int(bits), &parquet.DeltaBinaryPacked) }

// numbers are mostly small.
func numbers(bits int) parquet.Node { return encoded(parquet.Int(bits), &parquet.RLEDictionary) }

// hashes are 64 random bits.
func hashes() parquet.Node { return parquet.Uint(64) }

func lists() parquet.Node { return parquet.List(numbers(32)) }

func encoded(n parquet.Node, e encoding.Encoding) parquet.Node { return parquet.Encoded(n, e) }

func optional(n parquet.Node) parquet.Node { return parquet.Optional(n) }

// A group is a group of columns in the order of their declaration. A parquet.Group sorts
// them by name.
type group struct {
	parquet.Group
	columns []column
}

// Fields implements parquet.Node.
func (g group) Fields() []parquet.Field {
	byName := map[string]parquet.Field{}
	for _, f := range g.Group.Fields() {
		byName[f.Name()] = f
	}
	fields := make([]parquet.Field, len(g.columns))
	for i, c := range g.columns {
		fields[i] = byName[c.name]
	}
	return fields
}

func newSchema(name string, columns []column) *parquet.Schema {
	g := group{Group: parquet.Group{}, columns: columns}
	for _, c := range columns {
		g.Group[c.name] = c.node
	}
	return parquet.NewSchema(name, g)
}
