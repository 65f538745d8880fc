package parquetio

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sandtable-farm/sandtable/dataset"
)

// CheckSizes checks that the files of all shards of the manifest exist and have the sizes in
// it. A file that may not be examined is a fault, too.
func (s *Survey) CheckSizes() dataset.Faults {
	var faults dataset.Faults
	for i := range s.Manifest.Shards {
		shard := &s.Manifest.Shards[i]
		for _, entry := range []*dataset.File{&shard.Episodes, &shard.Steps} {
			err := checkSize(s.Dir, entry)
			var fault *dataset.Fault
			switch {
			case errors.As(err, &fault):
				faults = append(faults, fault)
			case err != nil:
				faults = append(faults, &dataset.Fault{File: entry.Name, Episode: dataset.None, Ply: dataset.None, What: "file", Found: err.Error()})
			}
		}
	}
	return faults
}

// CheckShard checks both files of a shard: that they exist, and that size, SHA-256, number
// of rows, columns, run and settings are those of the manifest. It does not read the rows.
// If the files are faulty, the error is dataset.Faults. Any other error means that the shard
// was not checked: a file may not be read, or ctx is done.
func (r *Reader) CheckShard(ctx context.Context, shard *dataset.Shard) error {
	var faults dataset.Faults
	for _, table := range []struct {
		entry    *dataset.File
		name     string
		columns  []column
		required int
	}{
		{&shard.Episodes, dataset.EpisodesFolder, episodeColumns(), epRequired},
		{&shard.Steps, dataset.StepsFolder, stepColumns(), len(stepColumns())},
	} {
		err := checkFile(ctx, r.dir, table.entry)
		if err == nil {
			var t *tableFile
			if t, err = openTable(r.dir, r.manifest.Run, *table.entry, table.name, table.columns, table.required); err == nil {
				err = t.close()
			}
		}
		var fault *dataset.Fault
		switch {
		case errors.As(err, &fault):
			faults = append(faults, fault)
		case err != nil:
			return err
		}
	}
	if len(faults) > 0 {
		return faults
	}
	return nil
}

// checkSize checks that a file exists and has the size in the manifest.
func checkSize(dir string, entry *dataset.File) error {
	fault := &dataset.Fault{File: entry.Name, Episode: dataset.None, Ply: dataset.None, What: "file"}
	info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(entry.Name)))
	switch {
	case err == nil && info.Mode().IsRegular() && info.Size() == entry.Bytes:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		fault.Found, fault.Want = "missing", "present"
		return fault
	case errors.Is(err, fs.ErrPermission):
		return err
	case err != nil:
		fault.Found = err.Error()
		return fault
	case info.IsDir():
		fault.Found, fault.Want = "a folder", "a file"
		return fault
	case !info.Mode().IsRegular():
		fault.Found, fault.Want = "a device or a pipe", "a regular file"
		return fault
	}
	fault.What, fault.Found, fault.Want = "size", fmt.Sprintf("%d bytes", info.Size()), fmt.Sprintf("%d", entry.Bytes)
	return fault
}

// checkFile checks that a file has the size and SHA-256 in the manifest.
func checkFile(ctx context.Context, dir string, entry *dataset.File) error {
	if err := checkSize(dir, entry); err != nil {
		return err
	}
	digest, err := fileDigest(ctx, filepath.Join(dir, filepath.FromSlash(entry.Name)))
	fault := &dataset.Fault{File: entry.Name, Episode: dataset.None, Ply: dataset.None, What: "SHA-256", Found: digest, Want: entry.SHA256}
	switch {
	case errors.Is(err, fs.ErrPermission), err != nil && ctx.Err() != nil:
		return err
	case err != nil:
		fault.What, fault.Found, fault.Want = "file", err.Error(), ""
		return fault
	case digest != entry.SHA256:
		return fault
	}
	return nil
}

// fileDigest returns the SHA-256 of a file as a manifest has it.
func fileDigest(ctx context.Context, path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, cancelled{ctx, file}); err != nil {
		return "", err
	}
	return dataset.FileDigestPrefix + hex.EncodeToString(sum.Sum(nil)), nil
}

// cancelled is a reader that fails when a context is done.
type cancelled struct {
	ctx context.Context
	io.Reader
}

func (c cancelled) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, context.Cause(c.ctx)
	}
	return c.Reader.Read(p)
}
