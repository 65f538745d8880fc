package loader

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
)

// Options determine the stream of positions. The JSON names are those of the fields of a
// settings file. Threads is the only option that does not change the stream.
type Options struct {
	// Shuffle is the least number of positions in a block, which are shuffled together. A
	// batch must not be larger. The default is 65,536.
	Shuffle int `json:"shuffle"`
	// Window limits the episodes that take part by their age.
	Window Window `json:"window"`
	// Positions is the number of positions of each drawn episode, chosen uniformly; 0, the
	// default, takes all.
	Positions int `json:"positions"`
	// MinPly leaves out the positions before this ply.
	MinPly int `json:"min_ply"`
	// Openings keeps the positions in which the opening was played. They have no policy
	// target.
	Openings bool `json:"openings"`
	// DropFast leaves out the positions whose search a playout cap shortened. Otherwise
	// they have a value target and no policy target.
	DropFast bool `json:"drop_fast"`
	// KeepTruncated keeps the positions of truncated games. They have no value target.
	KeepTruncated bool `json:"keep_truncated"`
	// Symmetry replaces each position by its image under a symmetry of the game, which is
	// drawn uniformly from all of them with the identity.
	Symmetry bool `json:"symmetry"`
	// Epochs ends the stream after every episode was drawn this often, in a new random order
	// each time. With 0, the default, episodes are drawn with replacement and without end.
	Epochs int `json:"epochs"`
	// Correction is the exponent of the importance weights of prioritised draws: Weight is
	// (mean / weight of the episode) to this power. It must be from 0 to 1; the default is 0.
	Correction float64 `json:"correction"`
	Seed       uint64  `json:"seed,string"`
	// Of all draws, this loader takes those whose number is Rank modulo World, so that
	// several processes share the work. The defaults are 0 and 1.
	Rank  int `json:"rank"`
	World int `json:"world"`
	// Threads is the number of goroutines that replay; 0, the default, means GOMAXPROCS.
	Threads int `json:"threads,omitempty"`
}

// A Window limits the episodes that take part to the newest. Data sets are ordered as they
// are given, oldest first, and the episodes of a data set in the order of its shards. At
// most one of its limits is given; the zero value takes every episode.
type Window struct {
	Episodes int64   `json:"episodes,omitempty"` // the newest episodes
	Growing  Growing `json:"growing,omitzero"`
}

// Growing is the window of KataGo: of N plies in all data sets, the newest
// c·(1 + β·((N/c)^α − 1)/α) take part, whole episodes, and all of them if N is less than c.
type Growing struct {
	Plies int64   `json:"plies"` // c; KataGo uses 250,000
	Alpha float64 `json:"alpha"` // α, above 0 and up to 1; KataGo uses 0.75
	Beta  float64 `json:"beta"`  // β, above 0 and up to 1; KataGo uses 0.4
}

// Default returns the options that a missing field of a settings file has.
func Default() Options { return Options{Shuffle: 65536, World: 1} }

// ParseOptions reads options from JSON. Unknown fields are an error.
func ParseOptions(text []byte) (Options, error) {
	o := Default()
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&o); err != nil {
		return o, fmt.Errorf("loader options: %w", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return o, errors.New("loader options: data after the object")
	}
	return o, o.Validate()
}

// maxShuffle keeps the indices of the rows of a block in 32 bits.
const maxShuffle = 1 << 28

// Validate checks the ranges of the options.
func (o *Options) Validate() error {
	g := o.Window.Growing
	switch {
	case o.Shuffle < 1 || o.Shuffle > maxShuffle:
		return fmt.Errorf("shuffle is %d, must be from 1 to %d", o.Shuffle, maxShuffle)
	case o.Window.Episodes < 0:
		return fmt.Errorf("window: episodes is %d, must be 0 (all) or more", o.Window.Episodes)
	case g != Growing{} && o.Window.Episodes > 0:
		return errors.New("window: episodes and growing exclude each other")
	case g != Growing{} && !(g.Plies >= 1 && g.Alpha > 0 && g.Alpha <= 1 && g.Beta > 0 && g.Beta <= 1):
		return fmt.Errorf("window: growing has plies %d, alpha %v and beta %v; plies must be 1 or more, and alpha and beta above 0 and at most 1", g.Plies, g.Alpha, g.Beta)
	case o.Positions < 0:
		return fmt.Errorf("positions is %d, must be 0 (all) or more", o.Positions)
	case o.MinPly < 0:
		return fmt.Errorf("min_ply is %d, must be 0 or more", o.MinPly)
	case o.Epochs < 0:
		return fmt.Errorf("epochs is %d, must be 0 (without end) or more", o.Epochs)
	case !(o.Correction >= 0 && o.Correction <= 1):
		return fmt.Errorf("correction is %v, must be from 0 to 1", o.Correction)
	case o.World < 1:
		return fmt.Errorf("world is %d, must be 1 or more", o.World)
	case o.Rank < 0 || o.Rank >= o.World:
		return fmt.Errorf("rank is %d, must be from 0 to %d", o.Rank, o.World-1)
	case o.Threads < 0:
		return fmt.Errorf("threads is %d, must be 0 (GOMAXPROCS) or more", o.Threads)
	}
	return nil
}

func (o *Options) threads() int {
	if o.Threads == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return o.Threads
}
