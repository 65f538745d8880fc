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
// OpenWriter removes what a crash of an earlier writer left: temporary files of
// shards, and the shard that was complete but not yet in the manifest. It removes
// nothing else.
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
	w := &Writer{dir: lock.Dir(), games: newEpisodeTable(&config), plies: newStepTable(&config)}
	switch w.manifest, err = dataset.Load(w.dir); {
	case errors.Is(err, dataset.ErrNoDataSet):
		if err := w.create(settings); err != nil {
			return nil, fmt.Errorf("creating a data set: %w", err)
		}
	case err != nil:
		return nil, err
	default:
		if err := w.manifest.Settings.Differs(settings); err != nil {
			return nil, fmt.Errorf("%s: %w", w.dir, err)
		}
	}
	if err := removeLeftovers(w.dir, w.manifest); err != nil {
		return nil, err
	}
	return w, nil
}

func (w *Writer) create(settings *dataset.Settings) error {
	if err := refuseUnlisted(w.dir); err != nil {
		return err
	}
	for _, table := range tables() {
		if err := os.MkdirAll(filepath.Join(w.dir, table), 0o777); err != nil {
			return err
		}
	}
	w.manifest = dataset.NewManifest(*settings)
	return w.manifest.Save(w.dir)
}

func tables() []string { return []string{dataset.EpisodesFolder, dataset.StepsFolder} }

// Manifest returns the manifest as of the last Commit. The caller must not change it.
func (w *Writer) Manifest() *dataset.Manifest { return w.manifest }

// Commit adds one shard with the given jobs, none of which the data set may have yet.
// episodes yields all their episodes in ascending order of number; Commit does not keep
// them. The shard is durable when Commit returns nil. If Commit returns an error, which may
// be one that episodes yields, the data set is unchanged.
func (w *Writer) Commit(jobs []int64, episodes iter.Seq2[*dataset.Episode, error]) (dataset.Shard, error) {
	if w.broken != nil {
		return dataset.Shard{}, w.broken
	}
	shard, err := w.commit(jobs, episodes)
	if err != nil {
		return dataset.Shard{}, fmt.Errorf("writing shard %d of %s: %w", len(w.manifest.Shards), w.dir, err)
	}
	return shard, nil
}

func (w *Writer) commit(numbers []int64, episodes iter.Seq2[*dataset.Episode, error]) (shard dataset.Shard, err error) {
	shard.Number = int64(len(w.manifest.Shards))
	if shard.Jobs, err = dataset.JobsOf(numbers...); err != nil {
		return shard, err
	}
	for _, job := range numbers {
		if w.manifest.HasJob(job) {
			return shard, fmt.Errorf("job %d is already in the data set", job)
		}
	}
	var files [2]*shardFile
	for i, table := range tables() {
		if files[i], err = createShardFile(w.dir, dataset.ShardFile(table, shard.Number)); err != nil {
			return shard, err
		}
		defer func() {
			if err != nil && w.broken == nil {
				files[i].discard()
			}
		}()
	}
	epFile, stepFile := files[0], files[1]
	games, plies := w.games, w.plies
	games.begin(epFile)
	plies.begin(stepFile)
	if err := w.writeRows(games, plies, shard.Jobs, episodes); err != nil {
		return shard, err
	}
	for _, finish := range []func() error{
		games.close, plies.close, epFile.sync, stepFile.sync, epFile.rename, stepFile.rename,
	} {
		if err := finish(); err != nil {
			return shard, err
		}
	}
	shard.Episodes, shard.Steps = epFile.entry(games.rows), stepFile.entry(plies.rows)
	next := *w.manifest
	if err := next.Add(shard); err != nil {
		return shard, err
	}
	if err := next.Save(w.dir); err != nil {
		// The manifest on disk is either the old or the new one. Both are complete, but
		// the new one needs the shard, so it stays until the folder is opened again.
		w.broken = fmt.Errorf("the data set must be opened again: %w", err)
		return shard, w.broken
	}
	w.manifest = &next
	return shard, nil
}

// writeRows writes the episodes and checks that they are those of the jobs.
func (w *Writer) writeRows(games *episodeTable, plies *stepTable, jobs dataset.Jobs, episodes iter.Seq2[*dataset.Episode, error]) error {
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
		if err := games.add(ep); err != nil {
			return err
		}
		if err := plies.add(ep); err != nil {
			return err
		}
	}
	if missing, more := expected(); more {
		return fmt.Errorf("episode %d of jobs %s is missing", missing, jobs)
	}
	return nil
}
