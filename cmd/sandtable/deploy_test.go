package main

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// commandLines returns the command lines of sandtable in the files of workers/deploy, by
// file. Variables have the values of the examples.
func commandLines(t *testing.T) map[string][]string {
	t.Helper()
	const folder = "../../workers/deploy/"
	values := map[string]string{}
	read := func(path string) string {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	match := func(pattern string) []string {
		paths, err := filepath.Glob(folder + pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(paths), err)
		}
		return paths
	}
	for _, path := range match("systemd/examples/*.env") {
		for _, v := range regexp.MustCompile(`(?m)^(\w+)=(.*)$`).FindAllStringSubmatch(read(path), -1) {
			values[v[1]] = v[2]
		}
	}
	lines := map[string][]string{}
	for _, path := range match("systemd/*.service") {
		for _, line := range regexp.MustCompile(`(?m)^ExecStart=/usr/local/bin/sandtable (.*)$`).FindAllStringSubmatch(read(path), -1) {
			text := strings.NewReplacer("%i", "9464", "%H", "host", "%d", "/run/credentials").Replace(line[1])
			text = os.Expand(text, func(name string) string { return values[name] })
			lines[path] = strings.Fields(text)
		}
	}
	for _, path := range append(match("kubernetes/*.yaml"), match("compose/compose.yaml")...) {
		for _, line := range regexp.MustCompile(`(?m)^ +(?:args|command): (\["[a-z]+", .*\])$`).FindAllStringSubmatch(read(path), -1) {
			var args []string
			if err := json.Unmarshal([]byte(line[1]), &args); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			lines[path+" "+args[0]] = args
		}
	}
	return lines
}

func TestDeploymentsUseCommandsAndFlagsOfTheProgram(t *testing.T) {
	lines := commandLines(t)
	if len(lines) < 9 {
		t.Fatalf("only %d command lines found", len(lines))
	}
	for where, args := range lines {
		a := &app{streams: streams{out: new(bytes.Buffer), err: new(bytes.Buffer)}, log: slog.New(slog.DiscardHandler)}
		cmd, rest, err := a.root().Find(args)
		if err != nil {
			t.Errorf("%s: %v", where, err)
			continue
		}
		if err := cmd.ParseFlags(rest); err != nil {
			t.Errorf("%s: %v", where, err)
			continue
		}
		if err := cmd.ValidateArgs(cmd.Flags().Args()); err != nil {
			t.Errorf("%s: %v", where, err)
		}
		if cmd.Name() == "sandtable" {
			t.Errorf("%s: %v names no command", where, args)
		}
	}
}
