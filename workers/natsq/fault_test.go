package natsq

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/workers"
)

// faults fails calls to the server by name, each as often as it has errors.
type faults map[string][]error

func (f faults) next(call string) error {
	if len(f[call]) == 0 {
		return nil
	}
	err := f[call][0]
	f[call] = f[call][1:]
	return err
}

type faultyJetStream struct {
	jetstream.JetStream
	faults
}

func (j faultyJetStream) PublishMsg(ctx context.Context, msg *nats.Msg, o ...jetstream.PublishOpt) (*jetstream.PubAck, error) {
	if err := j.next("PublishMsg"); err != nil {
		return nil, err
	}
	return j.JetStream.PublishMsg(ctx, msg, o...)
}

func (j faultyJetStream) PublishMsgAsync(msg *nats.Msg, o ...jetstream.PublishOpt) (jetstream.PubAckFuture, error) {
	if err := j.next("PublishMsgAsync"); err != nil {
		return nil, err
	}
	return j.JetStream.PublishMsgAsync(msg, o...)
}

func (j faultyJetStream) Publish(ctx context.Context, subject string, data []byte, o ...jetstream.PublishOpt) (*jetstream.PubAck, error) {
	if err := j.next("Publish"); err != nil {
		return nil, err
	}
	return j.JetStream.Publish(ctx, subject, data, o...)
}

func (j faultyJetStream) Stream(ctx context.Context, name string) (jetstream.Stream, error) {
	if err := j.next("Stream"); err != nil {
		return nil, err
	}
	return j.JetStream.Stream(ctx, name)
}

func (j faultyJetStream) CreateStream(ctx context.Context, c jetstream.StreamConfig) (jetstream.Stream, error) {
	if err := j.next("CreateStream"); err != nil {
		return nil, err
	}
	return j.JetStream.CreateStream(ctx, c)
}

func (j faultyJetStream) KeyValue(ctx context.Context, bucket string) (jetstream.KeyValue, error) {
	if err := j.next("KeyValue"); err != nil {
		return nil, err
	}
	return j.JetStream.KeyValue(ctx, bucket)
}

func (j faultyJetStream) CreateKeyValue(ctx context.Context, c jetstream.KeyValueConfig) (jetstream.KeyValue, error) {
	if err := j.next("CreateKeyValue"); err != nil {
		return nil, err
	}
	return j.JetStream.CreateKeyValue(ctx, c)
}

type faultyStream struct {
	jetstream.Stream
	faults
	name string
}

func (s faultyStream) Info(ctx context.Context, o ...jetstream.StreamInfoOpt) (*jetstream.StreamInfo, error) {
	if err := s.next(s.name + " Info"); err != nil {
		return nil, err
	}
	return s.Stream.Info(ctx, o...)
}

func (s faultyStream) Purge(ctx context.Context, o ...jetstream.StreamPurgeOpt) error {
	if err := s.next(s.name + " Purge"); err != nil {
		return err
	}
	return s.Stream.Purge(ctx, o...)
}

func (s faultyStream) CreateOrUpdateConsumer(ctx context.Context, c jetstream.ConsumerConfig) (jetstream.Consumer, error) {
	if err := s.next("CreateOrUpdateConsumer"); err != nil {
		return nil, err
	}
	return s.Stream.CreateOrUpdateConsumer(ctx, c)
}

func (s faultyStream) CreateConsumer(ctx context.Context, c jetstream.ConsumerConfig) (jetstream.Consumer, error) {
	if err := s.next("CreateConsumer"); err != nil {
		return nil, err
	}
	consumer, err := s.Stream.CreateConsumer(ctx, c)
	return faultyConsumer{consumer, s.faults}, err
}

func (s faultyStream) DeleteConsumer(ctx context.Context, name string) error {
	if err := s.next("DeleteConsumer"); err != nil {
		return err
	}
	return s.Stream.DeleteConsumer(ctx, name)
}

type faultyConsumer struct {
	jetstream.Consumer
	faults
}

