package mend

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
)

// AsideFolder is the folder within a data set into which Repair moves what does not belong
// to it. Each file or group of files has a text file of the same name with the reason.
const AsideFolder = "damaged"

// Repair repairs the data set in a folder:
//
//   - If the manifest is missing or damaged, it is made again from the metadata of the
//     shards.
//   - Shards that the manifest does not list are listed again if they belong to the run and
//     all their episodes are true.
//   - Damaged and foreign files are moved into AsideFolder. From a shard whose files are
//     sound, but which has false episodes, the sound jobs are kept in a new shard.
//   - Temporary files of a killed writer are removed.
//
// Nothing else is deleted, and no file of a sound shard changes. Repair replays all episodes.
// It does not change a sound data set.
//
// The error wraps dataset.ErrNoDataSet for a folder with neither a manifest nor shards,
// dataset.ErrSchema for a data set of another version of this program, and dataset.ErrLocked
// while a process writes the data set.
func Repair(ctx context.Context, dir string, opts Options) (_ *Repaired, err error) {
	if _, err := parquetio.Look(dir); err != nil {
		return nil, err // before there is a lock in a folder that is not a data set
	}
	lock, err := dataset.AcquireLock(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	p, err := plan(ctx, dir, opts)
	if err != nil {
		return nil, err
	}
	if !opts.DryRun && p.Changed() {
		for _, step := range p.steps(lock) {
			if err := step(); err != nil {
				return nil, fmt.Errorf("repairing %s: %w", dir, err)
			}
		}
	}
	return &p.Repaired, nil
}

// steps returns the changes of the folder in order. The files go aside before the manifest
// omits them, because a writer could take a shard that is not listed for one that it left.
func (p *planner) steps(lock *dataset.Lock) []func() error {
	var steps []func() error
	if p.Manifest != "" {
		steps = append(steps, p.keepManifest)
	}
	moved := map[string]string{}
	for _, a := range p.asides {
		for i, name := range a.Files {
			steps = append(steps, func() (err error) {
				moved[name], err = p.moveAside(name, a.Reason, i == 0)
				return err
			})
		}
	}
	for _, name := range p.Leftovers {
		steps = append(steps, func() error { return os.Remove(p.path(name)) })
	}
	var writer *parquetio.Writer
	steps = append(steps,
		func() error { return p.manifest.Save(p.Dir) },
		func() (err error) {
			writer, err = parquetio.OpenWriter(lock, &p.manifest.Settings)
			return err
		})
	for _, a := range p.asides {
		if a.Kept.Len() > 0 {
			steps = append(steps, func() error {
				shard := a.shard
				shard.Episodes.Name, shard.Steps.Name = moved[shard.Episodes.Name], moved[shard.Steps.Name]
				return keep(parquetio.NewReader(p.Dir, p.manifest), &shard, a.Kept, writer)
			})
		}
	}
	return steps
}

// keepManifest copies the damaged manifest into AsideFolder.
func (p *planner) keepManifest() error {
	path := p.path(dataset.ManifestName)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.IsDir() {
		_, err := p.moveAside(dataset.ManifestName, p.Manifest, true)
		return err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	name, err := p.free(dataset.ManifestName)
	if err != nil {
		return err
	}
	return errors.Join(dataset.WriteFile(p.path(name), data), p.explain(name, p.Manifest))
}

// moveAside moves a file into AsideFolder and returns its name there.
func (p *planner) moveAside(name, reason string, explain bool) (string, error) {
	target, err := p.free(name)
	if err != nil {
		return "", err
	}
	if explain {
		if err := p.explain(target, reason); err != nil {
			return "", err
		}
	}
	if err := os.Rename(p.path(name), p.path(target)); err != nil {
		return "", err
	}
	return target, errors.Join(dataset.SyncDir(p.path(AsideFolder)), dataset.SyncDir(filepath.Dir(p.path(name))))
}

// free returns a name in AsideFolder that no file has, such as damaged/steps-00000003.parquet.
func (p *planner) free(name string) (string, error) {
	if err := os.MkdirAll(p.path(AsideFolder), 0o777); err != nil {
		return "", err
	}
	name = strings.ReplaceAll(name, "/", "-")
	extension := filepath.Ext(name)
	base := strings.TrimSuffix(name, extension)
	for i := 1; ; i++ {
		target := AsideFolder + "/" + base + extension
		if i > 1 {
			target = fmt.Sprintf("%s/%s-%d%s", AsideFolder, base, i, extension)
		}
		if !exists(p.path(target)) {
			return target, nil
		}
	}
}

// explain writes the reason beside a file in AsideFolder.
func (p *planner) explain(name, reason string) error {
	return dataset.WriteFile(p.path(name+".txt"), []byte(reason+"\n"))
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// keep writes some jobs of a shard into a new one.
func keep(reader *parquetio.Reader, shard *dataset.Shard, jobs dataset.Jobs, writer *parquetio.Writer) error {
	var numbers []int64
	for job := range jobs.All() {
		numbers = append(numbers, job)
	}
	_, err := writer.Commit(numbers, only(reader.Shard(shard), jobs, &reader.Manifest().Settings))
	return err
}

// only yields the episodes of some jobs.
func only(episodes iter.Seq2[*dataset.Episode, error], jobs dataset.Jobs, settings *dataset.Settings) iter.Seq2[*dataset.Episode, error] {
	return func(yield func(*dataset.Episode, error) bool) {
		for ep, err := range episodes {
			if (err != nil || jobs.Has(ep.Number/settings.JobEpisodes)) && !yield(ep, err) {
				return
			}
		}
	}
}
