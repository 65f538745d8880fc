package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/replay"
)

// verifyJSON is the output of dataset verify --json.
type verifyJSON struct {
	Dir           string      `json:"dir"`
	Proved        bool        `json:"proved"`
	Quick         bool        `json:"quick,omitempty"` // the episodes were not read
	Fault         string      `json:"fault,omitempty"` // the first
	Faults        []faultJSON `json:"faults,omitempty"`
	Leftovers     []string    `json:"leftovers,omitempty"`
	Complete      bool        `json:"complete"`
	Episodes      int64       `json:"episodes"` // without a fault
	Plies         int64       `json:"plies"`
	ContentDigest string      `json:"content_digest,omitempty"`
}

// faultJSON is one fault. An episode or ply of −1 means that it does not concern a single
// one.
type faultJSON struct {
	File    string `json:"file,omitempty"`
	Episode int64  `json:"episode"`
	Ply     int    `json:"ply"`
	What    string `json:"what"`
	Found   string `json:"found"`
	Want    string `json:"want,omitempty"`
}

func (a *app) datasetVerifyCommand() *cobra.Command {
	var asJSON, quick bool
	cmd := newCommand("verify DIR",
		"Replay every game of a data set and check every hash",
		`Verify replays every game with the rules stored in the data set and checks the hash of every
position, every result, and the SHA-256 of every file. It names every fault and exits with
code 3 if there are any; dataset repair then mends the data set. An unfinished run is not a
fault, and neither are temporary files, which a writer is using or has left after a crash.

With --quick, verify checks the manifest and the sizes, checksums and metadata of all files,
but does not read the games.`,
		`  sandtable dataset verify runs/my-run
  sandtable dataset verify runs/my-run --quick`,
		func(cmd *cobra.Command, args []string) error {
			dir := args[0]
			result, err := a.verify(cmd.Context(), dir, quick)
			var faults dataset.Faults
			if err != nil && !errors.As(err, &faults) {
				return badData(err)
			}
			if asJSON {
				return errors.Join(badData(err), writeJSON(a.out, describeVerified(dir, quick, result, faults)))
			}
			if len(result.Leftovers) > 0 {
				fmt.Fprintf(a.out, "temporary files of a writer that is running or was killed:\n%s", lines(result.Leftovers))
			}
			if err != nil {
				return badData(faultList{dir, faults})
			}
			shards := plural(len(result.Manifest.Shards), "shard")
			if quick {
				_, err = fmt.Fprintf(a.out, "checked: the files of %s match the manifest; games were not read\n", shards)
				return err
			}
			_, err = fmt.Fprintf(a.out, "verified: %s games, %s plies, %s\ncontent %s\n",
				report.Count(result.Episodes), report.Count(result.Plies), shards, result.ContentDigest)
			return err
		})
	cmd.Flags().BoolVar(&quick, "quick", false, "check the files, but do not read the games")
	jsonFlag(cmd, &asJSON)
	return cmd
}

// verify verifies a data set and shows its progress.
func (a *app) verify(ctx context.Context, dir string, quick bool) (*replay.Report, error) {
	if quick {
		return replay.VerifyFiles(ctx, dir, runtime.GOMAXPROCS(0))
	}
	progress, end := a.countingEpisodes("verifying", []string{dir})
	defer end()
	return replay.Verify(ctx, dir, runtime.GOMAXPROCS(0), progress)
}

func describeVerified(dir string, quick bool, result *replay.Report, faults dataset.Faults) *verifyJSON {
	v := &verifyJSON{
		Dir: dir, Proved: len(faults) == 0, Quick: quick, Leftovers: result.Leftovers,
		Episodes: result.Episodes, Plies: result.Plies, ContentDigest: result.ContentDigest,
		Complete: result.Manifest != nil && result.Manifest.Complete,
	}
	if v.Faults = describeFaults(faults); len(faults) > 0 {
		v.Fault = faults[0].Error()
	}
	return v
}

func describeFaults(faults dataset.Faults) []faultJSON {
	var list []faultJSON
	for _, f := range faults {
		list = append(list, faultJSON{File: f.File, Episode: f.Episode, Ply: f.Ply, What: f.What, Found: f.Found, Want: f.Want})
	}
	return list
}

// A faultList is the error that names the faults of a data set for people.
type faultList struct {
	dir    string
	faults dataset.Faults
}

// shownFaults is the number of faults that a faultList names.
const shownFaults = 100

func (l faultList) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s has %s:\n", l.dir, plural(len(l.faults), "fault"))
	for i, f := range l.faults {
		if i == shownFaults {
			fmt.Fprintf(&b, "  and %d more; --json lists all of them\n", len(l.faults)-i)
			break
		}
		fmt.Fprintf(&b, "  %s\n", f)
	}
	fmt.Fprintf(&b, "sandtable dataset repair %s mends the data set", l.dir)
	return b.String()
}

func (l faultList) Unwrap() error { return l.faults }

// lines returns texts as indented lines.
func lines(texts []string) string {
	var b strings.Builder
	for _, text := range texts {
		fmt.Fprintf(&b, "  %s\n", text)
	}
	return b.String()
}
