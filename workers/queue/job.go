package queue

// A Kind says why a job is played.
type Kind uint8

const (
	Play  Kind = iota // for its result
	Again             // for its result, beside a worker that takes long
	Audit             // for the checksum of its result, which is compared
)

func (k Kind) String() string { return [...]string{"play", "again", "audit"}[min(k, Audit)] }

// A Job is a fixed range of the episodes of a run, which the settings of the run and the
// number determine.
type Job struct {
	Run    string
	Number int64
	Kind   Kind
	Not    string // worker process that must not play it; of audits only
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
	Worker string // process that played it
	Total  *Total // of the whole result; in its last part only
}

// Total describes the whole result; it travels with the last part.
type Total struct {
	Episodes int64  `json:"episodes"`
	Plies    int64  `json:"plies"`
	Sum      uint32 `json:"sum"` // CRC-32C of all parts; detects parts of workers that play differently
}

// An AuditResult is the answer to a job of kind Audit.
type AuditResult struct {
	Run    string `json:"run"`
	Job    int64  `json:"job"`
	Worker string `json:"worker"` // process that played it
	Total  Total  `json:"total"`
}

// A DeadLetter is the record of a job that failed repeatedly, for a person to
// read. It takes the place of the job's result.
type DeadLetter struct {
	Run        string `json:"run"`
	Job        int64  `json:"job,string"`
	First      int64  `json:"first,string"`
	Count      int64  `json:"count,string"`
	Error      string `json:"error"`
	Worker     string `json:"worker"`     // process that had the last failure
	Deliveries int    `json:"deliveries"` // of the job to workers
}
