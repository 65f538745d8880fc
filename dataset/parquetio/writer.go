package parquetio

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strconv"

	"github.com/parquet-go/parquet-go/compress/zstd"

	"github.com/sandtable-farm/sandtable/dataset"
)

// Keys of the metadata of every file.
const (
	MetaVersion  = "sandtable.schema_version" // dataset.SchemaVersion
	MetaRun      = "sandtable.run"            // id of the run
	MetaSettings = "sandtable.settings"       // dataset.Settings as JSON, the complete rules included
)

// A Writer adds shards to a data set. It belongs to one goroutine.
type Writer struct {
	lock     *dataset.Lock
	dir      string
	manifest *dataset.Manifest
	games    *episodeTable
	plies    *stepTable
	broken   error // why nothing more can be written
}

// OpenWriter opens the data set in the folder that lock holds, for a run with
// the given settings. It creates an empty data set in a folder without one, and
// continues a data set with the same settings. It refuses a data set with other
// settings; the error names the first field that differs. It also refuses a folder
// without a manifest whose episodes or steps folder has files; the error wraps
// dataset.ErrUnlisted.
//
// If the lock is shared, the data set can have several writers, each of which commits different
// jobs. Their shards are numbered in the order of the commits.
//
// OpenWriter removes what a crash of an earlier writer left: temporary files of
// shards, the shard that was complete but not yet in the manifest, and the files of shards
// that were taken out. It removes nothing else.
func OpenWriter(lock *dataset.Lock, settings *dataset.Settings) (*Writer, error) {
	if err := settings.Validate(); err != nil {
		return nil, fmt.Errorf("settings: %w", err)
	}
	encoded, err := json.Marshal(settings)
	if err != nil {
		return nil, fmt.Errorf("settings: %w", err)
	}
	config := tableConfig{
		run: settings.Run(),
		metadata: map[string]string{
			MetaVersion:  strconv.Itoa(dataset.SchemaVersion),
			MetaRun:      settings.Run(),
			MetaSettings: string(encoded),
		},
		codec: &zstd.Codec{Level: zstd.SpeedFastest},
	}
	w := &Writer{lock: lock, dir: lock.Dir(), games: newEpisodeTable(&config), plies: newStepTable(&config)}
	leave, err := lock.Commit()
	if err != nil {
		return nil, err
	}
	if err := errors.Join(w.open(settings), leave()); err != nil {
		return nil, err
	}
	return w, nil
}

func (w *Writer) open(settings *dataset.Settings) (err error) {
	switch w.manifest, err = dataset.Load(w.dir); {
	case errors.Is(err, dataset.ErrNoDataSet):
		if err := w.create(settings); err != nil {
			return fmt.Errorf("creating a data set: %w", err)
		}
	case err != nil:
		return err
	default:
		if err := w.manifest.Settings.Differs(settings); err != nil {
			return fmt.Errorf("%s: %w", w.dir, err)
		}
		if err := w.makeFolders(); err != nil {
			return err
		}
	}
	if err := removeLeftovers(w.lock, w.manifest); err != nil {
		return err
	}
	return finishRemoval(w.dir, w.manifest)
}

func (w *Writer) create(settings *dataset.Settings) error {
	if err := refuseUnlisted(w.dir); err != nil {
		return err
	}
	if err := w.makeFolders(); err != nil {
		return err
	}
	w.manifest = dataset.NewManifest(*settings)
	return w.manifest.Save(w.dir)
}

func (w *Writer) makeFolders() error {
	for _, table := range tables() {
		if err := os.MkdirAll(filepath.Join(w.dir, table), 0o777); err != nil {
			return err
		}
	}
	return nil
}

func tables() []string { return []string{dataset.EpisodesFolder, dataset.StepsFolder} }

// Manifest returns the manifest as of OpenWriter or the last Commit or Refresh. The caller
// must not change it.
func (w *Writer) Manifest() *dataset.Manifest { return w.manifest }

// Refresh reads the manifest again. With a shared lock, it contains what the other writers
// have committed.
func (w *Writer) Refresh() error {
	manifest, err := dataset.Load(w.dir)
	if err != nil {
		return err
	}
	if err := manifest.Settings.Differs(&w.manifest.Settings); err != nil {
		return fmt.Errorf("%s: %w", w.dir, err)
	}
	w.manifest = manifest
	return nil
}

// Commit adds one shard with the given jobs, none of which the data set may have yet.
// episodes yields all their episodes in ascending order of number; Commit does not keep
// them. The shard is durable when Commit returns nil. If Commit returns an error, which may
// be one that episodes yields, the data set is unchanged.
func (w *Writer) Commit(jobs []int64, episodes iter.Seq2[*dataset.Episode, error]) (dataset.Shard, error) {
	set, err := dataset.JobsOf(jobs...)
	if err != nil {
		return dataset.Shard{}, w.failed(err)
	}
	isNew := func(m *dataset.Manifest) error {
		for job := range set.All() {
			if m.HasJob(job) {
				return fmt.Errorf("job %d is already in the data set", job)
			}
		}
		return nil
	}
	if err := isNew(w.manifest); err != nil {
		return dataset.Shard{}, w.failed(err)
	}
	return w.commit(set, episodes, func(next *dataset.Manifest, shard dataset.Shard) error {
		if err := isNew(next); err != nil {
			return err
		}
		return next.Add(shard)
	})
}

