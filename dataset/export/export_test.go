package export_test

import (
	"archive/zip"
	"bufio"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/datasettest"
	"github.com/sandtable-farm/sandtable/dataset/export"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/dataset/replay"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/record"
	"github.com/sandtable-farm/sandtable/selfplay/selfplaytest"
)

// play plays a data set with four shards.
func play(t testing.TB, variant, agent string, episodes int64, seed uint64) string {
	t.Helper()
	dir := t.TempDir()
	plan := selfplaytest.Plan(t, variant, agent, agent, func(c *selfplay.Config) { c.Seed, c.MaxPlies = seed, 60 })
	for i := range int64(4) {
		if err := record.Play(t.Context(), record.Recording{Dir: dir, Plan: plan, Episodes: (i + 1) * episodes / 4, Workers: 2}); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func run(t testing.TB, out string, o export.Options, dirs ...string) *export.Catalogue {
	t.Helper()
	c, err := export.Run(t.Context(), dirs, out, o, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// options returns changed default options with small files.
func options(change func(*export.Options)) export.Options {
	o := export.Default()
	o.Rows = 300
	if change != nil {
		change(&o)
	}
	return o
}

// A row is a position as the tests compare it: the values of the columns by name as texts.
type row map[string]string

// expected returns the rows that an export must have, by run, episode and ply.
func expected(t *testing.T, dir string, o export.Options) map[string]row {
	t.Helper()
	reader, err := parquetio.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	settings := &reader.Manifest().Settings
	r, err := replay.New(settings)
	if err != nil {
		t.Fatal(err)
	}
	spec := r.Game().Spec()
	planes := make([]uint8, spec.ObservationSize())
	bits, scalars, mask := make([]uint64, spec.ObservationBitWords()), make([]uint8, spec.ObservationScalars()), make([]uint64, spec.MaskWords())
	rows := map[string]row{}
	for ep, err := range reader.Episodes() {
		if err != nil {
			t.Fatal(err)
		}
		ply := 0
		for s, err := range r.Positions(ep) {
			if err != nil {
				t.Fatal(err)
			}
			if ply == len(ep.Steps) {
				break
			}
			step := &ep.Steps[ply]
			mover := s.Player()
			result := 0
			switch {
			case !ep.Terminated || ep.Result == 0:
			case ep.Result == env.WinFor(mover):
				result = 1
			default:
				result = -1
			}
			value := "NaN"
			if step.Search.Has&dataset.HasValue != 0 {
				value = fmt.Sprint(step.Search.Value)
			}
			var actions, counts []string
			for _, v := range step.Search.Visits {
				actions, counts = append(actions, fmt.Sprint(v.Action)), append(counts, fmt.Sprint(v.Count))
			}
			want := row{
				"episode": fmt.Sprint(ep.Number), "ply": fmt.Sprint(ply), "player": fmt.Sprint(uint8(mover)), "hash": fmt.Sprint(s.Hash()),
				"action": fmt.Sprint(step.Action), "result": fmt.Sprint(result), "decided": truth(ep.Terminated),
				"opening": truth(ply < ep.OpeningPlies), "fast": truth(step.Search.Fast), "value": value,
				"visit_actions": strings.Join(actions, " "), "visit_counts": strings.Join(counts, " "),
			}
			s.Observe(planes, mover)
			spec.PackObservation(bits, scalars, planes)
			legal := s.Legal(nil)
			env.PackActions(mask, legal)
			switch o.Observations {
			case export.Bits:
				want["observation_bits"], want["observation_scalars"] = words(bits), encoded(scalars)
			case export.Planes:
				want["observation"] = encoded(planes)
			}
			switch o.Legal {
			case export.Mask:
				want["legal_mask"] = words(mask)
			case export.List:
				want["legal"] = strings.Trim(fmt.Sprint(legal), "[]")
			}
			rows[fmt.Sprintf("%s/%d/%d", ep.Run, ep.Number, ply)] = want
			ply++
		}
	}
	return rows
}

func truth(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

func encoded(b []byte) string { return base64.StdEncoding.EncodeToString(b) }

func words(all []uint64) string {
	var b []byte
	for _, w := range all {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return encoded(b)
}

// read returns the rows of all files of an export, by run, episode and ply.
func read(t *testing.T, dir string, c *export.Catalogue, part string) map[string]row {
	t.Helper()
	rows := map[string]row{}
	for _, f := range c.Files {
		if f.Part != part {
			continue
		}
		var list []row
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		switch c.Options.Format {
		case export.NPZ:
			list = readNPZ(t, path, c.Columns)
		case export.CSV:
			list = readCSV(t, path)
		case export.JSONL:
			list = readJSONL(t, path)
		}
		if int64(len(list)) != f.Rows {
			t.Errorf("%s has %d rows, the catalogue says %d", f.Name, len(list), f.Rows)
		}
		for _, r := range list {
			key := fmt.Sprintf("%s/%s/%s", f.Run, r["episode"], r["ply"])
			if rows[key] != nil {
				t.Fatalf("row %s occurs twice", key)
			}
			rows[key] = r
		}
	}
	return rows
}

type array struct {
	kind  string
	shape []int
	data  []byte
}

var npy = regexp.MustCompile(`^\{'descr': '([^']+)', 'fortran_order': False, 'shape': \(([0-9, ]*)\), \} *\n$`)

// readNPZ reads an archive as NumPy does.
func readNPZ(t *testing.T, path string, columns []export.Column) []row {
	t.Helper()
	archive, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	arrays := map[string]array{}
	for _, entry := range archive.File {
		file, err := entry.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(file)
		if err != nil {
			t.Fatal(err)
		}
		size := 10 + int(binary.LittleEndian.Uint16(data[8:]))
		match := npy.FindStringSubmatch(string(data[10:size]))
		if string(data[:8]) != "\x93NUMPY\x01\x00" || match == nil || size%64 != 0 {
			t.Fatalf("%s has the header %q", entry.Name, data[:size])
		}
		a := array{kind: match[1], data: data[size:]}
		elements, _ := strconv.Atoi(a.kind[2:])
		for _, text := range strings.FieldsFunc(match[2], func(r rune) bool { return r == ',' || r == ' ' }) {
			n, _ := strconv.Atoi(text)
			a.shape = append(a.shape, n)
			elements *= n
		}
		if elements != len(a.data) {
			t.Fatalf("%s has %d bytes, its header says %d", entry.Name, len(a.data), elements)
		}
		arrays[strings.TrimSuffix(entry.Name, ".npy")] = a
	}
	list := make([]row, arrays["episode"].shape[0])
	for i := range list {
		list[i] = row{}
		for _, c := range columns {
			a := arrays[c.Name]
			switch {
			case c.List:
				offsets := arrays[c.Name+"_offsets"]
				var items []string
				for at := offsets.number(i); at < offsets.number(i+1); at++ {
					items = append(items, a.text(int(at)))
				}
				list[i][c.Name] = strings.Join(items, " ")
			case len(c.Shape) > 0:
				n := len(a.data) / a.shape[0]
				list[i][c.Name] = encoded(a.data[i*n:][:n])
			default:
				list[i][c.Name] = a.text(i)
			}
		}
	}
	return list
}

func (a array) number(i int) int64 { return int64(binary.LittleEndian.Uint64(a.data[8*i:])) }

func (a array) text(i int) string {
	switch a.kind {
	case "|i1":
		return fmt.Sprint(int8(a.data[i]))
	case "|u1", "|b1":
		return fmt.Sprint(a.data[i])
	case "<i4":
		return fmt.Sprint(int32(binary.LittleEndian.Uint32(a.data[4*i:])))
	case "<f4":
		return fmt.Sprint(math.Float32frombits(binary.LittleEndian.Uint32(a.data[4*i:])))
	case "<u8":
		return fmt.Sprint(binary.LittleEndian.Uint64(a.data[8*i:]))
	}
	return fmt.Sprint(a.number(i))
}

func readCSV(t *testing.T, path string) []row {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var list []row
	for _, line := range lines[1:] {
		r := row{}
		for i, name := range lines[0] {
			r[name] = line[i]
		}
		if r["value"] == "" {
			r["value"] = "NaN"
		}
		list = append(list, r)
	}
	return list
}

func readJSONL(t *testing.T, path string) []row {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var list []row
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var object map[string]any
		if err := json.Unmarshal(lines.Bytes(), &object); err != nil {
			t.Fatal(err)
		}
		r := row{}
		for name, v := range object {
			switch v := v.(type) {
			case nil:
				r[name] = "NaN"
			case bool:
				r[name] = truth(v)
			case float64:
				r[name] = fmt.Sprint(float32(v))
			default:
				r[name] = strings.Trim(fmt.Sprint(v), "[]")
			}
		}
		list = append(list, r)
	}
	return list
}

func same(t *testing.T, got, want map[string]row) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("the export has %d rows, must have %d", len(got), len(want))
	}
	for key, w := range want {
		if !maps.Equal(got[key], w) {
			t.Fatalf("row %s is\n%v, must be\n%v", key, got[key], w)
		}
	}
}

func TestEveryFormatAgreesWithReplay(t *testing.T) {
	visits := play(t, "trench/standard", "mcts:sims=16,fast-sims=4", 8, 1)
	greedy := play(t, "tankbattle/standard", "greedy", 8, 1)
	for _, format := range []string{export.NPZ, export.CSV, export.JSONL} {
		for _, c := range []struct{ dir, observations, legal string }{
			{visits, export.Bits, export.Mask}, {visits, export.None, export.None}, {greedy, export.Planes, export.List},
		} {
			o := options(func(o *export.Options) {
				o.Format, o.Observations, o.Legal = format, c.observations, c.legal
				o.Compress = format == export.NPZ && c.legal == export.List
			})
			out := t.TempDir()
			catalogue := run(t, out, o, c.dir)
			if !catalogue.Complete || len(catalogue.Sources) != 4 {
				t.Errorf("%+v: complete %v, sources %v", o, catalogue.Complete, catalogue.Sources)
			}
			same(t, read(t, out, catalogue, ""), expected(t, c.dir, o))
		}
	}
}

func TestTextIsReadByReplay(t *testing.T) {
	dir, out := play(t, "ntxuva/basic", "greedy", 4, 1), t.TempDir()
	c := run(t, out, options(func(o *export.Options) { o.Format = export.Text }), dir)
	reader, err := parquetio.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got, want strings.Builder
	for _, f := range c.Files {
		data, err := os.ReadFile(filepath.Join(out, f.Name))
		if err != nil {
			t.Fatal(err)
		}
		got.Write(data)
	}
	for ep, err := range reader.Episodes() {
		if err != nil {
			t.Fatal(err)
		}
		if err := replay.Text(&want, &reader.Manifest().Settings, ep, false); err != nil {
			t.Fatal(err)
		}
	}
	if got.String() != want.String() {
		t.Errorf("the export has\n%s\nmust have\n%s", got.String(), want.String())
	}
}

// An export that was interrupted after each of its shards ends with the files of one that
// was not, writes no finished file again, and leaves no temporary file.
func TestInterruptedExportGoesOn(t *testing.T) {
	dir, whole, parts := play(t, "trench/standard", "greedy", 40, 1), t.TempDir(), t.TempDir()
	o := options(func(o *export.Options) { o.Rows = 100 })
	run(t, whole, o, dir)
	stops := 0
	for {
		ctx, cancel := context.WithCancelCause(t.Context())
		before := datasettest.Files(t, parts)
		seen := int64(0)
		_, err := export.Run(ctx, []string{dir}, parts, o, 1, func(n int64) {
			if seen += n; seen > int64(10*stops+12) {
				cancel(io.ErrUnexpectedEOF)
			}
		})
		if _, listed := before[export.CatalogueName]; listed {
			var c export.Catalogue
			if err := json.Unmarshal([]byte(before[export.CatalogueName]), &c); err != nil {
				t.Fatal(err)
			}
			after := datasettest.Files(t, parts)
			for _, f := range c.Files {
				if after[f.Name] != before[f.Name] {
					t.Errorf("%s has changed", f.Name)
				}
			}
		}
		if err == nil {
			break
		}
		stops++
	}
	if stops < 2 {
		t.Fatalf("the export was stopped %d times", stops)
	}
	if got, want := datasettest.Files(t, parts), datasettest.Files(t, whole); !maps.Equal(got, want) {
		t.Errorf("files %v, must be %v", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}

func TestSplitGivesEqualGamesTheSamePart(t *testing.T) {
	a, b := play(t, "trench/standard", "greedy", 60, 1), play(t, "trench/standard", "greedy", 40, 1)
	o := options(func(o *export.Options) {
		o.Parts = []export.Part{{Name: "train", Share: 0.6}, {Name: "validation", Share: 0.2}, {Name: "test", Share: 0.2}}
	})
	out, other := t.TempDir(), t.TempDir()
	c, d := run(t, out, o, a), run(t, other, o, b)
	all := map[string]row{}
	for _, part := range o.Parts {
		rows, short := read(t, out, c, part.Name), read(t, other, d, part.Name)
		if len(rows) == 0 || len(rows) == len(expected(t, a, o)) {
			t.Errorf("%s has %d rows", part.Name, len(rows))
		}
		for key, r := range rows {
			if all[key] != nil {
				t.Fatalf("row %s is in two parts", key)
			}
			all[key] = r
		}
		// The 40 games of b are the first of a, in other shards.
		hashes := map[string]bool{}
		for _, r := range rows {
			hashes[r["episode"]+" "+r["ply"]+" "+r["hash"]] = true
		}
		for _, r := range short {
			if !hashes[r["episode"]+" "+r["ply"]+" "+r["hash"]] {
				t.Fatalf("episode %s is in %s of one data set only", r["episode"], part.Name)
			}
		}
	}
	same(t, all, expected(t, a, o))
}

func TestSeveralDataSetsMakeOneExport(t *testing.T) {
	a, b := play(t, "trench/standard", "greedy", 8, 1), play(t, "trench/standard", "random", 8, 2)
	o, out := options(nil), t.TempDir()
	run(t, out, o, a)
	c := run(t, out, o, a, b)
	want := expected(t, a, o)
	maps.Copy(want, expected(t, b, o))
	same(t, read(t, out, c, ""), want)
}

func TestRefusals(t *testing.T) {
	a, out := play(t, "trench/standard", "greedy", 8, 1), t.TempDir()
	run(t, out, options(nil), a)
	for what, c := range map[string]struct {
		dirs   []string
		change func(*export.Options)
		want   string
	}{
		"other options": {[]string{a}, func(o *export.Options) { o.Legal = export.List }, `legal`},
		"other rules":   {[]string{a, play(t, "ntxuva/basic", "random", 4, 1)}, nil, "different rules"},
		"another game":  {[]string{play(t, "ntxuva/basic", "random", 4, 1)}, nil, "another export"},
		"twice":         {[]string{a, a}, nil, "same run"},
		"format":        {[]string{a}, func(o *export.Options) { o.Format = "hdf5" }, "npz, parquet, csv, jsonl or text"},
		"shares":        {[]string{a}, func(o *export.Options) { o.Parts = []export.Part{{Name: "train", Share: 0.5}} }, "add up to 0.5"},
		"no data set":   {[]string{t.TempDir()}, nil, "is not a data set"},
	} {
		before := datasettest.Files(t, out)
		_, err := export.Run(t.Context(), c.dirs, out, options(c.change), 1, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, must contain %q", what, err, c.want)
		}
		if !maps.Equal(before, datasettest.Files(t, out)) {
			t.Errorf("%s: the folder has changed", what)
		}
	}
}

func TestDamagedDataAreAFault(t *testing.T) {
	dir, out := play(t, "trench/standard", "greedy", 8, 1), t.TempDir()
	reader, err := parquetio.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(dir, reader.Manifest().Shards[2].Steps.Name), 50); err != nil {
		t.Fatal(err)
	}
	_, err = export.Run(t.Context(), []string{dir}, out, options(nil), 1, nil)
	var fault *dataset.Fault
	if !errors.As(err, &fault) || !strings.Contains(err.Error(), dir) {
		t.Errorf("error %v, must be a fault that names %s", err, dir)
	}
}

// One goroutine exports 1,000 games of Trench with packed observations and masks.
func BenchmarkExport(b *testing.B) {
	dir := b.TempDir()
	plan := selfplaytest.Plan(b, "trench/standard", "greedy", "greedy", nil)
	if err := record.Play(b.Context(), record.Recording{Dir: dir, Plan: plan, Episodes: 2000, Workers: 2}); err != nil {
		b.Fatal(err)
	}
	for _, format := range export.Formats() {
		b.Run(format, func(b *testing.B) {
			rows := int64(0)
			for b.Loop() {
				o := export.Default()
				o.Format = format
				c, err := export.Run(b.Context(), []string{dir}, b.TempDir(), o, 1, nil)
				if err != nil {
					b.Fatal(err)
				}
				_, n, _ := c.Size("")
				rows += n
			}
			b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "steps/s")
		})
	}
}
