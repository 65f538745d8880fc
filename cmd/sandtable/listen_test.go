package main

import (
	"bytes"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/workers/metrics"
)

// served serves the metrics that flags ask for until the test ends, and returns their URL.
func served(t *testing.T, f listenFlags) string {
	t.Helper()
	var log bytes.Buffer
	a := &app{log: slog.New(slog.NewTextHandler(&log, nil))}
	_, stop, err := a.serve(f, metrics.RoleFarm)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	_, url, found := strings.Cut(strings.TrimSpace(log.String()), "url=")
	if !found {
		t.Fatalf("the log is %q, must name the URL", log.String())
	}
	return url
}

func never() bool { return false }

func TestASecondFarmServesItsMetricsOnAnotherPort(t *testing.T) {
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	url := served(t, listenFlags{addr: busy.Addr().String(), chosen: never})
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK || strings.Contains(url, busy.Addr().String()) {
		t.Errorf("%s answers %s", url, response.Status)
	}
}

func TestTheTokenOfTheMetricsComesFromAFileOrTheEnvironment(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("from-file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv(listenTokenVariable, "from-environment")
	for _, c := range []struct {
		flags listenFlags
		token string
	}{
		{listenFlags{addr: "127.0.0.1:0", chosen: never}, "from-environment"},
		{listenFlags{addr: "127.0.0.1:0", chosen: never, tokenFile: file}, "from-file"},
	} {
		url := served(t, c.flags)
		for _, token := range []string{"from-environment", "from-file"} {
			request, err := http.NewRequest(http.MethodGet, url, nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Authorization", "Bearer "+token)
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, response.Body) // the status says enough
			response.Body.Close()
			if allowed := response.StatusCode == http.StatusOK; allowed != (token == c.token) {
				t.Errorf("the token %s is answered with %s, allowed must be %s", token, response.Status, c.token)
			}
		}
	}
}

func TestFaultyListenFlagsAreNamed(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, []byte(" \n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--listen-cert", "c.pem"}, exitUsage, "--listen-cert and --listen-key must be given together"},
		{[]string{"--listen-cert", "/none/c.pem", "--listen-key", "/none/k.pem"}, exitFailed, "certificate /none/c.pem with key /none/k.pem: open /none/c.pem"},
		{[]string{"--listen-token-file", "/none/token"}, exitUsage, "--listen-token-file: open /none/token"},
		{[]string{"--listen-token-file", empty}, exitUsage, "is empty, must contain a token"},
		{[]string{"--listen", "9464"}, exitFailed, "cannot listen on 9464"},
	} {
		o := sandtable(t, "", append([]string{"farm", "--episodes", "2", "--out", filepath.Join(t.TempDir(), "data")}, c.args...)...)
		if o.code != c.code || !strings.Contains(o.err, c.want) {
			t.Errorf("%v: code %d, %s, must be %d and %s", c.args, o.code, o.err, c.code, c.want)
		}
	}
}
