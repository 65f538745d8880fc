package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
)

// Validate checks the numbers of the settings and that the rules are JSON. It
// does not look into the rules or the agents, which other packages know.
func (s *Settings) Validate() error {
	switch {
	case s.JobEpisodes < 1:
		return fmt.Errorf("job_episodes is %d, must be 1 or more", s.JobEpisodes)
	case s.Episodes < 0:
		return fmt.Errorf("episodes is %d, must be 0 (until it is stopped) or more", s.Episodes)
	case s.OpeningPlies < 0:
		return fmt.Errorf("opening_plies is %d, must be 0 or more", s.OpeningPlies)
	case s.MaxPlies < 0:
		return fmt.Errorf("max_plies is %d, must be 0 (no limit) or more", s.MaxPlies)
	case !json.Valid(s.Rules):
		return errors.New("rules is not JSON")
	}
	if err := s.Resign.Validate(); err != nil {
		return err
	}
	return s.Files.Validate()
}

// ErrSettings is what an error wraps when a run meets data of other settings.
var ErrSettings = errors.New("another run")

// Differs returns an error that wraps ErrSettings and names the first field in which other differs
// from s, with both values, or nil when they are the settings of the same run.
func (s *Settings) Differs(other *Settings) error {
	if s.Run() == other.Run() {
		return nil
	}
	return Difference(s, other)
}

// Difference compares two structures of settings, of which pointers are given.
// Its error wraps ErrSettings and names the first field whose JSON is not the
// same, with the value there and the value here. It is nil when there is none.
func Difference(there, here any) error {
	a, b := reflect.ValueOf(there).Elem(), reflect.ValueOf(here).Elem()
	for i := range a.NumField() {
		mine, err1 := json.Marshal(a.Field(i).Interface())
		yours, err2 := json.Marshal(b.Field(i).Interface())
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		if bytes.Equal(mine, yours) {
			continue
		}
		name, _, _ := bytes.Cut([]byte(a.Type().Field(i).Tag.Get("json")), []byte(","))
		return fmt.Errorf("%w: %s is %s there and %s here", ErrSettings, name, shortened(mine), shortened(yours))
	}
	return nil
}

// shortened keeps an error on one line when a field holds a whole rule set.
func shortened(text []byte) []byte {
	const limit = 80
	if len(text) <= limit {
		return text
	}
	return append(bytes.Clone(text[:limit]), "…"...)
}
