package workers

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/dataset"
)

// A Job is a fixed range of the episodes of a run, with everything that a
// worker needs to play them.
type Job struct {
	Run      string           `json:"run"`
	Number   int64            `json:"job,string"`
	First    int64            `json:"first,string"` // number of its first episode
	Count    int64            `json:"count,string"`
	Settings dataset.Settings `json:"settings"`
}

// NewJob returns the job of the given number in the run of the settings.
func NewJob(settings *dataset.Settings, number int64) *Job {
	first, count := settings.Job(number)
	return &Job{Run: settings.Run(), Number: number, First: first, Count: count, Settings: *settings}
}

// Validate checks that the job agrees with its own settings.
func (j *Job) Validate() error {
	if err := j.Settings.Validate(); err != nil {
		return fmt.Errorf("job %d: settings: %w", j.Number, err)
	}
	if run := j.Settings.Run(); j.Run != run {
		return fmt.Errorf("job %d: run is %q, but its settings make it %q", j.Number, j.Run, run)
	}
	first, count := j.Settings.Job(j.Number)
	if j.Number < 0 || count < 1 || j.First != first || j.Count != count {
		return fmt.Errorf("job %d: its %d episodes from %d on are not what its settings say", j.Number, j.Count, j.First)
	}
	return nil
}

// PartBytes is the most that one part of a result holds.
const PartBytes = 512 << 10

// A Part is a piece of the result of a job: the episodes in ascending order in
// the wire form of package dataset, one after the other, cut every PartBytes
// bytes. Whoever plays the job, the parts are the same.
type Part struct {
	Run    string
	Job    int64
	Index  int // from 0
	Data   []byte
	Worker string // who played it, for people
	Total  *Total // of the whole result; in its last part only
}

// Total is what the last part says of the whole result.
type Total struct {
	Episodes int64  `json:"episodes"`
	Plies    int64  `json:"plies"`
	Sum      uint32 `json:"sum"` // CRC-32C of all parts: those of unlike workers must not be mixed
}

// A DeadLetter is the record of a job that could not be done, for a person to
// read. It takes the place of the job's result.
type DeadLetter struct {
	Run        string `json:"run"`
	Job        int64  `json:"job,string"`
	First      int64  `json:"first,string"`
	Count      int64  `json:"count,string"`
	Error      string `json:"error"`
	Worker     string `json:"worker"`     // who gave up
	Deliveries int    `json:"deliveries"` // how often a worker was given it
}
