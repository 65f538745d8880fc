package replay_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/dataset/replay"
	"github.com/sandtable-farm/sandtable/env"
)

// TestVerifyFindsWhatIsWrongInAnEpisode changes one fact of episode 13 (in the
// first shard), or of its ply 7, writes the data set with proper digests, and
// wants to be told exactly that.
func TestVerifyFindsWhatIsWrongInAnEpisode(t *testing.T) {
	const number, ply = 13, 7
	sound := play(t, "trench/standard", "greedy", "random", 2000)
	for _, c := range []struct {
		what   string
		inStep bool
		change func(ep *dataset.Episode, s *dataset.Step)
	}{
		{"pair", false, func(ep *dataset.Episode, _ *dataset.Step) { ep.Pair++ }},
		{"pair", false, func(ep *dataset.Episode, _ *dataset.Step) { ep.Pair = dataset.NoPair }},
		{"seed", false, func(ep *dataset.Episode, _ *dataset.Step) { ep.Seed ^= 1 << 40 }},
		{"agent_0", false, func(ep *dataset.Episode, _ *dataset.Step) { ep.Agents[0], ep.Agents[1] = ep.Agents[1], ep.Agents[0] }},
		{"agent_1", false, func(ep *dataset.Episode, _ *dataset.Step) { ep.Agents[1] = "mcts" }},
		{"start", false, func(ep *dataset.Episode, _ *dataset.Step) { ep.Start = strings.ToUpper(ep.Start) }},
		{"opening_plies", false, func(ep *dataset.Episode, _ *dataset.Step) { ep.OpeningPlies = 4 }},
		{"opening_plies", false, func(ep *dataset.Episode, _ *dataset.Step) { ep.OpeningPlies = -1 }},
		{"result", false, func(ep *dataset.Episode, _ *dataset.Step) {
			if ep.Result++; ep.Result > 1 {
				ep.Result = -1
			}
		}},
		{"reason", false, func(ep *dataset.Episode, _ *dataset.Step) { ep.Reason = env.Escaped }},
		{"terminated", false, func(ep *dataset.Episode, _ *dataset.Step) {
			ep.Terminated, ep.Truncated, ep.Result, ep.Reason = false, true, 0, env.NoReason
		}},
		{"resign_ply", false, func(ep *dataset.Episode, _ *dataset.Step) { ep.ResignPly = 3 }},
		{"resign_ply", false, func(ep *dataset.Episode, _ *dataset.Step) { ep.ResignPly = ep.Plies() + 1 }},
		{"resign_ply", false, func(ep *dataset.Episode, _ *dataset.Step) { ep.ResignPly = -2 }},
		{"points_0", false, func(ep *dataset.Episode, _ *dataset.Step) { ep.Points[0]++ }},
		{"points_1", false, func(ep *dataset.Episode, _ *dataset.Step) { ep.Points[1]-- }},
		{"final_hash", false, func(ep *dataset.Episode, _ *dataset.Step) { ep.FinalHash ^= 1 }},
		{"terminated", false, func(ep *dataset.Episode, _ *dataset.Step) { ep.Steps = ep.Steps[:len(ep.Steps)-1] }},
		{"plies", false, func(ep *dataset.Episode, _ *dataset.Step) { ep.Steps = ep.Steps[:2] }},
		{"player", true, func(_ *dataset.Episode, s *dataset.Step) { s.Player ^= 1 }},
		{"legal_count", true, func(_ *dataset.Episode, s *dataset.Step) { s.LegalCount++ }},
		{"hash", true, func(_ *dataset.Episode, s *dataset.Step) { s.Hash ^= 1 << 63 }},
		{"source", true, func(_ *dataset.Episode, s *dataset.Step) { s.Source = dataset.FromOpening }},
		{"action", true, func(_ *dataset.Episode, s *dataset.Step) { s.Action = 1 << 20 }},
		{"action", true, func(_ *dataset.Episode, s *dataset.Step) { s.Action = -1 }},
		{"value", true, func(_ *dataset.Episode, s *dataset.Step) {
			s.Search.Has, s.Search.Value = s.Search.Has|dataset.HasValue, 1.5
		}},
		{"nodes", true, func(_ *dataset.Episode, s *dataset.Step) {
			s.Search.Has, s.Search.Nodes = s.Search.Has|dataset.HasNodes, -1
		}},
		{"depth", true, func(_ *dataset.Episode, s *dataset.Step) {
			s.Search.Has, s.Search.Depth = s.Search.Has|dataset.HasDepth, -3
		}},
		{"visit_actions", true, func(_ *dataset.Episode, s *dataset.Step) {
			s.Search.Has, s.Search.Visits = s.Search.Has|dataset.HasVisits, []dataset.Visit{{Action: 1 << 20, Count: 1}}
		}},
		{"visit_counts", true, func(_ *dataset.Episode, s *dataset.Step) {
			s.Search.Has, s.Search.Visits = s.Search.Has|dataset.HasVisits, []dataset.Visit{{Action: s.Action, Count: -1}}
		}},
	} {
		r := sound.clone(t)
		ep := r.episodes[number]
		c.change(ep, &ep.Steps[ply])
		want := dataset.Fault{File: "episodes/00000000.parquet", Episode: number, Ply: dataset.None, What: c.what}
		if c.inStep {
			want.File, want.Ply = "steps/00000000.parquet", ply
		}
		wantFault(t, r.write(t), want)
	}
}

