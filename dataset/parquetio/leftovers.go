package parquetio

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sandtable-farm/sandtable/dataset"
)

// sharedPrefix begins the names of the temporary files of writers that share a data set.
const sharedPrefix = "writer-"

// tempName returns the name of the temporary file of the next shard in a table. Only one
// writer of a data set has the name at a time.
func tempName(lock *dataset.Lock, table string, next int64) string {
	if lock.Shared() {
		return sharedTemp(table, lock.Writer())
	}
	return dataset.ShardFile(table, next) + dataset.TempSuffix
}

func sharedTemp(table, writer string) string {
	return table + "/" + sharedPrefix + writer + ".parquet" + dataset.TempSuffix
}

// removeLeftovers removes what a crash of a writer can leave in a data set: the
// temporary file of the manifest, the files of the next shard, which a writer completes
// before it lists them, and the temporary files of writers that shared the data set. Other
// files that the manifest does not list are not the writer's and stay. If they are shards
// beyond the next one, the manifest is older than the data, and the data set is refused.
func removeLeftovers(lock *dataset.Lock, m *dataset.Manifest) error {
	dir, next := lock.Dir(), m.Next()
	leftovers := []string{dataset.ManifestName + dataset.TempSuffix}
	for _, table := range tables() {
		beyond, err := shardBeyond(dir, table, next)
		if err != nil {
			return err
		}
		if beyond != "" {
			return fmt.Errorf("%w: %s exists, but %s lists %d shards, up to number %d: restore the newest %s, or run sandtable dataset repair %s",
				dataset.ErrUnlisted, filepath.Join(dir, beyond), filepath.Join(dir, dataset.ManifestName), len(m.Shards), next-1, dataset.ManifestName, dir)
		}
		name := dataset.ShardFile(table, next)
		leftovers = append(leftovers, name, name+dataset.TempSuffix)
	}
	if err := removeFiles(dir, leftovers); err != nil {
		return err
	}
	return lock.RemoveEnded(func(writer string) error {
		return removeFiles(dir, []string{sharedTemp(dataset.EpisodesFolder, writer), sharedTemp(dataset.StepsFolder, writer)})
	})
}

// finishRemoval deletes the files of removed shards and saves the manifest without them.
func finishRemoval(dir string, m *dataset.Manifest) error {
	if m.Removed.Len() == 0 {
		return nil
	}
	for number := range m.Removed.All() {
		err := removeFiles(dir, []string{dataset.ShardFile(dataset.EpisodesFolder, number), dataset.ShardFile(dataset.StepsFolder, number)})
		if err != nil {
			return err
		}
	}
	m.Removed = dataset.Jobs{}
	return m.Save(dir)
}

func removeFiles(dir string, names []string) error {
	for _, name := range names {
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
		if number, ok := dataset.ShardNumber(table, entry.Name()); ok && number > next {
			return table + "/" + entry.Name(), nil
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
			return fmt.Errorf("%w: %s exists, but %s has no %s: choose another folder, restore the %s that belongs to these files, or run sandtable dataset repair %s",
				dataset.ErrUnlisted, filepath.Join(path, entries[0].Name()), dir, dataset.ManifestName, dataset.ManifestName, dir)
		}
	}
	return nil
}
