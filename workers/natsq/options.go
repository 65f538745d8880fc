package natsq

import (
	"cmp"
	"fmt"
	"log/slog"
	"time"
)

// Options say how to reach a server, and tune the queue. A zero number means its
// default.
type Options struct {
	URL string // nats://HOST:PORT or tls://HOST:PORT, several separated by commas; may contain user and password

	// At most one of Token, User, NKeyFile and Creds is used. The files are read
	// whenever a connection is made, so that a secret can be replaced.
	Token, TokenFile       string // the token, or a file that contains it
	User                   string
	Password, PasswordFile string // of User, or a file that contains it
	NKeyFile               string // file with the seed of a user's NKey
	Creds                  string // file with a user's JWT and seed

	CA   string // file with the certificates that sign the server's certificate
	Cert string // file with the client's certificate
	Key  string // file with its private key

	// Wait is how long Connect waits for a server: 0 means until its context is done, a
	// negative duration means a single attempt. Refused credentials and certificates
	// that are not valid are waited for only when Wait is positive.
	Wait time.Duration

	Log *slog.Logger // for lost connections and repeated calls; nil discards everything
	// Ready is called with the reason when the queue cannot do its work, such as a lost
	// connection or a stream that does not exist, and with nil when it can again; it
	// may be nil.
	Ready func(reason error)
	// Backoff is called before each pause after which a call is repeated, with one of
	// the causes connection, answer, stream and room; it may be nil.
	Backoff func(cause string, pause time.Duration)

	// AckWait is the time after which the messages of a dead process are delivered
	// again; the default is 30 s. All roles must use the same.
	AckWait time.Duration
	// StuckAfter is the time after which a job is delivered to another worker if the
	// one that holds it has reported no progress; the default is 10 min.
	StuckAfter time.Duration
	// RoomBytes is the size of a run's waiting results above which no job of the run
	// is delivered; the default is 256 MiB.
	RoomBytes int64

	// JobBytes and ResultBytes are the sizes of the streams that are created, or set to
	// these sizes when they exist. By default, they are 16 MiB and 1 GiB, or as much
	// as the account has room for, and those of existing streams stay.
	JobBytes, ResultBytes int64
	// Replicas is the number of servers of a cluster that store each message; by
	// default, 1 for streams that are created, and that of existing streams stays.
	Replicas int
}

func (o Options) withDefaults() Options {
	if o.Ready == nil {
		o.Ready = func(error) {}
	}
	if o.Backoff == nil {
		o.Backoff = func(string, time.Duration) {}
	}
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	o.AckWait = cmp.Or(o.AckWait, 30*time.Second)
	o.StuckAfter = cmp.Or(o.StuckAfter, 10*time.Minute)
	o.RoomBytes = cmp.Or(o.RoomBytes, 256<<20)
	return o
}

// check checks the numbers. It says what is wrong with the address and the login, too,
// if a URL is needed.
func (o *Options) check() error {
	for _, size := range []struct {
		name  string
		bytes int64
	}{{"RoomBytes", o.RoomBytes}, {"JobBytes", o.JobBytes}, {"ResultBytes", o.ResultBytes}} {
		if size.bytes < 0 {
			return fmt.Errorf("%s is %d, must be 0 (the default) or more", size.name, size.bytes)
		}
	}
	if o.ResultBytes > 0 && o.ResultBytes < leastResultBytes {
		return fmt.Errorf("ResultBytes is %d, must be %d or more", o.ResultBytes, int64(leastResultBytes))
	}
	switch o.Replicas {
	case 0, 1, 3, 5:
		return nil
	}
	return fmt.Errorf("number of replicas is %d, must be 1, 3 or 5", o.Replicas)
}
