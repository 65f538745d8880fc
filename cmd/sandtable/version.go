package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func (a *app) versionCommand() *cobra.Command {
	var asJSON bool
	cmd := newCommand("version",
		"Print the version of this program",
		"Version prints the version of this program, the Go version that built it, and the platform. A build from a checkout names the commit.",
		`  sandtable version
  sandtable version --json`,
		func(*cobra.Command, []string) error {
			commit, changed := revision()
			v := versionJSON{version(), commit, changed, runtime.Version(), runtime.GOOS, runtime.GOARCH}
			if asJSON {
				return writeJSON(a.out, v)
			}
			at := ""
			if commit != "" {
				at = ", revision " + commit
			}
			if changed {
				at += " with changes"
			}
			_, err := fmt.Fprintf(a.out, "sandtable %s, %s, %s/%s%s\n", v.Version, v.Go, v.OS, v.Arch, at)
			return err
		})
	jsonFlag(cmd, &asJSON)
	return cmd
}

// versionJSON is the output of version --json.
type versionJSON struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"` // the commit; empty if the build does not know it
	Changed  bool   `json:"changed,omitempty"`  // the checkout had changes
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
}

// revision returns the commit of a build from a checkout, and whether that had changes.
func revision() (commit string, changed bool) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", false
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value
		case "vcs.modified":
			changed = s.Value == "true"
		}
	}
	return commit, changed
}

// version returns the version of this program: that of its module, which names the commit
// in a build from a checkout.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" {
		return v
	}
	return "(devel)"
}
