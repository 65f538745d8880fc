package workers

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/dataset"
)

// A Job is a fixed range of the episodes of a run, with everything that a worker
// needs to play them.
type Job struct {
	Run      string           `json:"run"`
	Number   int64            `json:"job,string"`
	First    int64            `json:"first,string"` // number of its first episode
	Count    int64            `json:"count,string"`
	Settings dataset.Settings `json:"settings"`
}

// NewJob returns a job of the run with the given settings.
func NewJob(settings *dataset.Settings, number int64) *Job {
	first, count := settings.Job(number)
	return &Job{Run: settings.Run(), Number: number, First: first, Count: count, Settings: *settings}
}

// Validate checks the settings, and that the other fields agree with them.
func (j *Job) Validate() error {
	if err := j.Settings.Validate(); err != nil {
		return fmt.Errorf("job %d: settings: %w", j.Number, err)
	}
	if run := j.Settings.Run(); j.Run != run {
		return fmt.Errorf("job %d: run is %q, must be %q by its settings", j.Number, j.Run, run)
	}
	first, count := j.Settings.Job(j.Number)
	if j.Number < 0 || count < 1 {
		return fmt.Errorf("job %d: the run has no such job", j.Number)
	}
	if j.First != first || j.Count != count {
		return fmt.Errorf("job %d: has %d episodes from %d on, must have %d from %d on by its settings", j.Number, j.Count, j.First, count, first)
	}
	return nil
}

// PartBytes is the size of the largest part of a result.
const PartBytes = 512 << 10

// A Part is a piece of the result of a job: the episodes in ascending order in the
// wire form of package dataset, one after the other, cut every PartBytes bytes. All
// workers make the same parts of a job.
type Part struct {
	Run    string
	Job    int64
	Index  int // from 0
	Data   []byte
	Worker string // that played it, for people
	Total  *Total // of the whole result; in its last part only
}

// Total describes the whole result; it travels with the last part.
type Total struct {
	Episodes int64  `json:"episodes"`
	Plies    int64  `json:"plies"`
	Sum      uint32 `json:"sum"` // CRC-32C of all parts; detects parts of workers that play differently
}

// A DeadLetter is the record of a job that failed repeatedly, for a person to
// read. It takes the place of the job's result.
type DeadLetter struct {
	Run        string `json:"run"`
	Job        int64  `json:"job,string"`
	First      int64  `json:"first,string"`
	Count      int64  `json:"count,string"`
	Error      string `json:"error"`
	Worker     string `json:"worker"`     // that had the last failure
	Deliveries int    `json:"deliveries"` // of the job to workers
}
