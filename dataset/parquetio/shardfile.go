package parquetio

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sandtable-farm/sandtable/dataset"
)

// A shardFile is a file of a shard that is being written under a temporary name.
type shardFile struct {
	dir, name string
	file      *os.File
	out       *bufio.Writer
	sum       hash.Hash
	bytes     int64
}

func createShardFile(dir, name string) (*shardFile, error) {
	f := &shardFile{dir: dir, name: name, sum: sha256.New()}
	var err error
	if f.file, err = os.Create(f.path() + dataset.TempSuffix); err != nil {
		return nil, err
	}
	f.out = bufio.NewWriterSize(f.file, 1<<18)
	return f, nil
}

func (f *shardFile) path() string { return filepath.Join(f.dir, filepath.FromSlash(f.name)) }

// Write implements io.Writer.
func (f *shardFile) Write(p []byte) (int, error) {
	n, err := f.out.Write(p)
	f.sum.Write(p[:n])
	f.bytes += int64(n)
	return n, err
}

// sync makes the content durable and closes the file.
func (f *shardFile) sync() error {
	if err := f.out.Flush(); err != nil {
		return err
	}
	if err := f.file.Sync(); err != nil {
		return err
	}
	return f.file.Close()
}

// rename gives the file its final name, durably.
func (f *shardFile) rename() error {
	if err := os.Rename(f.path()+dataset.TempSuffix, f.path()); err != nil {
		return err
	}
	return dataset.SyncDir(filepath.Dir(f.path()))
}

// discard removes the file under either name.
func (f *shardFile) discard() {
	_ = f.file.Close()
	_ = os.Remove(f.path() + dataset.TempSuffix)
	_ = os.Remove(f.path())
}

func (f *shardFile) entry(rows int64) dataset.File {
	return dataset.File{
		Name: f.name, Rows: rows, Bytes: f.bytes,
		SHA256: "sha256:" + hex.EncodeToString(f.sum.Sum(nil)),
	}
}

// removeLeftovers removes what a crash of a writer can leave in a data set: the
// temporary file of the manifest, and the files of the next shard, which a writer
// completes before it lists them. Other files that the manifest does not list are
// not the writer's and stay. If they are shards beyond the next one, the manifest is
// older than the data, and the data set is refused.
func removeLeftovers(dir string, m *dataset.Manifest) error {
	next := int64(len(m.Shards))
	leftovers := []string{dataset.ManifestName + dataset.TempSuffix}
	for _, table := range tables() {
		beyond, err := shardBeyond(dir, table, next)
		if err != nil {
			return err
		}
		if beyond != "" {
			return fmt.Errorf("%w: %s lists %d shards, but %s exists: restore the newest %s, or move the shards that it does not list elsewhere",
				dataset.ErrUnlisted, filepath.Join(dir, dataset.ManifestName), next, filepath.Join(dir, beyond), dataset.ManifestName)
		}
		name := dataset.ShardFile(table, next)
		leftovers = append(leftovers, name, name+dataset.TempSuffix)
	}
	for _, name := range leftovers {
		if err := os.Remove(filepath.Join(dir, filepath.FromSlash(name))); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("removing what a crash left: %w", err)
		}
	}
	return nil
}

// shardBeyond returns the name of a shard's file with a number above next, or "" if
// the table has none.
func shardBeyond(dir, table string, next int64) (string, error) {
	entries, err := os.ReadDir(filepath.Join(dir, table))
	if err != nil {
		return "", err
	}
	for _, entry := range entries {
		var number int64
		name := table + "/" + entry.Name()
		if _, err := fmt.Sscanf(entry.Name(), "%d.parquet", &number); err == nil && number > next && name == dataset.ShardFile(table, number) {
			return name, nil
		}
	}
	return "", nil
}

// refuseUnlisted returns an error that wraps dataset.ErrUnlisted if a folder without
// a manifest has files where a data set keeps its shards. They may belong to
// the user, or to a data set that has lost its manifest.
func refuseUnlisted(dir string) error {
	for _, table := range tables() {
		path := filepath.Join(dir, table)
		entries, err := os.ReadDir(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if len(entries) > 0 {
			return fmt.Errorf("%w: %s exists, but %s has no %s: choose another folder, or restore the %s that belongs to these files",
				dataset.ErrUnlisted, filepath.Join(path, entries[0].Name()), dir, dataset.ManifestName, dataset.ManifestName)
		}
	}
	return nil
}
