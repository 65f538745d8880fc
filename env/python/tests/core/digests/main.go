// Command digests prints a checksum of all outputs of batches, which the tests of the
// Python package compare with those of the same batches in Python. It plays every preset
// in every autoreset mode, with and without an opponent, and prints a JSON object for
// each.
package main

import (
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"hash/crc32"
	"os"
	"reflect"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/vec"
)

// A run is a batch and the checksum of what it wrote.
type run struct {
	Variant     string `json:"variant"`
	Autoreset   string `json:"autoreset"`
	Opponent    bool   `json:"opponent"` // whether there is a random opponent
	N           int    `json:"n"`
	Steps       int    `json:"steps"`
	Seed        uint64 `json:"seed"`
	MaxPlies    int    `json:"max_plies"`
	RandomPlies int    `json:"random_plies"`
	Digest      uint32 `json:"digest"`
}

func main() {
	n := flag.Int("n", 32, "slots of a batch")
	steps := flag.Int("steps", 90, "steps of a batch")
	flag.Parse()
	if err := print(*n, *steps); err != nil {
		fmt.Fprintln(os.Stderr, "digests:", err)
		os.Exit(1)
	}
}

func print(n, steps int) error {
	out := json.NewEncoder(os.Stdout)
	for i, name := range games.Presets() {
		for mode := vec.NextStep; mode <= vec.Disabled; mode++ {
			r := run{
				Variant: name, Autoreset: mode.String(), Opponent: (i+int(mode))%2 == 0,
				N: n, Steps: steps, Seed: uint64(i), MaxPlies: 70, RandomPlies: 3 * (i % 2),
			}
			if err := r.play(mode); err != nil {
				return err
			}
			if err := out.Encode(r); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *run) play(mode vec.Autoreset) error {
	variant, err := games.Lookup(r.Variant)
	if err != nil {
		return err
	}
	options := vec.Options{Autoreset: mode, MaxPlies: r.MaxPlies, RandomPlies: r.RandomPlies, Goroutines: 1}
	if r.Opponent {
		options.Opponent = vec.Random{}
	}
	batch, err := vec.New(variant.Game, r.N, options)
	if err != nil {
		return err
	}
	defer batch.Close()
	if err := batch.Reset(r.Seed); err != nil {
		return err
	}
	actions := make([]env.Action, r.N)
	ended := make([]bool, r.N)
	for range r.Steps {
		if err := r.add(batch); err != nil {
			return err
		}
		if mode == vec.Disabled {
			for i := range ended {
				ended[i] = batch.Terminated[i] || batch.Truncated[i]
			}
			if slices.Contains(ended, true) {
				if err := batch.ResetSlots(ended); err != nil {
					return err
				}
			}
		}
		if err := batch.SampleActions(actions); err != nil {
			return err
		}
		if err := batch.Step(actions); err != nil {
			return err
		}
	}
	return r.add(batch)
}

// add adds the outputs to the checksum, in the order of their fields.
func (r *run) add(batch *vec.Vec) error {
	sum := crc32.NewIEEE()
	if err := binary.Write(sum, binary.LittleEndian, r.Digest); err != nil {
		return err
	}
	outputs := reflect.ValueOf(&batch.Results).Elem()
	for i := range outputs.NumField() {
		if err := binary.Write(sum, binary.LittleEndian, outputs.Field(i).Interface()); err != nil {
			return err
		}
	}
	r.Digest = sum.Sum32()
	return nil
}
