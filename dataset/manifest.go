package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// SchemaVersion is the version of the folder's layout, of its manifest and of
// its tables.
const SchemaVersion = 2

// ManifestName is the name of the manifest within the folder.
const ManifestName = "manifest.json"

// A Manifest says what a data set holds. It is the truth about the folder.
type Manifest struct {
	SchemaVersion int      `json:"schema_version"`
	Run           string   `json:"run"`
	Settings      Settings `json:"settings"`
	Complete      bool     `json:"complete"` // every job of the run is there
	Shards        []Shard  `json:"shards"`   // in the order in which they were committed
}

// A Shard is a pair of files that came into the data set together: the
// episodes of whole jobs and their plies, both sorted.
type Shard struct {
	Number   int64 `json:"number,string"`
	Jobs     Jobs  `json:"jobs"`
	Episodes File  `json:"episodes"`
	Steps    File  `json:"steps"`
}

// A File is one Parquet file of a shard.
type File struct {
	Name   string `json:"file"` // relative to the folder, with slashes
	Rows   int64  `json:"rows,string"`
	Bytes  int64  `json:"bytes,string"`
	SHA256 string `json:"sha256"` // "sha256:…"
}

// The folders of the two tables.
const (
	EpisodesFolder = "episodes"
	StepsFolder    = "steps"
)

// ShardFile returns the name of a shard's file of one of the two tables.
func ShardFile(table string, number int64) string {
	return fmt.Sprintf("%s/%08d.parquet", table, number)
}

// NewManifest returns the manifest of a run of which nothing is there yet.
func NewManifest(settings Settings) *Manifest {
	return &Manifest{SchemaVersion: SchemaVersion, Run: settings.Run(), Settings: settings, Shards: []Shard{}}
}

// ErrNoDataSet is what the error of Load wraps when a folder has no manifest.
var ErrNoDataSet = errors.New("it has no " + ManifestName)

// ErrUnlisted is wrapped by the error for a folder with files in the place of shards
// that no manifest lists. A writer refuses such a folder and changes nothing in it.
var ErrUnlisted = errors.New("files that no manifest lists")

// ErrManifest is what the error of Load wraps when there is a manifest that
// cannot be one.
var ErrManifest = errors.New("damaged manifest")

// ErrSchema is what the errors of Load and ParseManifest wrap when another version
// of this program wrote the data set: nothing need be wrong with it.
var ErrSchema = errors.New("use the version of Sandtable that wrote it, or play the run again")

// Load reads the manifest of a data set. Its errors name the folder or the file
// and what is wrong with it; they wrap ErrNoDataSet, ErrSchema or ErrManifest unless
// the operating system refused to read.
func Load(dir string) (*Manifest, error) {
	path := filepath.Join(dir, ManifestName)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is no data set: %w", dir, ErrNoDataSet)
	}
	if err != nil {
		return nil, fmt.Errorf("reading a data set: %w", err)
	}
	m, err := ParseManifest(data)
	if errors.Is(err, ErrSchema) {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path, ErrManifest, err)
	}
	return m, nil
}

