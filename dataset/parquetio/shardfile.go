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
	path string // temporary
	file *os.File
	out  *bufio.Writer
	sum  hash.Hash
	size int64
}

func createShardFile(path string) (*shardFile, error) {
	file, err := dataset.CreateTemp(path)
	if err != nil {
		return nil, err
	}
	return &shardFile{path: path, file: file, out: bufio.NewWriterSize(file, 1<<18), sum: sha256.New()}, nil
}

// Write implements io.Writer.
func (f *shardFile) Write(p []byte) (int, error) {
	n, err := f.out.Write(p)
	f.sum.Write(p[:n])
	f.size += int64(n)
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

// rename gives the file its final name in the data set, durably.
func (f *shardFile) rename(dir, name string) error {
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.Rename(f.path, path); err != nil {
		return err
	}
	f.path = path
	return dataset.SyncDir(filepath.Dir(path))
}

// discard removes the file.
func (f *shardFile) discard() {
	_ = f.file.Close()
	_ = os.Remove(f.path)
}

func (f *shardFile) entry(name string, rows int64) dataset.File {
	return dataset.File{Name: name, Rows: rows, Bytes: f.size, SHA256: "sha256:" + hex.EncodeToString(f.sum.Sum(nil))}
}
