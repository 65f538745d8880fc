package vec_test

import (
	"encoding/binary"
	"hash/crc32"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/vec"
)

func save(t testing.TB, v *vec.Vec) []byte {
	t.Helper()
	data, err := v.Save([]byte{9})
	if err != nil {
		t.Fatal(err)
	}
	if data[0] != 9 {
		t.Fatal("Save does not append")
	}
	return data[1:]
}

func TestALoadedBatchGoesOnAsTheSavedOne(t *testing.T) {
	for i, way := range ways(t) {
		t.Run(way.name, func(t *testing.T) {
			options := way.options
			options.Autoreset = modes[i%2]
			v, restored := newVec(t, way.game, 3, options), newVec(t, way.game, 3, options)
			reset(t, v, 8)
			for range 37 {
				step(t, v, sample(t, v))
			}
			if err := restored.Load(save(t, v)); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(save(t, v), save(t, restored)) {
				t.Fatal("saved again, the bytes differ")
			}
			for n := range 60 {
				if !reflect.DeepEqual(positions(v.Results), positions(restored.Results)) {
					t.Fatalf("step %d: positions differ", n)
				}
				if n > 0 && !(slices.Equal(v.Reward, restored.Reward) && slices.Equal(v.Terminated, restored.Terminated) &&
					slices.Equal(v.Truncated, restored.Truncated)) {
					t.Fatalf("step %d: rewards or flags differ", n)
				}
				a, b := sample(t, v), sample(t, restored)
				if !slices.Equal(a, b) {
					t.Fatalf("step %d: other actions are sampled", n)
				}
				step(t, v, a)
				step(t, restored, b)
			}
		})
	}
}

// positions are the results that describe where the slots are.
func positions(r vec.Results) vec.Results {
	return vec.Results{Obs: r.Obs, Bits: r.Bits, Scalars: r.Scalars, LegalOffsets: r.LegalOffsets, LegalActions: r.LegalActions,
		Mask: r.Mask, ToMove: r.ToMove, Viewer: r.Viewer}
}

func TestALoadedSlotGoesOnAsTheSavedOne(t *testing.T) {
	g := game(t, "trench/standard")
	v := newVec(t, g, 3, vec.Options{MaxPlies: 50})
	reset(t, v, 5)
	for range 20 {
		step(t, v, sample(t, v))
	}
	saved, err := v.SaveSlot(nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	type moment struct {
		action env.Action
		hash   uint64
	}
	play := func() (moments []moment) {
		for range 90 {
			a := sample(t, v)
			step(t, v, a)
			moments = append(moments, moment{a[1], v.State(1).Hash()})
		}
		return moments
	}
	before := play()
	if err := v.LoadSlot(1, saved); err != nil {
		t.Fatal(err)
	}
	if v.Reward[2] != 0 || v.Terminated[1] || v.Truncated[1] {
		t.Error("the loaded slot describes a step that it has not made")
	}
	if after := play(); !slices.Equal(before, after) {
		t.Error("the slot continues differently")
	}
}

func TestALoadedSlotThatIsFinishedSaysSo(t *testing.T) {
	g := game(t, "trench/standard")
	v := newVec(t, g, 2, vec.Options{MaxPlies: 3})
	reset(t, v, 5)
	for range 3 {
		step(t, v, sample(t, v))
	}
	before := copied(v.Results)
	other := newVec(t, g, 2, vec.Options{MaxPlies: 3})
	if err := other.Load(save(t, v)); err != nil {
		t.Fatal(err)
	}
	if !other.Truncated[0] || len(other.LegalActions) != 0 || !reflect.DeepEqual(positions(before), positions(other.Results)) {
		t.Error("the loaded slots are not finished as the saved ones were")
	}
}

func TestBytesThatAreNoSaveOfThisBatchAreRefused(t *testing.T) {
	g := game(t, "trench/standard")
	v := newVec(t, g, 3, vec.Options{MaxPlies: 50})
	reset(t, v, 5)
	for range 9 {
		step(t, v, sample(t, v))
	}
	good, before := save(t, v), copied(v.Results)
	refuse := func(what string, data []byte, words ...string) {
		t.Helper()
		err := v.Load(data)
		if err == nil {
			t.Fatalf("%s is accepted", what)
		}
		for _, word := range words {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%s: error is %v, must speak of %q", what, err, word)
			}
		}
	}
	r := env.NewRand(2)
	for n := range len(good) {
		if n%7 == 0 {
			refuse("a part", good[:n])
			changed := slices.Clone(good)
			changed[n] ^= 1 << r.IntN(8)
			refuse("a changed bit", changed)
		}
	}
	refuse("nothing", nil, "not a saved batch")
	refuse("one byte more", append(slices.Clone(good), 0))
	// Forged bytes have a correct checksum.
	forge := func(change func([]byte)) []byte {
		body := slices.Clone(good[:len(good)-4])
		change(body)
		return binary.LittleEndian.AppendUint32(body, crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)))
	}
	const slot = 4 + 1 + 8 + 4 + 4 // where the first slot begins
	refuse("another version", forge(func(b []byte) { b[4] = 9 }), "version 9", "must be 1")
	refuse("many slots", forge(func(b []byte) { b[16] = 0x7f }), "do not fit")
	refuse("a long slot", forge(func(b []byte) { b[slot-1] = 1 }), "slot 0")
	refuse("a short slot", forge(func(b []byte) { b[slot-4], b[slot-3] = 3, 0 }), "slot 0")
	refuse("a negative episode", forge(func(b []byte) { b[slot+7] = 0x80 }), "contradict")
	refuse("a seat", forge(func(b []byte) { b[slot+16] = 1 }), "with an Opponent")
	refuse("no such viewer", forge(func(b []byte) { b[slot+17] = 2 }), "contradict")
	refuse("no such ending", forge(func(b []byte) { b[slot+18] = 3 }), "contradict")
	refuse("no generator", forge(func(b []byte) { b[slot+19] = 0 }))
	refuse("too many plies", forge(func(b []byte) { b[slot+8] = 50 }), "MaxPlies")
	refuse("a damaged state", forge(func(b []byte) { b[slot+70] ^= 1 }), "slot 0")

	other := newVec(t, game(t, "trench/general"), 3, vec.Options{MaxPlies: 50})
	reset(t, other, 1)
	refuse("another variant's", save(t, other), "slot 0")
	opposed := newVec(t, g, 3, vec.Options{MaxPlies: 50, Opponent: vec.Random{}})
	reset(t, opposed, 1)
	refuse("that of a batch with an opponent", save(t, opposed), "with an Opponent")
	if err := opposed.Load(good); err == nil || !strings.Contains(err.Error(), "without an Opponent") {
		t.Errorf("that of a batch without an opponent: %v", err)
	}
	small := newVec(t, g, 2, vec.Options{MaxPlies: 50})
	reset(t, small, 1)
	refuse("that of a smaller batch", save(t, small), "2 slots", "must be 3")
	if err := v.LoadSlot(0, good); err == nil {
		t.Error("a whole batch is loaded into a slot")
	}
	if !reflect.DeepEqual(copied(v.Results), before) || !slices.Equal(save(t, v), good) {
		t.Error("the refused bytes have changed the batch")
	}
}

