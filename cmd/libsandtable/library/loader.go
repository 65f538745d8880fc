package library

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unsafe"

	"github.com/sandtable-farm/sandtable/dataset/loader"
)

// dataLoader is a loader with the sizes of its prepared batch.
type dataLoader struct {
	loader *loader.Loader
	sizes  loader.Sizes
}

func (*dataLoader) what() string { return "loader" }

// Close implements io.Closer.
func (d *dataLoader) Close() error {
	d.loader.Close()
	return nil
}

// OpenLoader opens a loader. text is a JSON object with the members dirs, the folders of
// the data sets, and options; see loader.Options.
func (l *Library) OpenLoader(text []byte) (n int64, err error) {
	defer recovered(&err)
	var from struct {
		Dirs    []string        `json:"dirs"`
		Options json.RawMessage `json:"options"`
	}
	if err := decode(text, "loader", &from); err != nil {
		return 0, err
	}
	options := loader.Default()
	if from.Options != nil {
		if options, err = loader.ParseOptions(from.Options); err != nil {
			return 0, err
		}
	}
	opened, err := loader.Open(from.Dirs, options)
	if err != nil {
		return 0, err
	}
	return l.open(&dataLoader{loader: opened}), nil
}

// DescribeLoader writes the variant, the digest of the rules and the rules of a loader as
// JSON. They do not change.
func (l *Library) DescribeLoader(handle int64, buffer []byte) (int64, error) {
	return use(l, handle, func(d *dataLoader) (int64, error) {
		settings := d.loader.Settings()
		text, err := json.Marshal(map[string]any{"variant": settings.Variant, "digest": settings.Digest, "rules": settings.Rules})
		return put(buffer, text), err
	})
}

// Prepare prepares a batch of at most rows rows, and returns their number: 0 at the end of
// the stream. It may return Pending.
func (l *Library) Prepare(handle, rows int64) (int64, error) {
	return useEntry(l, handle, func(e *entry, d *dataLoader) (int64, error) {
		return e.start(false, func(ctx context.Context) (int64, error) {
			var err error
			d.sizes, err = d.loader.Prepare(ctx, int(rows))
			if errors.Is(err, io.EOF) {
				return 0, nil
			}
			return int64(d.sizes.Rows), err
		})
	})
}

// Sizes sets sizes to those of the prepared batch: rows, legal actions, and actions of
// replies.
func (l *Library) Sizes(handle int64, sizes []int64) (int64, error) {
	return use(l, handle, func(d *dataLoader) (int64, error) {
		s := [...]int64{int64(d.sizes.Rows), int64(d.sizes.Legal), int64(d.sizes.Next)}
		if err := length("sizes", len(sizes), len(s)); err != nil {
			return 0, err
		}
		copy(sizes, s[:])
		return 0, nil
	})
}

// Fill writes the prepared batch to memory, which has a piece for each field of
// loader.Batch, in their order. It returns the number of rows.
func (l *Library) Fill(handle int64, memory [][]byte) (int64, error) {
	return use(l, handle, func(d *dataLoader) (int64, error) {
		b, err := batchIn(memory)
		if err != nil {
			return 0, err
		}
		return int64(d.sizes.Rows), d.loader.Fill(b)
	})
}

// batchIn returns a batch in the caller's memory.
func batchIn(memory [][]byte) (*loader.Batch, error) {
	const arrays = 19
	if len(memory) != arrays {
		return nil, faultf(Value, "memory for %d arrays, must be for %d", len(memory), arrays)
	}
	b, err := new(loader.Batch), error(nil)
	fieldOf(&err, &b.Bits, "bits", memory[0])
	fieldOf(&err, &b.Scalars, "scalars", memory[1])
	fieldOf(&err, &b.LegalOffsets, "legal_offsets", memory[2])
	fieldOf(&err, &b.LegalActions, "legal_actions", memory[3])
	fieldOf(&err, &b.Policy, "policy", memory[4])
	fieldOf(&err, &b.PolicyWeight, "policy_weight", memory[5])
	fieldOf(&err, &b.Value, "value", memory[6])
	fieldOf(&err, &b.ValueWeight, "value_weight", memory[7])
	fieldOf(&err, &b.WDL, "wdl", memory[8])
	fieldOf(&err, &b.Score, "score", memory[9])
	fieldOf(&err, &b.SearchValue, "search_value", memory[10])
	fieldOf(&err, &b.NextOffsets, "next_offsets", memory[11])
	fieldOf(&err, &b.NextActions, "next_actions", memory[12])
	fieldOf(&err, &b.NextPolicy, "next_policy", memory[13])
	fieldOf(&err, &b.Weight, "weight", memory[14])
	fieldOf(&err, &b.Episode, "episode", memory[15])
	fieldOf(&err, &b.Set, "set", memory[16])
	fieldOf(&err, &b.Ply, "ply", memory[17])
	fieldOf(&err, &b.Symmetry, "symmetry", memory[18])
	return b, err
}

// fieldOf makes *to all elements in a piece of memory.
func fieldOf[T any](err *error, to *[]T, name string, memory []byte) {
	var element T
	set(err, to, name, memory, len(memory)/int(unsafe.Sizeof(element)))
}

// SaveLoader writes the place in the stream of a loader.
func (l *Library) SaveLoader(handle int64, buffer []byte) (int64, error) {
	return use(l, handle, func(d *dataLoader) (int64, error) { return put(buffer, d.loader.Save()), nil })
}

// RestoreLoader moves a loader to a place that SaveLoader has written. It may return
// Pending.
func (l *Library) RestoreLoader(handle int64, state []byte) (int64, error) {
	return useEntry(l, handle, func(e *entry, d *dataLoader) (int64, error) {
		state := append([]byte(nil), state...)
		return e.start(false, func(context.Context) (int64, error) { return 0, d.loader.Restore(state) })
	})
}

// Refresh looks for new episodes of a loader and returns the number of all episodes.
func (l *Library) Refresh(handle int64) (int64, error) {
	return use(l, handle, func(d *dataLoader) (int64, error) { return d.loader.Refresh() })
}

// Episodes sets sets and numbers to the data sets and numbers of all episodes of a loader,
// oldest first, if they are long enough, and returns the number of episodes.
func (l *Library) Episodes(handle int64, sets []int32, numbers []int64) (int64, error) {
	return use(l, handle, func(d *dataLoader) (int64, error) {
		allSets, allNumbers := d.loader.Episodes()
		if len(sets) != len(numbers) {
			return 0, fmt.Errorf("%d sets and %d numbers, must be equally many", len(sets), len(numbers))
		}
		if len(sets) >= len(allSets) {
			copy(sets, allSets)
			copy(numbers, allNumbers)
		}
		return int64(len(allSets)), nil
	})
}

// SetWeights sets the weights of the episodes of a loader, in the order of Episodes.
func (l *Library) SetWeights(handle int64, weights []float64) (int64, error) {
	return use(l, handle, func(d *dataLoader) (int64, error) { return 0, d.loader.SetWeights(weights) })
}