// wantFault verifies a data set and compares all but the texts of the fault.
func wantFault(t *testing.T, dir string, want dataset.Fault) {
	t.Helper()
	_, err := verify(dir)
	var fault *dataset.Fault
	if !errors.As(err, &fault) {
		t.Errorf("%s: error is %v, want a fault", want.What, err)
		return
	}
	got := *fault
	got.Found, got.Want = "", ""
	if got != want {
		t.Errorf("fault is %v, want %+v", err, want)
	}
}

func TestVerifyFindsAGameThatGoesOnAfterItsEnd(t *testing.T) {
	r := play(t, "trench/standard", "greedy", "random", 2000)
	ep := r.episodes[13]
	last := ep.Plies()
	*ep.AddStep() = ep.Steps[0]
	wantFault(t, r.write(t), dataset.Fault{File: "steps/00000000.parquet", Episode: 13, Ply: last, What: "action"})
}

func TestVerifyNamesTheFirstOfManyFaults(t *testing.T) {
	r := play(t, "trench/standard", "greedy", "random", 2000)
	// Episodes 8 to 11 and from 16 on are in the second shard.
	for _, number := range []int{8, 14, 15, 20} {
		r.episodes[number].Steps[3].Hash++
		r.episodes[number].Steps[5].Hash++
	}
	wantFault(t, r.write(t), dataset.Fault{File: "steps/00000000.parquet", Episode: 14, Ply: 3, What: "hash"})
}

