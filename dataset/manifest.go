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
	"strconv"
	"strings"
)

// SchemaVersion is the version of the folder's layout, of its manifest and of
// its tables.
const SchemaVersion = 2

// ManifestName is the name of the manifest within the folder.
const ManifestName = "manifest.json"

// A Manifest lists the contents of a data set. Files that it does not list do not belong
// to the data set.
type Manifest struct {
	SchemaVersion int      `json:"schema_version"`
	Run           string   `json:"run"`
	Settings      Settings `json:"settings"`
	Complete      bool     `json:"complete"` // the shards contain every job of the run
	Shards        []Shard  `json:"shards"`   // in the order in which they were committed
	// Removed are the numbers of shards that were taken out and whose files may still exist.
	// The next writer deletes them and empties the set.
	Removed Jobs `json:"removed,omitzero"`
}

// A Shard is a pair of files that were committed together: the episodes of whole jobs and
// their plies, both sorted. The numbers of the shards of a data set ascend; a shard that is
// taken out leaves a gap.
type Shard struct {
	Number   int64 `json:"number,string"`
	Jobs     Jobs  `json:"jobs"`
	Episodes File  `json:"episodes"`
	Steps    File  `json:"steps"`
}

// A File is one Parquet file of a shard.
type File struct {
	Name   string `json:"file"` // path relative to the folder, with slashes
	Rows   int64  `json:"rows,string"`
	Bytes  int64  `json:"bytes,string"`
	SHA256 string `json:"sha256"` // "sha256:…"
}

// Names of the folders of the two tables.
const (
	EpisodesFolder = "episodes"
	StepsFolder    = "steps"
)

// maxShard is far above the number of any shard, so that numbers do not overflow.
const maxShard = 1 << 53

// ShardFile returns the name of the file of a table in a shard.
func ShardFile(table string, number int64) string {
	return fmt.Sprintf("%s/%08d.parquet", table, number)
}

// ShardNumber returns the number of the shard that a file in the folder of a table belongs
// to by its name. ok is false if the name is not one of ShardFile.
func ShardNumber(table, name string) (number int64, ok bool) {
	digits, ok := strings.CutSuffix(name, ".parquet")
	if !ok {
		return 0, false
	}
	number, err := strconv.ParseInt(digits, 10, 64)
	return number, err == nil && number >= 0 && table+"/"+name == ShardFile(table, number)
}

// NewManifest returns the manifest of a run without shards.
func NewManifest(settings Settings) *Manifest {
	return &Manifest{SchemaVersion: SchemaVersion, Run: settings.Run(), Settings: settings, Shards: []Shard{}}
}

// ErrNoDataSet is wrapped by the error of Load if a folder has no manifest.
var ErrNoDataSet = errors.New("missing " + ManifestName)

// ErrUnlisted is wrapped by the error for a folder that has no manifest, but has files
// in the folders of shards. A writer refuses such a folder and does not change it.
var ErrUnlisted = errors.New("files that no manifest lists")

// ErrManifest is wrapped by the error of Load if the manifest is invalid.
var ErrManifest = errors.New("damaged manifest")

// ErrSchema is wrapped by the errors of Load and ParseManifest if another version of this
// program wrote the data set.
var ErrSchema = errors.New("unsupported schema version")

