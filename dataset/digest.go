package dataset

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math/bits"
)

// A Digest sums up what a set of episodes says, whatever their order and
// however they are spread over shards, runs or data sets: it is the number of
// episodes and the sum modulo 2²⁵⁶ of the SHA-256 of each one's canonical
// encoding (wire.go), which leaves out the run. An episode that is there twice
// counts twice. The construction is AdHash of Bellare and Micciancio, "A New
// Paradigm for Collision-Free Hashing" (Eurocrypt 1997); it tells differing data
// apart, but not against somebody who works at a collision.
//
// The zero value is the digest of nothing.
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

// Merge adds what another digest has summed up.
func (d *Digest) Merge(other *Digest) { d.add(other.count, other.sum) }

func (d *Digest) add(count uint64, words [4]uint64) {
	d.count += count
	var carry uint64
	for i := range words {
		d.sum[i], carry = bits.Add64(d.sum[i], words[i], carry)
	}
}

// String returns the digest as "sha256:…": the SHA-256 of the count and the sum,
// 8 and 32 bytes little-endian.
func (d *Digest) String() string {
	out := binary.LittleEndian.AppendUint64(nil, d.count)
	for _, word := range d.sum {
		out = binary.LittleEndian.AppendUint64(out, word)
	}
	hash := sha256.Sum256(out)
	return "sha256:" + hex.EncodeToString(hash[:])
}