func (c faultyConsumer) Fetch(n int, o ...jetstream.FetchOpt) (jetstream.MessageBatch, error) {
	if err := c.next("Fetch"); err != nil {
		return nil, err
	}
	return c.Consumer.Fetch(n, o...)
}

func (c faultyConsumer) Info(ctx context.Context) (*jetstream.ConsumerInfo, error) {
	if err := c.next("consumer Info"); err != nil {
		return nil, err
	}
	return c.Consumer.Info(ctx)
}

func (c faultyConsumer) Messages(o ...jetstream.PullMessagesOpt) (jetstream.MessagesContext, error) {
	if err := c.next("Messages"); err != nil {
		return nil, err
	}
	messages, err := c.Consumer.Messages(o...)
	return faultyMessages{messages, c.faults}, err
}

type faultyMessages struct {
	jetstream.MessagesContext
	faults
}

func (m faultyMessages) Next(o ...jetstream.NextOpt) (jetstream.Msg, error) {
	if err := m.next("Next"); err != nil {
		return nil, err
	}
	msg, err := m.MessagesContext.Next(o...)
	return &faultyMessage{msg, m.faults}, err
}

type faultyMessage struct {
	jetstream.Msg
	faults
}

func (m *faultyMessage) Ack() error {
	if err := m.next("Ack"); err != nil {
		return err
	}
	return m.Msg.Ack()
}

type faultyBucket struct {
	jetstream.KeyValue
	faults
}

func (b faultyBucket) Get(ctx context.Context, key string) (jetstream.KeyValueEntry, error) {
	if err := b.next("Get"); err != nil {
		return nil, err
	}
	return b.KeyValue.Get(ctx, key)
}

func (b faultyBucket) Put(ctx context.Context, key string, value []byte) (uint64, error) {
	if err := b.next("Put"); err != nil {
		return 0, err
	}
	return b.KeyValue.Put(ctx, key, value)
}

func (b faultyBucket) Create(ctx context.Context, key string, value []byte, o ...jetstream.KVCreateOpt) (uint64, error) {
	if err := b.next("Create"); err != nil {
		return 0, err
	}
	return b.KeyValue.Create(ctx, key, value, o...)
}

func (b faultyBucket) Purge(ctx context.Context, key string, o ...jetstream.KVDeleteOpt) error {
	if err := b.next("bucket Purge"); err != nil {
		return err
	}
	return b.KeyValue.Purge(ctx, key, o...)
}