// Load reads the manifest of a data set. Its error wraps ErrNoDataSet, ErrSchema,
// ErrManifest or an error of the operating system.
func Load(dir string) (*Manifest, error) {
	path := filepath.Join(dir, ManifestName)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is not a data set: %w", dir, ErrNoDataSet)
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

// ParseManifest parses and validates a manifest. Unknown fields are an error.
func ParseManifest(data []byte) (*Manifest, error) {
	var version struct {
		SchemaVersion int `json:"schema_version"`
	}
	if err := json.Unmarshal(data, &version); err != nil {
		return nil, fmt.Errorf("invalid JSON: %w", err)
	}
	if v := version.SchemaVersion; v > 0 && v != SchemaVersion {
		return nil, fmt.Errorf("%w: schema_version is %d, this program reads %d; use the version of Sandtable that wrote the data set, or play the run again", ErrSchema, v, SchemaVersion)
	}
	m := new(Manifest)
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(m); err != nil {
		return nil, fmt.Errorf("invalid JSON: %w", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("invalid JSON: data after the object")
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	return m, nil
}

// Validate checks that the manifest is consistent: the run id is that of the settings, the
// shards have the right names, and no job occurs twice.
func (m *Manifest) Validate() error {
	if m.SchemaVersion != SchemaVersion {
		return fmt.Errorf("schema_version is %d, must be %d", m.SchemaVersion, SchemaVersion)
	}
	if err := m.Settings.Validate(); err != nil {
		return fmt.Errorf("settings: %w", err)
	}
	if run := m.Settings.Run(); m.Run != run {
		return fmt.Errorf("run is %q, must be %q, the id of its settings", m.Run, run)
	}
	var all Jobs
	jobs := m.Settings.Jobs()
	least := int64(0)
	for i := range m.Shards {
		s := &m.Shards[i]
		var err error
		if s.Number < least {
			return fmt.Errorf("shards[%d]: number is %d, must be %d or more", i, s.Number, least)
		}
		least = s.Number + 1
		if all, err = all.Union(s.Jobs); err != nil {
			return fmt.Errorf("shard %d: %w", s.Number, err)
		}
		if jobs >= 0 && all.Max() >= jobs {
			return fmt.Errorf("shard %d: it has job %d, but the run has only %d jobs", s.Number, all.Max(), jobs)
		}
		if err := s.validate(&m.Settings); err != nil {
			return fmt.Errorf("shard %d: %w", s.Number, err)
		}
		if m.Removed.Has(s.Number) {
			return fmt.Errorf("shard %d: it is also in removed", s.Number)
		}
	}
	if complete := all.Len() == jobs; m.Complete != complete {
		return fmt.Errorf("complete is %v, but it has %d of %d jobs", m.Complete, all.Len(), jobs)
	}
	return nil
}

func (s *Shard) validate(settings *Settings) error {
	if s.Number > maxShard {
		return fmt.Errorf("number is %d, must be at most %d", s.Number, maxShard)
	}
	if s.Jobs.Len() == 0 {
		return errors.New("it has no jobs")
	}
	if last := s.Jobs.Max(); last >= math.MaxInt64/settings.JobEpisodes {
		return fmt.Errorf("job %d is too large", last)
	}
	if n := settings.Count(s.Jobs); s.Episodes.Rows != n {
		return fmt.Errorf("it has %d episodes, must have %d, those of jobs %s", s.Episodes.Rows, n, s.Jobs)
	}
	if err := s.Episodes.validate(ShardFile(EpisodesFolder, s.Number)); err != nil {
		return fmt.Errorf("episodes: %w", err)
	}
	if err := s.Steps.validate(ShardFile(StepsFolder, s.Number)); err != nil {
		return fmt.Errorf("steps: %w", err)
	}
	return nil
}

func (f *File) validate(name string) error {
	if f.Name != name {
		return fmt.Errorf("file is %q, must be %q", f.Name, name)
	}
	if f.Rows < 0 || f.Bytes < 0 {
		return fmt.Errorf("rows is %d and bytes is %d, must be 0 or more", f.Rows, f.Bytes)
	}
	digits, ok := strings.CutPrefix(f.SHA256, "sha256:")
	if !ok || len(digits) != 64 || strings.Trim(digits, "0123456789abcdef") != "" {
		return fmt.Errorf("sha256 is %q, must be sha256: and 64 hexadecimal digits", f.SHA256)
	}
	return nil
}

// Next returns the least number that the next shard can have.
func (m *Manifest) Next() int64 {
	if len(m.Shards) == 0 {
		return m.Removed.Max() + 1
	}
	return max(m.Shards[len(m.Shards)-1].Number, m.Removed.Max()) + 1
}

// Add appends a shard of jobs that the manifest does not have yet, and sets Complete. If
// it returns an error, the manifest is unchanged.
func (m *Manifest) Add(s Shard) error {
	return m.change(append(slices.Clip(m.Shards), s), m.Removed)
}

// Remove takes a shard out, adds its number to Removed, and sets Complete. If by is not
// nil, it is appended in the same step. If Remove returns an error, the manifest is
// unchanged.
func (m *Manifest) Remove(number int64, by *Shard) error {
	shards := slices.DeleteFunc(slices.Clone(m.Shards), func(s Shard) bool { return s.Number == number })
	if len(shards) == len(m.Shards) {
		return fmt.Errorf("shard %d is not in the data set", number)
	}
	removed, err := JobsOf(number)
	if err == nil {
		removed, err = m.Removed.Union(removed)
	}
	if err != nil {
		return err
	}
	if by != nil {
		shards = append(shards, *by)
	}
	return m.change(shards, removed)
}

func (m *Manifest) change(shards []Shard, removed Jobs) error {
	next := *m
	next.Shards, next.Removed = shards, removed
	next.Complete = next.Jobs().Len() == m.Settings.Jobs()
	if err := next.Validate(); err != nil {
		return err
	}
	*m = next
	return nil
}

// HasJob reports whether the data set has the episodes of a job.
func (m *Manifest) HasJob(number int64) bool {
	return slices.ContainsFunc(m.Shards, func(s Shard) bool { return s.Jobs.Has(number) })
}

// Jobs returns the jobs of the data set.
func (m *Manifest) Jobs() Jobs {
	var all Jobs
	for _, s := range m.Shards {
		all = all.union(s.Jobs)
	}
	return all
}

// Missing returns the jobs that the data set lacks. In a run without an end, these are the
// missing jobs before its last one.
func (m *Manifest) Missing() Jobs {
	jobs := m.Jobs()
	return m.Settings.Missing(jobs, jobs.Max()+1)
}

// Episodes returns the number of episodes.
func (m *Manifest) Episodes() int64 {
	return m.sum(func(s *Shard) int64 { return s.Episodes.Rows })
}

// Steps returns the number of plies.
func (m *Manifest) Steps() int64 {
	return m.sum(func(s *Shard) int64 { return s.Steps.Rows })
}

// Bytes returns the size of all shards on disk, in bytes.
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

// ShardOf returns the shard that contains an episode.
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
	return nil, fmt.Errorf("episode %d is not in the data set, which has %d episodes in jobs %s of %d each, counted from 0",
		episode, m.Episodes(), m.Jobs(), m.Settings.JobEpisodes)
}
