package env_test

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
)

func head() *env.SnapshotHead {
	return &env.SnapshotHead{Mark: "TEST", Version: 3, Rules: [16]byte{1, 2, 3}, Name: "test/standard"}
}

func TestOnlyTheSnapshotOfAGameIsOpened(t *testing.T) {
	whole := env.Seal(append(head().Append([]byte{9, 9}), 7, 8), 2)[2:]
	body, err := head().Open(whole)
	if err != nil || !bytes.Equal(body, []byte{7, 8}) {
		t.Fatalf("opened is %v, %v", body, err)
	}
	otherMark, otherVersion, otherRules := head(), head(), head()
	otherMark.Mark, otherVersion.Version, otherRules.Rules[15] = "ELSE", 4, 1
	for _, c := range []struct {
		head *env.SnapshotHead
		data []byte
		want string
	}{
		{head(), nil, "no whole snapshot, which begins with TEST"},
		{head(), whole[:24], "no whole snapshot"},
		{otherMark, whole, "begins with ELSE"},
		{otherVersion, whole, "version is 3, must be 4"},
		{otherRules, whole, "it belongs to other rules than test/standard"},
	} {
		if _, err := c.head.Open(c.data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error is %v, must say %q", err, c.want)
		}
	}
	for i := 5; i < len(whole); i++ {
		damaged := slices.Clone(whole)
		damaged[i] ^= 1
		if _, err := head().Open(damaged); err == nil || !strings.Contains(err.Error(), "the checksum is wrong") {
			t.Errorf("byte %d damaged: error is %v", i, err)
		}
	}
}

// The number is the check value of CRC-32C for "123456789" (RFC 3720, B.4, has others).
func TestTheSealIsCRC32C(t *testing.T) {
	if got, want := env.Seal([]byte("123456789"), 0)[9:], []byte{0x83, 0x92, 0x06, 0xe3}; !bytes.Equal(got, want) {
		t.Errorf("seal is %x, want %x", got, want)
	}
	if _, err := env.Unseal([]byte{0, 0, 0}); err == nil {
		t.Error("three bytes are unsealed")
	}
}

func TestCountsComeBack(t *testing.T) {
	data := env.AppendCounts([]byte{5}, 0, 300, math.MaxInt32)
	var a, b, c int32
	rest, err := env.RestoreCounts(append(data, 6)[1:], &a, &b, &c)
	if err != nil || a != 0 || b != 300 || c != math.MaxInt32 || !bytes.Equal(rest, []byte{6}) {
		t.Errorf("they are %d %d %d, rest %v, %v", a, b, c, rest, err)
	}
	if _, err := env.RestoreCounts(data[1:12], &a, &b, &c); err == nil || err.Error() != "1 of 3 numbers are missing" {
		t.Errorf("a part: %v", err)
	}
	if _, err := env.RestoreCounts([]byte{0, 0, 0, 128}, &a); err == nil || !strings.Contains(err.Error(), "too great") {
		t.Errorf("2^31: %v", err)
	}
}
