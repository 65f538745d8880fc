package main

import (
	"bytes"
	"context"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/workers/natsq"
)

// natsOptions returns the options of a command line of a command whose server has flags.
func natsOptions(t *testing.T, patient bool, args ...string) (natsq.Options, error) {
	t.Helper()
	f := natsFlags{patient: patient}
	cmd := &cobra.Command{Use: "x", RunE: func(*cobra.Command, []string) error { return nil }, SilenceErrors: true, SilenceUsage: true}
	f.add(cmd, natsUsage)
	f.store.addReplicas(cmd)
	f.store.addSync(cmd)
	cmd.SetArgs(args)
	err := cmd.Execute()
	o := f.options(&app{}, nil)
	o.Log = nil
	return o, err
}

func TestConnectionComesFromFlagsAndTheEnvironment(t *testing.T) {
	const url = "nats://farm:4222"
	type environment map[string]string
	for name, c := range map[string]struct {
		set     environment
		args    []string
		patient bool
		want    natsq.Options
	}{
		"nothing":            {nil, nil, false, natsq.Options{Wait: -1}},
		"a URL":              {nil, []string{"--nats", url}, false, natsq.Options{URL: url, Wait: -1}},
		"a role waits":       {nil, []string{"--nats", url}, true, natsq.Options{URL: url}},
		"a role tries once":  {nil, []string{"--nats", url, "--wait", "0"}, true, natsq.Options{URL: url, Wait: -1}},
		"a command waits":    {nil, []string{"--nats", url, "--wait", "1m"}, false, natsq.Options{URL: url, Wait: time.Minute}},
		"URL of environment": {environment{"SANDTABLE_NATS_URL": "nats://me:secret@farm:4222"}, nil, true, natsq.Options{URL: "nats://me:secret@farm:4222"}},
		"the flag is nearer": {environment{"SANDTABLE_NATS_URL": "nats://other:4222"}, []string{"--nats", url}, true, natsq.Options{URL: url}},
		"an embedded server": {environment{"SANDTABLE_NATS_URL": url}, []string{"--nats", ""}, true, natsq.Options{}},
		"a token":            {environment{"SANDTABLE_NATS_TOKEN": "secret"}, []string{"--nats", url}, true, natsq.Options{URL: url, Token: "secret"}},
		"a token file":       {environment{"SANDTABLE_NATS_TOKEN_FILE": "t"}, []string{"--nats", url}, true, natsq.Options{URL: url, TokenFile: "t"}},
		"a flag replaces the login of the environment": {environment{"SANDTABLE_NATS_TOKEN": "secret", "SANDTABLE_NATS_USER": "other", "SANDTABLE_NATS_CREDS": "c", "SANDTABLE_NATS_CA": "ca.pem"},
			[]string{"--nats", url, "--nats-nkey", "worker.nk"}, true, natsq.Options{URL: url, NKeyFile: "worker.nk", CA: "ca.pem"}},
		"a user with a password file":       {nil, []string{"--nats", url, "--nats-user", "w", "--nats-password-file", "p"}, true, natsq.Options{URL: url, User: "w", PasswordFile: "p"}},
		"a user's password of environment":  {environment{"SANDTABLE_NATS_PASSWORD": "secret"}, []string{"--nats", url, "--nats-user", "w"}, true, natsq.Options{URL: url, User: "w", Password: "secret"}},
		"a user of the environment":         {environment{"SANDTABLE_NATS_USER": "w", "SANDTABLE_NATS_PASSWORD_FILE": "p"}, []string{"--nats", url}, true, natsq.Options{URL: url, User: "w", PasswordFile: "p"}},
		"a password without a user is none": {environment{"SANDTABLE_NATS_PASSWORD": "secret"}, []string{"--nats", url}, true, natsq.Options{URL: url}},
		"certificates":                      {nil, []string{"--nats", url, "--nats-ca", "ca", "--nats-cert", "c", "--nats-key", "k"}, true, natsq.Options{URL: url, CA: "ca", Cert: "c", Key: "k"}},
		"replicas":                          {nil, []string{"--nats", url, "--replicas", "3"}, true, natsq.Options{URL: url, Replicas: 3}},
	} {
		t.Run(name, func(t *testing.T) {
			for variable, value := range c.set {
				t.Setenv(variable, value)
			}
			got, err := natsOptions(t, c.patient, c.args...)
			if err != nil {
				t.Fatal(err)
			}
			got.Ready, got.Backoff = nil, nil
			if !sameOptions(got, c.want) {
				t.Errorf("options are %+v, must be %+v", got, c.want)
			}
		})
	}
}

// sameOptions compares what flags set.
func sameOptions(a, b natsq.Options) bool {
	list := func(o natsq.Options) []any {
		return []any{o.URL, o.Token, o.TokenFile, o.User, o.Password, o.PasswordFile, o.NKeyFile, o.Creds, o.CA, o.Cert, o.Key, o.Wait, o.Replicas}
	}
	return slices.Equal(list(a), list(b))
}

