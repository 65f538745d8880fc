package parquetio

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"

	"github.com/sandtable-farm/sandtable/dataset"
)

// ReadSettings returns the settings of the run in the metadata of a file of a shard.
func ReadSettings(path string) (settings *dataset.Settings, err error) {
	err = inspect(path, func(file *parquet.File) error {
		if settings, err = settingsOf(file); err != nil {
			return err
		}
		return settings.Validate()
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return settings, nil
}

// Identify returns a file of a shard as a manifest lists it. name is its path relative to
// dir, with slashes. Only the number of rows is read from the file.
func Identify(ctx context.Context, dir, name string) (entry dataset.File, err error) {
	path := filepath.Join(dir, filepath.FromSlash(name))
	entry.Name = name
	err = inspect(path, func(file *parquet.File) error {
		entry.Rows, entry.Bytes = file.NumRows(), file.Size()
		return nil
	})
	if err == nil {
		entry.SHA256, err = fileDigest(ctx, path)
	}
	if err != nil {
		return entry, fmt.Errorf("%s: %w", name, err)
	}
	return entry, nil
}

// inspect calls f with an open file, which must be a regular one.
func inspect(path string, f func(*parquet.File) error) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("the file is missing")
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return errors.New("it is not a regular file")
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return guarded(func() error {
		p, err := parquet.OpenFile(file, info.Size(), parquet.SkipBloomFilters(true))
		if err != nil {
			return err
		}
		return f(p)
	})
}

// settingsOf returns the settings in the metadata of a file.
func settingsOf(file *parquet.File) (*dataset.Settings, error) {
	text, _ := file.Lookup(MetaSettings)
	settings := new(dataset.Settings)
	if err := json.Unmarshal([]byte(text), settings); err != nil {
		return nil, fmt.Errorf("metadata %s are not valid settings: %w", MetaSettings, err)
	}
	return settings, nil
}

// A Played names an episode and the worker that played it.
type Played struct {
	Episode int64
	Worker  string // empty if it is unknown
}

// Played yields the workers of the episodes of a shard in the order of its rows. It reads
// only two columns.
func (r *Reader) Played(shard *dataset.Shard) iter.Seq2[Played, error] {
	return func(yield func(Played, error) bool) {
		t, err := openColumns(r.dir, r.manifest.Run, shard.Episodes, dataset.EpisodesFolder, episodeColumns(), epRequired)
		if err != nil {
			yield(Played{}, err)
			return
		}
		defer t.close()
		number := t.long(epEpisode)
		var worker *textReader
		if t.has(epWorker) {
			worker = t.text(epWorker)
		}
		for range shard.Episodes.Rows {
			p := Played{Episode: number.next()}
			if worker != nil {
				p.Worker = worker.nextOptional()
			}
			if t.err != nil {
				yield(Played{}, t.err)
				return
			}
			if !yield(p, nil) {
				return
			}
		}
	}
}