// faultyQueue returns a queue on a server whose calls fail, and its log. The queue is
// made before the first fault.
func faultyQueue(t *testing.T, f faults) (*Queue, *bytes.Buffer) {
	t.Helper()
	s, err := StartServer(t.Context(), ServerOptions{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	var log bytes.Buffer
	q, err := s.Connect(t.Context(), Options{Log: slog.New(slog.NewTextHandler(&log, nil)), RetryDelay: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = q.Close() })
	q.js = faultyJetStream{q.js, f}
	q.jobs, q.results = faultyStream{q.jobs, f, "JOBS"}, faultyStream{q.results, f, "EPISODES"}
	q.workers, q.runs = faultyConsumer{q.workers, f}, faultyBucket{q.runs, f}
	return q, &log
}

func toySettings() *dataset.Settings {
	return &dataset.Settings{Variant: "toy", Rules: []byte(`{"toy":1}`), Episodes: 100, JobEpisodes: 10}
}

// serverCalls are the calls of a queue with the calls to the server that they make.
var serverCalls = []struct {
	name, fault string
	call        func(context.Context, *Queue) error
	what        string // of the error
}{
	{"PutRun", "Create", putRun, "storing the settings of run "},
	{"PutRun again", "Get", putRunAgain, "reading " + toySettings().Run() + ".settings"},
	{"Settings", "Get", func(ctx context.Context, q *Queue) error {
		_, err := q.Settings(ctx, toySettings().Run())
		return err
	}, "reading " + toySettings().Run() + ".settings"},
	{"PutProgress", "Put", func(ctx context.Context, q *Queue) error {
		return q.PutProgress(ctx, &workers.Progress{Run: toySettings().Run()})
	}, "storing " + toySettings().Run() + ".progress"},
	{"Progress", "Get", func(ctx context.Context, q *Queue) error {
		_, err := q.Progress(ctx, toySettings().Run())
		return err
	}, "reading " + toySettings().Run() + ".progress"},
	{"PutEnd", "Put", func(ctx context.Context, q *Queue) error { return q.PutEnd(ctx, toySettings().Run(), 3) }, "storing " + toySettings().Run() + ".end"},
	{"End", "Get", func(ctx context.Context, q *Queue) error {
		_, err := q.End(ctx, toySettings().Run())
		return err
	}, "reading " + toySettings().Run() + ".end"},
	{"Enqueue", "PublishMsg", func(ctx context.Context, q *Queue) error { return q.Enqueue(ctx, workers.NewJob(toySettings(), 9)) }, "queueing sandtable.jobs."},
	{"Queued jobs", "JOBS Info", listJobs, "listing the jobs of run "},
	{"Queued results", "EPISODES Info", listJobs, "listing the jobs of run "},
	{"Withdraw", "JOBS Purge", func(ctx context.Context, q *Queue) error { return q.Withdraw(ctx, "other") }, "purging sandtable.jobs.other.*"},
	{"Purge jobs", "JOBS Purge", func(ctx context.Context, q *Queue) error { return q.Purge(ctx, "other") }, "purging sandtable.jobs.other.*"},
	{"Purge results", "EPISODES Purge", func(ctx context.Context, q *Queue) error { return q.Purge(ctx, "other") }, "purging sandtable.episodes.other.*"},
	{"Forget", "bucket Purge", func(ctx context.Context, q *Queue) error { return q.Forget(ctx, "other") }, "forgetting run other"},
	{"room", "EPISODES Info", nextJob, "looking for room"},
	{"NextJob", "Fetch", nextJob, "requesting a job"},
	{"StoreParts", "PublishMsg", func(ctx context.Context, q *Queue) error { return q.StoreParts(ctx, parts(1)) }, "storing " + toySettings().Run() + "/7/0"},
	{"StoreDeadLetter", "Publish", func(ctx context.Context, q *Queue) error {
		return q.StoreDeadLetter(ctx, &workers.DeadLetter{Run: toySettings().Run(), Job: 4})
	}, "storing the dead letter of job 4"},
	{"Collect", "CreateConsumer", collect, "requesting the results of run "},
	{"Collect again", "DeleteConsumer", func(ctx context.Context, q *Queue) error { return errors.Join(collect(ctx, q), collect(ctx, q)) }, "requesting the results of run "},
	{"reclaim", "CreateOrUpdateConsumer", func(ctx context.Context, q *Queue) error { return q.reclaim(ctx) }, "taking over jobs"},
	{"reclaim", "DeleteConsumer", func(ctx context.Context, q *Queue) error { return q.reclaim(ctx) }, "taking over jobs"},
}

func putRun(ctx context.Context, q *Queue) error { return q.PutRun(ctx, toySettings()) }

func putRunAgain(ctx context.Context, q *Queue) error { return q.PutRun(ctx, toySettings()) }

func listJobs(ctx context.Context, q *Queue) error {
	_, err := q.Queued(ctx, "other")
	return err
}

func nextJob(ctx context.Context, q *Queue) error {
	held, err := q.NextJob(ctx)
	if err == nil {
		err = held.Done(ctx)
	}
	return err
}

func collect(ctx context.Context, q *Queue) error {
	inbox, err := q.Collect(ctx, toySettings().Run())
	if err == nil {
		err = inbox.Close()
	}
	return err
}

// parts returns the result of job 7 in a number of parts.
func parts(n int) []workers.Part {
	all := make([]workers.Part, n)
	for i := range all {
		all[i] = workers.Part{Run: toySettings().Run(), Job: 7, Index: i, Data: []byte{byte(i)}}
	}
	all[n-1].Total = &workers.Total{Episodes: 1}
	return all
}

var errPermanent = errors.New("the server does not like it")

func TestCallsAreRepeatedAfterErrorsThatPass(t *testing.T) {
	f := faults{}
	q, _ := faultyQueue(t, f)
	if err := errors.Join(q.PutRun(t.Context(), toySettings()), q.Enqueue(t.Context(), workers.NewJob(toySettings(), 0)), q.Enqueue(t.Context(), workers.NewJob(toySettings(), 1))); err != nil {
		t.Fatal(err)
	}
	for _, c := range serverCalls {
		f[c.fault] = []error{nats.ErrTimeout, jetstream.ErrNoStreamResponse}
		if c.fault == "DeleteConsumer" {
			f[c.fault] = f[c.fault][:1]
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		if err := c.call(ctx, q); err != nil || len(f[c.fault]) > 0 {
			t.Errorf("%s ends with %v, %d faults are left", c.name, err, len(f[c.fault]))
		}
		cancel()
	}
}

func TestAPermanentErrorEndsACallAndNamesIt(t *testing.T) {
	f := faults{}
	q, _ := faultyQueue(t, f)
	if err := errors.Join(q.PutRun(t.Context(), toySettings()), q.Enqueue(t.Context(), workers.NewJob(toySettings(), 0))); err != nil {
		t.Fatal(err)
	}
	for _, c := range serverCalls {
		f[c.fault] = []error{errPermanent}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		err := c.call(ctx, q)
		cancel()
		if !errors.Is(err, errPermanent) || !strings.HasPrefix(err.Error(), c.what) || errors.Is(err, workers.ErrNoRun) {
			t.Errorf("%s ends with %v, want %q", c.name, err, c.what)
		}
	}
}

func TestACallEndsWithItsContext(t *testing.T) {
	f := faults{}
	q, _ := faultyQueue(t, f)
	for _, c := range serverCalls {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		f[c.fault] = []error{context.DeadlineExceeded}
		if err := c.call(ctx, q); err == nil || !errors.Is(err, context.Canceled) {
			t.Errorf("%s ends with %v", c.name, err)
		}
		f[c.fault] = nil
	}
}

func TestTheConsumerOfTheWorkersIsMadeAgainWhenItIsGone(t *testing.T) {
	for _, gone := range []error{jetstream.ErrConsumerDeleted, jetstream.ErrConsumerNotFound} {
		f := faults{}
		q, _ := faultyQueue(t, f)
		if err := q.Enqueue(t.Context(), workers.NewJob(toySettings(), 3)); err != nil {
			t.Fatal(err)
		}
		f["Fetch"], f["CreateOrUpdateConsumer"] = []error{gone}, []error{errPermanent}
		if err := nextJob(t.Context(), q); !errors.Is(err, errPermanent) {
			t.Errorf("error is %v", err)
		}
		f["Fetch"] = []error{gone}
		held, err := q.NextJob(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if job, err := held.Job(); err != nil || job.Number != 3 || held.Deliveries() != 1 {
			t.Errorf("job %+v, %v", job, err)
		}
	}
}

func TestPartsThatAreNotConfirmedAreSentAgain(t *testing.T) {
	f := faults{"PublishMsgAsync": {nats.ErrTimeout, nil, errPermanent}}
	q, _ := faultyQueue(t, f)
	if err := q.StoreParts(t.Context(), parts(3)); err != nil {
		t.Fatal(err)
	}
	queued, err := q.Queued(t.Context(), toySettings().Run())
	if err != nil || queued.Messages != 3 || !queued.Results[7] {
		t.Errorf("%+v, %v", queued, err)
	}
	f["PublishMsg"] = []error{errPermanent}
	if err := q.StoreParts(t.Context(), parts(3)); err != nil || len(f["PublishMsg"]) == 0 {
		t.Errorf("parts that were confirmed are sent again: %v", err)
	}
	if runs := q.uncollected(t.Context()); len(runs) != 1 || runs[0] != toySettings().Run() {
		t.Errorf("results of %v wait", runs)
	}
	f["PublishMsgAsync"], f["PublishMsg"] = []error{nats.ErrTimeout}, []error{errPermanent}
	if err := q.StoreParts(t.Context(), parts(3)); !errors.Is(err, errPermanent) {
		t.Errorf("error is %v", err)
	}
}

func TestAnInboxSurvivesWhatPassesAndReportsTheRest(t *testing.T) {
	f := faults{}
	q, log := faultyQueue(t, f)
	if err := q.StoreParts(t.Context(), parts(2)); err != nil {
		t.Fatal(err)
	}
	f["Messages"] = []error{errPermanent}
	if _, err := q.Collect(t.Context(), toySettings().Run()); !errors.Is(err, errPermanent) {
		t.Errorf("error is %v", err)
	}
	inbox, err := q.Collect(t.Context(), toySettings().Run())
	if err != nil {
		t.Fatal(err)
	}
	defer inbox.Close()
	f["Next"], f["consumer Info"] = []error{jetstream.ErrNoHeartbeat, nats.ErrTimeout}, []error{nil, nats.ErrTimeout}
	arrival, err := inbox.Next(t.Context())
	if err != nil || arrival.Part == nil || arrival.Part.Job != 7 || len(f["Next"]) > 0 {
		t.Fatalf("arrived is %+v, %v", arrival, err)
	}
	f["Ack"] = []error{errPermanent}
	arrival.Ack()
	if !strings.Contains(log.String(), "was not acknowledged") || !strings.Contains(log.String(), errPermanent.Error()) {
		t.Errorf("the log is %s", log)
	}
	f["Ack"] = []error{jetstream.ErrMsgAlreadyAckd}
	log.Reset()
	if arrival, err = inbox.Next(t.Context()); err != nil {
		t.Fatal(err)
	}
	arrival.Ack()
	if log.Len() > 0 {
		t.Errorf("the log is %s", log)
	}
	for _, gone := range []error{jetstream.ErrConsumerNotFound, jetstream.ErrConsumerDoesNotExist} {
		f["Next"], f["consumer Info"] = []error{jetstream.ErrNoHeartbeat}, []error{gone}
		if _, err := inbox.Next(t.Context()); !errors.Is(err, gone) || !strings.Contains(err.Error(), "another collector has taken over run ") {
			t.Errorf("error is %v", err)
		}
	}
	f["Next"] = []error{errPermanent}
	if _, err := inbox.Next(t.Context()); !errors.Is(err, errPermanent) || !strings.HasPrefix(err.Error(), "waiting for results of run ") {
		t.Errorf("error is %v", err)
	}
}

func TestStreamsThatAnotherProcessCreatesAreUsed(t *testing.T) {
	notFound := []error{jetstream.ErrStreamNotFound}
	for name, c := range map[string]struct {
		faults faults
		want   string
	}{
		"streams":            {faults{"Stream": {jetstream.ErrStreamNotFound, nil, jetstream.ErrStreamNotFound, nil}, "CreateStream": {errPermanent, errPermanent}}, ""},
		"bucket":             {faults{"KeyValue": {jetstream.ErrBucketNotFound}, "CreateKeyValue": {errPermanent}}, ""},
		"a failing stream":   {faults{"Stream": {errPermanent}}, "stream JOBS: "},
		"no stream":          {faults{"Stream": append(notFound, jetstream.ErrStreamNotFound), "CreateStream": {errPermanent}}, "stream JOBS: it cannot be created with up to 256 MiB: "},
		"a failing bucket":   {faults{"KeyValue": {errPermanent}}, "bucket RUNS: "},
		"no bucket":          {faults{"KeyValue": {jetstream.ErrBucketNotFound, errPermanent}, "CreateKeyValue": {errPermanent}}, "bucket RUNS: "},
		"a failing stream 2": {faults{"Stream": {nil, errPermanent}}, "stream EPISODES: "},
	} {
		t.Run(name, func(t *testing.T) {
			q, _ := faultyQueue(t, c.faults)
			err := q.makeStreams(t.Context())
			if c.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				if err := q.PutRun(t.Context(), toySettings()); err != nil {
					t.Error(err)
				}
				if err := errors.Join(q.Enqueue(t.Context(), workers.NewJob(toySettings(), 2)), nextJob(t.Context(), q)); err != nil {
					t.Error(err)
				}
				return
			}
			if !errors.Is(err, errPermanent) || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("error is %v, want %q", err, c.want)
			}
		})
	}
}