func TestSecretsOnTheCommandLineAreRefusedAndNotRepeated(t *testing.T) {
	const url = "nats://127.0.0.1:1"
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--nats", url, "--nats-token", "hush"}, "use --nats-token-file FILE or the environment variable SANDTABLE_NATS_TOKEN"},
		{[]string{"--nats-token=hush"}, "use --nats-token-file FILE or the environment variable SANDTABLE_NATS_TOKEN"},
		{[]string{"--nats", url, "--nats-password", "hush"}, "use --nats-password-file FILE or the environment variable SANDTABLE_NATS_PASSWORD"},
		{[]string{"--nats", "nats://me:hush@127.0.0.1:1"}, "use --nats-user and --nats-password-file"},
		{[]string{"--nats", url + ",nats://hush@127.0.0.1:2"}, "the environment variable SANDTABLE_NATS_URL"},
		{[]string{"--nats", "nats://me:hu%zzhush@127.0.0.1:2"}, "the environment variable SANDTABLE_NATS_URL"},
	} {
		for _, command := range []string{"worker", "runs", "farm --listen off --episodes 2"} {
			o := sandtable(t, "", append(strings.Fields(command), c.args...)...)
			if o.code != exitUsage || !strings.Contains(o.err, c.want) || strings.Contains(o.err, "hush") {
				t.Errorf("%s %v: code %d, %s, must be %s", command, c.args, o.code, o.err, c.want)
			}
		}
	}
	if out := done(t, "", "worker", "--help"); strings.Contains(out, "--nats-token string") || !strings.Contains(out, "--nats-token-file FILE") {
		t.Errorf("the help offers a secret on the command line:\n%s", out)
	}
}

// The server that these tests name is a closed port: the error comes from the attempt.
func TestSecretsOfTheEnvironmentStayOutOfErrorsAndLogs(t *testing.T) {
	t.Setenv("SANDTABLE_NATS_URL", "nats://me:hush@127.0.0.1:1")
	t.Setenv("SANDTABLE_NATS_TOKEN", "hush")
	for _, args := range [][]string{{"worker", "--wait", "100ms", "-v"}, {"runs", "-v"}, {"farm", "--listen", "off", "--episodes", "2", "-v", "--out", filepath.Join(t.TempDir(), "data")}} {
		o := sandtable(t, "", args...)
		if o.code != exitFailed || strings.Contains(o.out+o.err, "hush") || !strings.Contains(o.err, "127.0.0.1:1") {
			t.Errorf("%v: code %d, %s%s", args, o.code, o.out, o.err)
		}
	}
}

func TestFlagsOfTheServerAreChecked(t *testing.T) {
	file := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args string
		want string
	}{
		{"farm --wait 1s", "--wait needs --nats nats://HOST:PORT"},
		{"worker --nats nats://127.0.0.1:1 --wait -1s", "--wait is -1s, must be 0 or more"},
		{"farm --replicas 3", "--replicas needs --nats"},
		{"farm --nats nats://127.0.0.1:1 --replicas 2", "--replicas is 2, must be 1, 3 or 5"},
		{"farm --nats nats://127.0.0.1:1 --nats-sync always", "set sync_interval in the configuration of the server"},
		{"farm --nats-sync sometimes", "must be always or a duration of 1s or more"},
		{"farm --nats-sync 1ms", "must be always or a duration of 1s or more"},
		{"worker --nats nats://127.0.0.1:1 --memory 0GiB", "at least 1MiB"},
		{"worker --nats nats://127.0.0.1:1 --memory 7", "must be a number with MiB, GiB"},
		{"worker --nats nats://127.0.0.1:1 --memory xGB", "must be a number with MiB, GiB"},
		{"workers --nats nats://127.0.0.1:1 x", "takes no arguments"},
		{"run pause --nats nats://127.0.0.1:1", "needs RUN"},
		{"run fly", `"fly" is not a command of sandtable run`},
		{"top --nats nats://127.0.0.1:1 --every 1ms", "--every is 1ms, must be 100ms or more"},
	} {
		o := sandtable(t, "", strings.Fields(c.args)...)
		if o.code != exitUsage || !strings.Contains(o.err, c.want) {
			t.Errorf("sandtable %s: code %d, %s, must be %s", c.args, o.code, o.err, c.want)
		}
	}
}

func TestMemoryIsReadWithItsUnit(t *testing.T) {
	for text, want := range map[string]int64{"1GiB": 1 << 30, "1.5 GiB": 3 << 29, "512MiB": 512 << 20, "2TB": 2e12, "8GB": 8e9, "1MiB": 1 << 20} {
		var f memoryFlag
		if err := f.Set(text); err != nil || int64(f) != want {
			t.Errorf("%s is %d, %v, must be %d", text, f, err, want)
		}
		var again memoryFlag
		if err := again.Set(f.String()); err != nil || again != f {
			t.Errorf("%s is written as %s", text, f.String())
		}
	}
}

func TestARoleWaitsForItsServerAndSaysSo(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	ctx, stop := context.WithCancel(t.Context())
	var out, log bytes.Buffer
	ended := make(chan int, 1)
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		ended <- run(ctx, []string{"worker", "--nats", "nats://" + address}, streams{in: strings.NewReader(""), out: &out, err: writer})
		writer.Close()
	}()
	buffer := make([]byte, 4096)
	for !strings.Contains(log.String(), "waiting for the NATS server") {
		n, err := reader.Read(buffer)
		log.Write(buffer[:n])
		if err != nil {
			break
		}
	}
	stop()
	if code := <-ended; code != 0 || !strings.Contains(log.String(), "no NATS server at nats://"+address) {
		t.Errorf("code %d, the log is %s", code, log.String())
	}
}