// ParseManifest reads a manifest. It refuses unknown fields and whatever
// Validate refuses.
func ParseManifest(data []byte) (*Manifest, error) {
	var version struct {
		SchemaVersion int `json:"schema_version"`
	}
	if err := json.Unmarshal(data, &version); err != nil {
		return nil, fmt.Errorf("not the JSON of a manifest: %w", err)
	}
	if v := version.SchemaVersion; v > 0 && v != SchemaVersion {
		return nil, fmt.Errorf("schema_version is %d, this program reads %d: %w", v, SchemaVersion, ErrSchema)
	}
	m := new(Manifest)
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(m); err != nil {
		return nil, fmt.Errorf("not the JSON of a manifest: %w", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("something follows the JSON object")
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	return m, nil
}

// Validate checks that the manifest agrees with itself: the run is the one of
// its settings, the shards have their proper names and no job twice.
func (m *Manifest) Validate() error {
	if m.SchemaVersion != SchemaVersion {
		return fmt.Errorf("schema_version is %d, must be %d", m.SchemaVersion, SchemaVersion)
	}
	if err := m.Settings.Validate(); err != nil {
		return fmt.Errorf("settings: %w", err)
	}
	if run := m.Settings.Run(); m.Run != run {
		return fmt.Errorf("run is %q, but its settings make it %q", m.Run, run)
	}
	var all Jobs
	jobs := m.Settings.Jobs()
	for i := range m.Shards {
		var err error
		if all, err = all.Union(m.Shards[i].Jobs); err != nil {
			return fmt.Errorf("shard %d: %w", i, err)
		}
		if jobs >= 0 && all.Max() >= jobs {
			return fmt.Errorf("shard %d: job %d is there, but the run has only %d", i, all.Max(), jobs)
		}
		if err := m.Shards[i].validate(int64(i), &m.Settings); err != nil {
			return fmt.Errorf("shard %d: %w", i, err)
		}
	}
	if complete := all.Len() == jobs; m.Complete != complete {
		return fmt.Errorf("complete is %v with %d of %d jobs", m.Complete, all.Len(), jobs)
	}
	return nil
}

func (s *Shard) validate(number int64, settings *Settings) error {
	if s.Number != number {
		return fmt.Errorf("its number is %d", s.Number)
	}
	if s.Jobs.Len() == 0 {
		return errors.New("it has no jobs")
	}
	if last := s.Jobs.Max(); last >= math.MaxInt64/settings.JobEpisodes {
		return fmt.Errorf("job %d is beyond all numbers", last)
	}
	if n := settings.count(s.Jobs); s.Episodes.Rows != n {
		return fmt.Errorf("it has %d episodes, jobs %s have %d", s.Episodes.Rows, s.Jobs, n)
	}
	if err := s.Episodes.validate(ShardFile(EpisodesFolder, number)); err != nil {
		return fmt.Errorf("episodes: %w", err)
	}
	if err := s.Steps.validate(ShardFile(StepsFolder, number)); err != nil {
		return fmt.Errorf("steps: %w", err)
	}
	return nil
}

func (f *File) validate(name string) error {
	if f.Name != name {
		return fmt.Errorf("file is %q, must be %q", f.Name, name)
	}
	if f.Rows < 0 || f.Bytes < 0 {
		return fmt.Errorf("%d rows in %d bytes: neither can be negative", f.Rows, f.Bytes)
	}
	digits, ok := strings.CutPrefix(f.SHA256, "sha256:")
	if !ok || len(digits) != 64 || strings.Trim(digits, "0123456789abcdef") != "" {
		return fmt.Errorf("sha256 is %q, must be sha256: and 64 hexadecimal digits", f.SHA256)
	}
	return nil
}

// Add appends a shard that holds whole jobs which are not there yet, and notes
// when the run is complete with it. After an error the manifest is as it was.
func (m *Manifest) Add(s Shard) error {
	next := *m
	next.Shards = append(slices.Clip(m.Shards), s)
	next.Complete = next.Jobs().Len() == m.Settings.Jobs()
	if err := next.Validate(); err != nil {
		return err
	}
	*m = next
	return nil
}

// HasJob reports whether the episodes of a job are there.
func (m *Manifest) HasJob(number int64) bool {
	return slices.ContainsFunc(m.Shards, func(s Shard) bool { return s.Jobs.Has(number) })
}

// Jobs returns the jobs that are there.
func (m *Manifest) Jobs() Jobs {
	var all Jobs
	for _, s := range m.Shards {
		all = all.union(s.Jobs)
	}
	return all
}

// Episodes returns the number of episodes that are there.
func (m *Manifest) Episodes() int64 {
	return m.sum(func(s *Shard) int64 { return s.Episodes.Rows })
}

// Steps returns the number of plies that are there.
func (m *Manifest) Steps() int64 {
	return m.sum(func(s *Shard) int64 { return s.Steps.Rows })
}

// Bytes returns the size of all shards on disk.
func (m *Manifest) Bytes() int64 {
	return m.sum(func(s *Shard) int64 { return s.Episodes.Bytes + s.Steps.Bytes })
}

func (m *Manifest) sum(of func(*Shard) int64) int64 {
	var n int64
	for i := range m.Shards {
		n += of(&m.Shards[i])
	}
	return n
}

// ShardOf returns the shard that holds an episode.
func (m *Manifest) ShardOf(episode int64) (*Shard, error) {
	if episode >= 0 && m.Settings.JobEpisodes > 0 {
		job := episode / m.Settings.JobEpisodes
		for i := range m.Shards {
			if m.Shards[i].Jobs.Has(job) {
				if first, count := m.Settings.Job(job); episode < first+count {
					return &m.Shards[i], nil
				}
			}
		}
	}
	return nil, fmt.Errorf("episode %d is not in the data set, which holds %d episodes: jobs %s of %d each, counted from 0",
		episode, m.Episodes(), m.Jobs(), m.Settings.JobEpisodes)
}
