package parquetio

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"hash"
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
