package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/natsq"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// natsFlags are the flags for connecting to a NATS server. Each has an environment
// variable. Secrets come from files or variables: the list of processes shows flags.
type natsFlags struct {
	url                           string
	user, passwordFile, tokenFile string
	nkey, creds, ca, cert, key    string
	token, password               string // from the environment
	wait                          time.Duration
	patient                       bool   // waits for the server without end by default
	once                          bool   // --wait 0 is given
	share                         string // address of the embedded server for other machines; "" for none
	store                         storeFlags
	opened                        func(queue.Operator) // sees the queue of opener on another server; may be nil
}

// Environment variables of secrets.
const (
	tokenVariable    = "SANDTABLE_NATS_TOKEN"
	passwordVariable = "SANDTABLE_NATS_PASSWORD"
)

// A natsSetting is a flag and where its value goes.
type natsSetting struct {
	flag, usage string
	value       *string
	login       bool // says who the user is
}

// variable returns the environment variable that replaces the flag.
func (s *natsSetting) variable() string {
	if s.flag == "nats" {
		return "SANDTABLE_NATS_URL"
	}
	return "SANDTABLE_" + strings.ToUpper(strings.ReplaceAll(s.flag, "-", "_"))
}

func (f *natsFlags) settings() []natsSetting {
	return []natsSetting{
		{"nats", "", &f.url, false},
		{"nats-token-file", "`FILE` that contains the token", &f.tokenFile, true},
		{"nats-user", "`NAME` of the user", &f.user, true},
		{"nats-password-file", "`FILE` that contains the user's password", &f.passwordFile, true},
		{"nats-nkey", "`FILE` that contains the seed of the user's NKey", &f.nkey, true},
		{"nats-creds", "`FILE` of credentials (JWT and seed)", &f.creds, true},
		{"nats-ca", "`FILE` of CA certificates for verifying the server", &f.ca, false},
		{"nats-cert", "`FILE` of the client certificate", &f.cert, false},
		{"nats-key", "`FILE` of the client key", &f.key, false},
	}
}

// natsFlagNames returns the names of the flags.
func natsFlagNames() []string {
	names := []string{"wait"}
	for _, s := range new(natsFlags).settings() {
		names = append(names, s.flag)
	}
	return names
}

// Usages of --nats, for a single role and for a command with an embedded server.
const (
	natsUsage    = "`URL` of the NATS server, nats://HOST:PORT"
	ownNatsUsage = "`URL` of a NATS server to use instead of an embedded one, nats://HOST:PORT"
)

func (f *natsFlags) add(cmd *cobra.Command, usage string) {
	flags := cmd.Flags()
	for _, s := range f.settings() {
		text := s.usage
		if s.flag == "nats" {
			text = usage
		}
		flags.StringVar(s.value, s.flag, "", text+" ["+s.variable()+"]")
	}
	wait := "not at all"
	if f.patient {
		wait = "without end"
	}
	flags.DurationVar(&f.wait, "wait", 0, "how long to wait for the NATS server at the start (default: "+wait+")")
	for _, name := range []string{"nats-token", "nats-password"} { // they exist to be refused with a hint
		flags.String(name, "", "")
		_ = flags.MarkHidden(name) // it exists
	}
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error { return f.complete(flags.Changed) }
}

// complete takes in the environment and checks the flags. given reports whether a flag is
// on the command line.
func (f *natsFlags) complete(given func(flag string) bool) error {
	if err := f.refuseSecrets(given); err != nil {
		return err
	}
	if f.wait < 0 {
		return usage(fmt.Errorf("--wait is %v, must be 0 or more", f.wait))
	}
	f.once = given("wait") && f.wait == 0
	login := false
	var first string // flag on the command line besides --nats
	for _, s := range f.settings() {
		if given(s.flag) {
			login = login || s.login
			if first == "" && s.flag != "nats" {
				first = s.flag
			}
		}
	}
	for _, s := range f.settings() {
		if !given(s.flag) && !(s.login && login) {
			*s.value = os.Getenv(s.variable())
		}
	}
	if first == "" && given("wait") {
		first = "wait"
	}
	if f.url == "" && first != "" {
		return usage(fmt.Errorf("--%s needs --nats nats://HOST:PORT", first))
	}
	if f.share != "" {
		if f.url != "" {
			return usage(errors.New("--share runs the embedded server for other machines, so it excludes --nats"))
		}
		if _, port, err := net.SplitHostPort(f.share); err != nil || !isPort(port) {
			return usage(fmt.Errorf("--share is %q, must be HOST:PORT or :PORT, such as :4222", f.share))
		}
	}
	if !login {
		f.token = os.Getenv(tokenVariable)
	}
	if f.user != "" && f.passwordFile == "" {
		f.password = os.Getenv(passwordVariable)
	}
	return f.store.check(f, given)
}

// refuseSecrets refuses secrets on the command line without repeating them.
func (f *natsFlags) refuseSecrets(given func(flag string) bool) error {
	const shown = "shows a secret in the list of processes"
	switch {
	case given("nats-token"):
		return usage(fmt.Errorf("--nats-token %s; use --nats-token-file FILE or the environment variable %s", shown, tokenVariable))
	case given("nats-password"):
		return usage(fmt.Errorf("--nats-password %s; use --nats-password-file FILE or the environment variable %s", shown, passwordVariable))
	case !given("nats"):
		return nil
	}
	for text := range strings.SplitSeq(f.url, ",") {
		if u, err := url.Parse(strings.TrimSpace(text)); err == nil && u.User != nil || err != nil && strings.Contains(text, "@") {
			return usage(fmt.Errorf("--nats with a user or a token %s; use --nats-user and --nats-password-file, --nats-token-file, or the environment variable SANDTABLE_NATS_URL", shown))
		}
	}
	return nil
}

