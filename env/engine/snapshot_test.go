package engine_test

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env/engine"
	"github.com/sandtable-farm/sandtable/env/variant"
)

type rules struct {
	variant.Header
	Number int `json:"number"`
}

func (r *rules) Validate() error {
	if r.Number < 0 {
		return errors.New("number is negative")
	}
	return nil
}

func head(mark string, version byte, number int) *engine.SnapshotHead {
	h := engine.NewSnapshotHead(mark, version, &rules{variant.Header{Game: "test", Name: "test/standard"}, number}, 1)
	return &h
}

// opened returns what Restore gives to an engine.
func opened(h *engine.SnapshotHead, data []byte) (inside []byte, err error) {
	err = h.Restore(data, func(body []byte) error {
		inside = body
		return nil
	})
	return inside, err
}

// past ends the snapshot of a state whose history is empty: 5 quiet plies, 6 plies,
// the occurrences and the number of the keys.
var past = []byte{5, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

// whole returns a snapshot with such a past, in which an engine has stored a body.
func whole(h *engine.SnapshotHead, body ...byte) []byte {
	store := func(dst []byte) []byte { return append(dst, body...) }
	return h.Append([]byte{9, 9}, store, &engine.Base{Turn: engine.Turn{Quiet: 5, Plies: 6}})[2:]
}

func TestOnlyTheSnapshotOfAGameIsOpened(t *testing.T) {
	test := head("TEST", 3, 7)
	whole := whole(test, 7, 8)
	if begin := append([]byte("TEST"), 3); !bytes.HasPrefix(whole, begin) || len(whole) != 5+16+2+16+4 {
		t.Errorf("the snapshot is %v", whole)
	}
	body, err := opened(test, whole)
	if err != nil || !bytes.Equal(body, append([]byte{7, 8}, past...)) {
		t.Fatalf("opened is %v, %v", body, err)
	}
	for _, c := range []struct {
		head *engine.SnapshotHead
		data []byte
		want string
	}{
		{test, nil, "not a whole snapshot, which begins with TEST"},
		{test, whole[:24], "not a whole snapshot"},
		{head("ELSE", 3, 7), whole, "begins with ELSE"},
		{head("TEST", 4, 7), whole, "version is 3, must be 4"},
		{head("TEST", 3, 8), whole, "the snapshot belongs to rules other than test/standard"},
	} {
		if _, err := opened(c.head, c.data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error is %v, must say %q", err, c.want)
		}
	}
	for i := 5; i < len(whole); i++ {
		damaged := slices.Clone(whole)
		damaged[i] ^= 1
		if _, err := opened(test, damaged); err == nil || !strings.Contains(err.Error(), "the checksum is wrong") {
			t.Errorf("byte %d damaged: error is %v", i, err)
		}
	}
}

// The number is the check value of CRC-32C for "123456789" (RFC 3720, B.4, has others).
func TestTheSealIsCRC32C(t *testing.T) {
	if got, want := engine.Seal([]byte("123456789"), 0)[9:], []byte{0x83, 0x92, 0x06, 0xe3}; !bytes.Equal(got, want) {
		t.Errorf("seal is %x, want %x", got, want)
	}
	if _, err := engine.Unseal([]byte{0, 0, 0}); err == nil {
		t.Error("three bytes are unsealed")
	}
}

func TestCountsComeBack(t *testing.T) {
	data := engine.AppendCounts([]byte{5}, 0, 300, math.MaxInt32)
	var a, b, c int32
	rest, err := engine.RestoreCounts(append(data, 6)[1:], &a, &b, &c)
	if err != nil || a != 0 || b != 300 || c != math.MaxInt32 || !bytes.Equal(rest, []byte{6}) {
		t.Errorf("they are %d %d %d, rest %v, %v", a, b, c, rest, err)
	}
	if _, err := engine.RestoreCounts(data[1:12], &a, &b, &c); err == nil || err.Error() != "1 of 3 numbers are missing" {
		t.Errorf("a part: %v", err)
	}
	if _, err := engine.RestoreCounts([]byte{0, 0, 0, 128}, &a); err == nil || !strings.Contains(err.Error(), "too great") {
		t.Errorf("2^31: %v", err)
	}
}
