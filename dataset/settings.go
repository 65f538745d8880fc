package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Settings is everything that decides the episodes of a run, as plain data: two
// runs with equal settings hold equal episodes. It travels in every job, in the
// manifest and in every Parquet file.
type Settings struct {
	Variant      string          `json:"variant"`         // variant string, for people
	Digest       string          `json:"digest"`          // of the rules, "sha256:…"
	Rules        json.RawMessage `json:"rules"`           // the complete rule set
	Agents       [2]string       `json:"agents"`          // agent strings with defaults written out
	Files        Files           `json:"files,omitempty"` // what the agents name by digest
	OpeningPlies int             `json:"opening_plies"`   // random plies at the start of each game or pair
	// OpeningBalanced says that an opening in which a side gets ahead, or a
	// position comes twice, is drawn anew, as one that ends the game always is.
	OpeningBalanced bool     `json:"opening_balanced,omitempty"`
	Starts          []string `json:"starts"`    // start positions used in turn; empty: the variant's own
	MaxPlies        int      `json:"max_plies"` // truncation; 0 is none
	// Resign says when a player gives up; the zero value is never, and left out.
	Resign      Resign `json:"resign,omitzero"`
	Seed        uint64 `json:"seed,string"`
	Episodes    int64  `json:"episodes,string"`     // of the run; 0: until it is stopped
	JobEpisodes int64  `json:"job_episodes,string"` // of one job
}

// Run returns the id of the run with these settings: 16 hexadecimal digits of
// their SHA-256. Equal settings are the same run.
func (s *Settings) Run() string {
	data, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("settings do not encode: %v", err)) // Rules were parsed before
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// Paired reports whether the episodes come in colour-swapped pairs.
func (s *Settings) Paired() bool { return s.Agents[0] != s.Agents[1] }

// Jobs returns the number of jobs of the run, or −1 when it has no fixed end.
func (s *Settings) Jobs() int64 {
	if s.Episodes == 0 {
		return -1
	}
	return (s.Episodes + s.JobEpisodes - 1) / s.JobEpisodes
}

// Job returns the episodes of a job: the first number and how many.
func (s *Settings) Job(number int64) (first, count int64) {
	first, count = number*s.JobEpisodes, s.JobEpisodes
	if s.Episodes > 0 {
		count = min(count, s.Episodes-first)
	}
	return first, count
}
