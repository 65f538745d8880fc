package balance

import (
	"errors"
	"fmt"
	"iter"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
)

// A Source is a data set to analyse.
type Source struct {
	Name     string // the folder, for errors
	Settings *dataset.Settings
	Count    int64 // of episodes
	// Episodes yields the episodes in ascending order of number. Each is valid until the
	// next one.
	Episodes iter.Seq2[*dataset.Episode, error]
}

// Open returns the data set in a folder. See dataset.Load for its errors.
func Open(dir string) (Source, error) {
	r, err := parquetio.Open(dir)
	if err != nil {
		return Source{}, err
	}
	m := r.Manifest()
	return Source{Name: dir, Settings: &m.Settings, Count: m.Episodes(), Episodes: r.Episodes()}, nil
}

// First returns a source of the first episodes of s, at most the given number.
func (s Source) First(episodes int64) Source {
	all := s.Episodes
	s.Count = min(s.Count, episodes)
	s.Episodes = func(yield func(*dataset.Episode, error) bool) {
		left := episodes
		if left <= 0 {
			return
		}
		for ep, err := range all {
			left--
			if !yield(ep, err) || left <= 0 {
				return
			}
		}
	}
	return s
}

// ErrSources is wrapped by the error of Analyze if the sources cannot be pooled.
var ErrSources = errors.New("data sets cannot be analysed together")

// together returns an error if sources differ in their rules or repeat a run.
func together(sources []Source) error {
	if len(sources) == 0 {
		return fmt.Errorf("%w: there are 0 data sets, must be 1 or more", ErrSources)
	}
	first, runs := &sources[0], map[string]string{}
	for i := range sources {
		s := &sources[i]
		if s.Settings.Digest != first.Settings.Digest {
			return fmt.Errorf("%w: %s has the rules %s (%s), but %s has %s (%s); all must have the same rules",
				ErrSources, first.Name, first.Settings.Variant, first.Settings.Digest, s.Name, s.Settings.Variant, s.Settings.Digest)
		}
		run := s.Settings.Run()
		if other, ok := runs[run]; ok {
			return fmt.Errorf("%w: %s and %s both hold run %s, whose games would count twice", ErrSources, other, s.Name, run)
		}
		runs[run] = s.Name
	}
	return nil
}
