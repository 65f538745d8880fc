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
	Name     string // for errors: the folder
	Settings *dataset.Settings
	Count    int64 // of its episodes
	// Episodes yields them in ascending order of number, each valid until the next.
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

// First returns a source of the first episodes, so many or as many as there are.
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

// ErrSources is what the error of Analyze wraps where sources cannot be pooled.
var ErrSources = errors.New("these data sets do not go together")

// together refuses sources of different rules, and the same run twice.
func together(sources []Source) error {
	if len(sources) == 0 {
		return fmt.Errorf("%w: there are none, must be one or more", ErrSources)
	}
	first, runs := &sources[0], map[string]string{}
	for i := range sources {
		s := &sources[i]
		if s.Settings.Digest != first.Settings.Digest {
			return fmt.Errorf("%w: %s is of %s (%s), %s of %s (%s); data of one rule set are pooled, several are compared",
				ErrSources, first.Name, first.Settings.Variant, first.Settings.Digest, s.Name, s.Settings.Variant, s.Settings.Digest)
		}
		run := s.Settings.Run()
		if other, ok := runs[run]; ok {
			return fmt.Errorf("%w: %s and %s are the same run %s, whose games would count twice", ErrSources, other, s.Name, run)
		}
		runs[run] = s.Name
	}
	return nil
}
