package export

import (
	"encoding/binary"
	"slices"
	"strconv"

	"github.com/sandtable-farm/sandtable/env"
)

// A Column describes one column of an export.
type Column struct {
	Name        string `json:"name"`
	Type        string `json:"type"`            // as NumPy writes it: "<i4" is a 32-bit number
	Shape       []int  `json:"shape,omitempty"` // of a row; empty for a single number
	List        bool   `json:"list,omitempty"`  // the number of elements differs by row
	Description string `json:"description"`
}

// Types of columns.
const (
	int8Type    = "|i1"
	uint8Type   = "|u1"
	boolType    = "|b1"
	int32Type   = "<i4"
	int64Type   = "<i8"
	uint64Type  = "<u8"
	float32Type = "<f4"
)

// Names of the columns.
const (
	episodeColumn      = "episode"
	plyColumn          = "ply"
	playerColumn       = "player"
	hashColumn         = "hash"
	bitsColumn         = "observation_bits"
	scalarsColumn      = "observation_scalars"
	planesColumn       = "observation"
	maskColumn         = "legal_mask"
	legalColumn        = "legal"
	actionColumn       = "action"
	resultColumn       = "result"
	decidedColumn      = "decided"
	openingColumn      = "opening"
	fastColumn         = "fast"
	valueColumn        = "value"
	visitActionsColumn = "visit_actions"
	visitCountsColumn  = "visit_counts"
)

// Columns returns the columns of an export with the given options, in order.
func Columns(spec *env.Spec, o *Options) []Column {
	columns := []Column{
		{Name: episodeColumn, Type: int64Type, Description: "number of the episode in its run"},
		{Name: plyColumn, Type: int32Type, Description: "number of the ply, from 0"},
		{Name: playerColumn, Type: uint8Type, Description: "player to move: 0 for the first, 1 for the second"},
		{Name: hashColumn, Type: uint64Type, Description: "hash of the position"},
	}
	switch o.Observations {
	case Bits:
		columns = append(columns,
			Column{Name: bitsColumn, Type: uint64Type, Shape: []int{spec.ObservationBitWords()},
				Description: "bit planes: bit s%64 of word s/64 of a plane belongs to square s"},
			Column{Name: scalarsColumn, Type: uint8Type, Shape: []int{spec.ObservationScalars()},
				Description: "the values of uniform planes"})
	case Planes:
		columns = append(columns, Column{Name: planesColumn, Type: uint8Type, Shape: []int{len(spec.Planes), spec.Height, spec.Width},
			Description: "planes by [plane][y][x] in the mover's frame"})
	}
	switch o.Legal {
	case Mask:
		columns = append(columns, Column{Name: maskColumn, Type: uint64Type, Shape: []int{spec.MaskWords()},
			Description: "bit a%64 of word a/64 is 1 if action a is legal"})
	case List:
		columns = append(columns, Column{Name: legalColumn, Type: int32Type, List: true, Description: "the legal actions in ascending order"})
	}
	return append(columns,
		Column{Name: actionColumn, Type: int32Type, Description: "the action that was played"},
		Column{Name: resultColumn, Type: int8Type, Description: "1 if the mover won, -1 if it lost, 0 for a draw or a game without a result"},
		Column{Name: decidedColumn, Type: boolType, Description: "whether the game has a result: false if the limit of plies ended it"},
		Column{Name: openingColumn, Type: boolType, Description: "whether the action is one of the opening, which no agent chose"},
		Column{Name: fastColumn, Type: boolType, Description: "whether a playout cap shortened the search, so that the visits are not a policy target"},
		Column{Name: valueColumn, Type: float32Type, Description: "value of the search for the mover, -1 to 1; NaN or null without one"},
		Column{Name: visitActionsColumn, Type: int32Type, List: true, Description: "the actions that the search visited; empty without visits"},
		Column{Name: visitCountsColumn, Type: int32Type, List: true, Description: "the visits of each of them"},
	)
}

// size returns the bytes of one element.
func (c *Column) size() int {
	n, err := strconv.Atoi(c.Type[2:])
	if err != nil {
		panic("column type " + c.Type)
	}
	return n
}

// rowBytes returns the bytes of a row, without the elements of a list.
func (c *Column) rowBytes() int {
	if c.List {
		return 8
	}
	n := c.size()
	for _, d := range c.Shape {
		n *= d
	}
	return n
}

// isBlob reports whether a row is an array of fixed size.
func (c *Column) isBlob() bool { return len(c.Shape) > 0 }

// values are the values of a column in some rows.
type values struct {
	Column
	data    []byte  // little-endian
	offsets []int64 // of a list: the index of the first element of each row, and the end
}

func (v *values) reset() {
	v.data = v.data[:0]
	if v.List {
		v.offsets = append(v.offsets[:0], 0)
	}
}

// endList ends the list of a row.
func (v *values) endList() { v.offsets = append(v.offsets, int64(len(v.data)/v.size())) }

// blob returns the bytes of a row of a blob.
func (v *values) blob(row int) []byte {
	n := v.rowBytes()
	return v.data[row*n:][:n]
}

// bounds returns the first element of a row, and the end of its elements.
func (v *values) bounds(row int) (first, end int) {
	if v.List {
		return int(v.offsets[row]), int(v.offsets[row+1])
	}
	return row, row + 1
}

func (v *values) byte1(b uint8)    { v.data = append(v.data, b) }
func (v *values) number4(n int32)  { v.data = binary.LittleEndian.AppendUint32(v.data, uint32(n)) }
func (v *values) number8(n uint64) { v.data = binary.LittleEndian.AppendUint64(v.data, n) }

func (v *values) words(all []uint64) {
	from := len(v.data)
	v.data = slices.Grow(v.data, 8*len(all))[:from+8*len(all)]
	to := v.data[from:]
	for i, w := range all {
		binary.LittleEndian.PutUint64(to[8*i:], w)
	}
}
