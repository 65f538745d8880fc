package queue

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
)

// Shares is the largest number of collectors that can share a run.
const Shares = 16

// A Share is the part of a run's jobs that one of several collectors writes: the jobs
// whose number modulo Of is Index. The zero Share means all jobs.
type Share struct {
	Index, Of int
}

// Has reports whether a job belongs to the share.
func (s Share) Has(job int64) bool { return s.Of <= 1 || job%int64(s.Of) == int64(s.Index) }

func (s Share) String() string { return fmt.Sprintf("%d/%d", s.Index, max(s.Of, 1)) }

// ParseShare reads a share in the form of String. The share 0/1 is the zero Share.
func ParseShare(text string) (s Share, err error) {
	index, of, found := strings.Cut(text, "/")
	if found {
		s.Index, err = strconv.Atoi(index)
		if err == nil {
			s.Of, err = strconv.Atoi(of)
		}
	}
	if !found || err != nil || s.String() != text {
		return Share{}, fmt.Errorf("share is %q, must be I/N, such as 0/2", text)
	}
	if err := s.Validate(); err != nil || s.Of == 1 {
		return Share{}, err
	}
	return s, nil
}

// Validate checks that Of is 0 or a power of two up to Shares, and Index is below it.
func (s Share) Validate() error {
	if s == (Share{}) {
		return nil
	}
	if s.Of < 1 || s.Of > Shares || s.Of&(s.Of-1) != 0 {
		return fmt.Errorf("a run can be shared by 1, 2, 4, 8 or %d collectors, not by %d", Shares, s.Of)
	}
	if s.Index < 0 || s.Index >= s.Of {
		return fmt.Errorf("collector %d of %d does not exist; the first is 0", s.Index, s.Of)
	}
	return nil
}

// Progress is what the collector of a run, or of a share of it, publishes.
type Progress struct {
	Run      string       `json:"run"`
	Share    Share        `json:"share,omitzero"`
	Jobs     dataset.Jobs `json:"jobs"` // in the data set
	Dead     dataset.Jobs `json:"dead"` // with a dead letter
	Episodes int64        `json:"episodes,string"`
	Plies    int64        `json:"plies,string"`
	Bytes    int64        `json:"bytes,string"` // on disk
	Shards   int64        `json:"shards,string"`
	Arrived  Arrived      `json:"arrived"`
	Speed    float64      `json:"speed"` // episodes per second that have arrived over the last minute
	At       time.Time    `json:"at"`    // when it was published; a collector publishes at least every 10 s
}

// Finished returns how many jobs below a number need nothing more.
func (p *Progress) Finished(below int64) int64 { return p.Jobs.Below(below) + p.Dead.Below(below) }

// Arrived counts the whole jobs that have reached the collector and are not yet in
// the data set.
type Arrived struct {
	Jobs     int64 `json:"jobs,string"`
	Episodes int64 `json:"episodes,string"`
	Plies    int64 `json:"plies,string"`
}

// Orders are what an operator wants of a run. The zero value lets it run.
type Orders struct {
	Paused    bool `json:"paused,omitempty"`    // no job is handed out
	Cancelled bool `json:"cancelled,omitempty"` // the roles end; the data set keeps what it has
	Workers   int  `json:"workers,omitempty"`   // most goroutines that play the run at a time; 0 means no limit
}

// A RunState is what the queue knows of a run.
type RunState struct {
	Run      string
	Settings *dataset.Settings
	Jobs     int64 // wanted, −1 without a limit
	Queued   Queued
	Progress Progress
	Orders   Orders
}

// A WorkerState is what a worker process reports of itself.
type WorkerState struct {
	Name    string            `json:"name"` // unique; host and process number unless the operator chose another
	Host    string            `json:"host"`
	Version string            `json:"version"` // of the program
	Cores   int               `json:"cores"`
	Workers int               `json:"workers"`          // goroutines that play
	Memory  int64             `json:"memory,omitempty"` // limit in bytes, 0 without one
	Started time.Time         `json:"started"`
	At      time.Time         `json:"at"`                // of the report
	Playing map[string]int    `json:"playing,omitempty"` // goroutines by run
	Done    int64             `json:"done"`              // jobs
	Failed  int64             `json:"failed"`            // jobs
	Plies   float64           `json:"plies"`             // per second, over the last minute
	Games   float64           `json:"games"`             // per second, over the last minute
	Refused map[string]string `json:"refused,omitempty"` // why it does not play a run, by run
	Resting time.Time         `json:"resting,omitzero"`  // until when it rests after failures
	// Quarantined says why the process takes no jobs; the queue sets it.
	Quarantined string `json:"quarantined,omitempty"`
}