// need checks that there is a server.
func (f *natsFlags) need(cmd *cobra.Command) error {
	if f.url == "" {
		return usage(fmt.Errorf("%s needs --nats nats://HOST:PORT", cmd.CommandPath()))
	}
	return nil
}

// options returns the connection options. A non-nil meter receives the state of the
// connection.
func (f *natsFlags) options(a *app, meter workers.Meter) natsq.Options {
	options := natsq.Options{
		URL: f.url, User: f.user, Password: f.password, PasswordFile: f.passwordFile, Token: f.token, TokenFile: f.tokenFile,
		NKeyFile: f.nkey, Creds: f.creds, CA: f.ca, Cert: f.cert, Key: f.key, Log: a.log, Wait: f.wait,
		Replicas: f.store.replicas,
	}
	if f.wait == 0 && (f.once || !f.patient) {
		options.Wait = -1
	}
	if meter != nil {
		options.Ready, options.Backoff = meter.Ready, meter.Backoff
	}
	return options
}

// connect connects a command that needs a server.
func (f *natsFlags) connect(ctx context.Context, cmd *cobra.Command, a *app) (*natsq.Queue, error) {
	if err := f.need(cmd); err != nil {
		return nil, err
	}
	return natsq.Connect(ctx, f.options(a, nil))
}

// natsFolder is the folder of the embedded server's store. It exists while a run is
// unfinished.
const natsFolder = "nats"

// opener returns the function that opens the queue for the data in a folder: on the server
// of --nats, or on an embedded server with its store in the folder.
func (f *natsFlags) opener(a *app, dir string, meter workers.Meter) func(context.Context) (queue.Queue, error) {
	options := f.options(a, meter)
	if f.url != "" {
		open := natsq.Remote(options)
		return func(ctx context.Context) (queue.Queue, error) {
			q, err := open(ctx)
			if err == nil && f.opened != nil {
				f.opened(q)
			}
			return q, err
		}
	}
	server := natsq.ServerOptions{
		Dir: filepath.Join(dir, natsFolder), Log: a.log, SyncAlways: f.store.sync.always, SyncInterval: f.store.sync.every,
	}
	if f.share != "" {
		if f.token == "" {
			f.token = rand.Text() // the servers of one command share it
		}
		server.Listen, server.Token = f.share, f.token
		server.Started = func(url string) { a.invite(f.share, url, f.token) }
		options.Token = ""
	}
	return natsq.Embedded(server, options)
}

// invite prints the command with which workers on other machines join a shared server.
func (a *app) invite(address, serverURL, token string) {
	host, _, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err != nil || host == "" || ip != nil && ip.IsUnspecified() {
		host = hostname()
	}
	port := ""
	if u, err := url.Parse(serverURL); err == nil {
		port = u.Port()
	}
	command := fmt.Sprintf("%s=%s sandtable worker --nats nats://%s", tokenVariable, shellWord(token), net.JoinHostPort(host, port))
	if a.logFormat == "json" {
		a.log.Info("workers on other machines can play", "command", command)
		return
	}
	_, _ = fmt.Fprintf(logWriter{a.err, &a.drawn}, "workers on other machines can play:\n  %s\n", command) // as a log line
}

// addShare adds the flag of commands whose embedded server other machines may use.
func (f *natsFlags) addShare(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.share, "share", "", "let workers on other machines play too: run the embedded NATS server on this `ADDRESS`, such as :4222, and print their command")
}

// storeFlags say how safely a server stores jobs and results.
type storeFlags struct {
	replicas int
	sync     syncFlag
}

func (f *storeFlags) addReplicas(cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.replicas, "replicas", 0, "number of servers of a NATS cluster that store each job and result: 1, 3 or 5 (default: as it is, 1 at first)")
}

func (f *storeFlags) addSync(cmd *cobra.Command) {
	f.sync.every = 2 * time.Minute
	cmd.Flags().Var(&f.sync, "nats-sync", "how often the embedded NATS server syncs its files to disk: always, or a `DURATION`")
}

// check checks the flags of a command with the given server.
func (f *storeFlags) check(nats *natsFlags, given func(flag string) bool) error {
	switch {
	case given("replicas") && f.replicas != 1 && f.replicas != 3 && f.replicas != 5:
		return usage(fmt.Errorf("--replicas is %d, must be 1, 3 or 5", f.replicas))
	case given("replicas") && nats.url == "":
		return usage(errors.New("--replicas needs --nats nats://HOST:PORT of a cluster; the embedded server is alone"))
	case given("nats-sync") && nats.url != "":
		return usage(errors.New("--nats-sync is for the embedded server; set sync_interval in the configuration of the server at --nats"))
	}
	return nil
}

// A syncFlag is the time between two syncs, or always.
type syncFlag struct {
	always bool
	every  time.Duration
}

const alwaysSync = "always"

func (f *syncFlag) String() string {
	if f.always {
		return alwaysSync
	}
	return f.every.String()
}

// Set implements pflag.Value.
func (f *syncFlag) Set(text string) error {
	every, err := time.ParseDuration(text)
	if text != alwaysSync && (err != nil || every < time.Second) {
		return fmt.Errorf("must be %s or a duration of 1s or more", alwaysSync)
	}
	*f = syncFlag{text == alwaysSync, every}
	return nil
}

// Type implements pflag.Value.
func (f *syncFlag) Type() string { return "duration" }

// isPort reports whether a text is the number of a port; 0 stands for any free one.
func isPort(text string) bool {
	_, err := strconv.ParseUint(text, 10, 16)
	return err == nil
}
