package natsq

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sandtable-farm/sandtable/workers/queue"
)

const (
	jobsStream    = "SANDTABLE_JOBS"
	resultsStream = "SANDTABLE_RESULTS"
	runsBucket    = "SANDTABLE_RUNS"
	workersBucket = "SANDTABLE_WORKERS"

	jobsPrefix    = "sandtable.jobs."    // and RUN.KIND.JOB
	resultsPrefix = "sandtable.results." // and RUN.SLICE.JOB, for audits RUN.SLICE.JOB.audit
	auditSuffix   = ".audit"

	workersConsumer   = "workers-"   // and the run
	collectorConsumer = "collector-" // and the run, the share and a random text
)

// Keys of the bucket of runs are a run, a point and one of these.
const (
	settingsKey = "settings" // large settings have parts settings.0, settings.1 and so on
	endKey      = "end"
	ordersKey   = "orders"
	progressKey = "progress"  // of the whole run; progress.I-N of a share
	ownerKey    = "collector" // or collector.I-N; names the consumer of the collector

	quarantinePrefix = "quarantine." // and a worker
)

// maxJob is above the number of any job: more jobs than a farm can play.
const maxJob = 1 << 40

// A slice is a fixed part of the jobs of a run: a share is some of the slices.
func slice(job int64) int64 { return job % queue.Shares }

func jobSubject(job *queue.Job) string {
	return fmt.Sprintf("%s%s.%s.%d", jobsPrefix, job.Run, job.Kind, job.Number)
}

func resultSubject(run string, job int64) string {
	return fmt.Sprintf("%s%s.%d.%d", resultsPrefix, run, slice(job), job)
}

// parseJobSubject returns the job of a subject, without the fields of its message.
func parseJobSubject(subject string) (job queue.Job, err error) {
	tokens := strings.Split(strings.TrimPrefix(subject, jobsPrefix), ".")
	if len(tokens) == 3 {
		kinds := []string{queue.Play.String(), queue.Again.String(), queue.Audit.String()}
		kind := slices.Index(kinds, tokens[1])
		number, err := parseNumber(tokens[2])
		if kind >= 0 && err == nil {
			return queue.Job{Run: tokens[0], Number: number, Kind: queue.Kind(kind)}, nil
		}
	}
	return queue.Job{}, fmt.Errorf("subject %q is not that of a job; another program writes to the streams of the farm", subject)
}

// parseResultSubject returns the run and the job of a subject, and whether it is that of
// an audit.
func parseResultSubject(subject string) (run string, job int64, audit bool, err error) {
	text, audit := strings.CutSuffix(strings.TrimPrefix(subject, resultsPrefix), auditSuffix)
	tokens := strings.Split(text, ".")
	if len(tokens) == 3 {
		job, err := parseNumber(tokens[2])
		if err == nil && tokens[1] == strconv.FormatInt(slice(job), 10) {
			return tokens[0], job, audit, nil
		}
	}
	return "", 0, false, fmt.Errorf("subject %q is not that of a result; another program writes to the streams of the farm", subject)
}

// parseNumber returns the number of a job in its only form.
func parseNumber(text string) (int64, error) {
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil || number < 0 || number >= maxJob || strconv.FormatInt(number, 10) != text {
		return 0, fmt.Errorf("job is %q, must be 0 to %d", text, int64(maxJob-1))
	}
	return number, nil
}

// shareKey returns a key of a share of a run.
func shareKey(key string, share queue.Share) string {
	if share.Of <= 1 {
		return key
	}
	return fmt.Sprintf("%s.%d-%d", key, share.Index, share.Of)
}

// parseShareKey returns the share of a key.
func parseShareKey(key, text string) (share queue.Share, ok bool) {
	if text == key {
		return queue.Share{}, true
	}
	n, err := fmt.Sscanf(text, key+".%d-%d", &share.Index, &share.Of)
	return share, n == 2 && err == nil && share.Validate() == nil && share.Of > 1 && shareKey(key, share) == text
}

// overlap reports whether two shares have a job in common.
func overlap(a, b queue.Share) bool {
	least := max(1, min(a.Of, b.Of))
	return a.Index%least == b.Index%least
}

// keyText returns the form of a worker's name that a key may have: other characters than
// letters, digits, - and _ are written as = and their two hexadecimal digits.
func keyText(name string) string {
	var text strings.Builder
	for _, b := range []byte(name) {
		if b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '-' || b == '_' {
			text.WriteByte(b)
		} else {
			fmt.Fprintf(&text, "=%02x", b)
		}
	}
	return text.String()
}