// TestVerifyFindsDamagedFiles damages a data set on disk.
func TestVerifyFindsDamagedFiles(t *testing.T) {
	r := play(t, "ntxuva/basic", "random", "random", 60)
	const episodes, steps = "episodes/00000001.parquet", "steps/00000001.parquet"
	for _, c := range []struct {
		file, what string
		damage     func(t *testing.T, path string)
	}{
		{episodes, "file", func(t *testing.T, path string) { must(t, os.Remove(path)) }},
		{steps, "file", func(t *testing.T, path string) { must(t, os.Remove(path)) }},
		{episodes, "size", func(t *testing.T, path string) { must(t, os.Truncate(path, 100)) }},
		{steps, "size", func(t *testing.T, path string) { must(t, os.Truncate(path, 0)) }},
		{steps, "SHA-256", flipByte},
		{episodes, "SHA-256", flipByte},
	} {
		dir := r.write(t)
		c.damage(t, filepath.Join(dir, c.file))
		wantFault(t, dir, dataset.Fault{File: c.file, Episode: dataset.None, Ply: dataset.None, What: c.what})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func flipByte(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	data[len(data)/2] ^= 0x10
	must(t, os.WriteFile(path, data, 0o666))
}

// TestVerifyFindsAManifestThatLies changes the manifest of a sound data set.
func TestVerifyFindsAManifestThatLies(t *testing.T) {
	r := play(t, "ntxuva/basic", "random", "random", 60)
	manifest := dataset.Fault{File: dataset.ManifestName, Episode: dataset.None, Ply: dataset.None, What: "file"}
	file := func(name, what string) dataset.Fault {
		return dataset.Fault{File: name, Episode: dataset.None, Ply: dataset.None, What: what}
	}
	for _, c := range []struct {
		name     string
		old, new string
		want     dataset.Fault
	}{
		{"a job that is listed twice", `"jobs": "2,4-5"`, `"jobs": "2-3,5"`, manifest},
		{"a job that was never there", `"jobs": "2,4-5"`, `"jobs": "2,4,6"`, manifest},
		{"a job too few", `"jobs": "0-1,3"`, `"jobs": "0-1"`, manifest},
		{"another seed", `"seed": "11"`, `"seed": "12"`, manifest},
		{"another path", "steps/00000001", "steps/../../00000001", manifest},
		{"another number of games", `"rows": "12"`, `"rows": "11"`, manifest},
		{"another number of plies", `steps/00000000.parquet",
        "rows": "`, `steps/00000000.parquet",
        "rows": "1`, file("steps/00000000.parquet", "file")},
	} {
		dir := r.write(t)
		path := filepath.Join(dir, dataset.ManifestName)
		data, err := os.ReadFile(path)
		must(t, err)
		if !strings.Contains(string(data), c.old) {
			t.Fatalf("the manifest lacks %s:\n%s", c.old, data)
		}
		must(t, os.WriteFile(path, []byte(strings.Replace(string(data), c.old, c.new, 1)), 0o666))
		t.Log(c.name)
		wantFault(t, dir, c.want)
	}
}

// The jobs of two shards are exchanged in the manifest, so that everything in it
// is plausible.
func TestVerifyFindsAShardWithOtherJobsThanListed(t *testing.T) {
	dir := play(t, "ntxuva/basic", "random", "random", 60).write(t)
	m, err := dataset.Load(dir)
	must(t, err)
	m.Shards[0].Jobs, m.Shards[1].Jobs = m.Shards[1].Jobs, m.Shards[0].Jobs
	must(t, m.Save(dir))
	wantFault(t, dir, dataset.Fault{File: "episodes/00000000.parquet", Episode: 0, Ply: dataset.None, What: "number of the episode"})
}

func TestVerifyOfWhatIsNoDataSet(t *testing.T) {
	var fault *dataset.Fault
	_, err := verify(t.TempDir())
	if !errors.Is(err, dataset.ErrNoDataSet) || errors.As(err, &fault) {
		t.Errorf("an empty folder: error is %v", err)
	}
	if want := fmt.Sprintf("is not a data set: missing %s", dataset.ManifestName); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error is %v, want it to say %q", err, want)
	}
}

func TestWhoOnlyReadsIsToldOfOpeningsOfLessThanNothing(t *testing.T) {
	r := play(t, "trench/standard", "random", "random", 20)
	r.episodes[7].OpeningPlies = -1
	data, err := parquetio.Open(r.write(t))
	if err != nil {
		t.Fatal(err)
	}
	var fault *dataset.Fault
	for _, err := range data.Episodes() {
		if err != nil && !errors.As(err, &fault) {
			t.Fatal(err)
		}
	}
	if fault == nil || fault.Episode != 7 || fault.What != "opening_plies" {
		t.Errorf("the fault is %v", fault)
	}
}

// Every faulty file and every faulty episode of the other files is named.
func TestVerifyNamesEveryFault(t *testing.T) {
	r := play(t, "ntxuva/basic", "random", "random", 60)
	for _, c := range []struct {
		name   string
		damage func(dir string)
		want   []string
		files  bool // found without reading the episodes
	}{
		{"two files", func(dir string) {
			flipByte(t, filepath.Join(dir, "steps", "00000001.parquet"))
			must(t, os.Truncate(filepath.Join(dir, "episodes", "00000000.parquet"), 100))
		}, []string{"episodes/00000000.parquet: size is 100 bytes", "steps/00000001.parquet: SHA-256 is"}, true},
		{"both files of a shard", func(dir string) {
			must(t, os.Remove(filepath.Join(dir, "steps", "00000000.parquet")))
			flipByte(t, filepath.Join(dir, "episodes", "00000000.parquet"))
		}, []string{"episodes/00000000.parquet: SHA-256 is", "steps/00000000.parquet: file is missing, must be present"}, true},
		{"a folder in place of a file", func(dir string) {
			path := filepath.Join(dir, "steps", "00000001.parquet")
			must(t, os.Remove(path))
			must(t, os.Mkdir(path, 0o777))
		}, []string{"steps/00000001.parquet: file is a folder, must be a file"}, true},
		{"a lost manifest", func(dir string) { must(t, os.Remove(filepath.Join(dir, "manifest.json"))) },
			[]string{"manifest.json: file is missing, must be present, because the folder has shards"}, true},
		{"a folder in place of the manifest", func(dir string) {
			path := filepath.Join(dir, "manifest.json")
			must(t, os.Remove(path))
			must(t, os.Mkdir(path, 0o777))
		}, []string{"manifest.json: file is a folder, must be a file"}, true},
		{"files that are not listed", func(dir string) {
			for _, name := range []string{"00000002", "00000007", "copy of 1"} {
				must(t, os.WriteFile(filepath.Join(dir, "steps", name+".parquet"), nil, 0o666))
			}
		}, []string{"steps/00000007.parquet: file is not in the manifest", "steps/copy of 1.parquet: file is not a shard of the data set"}, true},
	} {
		dir := r.write(t)
		c.damage(dir)
		for mode, check := range map[string]func() (*replay.Report, error){
			"episodes": func() (*replay.Report, error) { return verify(dir) },
			"files":    func() (*replay.Report, error) { return replay.VerifyFiles(t.Context(), dir, 2) },
		} {
			report, err := check()
			var faults dataset.Faults
			if !errors.As(err, &faults) || report == nil || report.ContentDigest != "" {
				t.Errorf("%s, %s: report %+v, error %v", c.name, mode, report, err)
				continue
			}
			var got []string
			for _, fault := range faults {
				got = append(got, fault.Error())
			}
			if len(got) != len(c.want) {
				t.Errorf("%s, %s: faults are %q, want %d", c.name, mode, got, len(c.want))
				continue
			}
			for i, want := range c.want {
				if !strings.HasPrefix(got[i], want) {
					t.Errorf("%s, %s: fault %d is %q, want %q", c.name, mode, i, got[i], want)
				}
			}
		}
	}
}

// What a killed writer leaves is named, and is not a fault.
func TestLeftoversAreNotFaults(t *testing.T) {
	r := play(t, "ntxuva/basic", "random", "random", 60)
	dir := r.write(t)
	want := []string{"episodes/00000002.parquet", "episodes/00000002.parquet.tmp", "manifest.json.tmp", "steps/writer-x.parquet.tmp"}
	for _, name := range append(want, "episodes/notes.txt", "episodes/x.tmp") {
		must(t, os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), nil, 0o666))
	}
	report, err := verify(dir)
	if err != nil || !slices.Equal(report.Leftovers, want) {
		t.Errorf("leftovers are %q, want %q; error %v", report.Leftovers, want, err)
	}
}

