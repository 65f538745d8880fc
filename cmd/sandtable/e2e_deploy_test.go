//go:build e2e

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// deployedServer starts a server with the configuration of workers/deploy, in which each
// role has a user with a password of its own, and returns its URL and the password files.
func deployedServer(t *testing.T) (url string, password map[string]string) {
	t.Helper()
	folder := t.TempDir()
	password = map[string]string{}
	for _, role := range []string{"coordinator", "worker", "collector", "operator", "farm"} {
		t.Setenv("SANDTABLE_"+strings.ToUpper(role)+"_PASSWORD", role+"-secret")
		password[role] = filepath.Join(folder, role+".password")
		if err := os.WriteFile(password[role], []byte(role+"-secret\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// The server refuses a store in both its configuration and its command line.
	for _, name := range []string{"farm.conf", "accounts.conf"} {
		data, err := os.ReadFile(filepath.Join("../../workers/deploy/nats", name))
		if err != nil {
			t.Fatal(err)
		}
		text := regexp.MustCompile(`(?m)^ *store_dir: .*$`).ReplaceAll(data, nil)
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	_, url = natsServer(t, freeAddress(t), t.TempDir(), "-c", filepath.Join(folder, "farm.conf"))
	return url, password
}

func TestRolesWorkWithTheRightsThatTheyAreDeployedWith(t *testing.T) {
	url, password := deployedServer(t)
	as := func(role string) []string {
		return []string{"--nats", url, "--nats-user", role, "--nats-password-file", password[role]}
	}
	dir := filepath.Join(t.TempDir(), "data")
	coordinator := start(t, "sandtable", append(append([]string{"coordinator"}, runArgs()...), as("coordinator")...)...)
	worker := start(t, "sandtable", append([]string{"worker", "--workers", "2", "--memory", "1GiB", "--name", "deployed"}, as("worker")...)...)
	var run string
	until(t, "an operator sees the run", func() bool {
		fields := strings.Fields(start(t, "sandtable", append([]string{"runs"}, as("operator")...)...).succeed())
		for _, f := range fields {
			if len(f) == 16 && strings.Trim(f, "0123456789abcdef") == "" {
				run = f
			}
		}
		return run != ""
	})
	start(t, "sandtable", append([]string{"collector", "--run", run, "--out", dir}, as("collector")...)...).succeed()
	coordinator.succeed()
	wantDigest(t, dir)

	// A farm beside which the same worker plays.
	again := filepath.Join(t.TempDir(), "data")
	start(t, "sandtable", append(append([]string{"farm", "--listen", "off", "--workers", "1", "--out", again}, runArgs()...), as("farm")...)...).succeed()
	wantDigest(t, again)
	worker.signal(syscall.SIGTERM)
	worker.succeed()
}
