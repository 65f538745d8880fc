package natsq

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// apiPrefix is the prefix of the subjects of JetStream's API. The queue calls the API by
// subject, so that each call can end when the server denies its subject, and holds no
// handle of a stream that could outlive the stream.
const apiPrefix = "$JS.API."

// keyAPI returns the subject of a call about a stream.
func keyAPI(call, stream string) string { return apiPrefix + call + "." + stream }

// request sends a message and returns its answer.
func (q *Queue) request(ctx context.Context, msg *nats.Msg) (answer *nats.Msg, err error) {
	err = q.guard(ctx, msg.Subject, func(ctx context.Context) (err error) {
		answer, err = q.conn.RequestMsgWithContext(ctx, msg)
		return err
	})
	return answer, err
}

// call sends a request of the API about a stream, or about a consumer STREAM.NAME, and
// decodes its answer. A nil request or answer is none.
func (q *Queue) call(ctx context.Context, name, target string, request, answer any) error {
	msg := nats.NewMsg(strings.TrimSuffix(keyAPI(name, target), "."))
	if request != nil {
		data, err := json.Marshal(request)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		msg.Data = data
	}
	reply, err := q.request(ctx, msg)
	if err != nil {
		return err
	}
	stream, _, _ := strings.Cut(target, ".")
	if err := failure(reply.Data, stream); err != nil || answer == nil {
		return err
	}
	if err := json.Unmarshal(reply.Data, answer); err != nil {
		return fmt.Errorf("answer to %s: %w", name, err)
	}
	return nil
}

// failure returns the error of an answer about a stream.
func failure(answer []byte, stream string) error {
	var reply struct {
		Error *jetstream.APIError `json:"error"`
	}
	if err := json.Unmarshal(answer, &reply); err != nil {
		return fmt.Errorf("answer of the NATS server: %w", err)
	}
	switch {
	case reply.Error == nil:
		return nil
	case errors.Is(reply.Error, jetstream.ErrStreamNotFound):
		return &missingStream{stream, reply.Error}
	case isFull(reply.Error):
		return &fullStream{"stream " + stream, reply.Error}
	}
	return reply.Error
}

// publish stores a message in a stream.
func (q *Queue) publish(ctx context.Context, stream string, msg *nats.Msg) error {
	reply, err := q.request(ctx, msg)
	if errors.Is(err, nats.ErrNoResponders) {
		return &missingStream{stream, err}
	}
	if err != nil {
		return err
	}
	return failure(reply.Data, stream)
}

// streamInfo is the answer to a request about a stream.
type streamInfo struct {
	jetstream.StreamInfo
	Total int `json:"total"` // subjects, of which an answer has a part
}

// info returns the state of a stream with the messages of the subjects that match a
// filter, or without them if it is "".
func (q *Queue) info(ctx context.Context, stream, filter string) (*streamInfo, error) {
	subjects := map[string]uint64{}
	for {
		info := new(streamInfo)
		request := struct {
			Filter string `json:"subjects_filter,omitempty"`
			Offset int    `json:"offset,omitempty"`
		}{filter, len(subjects)}
		if err := q.call(ctx, "STREAM.INFO", stream, request, info); err != nil {
			return nil, err
		}
		maps.Copy(subjects, info.State.Subjects)
		if len(info.State.Subjects) == 0 || len(subjects) >= info.Total {
			info.State.Subjects = subjects
			return info, nil
		}
	}
}

// list returns the subjects of a stream that match a filter, in order.
func (q *Queue) list(ctx context.Context, stream, filter string) ([]string, error) {
	info, err := q.info(ctx, stream, filter)
	if err != nil {
		return nil, err
	}
	return slices.Sorted(maps.Keys(info.State.Subjects)), nil
}

// purge removes the messages of a stream whose subjects match a filter.
func (q *Queue) purge(ctx context.Context, stream, filter string) error {
	return q.call(ctx, "STREAM.PURGE", stream, struct {
		Filter string `json:"filter"`
	}{filter}, nil)
}

