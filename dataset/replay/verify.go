package replay

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
)

// A Report describes a verified data set.
type Report struct {
	Manifest      *dataset.Manifest
	Episodes      int64
	Plies         int64
	ContentDigest string // see dataset.Digest
}

// Verify verifies a data set: each file has the size and SHA-256 in the manifest, the
// episodes of each job occur exactly once, and each episode passes Replayer.Check. It uses
// the given number of goroutines, each of which works on one shard at a time. progress, if
// not nil, is called from any of them with the number of episodes verified since the last
// call.
//
// If the data are faulty, the error is the first *dataset.Fault in the order of shards,
// episodes and plies. Any other error means that the data set was not verified: the folder
// is not a data set (dataset.ErrNoDataSet), the program does not know the rules, a file
// cannot be read, or ctx is done.
func Verify(ctx context.Context, dir string, goroutines int, progress func(episodes int64)) (*Report, error) {
	reader, err := parquetio.Open(dir)
	if errors.Is(err, dataset.ErrManifest) {
		return nil, &dataset.Fault{File: dataset.ManifestName, Episode: dataset.None, Ply: dataset.None, What: "file", Found: err.Error()}
	}
	if err != nil {
		return nil, err
	}
	manifest := reader.Manifest()
	if _, err := New(&manifest.Settings); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	v := &verifier{reader: reader, progress: progress, results: make([]shardResult, len(manifest.Shards))}
	v.faulty.Store(int64(len(manifest.Shards)))
	if err := v.run(ctx, max(1, goroutines)); err != nil {
		return nil, err
	}
	report := &Report{Manifest: manifest}
	var digest dataset.Digest
	for i := range v.results {
		r := &v.results[i]
		if r.err != nil {
			return nil, r.err
		}
		report.Episodes += r.episodes
		report.Plies += r.plies
		digest.Merge(&r.digest)
	}
	report.ContentDigest = digest.String()
	return report, nil
}

// A verifier distributes the shards of a data set among goroutines.
type verifier struct {
	reader   *parquetio.Reader
	progress func(int64)
	next     atomic.Int64 // shard
	faulty   atomic.Int64 // the first shard with an error so far; later ones need not be verified
	results  []shardResult
}

type shardResult struct {
	episodes, plies int64
	digest          dataset.Digest
	err             error
}

// errLater ends the verification of a shard after a faulty one.
var errLater = errors.New("an earlier shard has a fault")

func (v *verifier) run(ctx context.Context, goroutines int) error {
	group, ctx := errgroup.WithContext(ctx)
	for range goroutines {
		group.Go(func() error {
			replayer, err := New(&v.reader.Manifest().Settings)
			if err != nil {
				return err
			}
			for {
				i := v.next.Add(1) - 1
				if i >= v.faulty.Load() {
					return nil
				}
				r := &v.results[i]
				if r.err = v.shard(ctx, replayer, i, r); r.err != nil {
					v.fail(i)
				}
				if err := ctx.Err(); err != nil {
					return err
				}
			}
		})
	}
	return group.Wait()
}

// fail records that a shard has an error.
func (v *verifier) fail(shard int64) {
	for {
		first := v.faulty.Load()
		if shard >= first || v.faulty.CompareAndSwap(first, shard) {
			return
		}
	}
}

// shard verifies one shard.
func (v *verifier) shard(ctx context.Context, replayer *Replayer, number int64, r *shardResult) error {
	shard := &v.reader.Manifest().Shards[number]
	for _, file := range []*dataset.File{&shard.Episodes, &shard.Steps} {
		if err := checkFile(v.reader.Dir(), file); err != nil {
			return err
		}
	}
	next, stop := iter.Pull(v.reader.Manifest().Settings.Numbers(shard.Jobs))
	defer stop()
	const tick = 64
	for ep, err := range v.reader.Shard(shard) {
		if err != nil {
			return err
		}
		if want, ok := next(); !ok || ep.Number != want {
			return misplaced(shard, ep.Number, want, ok)
		}
		if ep.Run != v.reader.Manifest().Run {
			return &dataset.Fault{File: shard.Episodes.Name, Episode: ep.Number, Ply: dataset.None, What: "run", Found: ep.Run, Want: v.reader.Manifest().Run}
		}
		if err := replayer.Check(ep); err != nil {
			return inFile(shard, err)
		}
		r.digest.Add(ep)
		r.plies += int64(ep.Plies())
		if r.episodes++; r.episodes%tick == 0 {
			v.tell(tick)
			if err := ctx.Err(); err != nil {
				return err
			}
			if v.faulty.Load() < number {
				return errLater
			}
		}
	}
	if want, missing := next(); missing {
		return misplaced(shard, dataset.None, want, true)
	}
	v.tell(r.episodes % tick)
	return nil
}

func (v *verifier) tell(episodes int64) {
	if v.progress != nil && episodes > 0 {
		v.progress(episodes)
	}
}

// misplaced returns the fault of an episode that is not the next one of the shard's jobs.
func misplaced(shard *dataset.Shard, found, want int64, more bool) error {
	fault := &dataset.Fault{File: shard.Episodes.Name, Episode: found, Ply: dataset.None, What: "number of the episode",
		Found: fmt.Sprint(found), Want: fmt.Sprintf("%d, the next of jobs %s", want, shard.Jobs)}
	if found == dataset.None {
		fault.Found = "missing"
	}
	if !more {
		fault.Want = fmt.Sprintf("none, because jobs %s have no more", shard.Jobs)
	}
	return fault
}

// inFile sets the file of a fault in an episode of a shard.
func inFile(shard *dataset.Shard, err error) error {
	var fault *dataset.Fault
	if !errors.As(err, &fault) {
		return err
	}
	fault.File = shard.Episodes.Name
	if fault.Ply != dataset.None {
		fault.File = shard.Steps.Name
	}
	return fault
}

// checkFile checks that a file has the size and SHA-256 in the manifest.
func checkFile(dir string, entry *dataset.File) error {
	fault := &dataset.Fault{File: entry.Name, Episode: dataset.None, Ply: dataset.None}
	file, err := os.Open(filepath.Join(dir, filepath.FromSlash(entry.Name)))
	if errors.Is(err, fs.ErrNotExist) {
		fault.What, fault.Found, fault.Want = "file", "missing", "present"
		return fault
	}
	if err != nil {
		return err
	}
	defer file.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, file)
	if err != nil {
		return err
	}
	if n != entry.Bytes {
		fault.What, fault.Found, fault.Want = "size", fmt.Sprintf("%d bytes", n), fmt.Sprintf("%d", entry.Bytes)
		return fault
	}
	if digest := "sha256:" + hex.EncodeToString(sum.Sum(nil)); digest != entry.SHA256 {
		fault.What, fault.Found, fault.Want = "SHA-256", digest, entry.SHA256
		return fault
	}
	return nil
}
