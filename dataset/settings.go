package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
)

// Settings are all the settings that determine the episodes of a run: two runs with equal
// settings have equal episodes. Every job, the manifest and every Parquet file contain
// them.
type Settings struct {
	Variant      string          `json:"variant"`         // variant string, for people
	Digest       string          `json:"digest"`          // of the rules, "sha256:…"
	Rules        json.RawMessage `json:"rules"`           // the complete rule set
	Agents       [2]string       `json:"agents"`          // agent strings with defaults written out
	Files        Files           `json:"files,omitempty"` // files that the agents name by digest
	OpeningPlies int             `json:"opening_plies"`   // plies of the opening of each game or pair
	// OpeningBalanced says that an opening is drawn again if a side gets ahead in it or a
	// position repeats. An opening that ends the game is always drawn again.
	OpeningBalanced bool `json:"opening_balanced,omitempty"`
	// OpeningPolicy says how openings are drawn. The zero value, which is omitted, means
	// uniformly random plies, as many in each game.
	OpeningPolicy OpeningPolicy `json:"opening_policy,omitzero"`
	Starts        []string      `json:"starts"`    // start positions, used in turn; empty for the variant's own
	MaxPlies      int           `json:"max_plies"` // games are truncated at this ply; 0 means no limit
	// Resign is the resignation rule; the zero value means none and is omitted.
	Resign      Resign `json:"resign,omitzero"`
	Seed        uint64 `json:"seed,string"`
	Episodes    int64  `json:"episodes,string"`     // of the run; 0 means no limit
	JobEpisodes int64  `json:"job_episodes,string"` // of one job
}

// Validate checks the numbers and files of the settings, and that the rules are JSON. It
// does not check the content of the rules or the agents, which other packages know.
func (s *Settings) Validate() error {
	switch {
	case s.JobEpisodes < 1:
		return fmt.Errorf("job_episodes is %d, must be 1 or more", s.JobEpisodes)
	case s.Episodes < 0:
		return fmt.Errorf("episodes is %d, must be 0 (no limit) or more", s.Episodes)
	case s.OpeningPlies < 0:
		return fmt.Errorf("opening_plies is %d, must be 0 or more", s.OpeningPlies)
	case s.MaxPlies < 0:
		return fmt.Errorf("max_plies is %d, must be 0 (no limit) or more", s.MaxPlies)
	case !json.Valid(s.Rules):
		return errors.New("rules are not valid JSON")
	}
	if err := s.OpeningPolicy.Validate(s.OpeningPlies); err != nil {
		return err
	}
	if err := s.Resign.Validate(); err != nil {
		return err
	}
	return s.Files.Validate()
}

// Run returns the id of the run with these settings: the first 16 hexadecimal digits of
// their SHA-256. Equal settings have equal ids.
func (s *Settings) Run() string {
	data, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("encoding settings: %v", err)) // cannot happen: Rules are valid JSON
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// Paired reports whether the episodes come in colour-swapped pairs.
func (s *Settings) Paired() bool { return s.Agents[0] != s.Agents[1] }

// Jobs returns the number of jobs of the run, or −1 if it has no limit.
func (s *Settings) Jobs() int64 {
	if s.Episodes == 0 {
		return -1
	}
	return (s.Episodes + s.JobEpisodes - 1) / s.JobEpisodes
}

// Job returns the number of the first episode of a job, and its number of episodes.
func (s *Settings) Job(number int64) (first, count int64) {
	first, count = number*s.JobEpisodes, s.JobEpisodes
	if s.Episodes > 0 {
		count = min(count, s.Episodes-first)
	}
	return first, count
}
