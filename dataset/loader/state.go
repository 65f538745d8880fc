package loader

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset"
)

// stateVersion is the version of a saved state.
const stateVersion = 1

// A savedState is the JSON form of a place in the stream.
type savedState struct {
	Version int         `json:"version"`
	Options Options     `json:"options"`
	Rules   string      `json:"rules"`
	Block   uint64      `json:"block,string"`
	Draw    uint64      `json:"draw,string"` // first of the block
	Offset  int         `json:"offset"`      // rows of the block that were taken
	Views   []savedView `json:"views"`       // of the block, of the next one, and of those after it
}

// A savedView is a view, or the same view as the one before it if it has no sets.
type savedView struct {
	Sets  []savedSet `json:"sets,omitempty"`
	Fresh float64    `json:"fresh,omitempty"`
}

// A savedSet is what a view sees of one data set.
type savedSet struct {
	Run     string       `json:"run"`
	Shards  dataset.Jobs `json:"shards"` // their numbers
	Digest  string       `json:"digest"` // of their files
	Weights []byte       `json:"weights,omitempty"`
}

// Save returns the place in the stream. A prepared batch that was not filled comes after
// it.
func (l *Loader) Save() []byte {
	state := savedState{
		Version: stateVersion, Options: l.options, Rules: l.digest, Block: l.start.number, Draw: l.start.draw, Offset: l.offset,
	}
	state.Options.Threads = 0
	var last *view
	for _, v := range []*view{l.start.views[0], l.start.views[1], l.latest} {
		saved := savedView{}
		if v != last {
			saved = v.save()
		}
		state.Views = append(state.Views, saved)
		last = v
	}
	data, err := json.Marshal(state)
	if err != nil {
		panic(fmt.Sprintf("encoding a loader state: %v", err)) // cannot happen: every number is finite
	}
	return data
}

func (v *view) save() savedView {
	saved := savedView{Fresh: v.fresh}
	for _, source := range v.sources {
		one := savedSet{Run: source.reader.Manifest().Run, Digest: digest(source.shards)}
		for _, s := range source.shards {
			one.Shards.Append(s.Number)
			for _, w := range v.shardWeights(s) {
				one.Weights = binary.LittleEndian.AppendUint64(one.Weights, math.Float64bits(w))
			}
		}
		saved.Sets = append(saved.Sets, one)
	}
	return saved
}

// shardWeights returns the weights of the episodes of a shard, or nil if all are equal.
func (v *view) shardWeights(s *shard) []float64 {
	if v.weights == nil {
		return nil
	}
	if given := v.weights[s]; given != nil {
		return given
	}
	return slices.Repeat([]float64{v.fresh}, int(s.Episodes.Rows))
}

// digest returns a digest of the files of shards.
func digest(shards []*shard) string {
	h := sha256.New()
	for _, s := range shards {
		fmt.Fprintln(h, s.Number, s.Episodes.SHA256, s.Steps.SHA256)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Restore moves to a place in the stream that Save returned, of this loader or of another
// one with the same data sets and options. The number of threads may differ, and the data
// sets may have more shards. After an error the loader is unchanged.
func (l *Loader) Restore(data []byte) error {
	var state savedState
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&state); err != nil {
		return fmt.Errorf("loader state: %w", err)
	}
	if err := l.comparable(&state); err != nil {
		return fmt.Errorf("loader state: %w", err)
	}
	now, err := l.look(l.latest)
	if err != nil {
		return err
	}
	var views []*view
	for i, saved := range state.Views {
		if i > 0 && saved.Sets == nil {
			views = append(views, views[i-1])
			continue
		}
		v, err := l.restoreView(saved, now)
		if err != nil {
			return fmt.Errorf("loader state: %w", err)
		}
		views = append(views, v)
	}
	if l.ctx.Err() != nil {
		return errors.New("the loader is closed")
	}
	l.Close()
	l.ctx, l.cancel = context.WithCancel(context.Background())
	l.current, l.next, l.prepared, l.untouched = nil, nil, Sizes{}, false
	l.start = place{number: state.Block, draw: state.Draw, views: [2]*view{views[0], views[1]}}
	l.offset, l.latest = state.Offset, views[2]
	return nil
}

// comparable checks that a state belongs to a loader like this one.
func (l *Loader) comparable(state *savedState) error {
	switch {
	case state.Version != stateVersion:
		return fmt.Errorf("its version is %d, must be %d", state.Version, stateVersion)
	case state.Rules != l.digest:
		return fmt.Errorf("it belongs to the rules %s, the data sets have %s", state.Rules, l.digest)
	case len(state.Views) != 3 || state.Offset < 0:
		return errors.New("it is damaged")
	}
	own := l.options
	own.Threads = 0
	theirs, mine := fields(state.Options), fields(own)
	for _, name := range slices.Sorted(maps.Keys(mine)) {
		if !bytes.Equal(mine[name], theirs[name]) {
			return fmt.Errorf("its option %s is %s, must be %s as in this loader", name, theirs[name], mine[name])
		}
	}
	return nil
}

// fields returns the JSON form of each option.
func fields(o Options) map[string]json.RawMessage {
	data, err := json.Marshal(o)
	if err != nil {
		panic(fmt.Sprintf("encoding options: %v", err)) // cannot happen: every number is finite
	}
	all := map[string]json.RawMessage{}
	if err := json.Unmarshal(data, &all); err != nil {
		panic(fmt.Sprintf("decoding options: %v", err)) // cannot happen
	}
	return all
}

// restoreView returns a view with the shards of now that a saved view names.
func (l *Loader) restoreView(saved savedView, now *view) (*view, error) {
	if len(saved.Sets) != len(now.sources) {
		return nil, fmt.Errorf("it has %d data sets, the loader has %d", len(saved.Sets), len(now.sources))
	}
	v := &view{fresh: saved.Fresh}
	for i, one := range saved.Sets {
		from := now.sources[i]
		dir := from.reader.Dir()
		if run := from.reader.Manifest().Run; run != one.Run {
			return nil, fmt.Errorf("%s has the run %s, must be %s", dir, run, one.Run)
		}
		source := &source{index: from.index, reader: from.reader}
		episodes := int64(0)
		for _, s := range from.shards {
			if one.Shards.Has(s.Number) {
				source.shards = append(source.shards, s)
				episodes += s.Episodes.Rows
			}
		}
		if digest(source.shards) != one.Digest {
			return nil, fmt.Errorf("%s lacks some of the shards %s, or their files differ", dir, one.Shards)
		}
		if len(one.Weights) > 0 {
			if int64(len(one.Weights)) != 8*episodes {
				return nil, fmt.Errorf("%s has %d episodes in the shards %s, but %d bytes of weights", dir, episodes, one.Shards, len(one.Weights))
			}
			if v.weights == nil {
				v.weights = map[*shard][]float64{}
			}
			rest := one.Weights
			for _, s := range source.shards {
				for range s.Episodes.Rows {
					v.weights[s] = append(v.weights[s], math.Float64frombits(binary.LittleEndian.Uint64(rest)))
					rest = rest[8:]
				}
			}
		}
		v.sources = append(v.sources, source)
	}
	return v, nil
}
