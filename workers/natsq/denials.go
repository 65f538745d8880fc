package natsq

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/nats-io/nats.go"
)

// A denial is the error of a call for which the user lacks a right.
type denial struct {
	verb, subject, user string
	err                 error
}

func (d *denial) Error() string {
	user := "this user"
	if d.user != "" {
		user = fmt.Sprintf("user %q", d.user)
	}
	return fmt.Sprintf("%s may not %s to %s; %s needs this right", user, d.verb, d.subject, roleOf(d.subject))
}

func (d *denial) Unwrap() error { return d.err }

// roleOf returns the role that needs a subject.
func roleOf(subject string) string {
	for _, s := range []struct{ prefix, role string }{
		{jobsPrefix, "a coordinator"},
		{resultsPrefix, "a worker"},
		{keys(workersBucket), "a worker"},
		{keys(runsBucket) + quarantinePrefix, "a collector"},
		{keyAPI("STREAM.PURGE", jobsStream), "a coordinator"},
		{keyAPI("CONSUMER.MSG.NEXT", jobsStream), "a worker"},
		{keyAPI("CONSUMER.CREATE", jobsStream), "a coordinator"},
		{"$JS.ACK." + jobsStream, "a worker"},
		{keyAPI("CONSUMER.MSG.NEXT", resultsStream), "a collector"},
		{keyAPI("CONSUMER.CREATE", resultsStream), "a collector"},
		{keyAPI("CONSUMER.DELETE", resultsStream), "a collector"},
		{"$JS.ACK." + resultsStream, "a collector"},
	} {
		if strings.HasPrefix(subject, s.prefix) {
			return s.role
		}
	}
	if strings.HasPrefix(subject, keys(runsBucket)) {
		switch _, key, _ := strings.Cut(strings.TrimPrefix(subject, keys(runsBucket)), "."); {
		case strings.HasPrefix(key, progressKey), strings.HasPrefix(key, ownerKey):
			return "a collector"
		case key == ordersKey:
			return "an operator"
		}
		return "a coordinator"
	}
	return "every role"
}

// denials ends calls that wait for an answer when the server reports that the user lacks
// the right: it does so apart from the call, by a text that names the subject.
type denials struct {
	mu      sync.Mutex
	text    *regexp.Regexp
	inbox   string
	user    string
	waiting map[*watch]struct{}
}

type watch struct {
	prefix string
	cancel context.CancelCauseFunc
}

func newDenials(user string) *denials {
	return &denials{
		text: regexp.MustCompile(`(Publish|Subscription) to "([^"]*)"`), inbox: nats.InboxPrefix, user: user,
		waiting: map[*watch]struct{}{},
	}
}

// watch returns a context that is cancelled, with a denial as its cause, when the server
// denies a subject with a prefix.
func (d *denials) watch(ctx context.Context, prefix string) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	w := &watch{prefix, cancel}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.waiting[w] = struct{}{}
	return ctx, func() {
		cancel(nil)
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.waiting, w)
	}
}

// report passes a denial on to the calls that wait. It reports whether the error is for
// the log, since no call returns it.
func (d *denials) report(err error) bool {
	found := d.text.FindStringSubmatch(err.Error())
	if !errors.Is(err, nats.ErrPermissionViolation) || found == nil {
		return true
	}
	denied := &denial{verb: "publish", subject: found[2], user: d.user, err: err}
	everyone := found[1] == "Subscription" && strings.HasPrefix(denied.subject, d.inbox)
	if found[1] == "Subscription" {
		denied.verb = "subscribe"
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	unknown := true
	for w := range d.waiting {
		if everyone || strings.HasPrefix(denied.subject, w.prefix) {
			unknown = false
			w.cancel(denied)
		}
	}
	return unknown
}

// guard calls a function whose context is cancelled when the server denies a subject with
// a prefix, and returns the denial then.
func (q *Queue) guard(ctx context.Context, prefix string, call func(context.Context) error) error {
	guarded, stop := q.denials.watch(ctx, prefix)
	defer stop()
	err := call(guarded)
	if denied := (*denial)(nil); err != nil && errors.As(context.Cause(guarded), &denied) {
		return denied
	}
	return err
}