// consumerInfo returns the state of a consumer.
func (q *Queue) consumerInfo(ctx context.Context, stream, name string) (*jetstream.ConsumerInfo, error) {
	info := new(jetstream.ConsumerInfo)
	return info, q.call(ctx, "CONSUMER.INFO", stream+"."+name, nil, info)
}

// makeConsumer creates a consumer, or changes the settings of an existing one.
func (q *Queue) makeConsumer(ctx context.Context, stream string, config *jetstream.ConsumerConfig) error {
	target := stream + "." + config.Durable
	if config.FilterSubject != "" {
		target += "." + config.FilterSubject
	}
	var made jetstream.ConsumerInfo
	err := q.call(ctx, "CONSUMER.CREATE", target, struct {
		Stream string                    `json:"stream_name"`
		Config *jetstream.ConsumerConfig `json:"config"`
	}{stream, config}, &made)
	if err == nil && len(made.Config.FilterSubjects) != len(config.FilterSubjects) {
		// It ignores what it does not know, and the consumer receives everything.
		return errors.Join(q.dropConsumer(ctx, stream, config.Durable),
			&permanentError{fmt.Errorf("nats-server %s cannot share a run, must be 2.10 or later", q.conn.ConnectedServerVersion())})
	}
	return err
}

// dropConsumer removes a consumer if it exists.
func (q *Queue) dropConsumer(ctx context.Context, stream, name string) error {
	err := q.call(ctx, "CONSUMER.DELETE", stream+"."+name, nil, nil)
	if errors.Is(err, jetstream.ErrConsumerNotFound) {
		return nil
	}
	return err
}

// consumers returns the names of a stream's consumers that have a prefix, in order.
func (q *Queue) consumers(ctx context.Context, stream, prefix string) (names []string, err error) {
	for offset := 0; ; {
		var page struct {
			Consumers []string `json:"consumers"`
			Total     int      `json:"total"`
		}
		err := q.call(ctx, "CONSUMER.NAMES", stream, struct {
			Offset int `json:"offset"`
		}{offset}, &page)
		if err != nil {
			return nil, err
		}
		for _, name := range page.Consumers {
			if strings.HasPrefix(name, prefix) {
				names = append(names, name)
			}
		}
		if offset += len(page.Consumers); len(page.Consumers) == 0 || offset >= page.Total {
			slices.Sort(names)
			return names, nil
		}
	}
}

// bucketStream returns the name of the stream that stores a bucket.
func bucketStream(bucket string) string { return "KV_" + bucket }

// keys returns the prefix of the subjects of a bucket's keys.
func keys(bucket string) string { return "$KV." + bucket + "." }

// A stored value is that of a key of a bucket.
type stored struct {
	key    string
	header nats.Header
	data   []byte
}

// get returns the value of a key, or nil if there is none.
func (q *Queue) get(ctx context.Context, bucket, key string) (*stored, error) {
	var answer struct {
		Message struct {
			Header []byte `json:"hdrs"`
			Data   []byte `json:"data"`
		} `json:"message"`
	}
	// The leader of the stream answers, which has seen every value that was put.
	err := q.call(ctx, "STREAM.MSG.GET", bucketStream(bucket), struct {
		Subject string `json:"last_by_subj"`
	}{keys(bucket) + key}, &answer)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	value := &stored{key: key, data: answer.Message.Data}
	if len(answer.Message.Header) > 0 {
		if value.header, err = nats.DecodeHeadersMsg(answer.Message.Header); err != nil {
			return nil, fmt.Errorf("headers of %s: %w", key, err)
		}
	}
	if value.header.Get("KV-Operation") != "" {
		return nil, nil // removed by another client
	}
	return value, nil
}

// putKey stores the value of a key.
func (q *Queue) putKey(ctx context.Context, bucket, key string, header nats.Header, data []byte) error {
	msg := nats.NewMsg(keys(bucket) + key)
	if header != nil {
		msg.Header = header
	}
	msg.Data = data
	return q.publish(ctx, bucketStream(bucket), msg)
}

// remove removes the keys of a bucket that match a filter.
func (q *Queue) remove(ctx context.Context, bucket, filter string) error {
	return q.purge(ctx, bucketStream(bucket), keys(bucket)+filter)
}