func TestAGameWithoutSnapshotsSaysSo(t *testing.T) {
	v := newVec(t, bareGame{game(t, "ntxuva/basic")}, 1, vec.Options{})
	if _, err := v.Save(nil); err == nil {
		t.Error("a batch is saved before it is reset")
	}
	reset(t, v, 1)
	if _, err := v.Save(nil); err == nil || !strings.Contains(err.Error(), "ntxuva/basic") {
		t.Errorf("error is %v", err)
	}
	if _, err := v.SaveSlot(nil, 0); err == nil {
		t.Error("a slot without snapshots is saved")
	}
}

func TestSlotsThatDoNotExistAreRefused(t *testing.T) {
	v := newVec(t, game(t, "ntxuva/basic"), 2, vec.Options{})
	reset(t, v, 1)
	one, err := v.SaveSlot(nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{-1, 2} {
		if _, err := v.SaveSlot(nil, i); err == nil {
			t.Errorf("slot %d is saved", i)
		}
		if v.LoadSlot(i, one) == nil {
			t.Errorf("slot %d is loaded", i)
		}
		if v.Set(i, v.Game().Spec().StartText) == nil {
			t.Errorf("slot %d is set", i)
		}
	}
}

// Load refuses bytes and leaves the batch unchanged, or accepts them, and then the
// batch can play.
func FuzzLoad(f *testing.F) {
	g := game(f, "ntxuva/basic")
	options := vec.Options{MaxPlies: 30}
	v := newVec(f, g, 2, options)
	reset(f, v, 1)
	for range 3 {
		f.Add(save(f, v))
		for range 16 {
			step(f, v, sample(f, v))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v := newVec(t, g, 2, options)
		reset(t, v, 7)
		before := save(t, v)
		// With a correct checksum, damage reaches the code behind that check.
		if n := len(data) - 4; n > 0 {
			data = binary.LittleEndian.AppendUint32(slices.Clone(data[:n]), crc32.Checksum(data[:n], crc32.MakeTable(crc32.Castagnoli)))
		}
		if v.Load(data) != nil {
			if !slices.Equal(save(t, v), before) {
				t.Fatal("refused bytes have changed the batch")
			}
			return
		}
		for range 40 {
			step(t, v, sample(t, v))
		}
	})
}
