package dataset

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math/bits"
)

// A Digest is a hash of a set of episodes that does not depend on their order or on how
// they are divided into shards, runs and data sets. It combines the number of episodes
// with the sum modulo 2²⁵⁶ of the SHA-256 of each one's canonical encoding (wire.go),
// which omits the run. An episode that occurs twice counts twice. The construction is
// AdHash (Bellare and Micciancio, "A New Paradigm for Collision-Free Hashing", Eurocrypt
// 1997). It detects accidental differences, but it does not resist deliberate collisions.
//
// The zero value is the digest of no episodes.
type Digest struct {
	count  uint64
	sum    [4]uint64 // little-endian words
	buffer []byte
}

// Add adds an episode.
func (d *Digest) Add(ep *Episode) {
	d.buffer = appendCanonical(d.buffer[:0], ep)
	hash := sha256.Sum256(d.buffer)
	var words [4]uint64
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(hash[8*i:])
	}
	d.add(1, words)
}

// Merge adds the episodes of another digest.
func (d *Digest) Merge(other *Digest) { d.add(other.count, other.sum) }

func (d *Digest) add(count uint64, words [4]uint64) {
	d.count += count
	var carry uint64
	for i := range words {
		d.sum[i], carry = bits.Add64(d.sum[i], words[i], carry)
	}
}

// String returns the digest as "sha256:…": the SHA-256 of the count (8 bytes) and the sum
// (32 bytes), both little-endian.
func (d *Digest) String() string {
	out := binary.LittleEndian.AppendUint64(nil, d.count)
	for _, word := range d.sum {
		out = binary.LittleEndian.AppendUint64(out, word)
	}
	hash := sha256.Sum256(out)
	return "sha256:" + hex.EncodeToString(hash[:])
}