func TestEveryFalseEpisodeIsNamed(t *testing.T) {
	r := play(t, "ntxuva/basic", "random", "random", 60)
	for _, number := range []int64{2, 3, 13, 22} {
		r.episodes[number].Seed++
	}
	report, err := verify(r.write(t))
	var faults dataset.Faults
	if !errors.As(err, &faults) || len(faults) != 4 || report.Episodes != 20 {
		t.Fatalf("report %+v, error %v", report, err)
	}
	for i, number := range []int64{2, 3, 13, 22} {
		if faults[i].Episode != number || faults[i].What != "seed" {
			t.Errorf("fault %d is %v, want one of episode %d", i, faults[i], number)
		}
	}
	if !strings.HasSuffix(err.Error(), "(the first of 4 faults)") {
		t.Errorf("error is %v", err)
	}
}

func TestVerifyLeavesNoFileOpen(t *testing.T) {
	r := play(t, "ntxuva/basic", "random", "random", 60)
	dir := r.write(t)
	if _, err := replay.Verify(t.Context(), dir, 2, nil); err != nil {
		t.Fatal(err)
	}
	flipByte(t, filepath.Join(dir, "steps", "00000001.parquet"))
	if _, err := replay.Verify(t.Context(), dir, 2, nil); err == nil {
		t.Fatal("the damage was not found")
	}
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		if runtime.GOOS == "linux" {
			t.Fatal(err)
		}
		t.Skipf("open files cannot be listed here: %v", err)
	}
	for _, e := range entries {
		if target, _ := os.Readlink("/proc/self/fd/" + e.Name()); strings.HasPrefix(target, dir) {
			t.Errorf("%s is still open", target)
		}
	}
}