// Replace replaces a shard by one with the given jobs, all of which are its own. episodes
// yields all their episodes in ascending order of number, and may read the shard. No jobs
// take the shard out of the data set. The change is durable when Replace returns nil. If
// Replace returns an error, the data set has either the old or the new shard.
func (w *Writer) Replace(number int64, jobs dataset.Jobs, episodes iter.Seq2[*dataset.Episode, error]) error {
	if jobs.Len() > 0 {
		_, err := w.commit(jobs, episodes, func(next *dataset.Manifest, shard dataset.Shard) error { return next.Remove(number, &shard) })
		if err != nil {
			return err
		}
	} else {
		leave, err := w.lock.Commit()
		if err != nil {
			return err
		}
		if err := errors.Join(w.remove(number), leave()); err != nil {
			return err
		}
	}
	leave, err := w.lock.Commit()
	if err != nil {
		return err
	}
	return errors.Join(w.refreshShared(), finishRemoval(w.dir, w.manifest), leave())
}

// remove takes a shard out of the manifest.
func (w *Writer) remove(number int64) error {
	if w.broken != nil {
		return w.broken
	}
	if err := w.refreshShared(); err != nil {
		return err
	}
	next := *w.manifest
	if err := next.Remove(number, nil); err != nil {
		return err
	}
	if err := next.Save(w.dir); err != nil {
		w.broken = fmt.Errorf("the data set must be opened again: %w", err)
		return w.broken
	}
	w.manifest = &next
	return nil
}

// refreshShared reads the manifest that other writers may have changed.
func (w *Writer) refreshShared() error {
	if !w.lock.Shared() {
		return nil
	}
	return w.Refresh()
}

func (w *Writer) failed(err error) error {
	return fmt.Errorf("writing a shard of %s: %w", w.dir, err)
}

// commit writes a shard and saves the manifest after list has changed it.
func (w *Writer) commit(jobs dataset.Jobs, episodes iter.Seq2[*dataset.Episode, error], list func(*dataset.Manifest, dataset.Shard) error) (dataset.Shard, error) {
	if w.broken != nil {
		return dataset.Shard{}, w.broken
	}
	shard, err := w.write(jobs, episodes, list)
	switch {
	case w.broken != nil:
		return dataset.Shard{}, w.failed(w.broken)
	case err != nil:
		return dataset.Shard{}, w.failed(err)
	}
	return shard, nil
}

func (w *Writer) write(jobs dataset.Jobs, episodes iter.Seq2[*dataset.Episode, error], list func(*dataset.Manifest, dataset.Shard) error) (shard dataset.Shard, err error) {
	var files []*shardFile
	discard := func() {
		for _, f := range files {
			f.discard()
		}
	}
	for _, table := range tables() {
		file, err := createShardFile(filepath.Join(w.dir, filepath.FromSlash(tempName(w.lock, table, w.manifest.Next()))))
		if err != nil {
			discard()
			return shard, err
		}
		files = append(files, file)
	}
	if err := w.fill(files, jobs, episodes); err != nil {
		discard()
		return shard, err
	}
	leave, err := w.lock.Commit()
	if err != nil {
		discard()
		return shard, err
	}
	shard.Jobs = jobs
	if err = w.publish(files, &shard, list); err != nil && w.broken == nil {
		discard() // before another writer takes the names
	}
	return shard, errors.Join(err, leave())
}

// fill writes the content of both files of a shard.
func (w *Writer) fill(files []*shardFile, jobs dataset.Jobs, episodes iter.Seq2[*dataset.Episode, error]) error {
	w.games.begin(files[0])
	w.plies.begin(files[1])
	if err := w.writeRows(jobs, episodes); err != nil {
		return err
	}
	for _, finish := range []func() error{w.games.close, w.plies.close, files[0].sync, files[1].sync} {
		if err := finish(); err != nil {
			return err
		}
	}
	return nil
}

// publish gives the files of a shard the next number and lists them in the manifest.
func (w *Writer) publish(files []*shardFile, shard *dataset.Shard, list func(*dataset.Manifest, dataset.Shard) error) error {
	if err := w.refreshShared(); err != nil {
		return err
	}
	next := *w.manifest
	shard.Number = next.Next()
	shard.Episodes = files[0].entry(dataset.ShardFile(dataset.EpisodesFolder, shard.Number), w.games.rows)
	shard.Steps = files[1].entry(dataset.ShardFile(dataset.StepsFolder, shard.Number), w.plies.rows)
	if err := list(&next, *shard); err != nil {
		return err
	}
	for i, entry := range []*dataset.File{&shard.Episodes, &shard.Steps} {
		if err := files[i].rename(w.dir, entry.Name); err != nil {
			return err
		}
	}
	if err := next.Save(w.dir); err != nil {
		// The manifest on disk is either the old or the new one. Both are complete, but
		// the new one needs the shard, so it stays until the folder is opened again.
		w.broken = fmt.Errorf("the data set must be opened again: %w", err)
		return w.broken
	}
	w.manifest = &next
	return nil
}

// writeRows writes the episodes and checks that they are those of the jobs.
func (w *Writer) writeRows(jobs dataset.Jobs, episodes iter.Seq2[*dataset.Episode, error]) error {
	run := w.manifest.Run
	expected, stop := iter.Pull(w.manifest.Settings.Numbers(jobs))
	defer stop()
	for ep, err := range episodes {
		if err != nil {
			return err
		}
		want, more := expected()
		switch {
		case !more:
			return fmt.Errorf("episode %d is not one of jobs %s, or occurs twice", ep.Number, jobs)
		case ep.Number != want:
			return fmt.Errorf("episode %d of jobs %s is out of order, must be episode %d", ep.Number, jobs, want)
		case ep.Run != run:
			return fmt.Errorf("episode %d belongs to run %q, must be run %q", ep.Number, ep.Run, run)
		}
		if err := w.games.add(ep); err != nil {
			return err
		}
		if err := w.plies.add(ep); err != nil {
			return err
		}
	}
	if missing, more := expected(); more {
		return fmt.Errorf("episode %d of jobs %s is missing", missing, jobs)
	}
	return nil
}
