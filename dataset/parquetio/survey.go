package parquetio

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset"
)

// A Survey describes the files in the folder of a data set, apart from their content.
type Survey struct {
	Dir string
	// Manifest is nil if it is missing or damaged.
	Manifest *dataset.Manifest
	// Faults are a missing or damaged manifest and files that the manifest should list.
	// Missing files of shards are not among them; see CheckShard.
	Faults dataset.Faults
	// Leftovers are files that a writer is working on or has left after a crash, in order of
	// name. The next writer removes them.
	Leftovers []string
	// Numbers are the numbers of the shards that the manifest does not list and that have a
	// file under a name of a shard, in ascending order. Some of their files may be Leftovers.
	Numbers []int64
	// Foreign are Parquet files with names that no shard has, in order of name.
	Foreign []string
}

// Look surveys a folder. A folder with neither a manifest nor shards is not a data set; the
// error then wraps dataset.ErrNoDataSet. The error wraps dataset.ErrSchema if another
// version of this program wrote the data set.
//
// Look needs no lock. It reads the names of the files before the manifest, so that shards
// that are committed meanwhile are not faults.
func Look(dir string) (*Survey, error) {
	s := &Survey{Dir: dir}
	files, err := s.list()
	if err != nil {
		return nil, err
	}
	s.Manifest, err = dataset.Load(dir)
	switch {
	case errors.Is(err, dataset.ErrNoDataSet) && len(s.Numbers) == 0:
		return nil, err
	case errors.Is(err, dataset.ErrNoDataSet):
		s.fault(dataset.ManifestName, "missing", "present, because the folder has shards")
	case errors.Is(err, dataset.ErrManifest):
		s.fault(dataset.ManifestName, err.Error(), "")
	case errors.Is(err, dataset.ErrSchema), err != nil && !isFolder(filepath.Join(dir, dataset.ManifestName)):
		return nil, err
	case err != nil:
		s.fault(dataset.ManifestName, "a folder", "a file")
	default:
		s.sort(files)
	}
	for _, name := range s.Foreign {
		s.fault(name, "not a shard of the data set", "elsewhere")
	}
	return s, nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func (s *Survey) fault(file, found, want string) {
	s.Faults = append(s.Faults, &dataset.Fault{File: file, Episode: dataset.None, Ply: dataset.None, What: "file", Found: found, Want: want})
}

// list sets Leftovers to the temporary files, Numbers to all numbers and Foreign. It
// returns the files of each number.
func (s *Survey) list() (map[int64][]string, error) {
	files := map[int64][]string{}
	if _, err := os.Lstat(filepath.Join(s.Dir, dataset.ManifestName+dataset.TempSuffix)); err == nil {
		s.Leftovers = append(s.Leftovers, dataset.ManifestName+dataset.TempSuffix)
	}
	for _, table := range tables() {
		entries, err := os.ReadDir(filepath.Join(s.Dir, table))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("reading a data set: %w", err)
		}
		for _, entry := range entries {
			name := table + "/" + entry.Name()
			if number, ok := dataset.ShardNumber(table, entry.Name()); ok {
				files[number] = append(files[number], name)
				continue
			}
			switch {
			case isTemporary(table, entry.Name()):
				s.Leftovers = append(s.Leftovers, name)
			case strings.HasSuffix(name, ".parquet"):
				s.Foreign = append(s.Foreign, name)
			}
		}
	}
	s.Numbers = slices.Sorted(maps.Keys(files))
	return files, nil
}

// isTemporary reports whether a file in the folder of a table has the name of a temporary
// file of a writer.
func isTemporary(table, name string) bool {
	name, ok := strings.CutSuffix(name, dataset.TempSuffix)
	if !ok {
		return false
	}
	_, isShard := dataset.ShardNumber(table, name)
	return isShard || strings.HasPrefix(name, sharedPrefix) && strings.HasSuffix(name, ".parquet")
}

// sort divides the files that the manifest does not list into leftovers and faults.
func (s *Survey) sort(files map[int64][]string) {
	for i := range s.Manifest.Shards {
		delete(files, s.Manifest.Shards[i].Number)
	}
	s.Numbers = slices.Sorted(maps.Keys(files))
	next := s.Manifest.Next()
	for _, number := range s.Numbers {
		for _, name := range files[number] {
			switch {
			case number == next || s.Manifest.Removed.Has(number):
				s.Leftovers = append(s.Leftovers, name)
			case number > next:
				s.fault(name, "not in the manifest", "in a newer manifest, or elsewhere")
			default:
				s.fault(name, "not in the manifest", "elsewhere")
			}
		}
	}
	slices.Sort(s.Leftovers)
}
