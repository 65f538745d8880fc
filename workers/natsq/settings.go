package natsq

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/nats-io/nats.go"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

const (
	// maxSettings is the size of the largest settings as JSON, such as those with
	// 250,000 start positions.
	maxSettings = 16 << 20
	// plainSettings is the size up to which settings are stored as they are. Larger ones
	// are compressed and cut into parts.
	plainSettings = 64 << 10
	settingsPart  = 256 << 10
)

// partsHeader is a header of large settings: the number of their parts, which are the
// values of further keys.
const partsHeader = "Sandtable-Parts"

// readSettings returns the settings of a run, or nil if there are none. Settings that
// cannot be read, or that belong to another run, are an error.
func (q *Queue) readSettings(ctx context.Context, run string) (*dataset.Settings, error) {
	value, err := q.get(ctx, runsBucket, run+"."+settingsKey)
	if value == nil || err != nil {
		return nil, err
	}
	data := value.data
	if count := value.header.Get(partsHeader); count != "" {
		if data, err = q.joinSettings(ctx, run, count); data == nil || err != nil {
			return nil, err
		}
	}
	settings, err := parseSettings(data, run)
	if err != nil {
		return nil, &damaged{run, err}
	}
	return settings, nil
}

// parseSettings decodes the settings of a run.
func parseSettings(data []byte, run string) (*dataset.Settings, error) {
	settings := new(dataset.Settings)
	if err := json.Unmarshal(data, settings); err != nil {
		return nil, err
	}
	if err := settings.Validate(); err != nil {
		return nil, err
	}
	if got := settings.Run(); got != run {
		return nil, fmt.Errorf("they read as those of run %s; another version of the program stored them, or they are damaged", got)
	}
	return settings, nil
}

// joinSettings returns the JSON of settings that are stored in parts, or nil if parts are
// missing.
func (q *Queue) joinSettings(ctx context.Context, run, count string) ([]byte, error) {
	const most = 2 * maxSettings / settingsPart
	n, err := strconv.Atoi(count)
	if err != nil || n < 1 || n > most {
		return nil, &damaged{run, fmt.Errorf("number of parts is %q, must be 1 to %d", count, most)}
	}
	var packed []byte
	for i := range n {
		part, err := q.get(ctx, runsBucket, settingsPartKey(run, i))
		if part == nil || err != nil {
			return nil, err
		}
		packed = append(packed, part.data...)
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, &damaged{run, err}
	}
	data, err := io.ReadAll(io.LimitReader(unpacked, maxSettings+1))
	if err == nil && len(data) > maxSettings {
		err = fmt.Errorf("they have more than %d bytes", maxSettings)
	}
	if err != nil {
		return nil, &damaged{run, err}
	}
	return data, nil
}

func settingsPartKey(run string, i int) string { return fmt.Sprintf("%s.%s.%d", run, settingsKey, i) }

// damaged is the error of settings that cannot be read.
type damaged struct {
	run string
	err error
}

func (e *damaged) Error() string {
	return fmt.Sprintf("the settings stored for run %s: %v", e.run, e.err)
}
func (e *damaged) Unwrap() error { return e.err }

// packSettings returns the values of the keys of settings: the parts of large ones, and
// the value and header of the first key, which is stored last.
func packSettings(settings *dataset.Settings) (parts [][]byte, value []byte, header nats.Header, err error) {
	data, err := json.Marshal(settings)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("settings: %w", err)
	}
	if len(data) > maxSettings {
		return nil, nil, nil, fmt.Errorf("the settings of the run have %d bytes (%d start positions), must be %d or fewer",
			len(data), len(settings.Starts), maxSettings)
	}
	if len(data) <= plainSettings {
		return nil, data, nil, nil
	}
	var packed bytes.Buffer
	pack := gzip.NewWriter(&packed)
	if _, err := pack.Write(data); err != nil {
		return nil, nil, nil, fmt.Errorf("settings: %w", err)
	}
	if err := pack.Close(); err != nil {
		return nil, nil, nil, fmt.Errorf("settings: %w", err)
	}
	parts = slices.Collect(slices.Chunk(packed.Bytes(), settingsPart))
	return parts, nil, nats.Header{partsHeader: {strconv.Itoa(len(parts))}}, nil
}

// settingsCache holds settings that were read, of runs that still exist.
type settingsCache map[string]*dataset.Settings

// knownSettings returns the settings of a run that is in a list of runs. They never
// change, so that they are read once.
func (q *Queue) knownSettings(ctx context.Context, run string) (*dataset.Settings, error) {
	q.mu.Lock()
	settings := q.settings[run]
	q.mu.Unlock()
	if settings != nil {
		return settings, nil
	}
	settings, err := q.Settings(ctx, run)
	if err != nil {
		return nil, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.settings[run] = settings
	return settings, nil
}

// Settings implements queue.Worker and queue.Collector.
func (q *Queue) Settings(ctx context.Context, run string) (settings *dataset.Settings, err error) {
	err = q.persist(ctx, "reading the settings of run "+run, func(ctx context.Context) (err error) {
		settings, err = q.readSettings(ctx, run)
		return err
	})
	if err == nil && settings == nil {
		err = q.unknown(run)
	}
	return settings, err
}

// unknown returns the error of a run that the server does not know.
func (q *Queue) unknown(run string) error {
	return fmt.Errorf("%w: %s is unknown to the NATS server at %s", queue.ErrNoRun, run, q.conn.ConnectedUrlRedacted())
}
