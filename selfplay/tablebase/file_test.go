package tablebase_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/tablebase"
)

const small = `ntxuva/4{"columns":2,"seeds":3}` // has all three results with five seeds

func TestTheBytesDependOnNothingButRulesAndSeeds(t *testing.T) {
	want, err := os.ReadFile(solveFile(t, small, 5))
	if err != nil {
		t.Fatal(err)
	}
	same := func(what, path string) {
		t.Helper()
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: other bytes (%v)", what, err)
		}
	}
	v := lookup(t, small)
	path := filepath.Join(t.TempDir(), "one")
	if err := tablebase.Solve(t.Context(), v, path, tablebase.Options{Seeds: 5, Workers: 1}); err != nil {
		t.Fatal(err)
	}
	same("one goroutine", path)

	path = filepath.Join(t.TempDir(), "extended")
	for _, seeds := range []int{2, 4, 3, 5} {
		if err := tablebase.Solve(t.Context(), v, path, tablebase.Options{Seeds: seeds}); err != nil {
			t.Fatal(err)
		}
	}
	same("extended", path)

	path = filepath.Join(t.TempDir(), "interrupted")
	for calls := 1; ; calls += 7 {
		ctx, cancel := context.WithCancel(t.Context())
		told, before := 0, int64(0)
		err := tablebase.Solve(ctx, v, path, tablebase.Options{Seeds: 5, Progress: func(done, total int64) {
			if done < before || done > total {
				t.Errorf("%d positions after %d, of %d", done, before, total)
			}
			before = done
			if told++; told == calls {
				cancel()
			}
		}})
		cancel()
		if err == nil && before == 125*125 {
			break
		}
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	same("interrupted again and again", path)
}

func TestWhatACrashLeftBehindTheLastPairIsWrittenAnew(t *testing.T) {
	path := solveFile(t, small, 3)
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// Values without a head, as when the machine stops before the head is written.
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	end := int64(len(want)+255) / 256 * 256
	if _, err := file.WriteAt(bytes.Repeat([]byte{7}, 50), end+150); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if got := open(t, path).Seeds(); got != 3 {
		t.Errorf("the table has %d seeds, must have 3", got)
	}
	if err := tablebase.Solve(t.Context(), lookup(t, small), path, tablebase.Options{Seeds: 4}); err != nil {
		t.Fatal(err)
	}
	want, err = os.ReadFile(solveFile(t, small, 4))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
		t.Errorf("the file is not what it is without the crash (%v)", err)
	}
}

func TestDamageIsFound(t *testing.T) {
	path := solveFile(t, small, 3)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	first := bytes.Index(whole, []byte("seedpair"))
	for _, c := range []struct {
		name    string
		change  func([]byte) []byte
		opens   bool
		damaged bool
		want    string
	}{
		{"an empty file", func([]byte) []byte { return nil }, false, false, "not an endgame table"},
		{"another file", func([]byte) []byte { return []byte(strings.Repeat("x", 1000)) }, false, false, "not an endgame table"},
		{"a later version", func(b []byte) []byte { b[7] = 9; return b }, false, false, "version 9, must be 1"},
		{"a long rule set", func(b []byte) []byte { b[11] = 9; return b }, false, true, "rules"},
		{"a cut rule set", func(b []byte) []byte { return b[:60] }, false, true, "ends within its rules"},
		{"another rule", func(b []byte) []byte { b[30] ^= 1; return b }, false, true, "rules do not match their checksum"},
		{"another count", func(b []byte) []byte { b[first+20] ^= 1; return b }, false, true, "head at byte"},
		{"another mark", func(b []byte) []byte { b[first] ^= 1; return b }, false, true, "head at byte"},
		{"a cut end", func(b []byte) []byte { return b[:len(b)-1] }, false, true, "ends within the positions of 3 seeds against 3"},
		{"another value", func(b []byte) []byte { b[len(b)-1] ^= 2; return b }, true, true, "positions of 3 seeds against 3 do not match their checksum"},
	} {
		if err := os.WriteFile(path, c.change(bytes.Clone(whole)), 0o666); err != nil {
			t.Fatal(err)
		}
		table, err := tablebase.Open(path)
		if c.opens {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			err = table.Verify(t.Context(), 0, 1, nil)
			if err := table.Close(); err != nil {
				t.Error(err)
			}
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, tablebase.ErrDamaged) != c.damaged {
			t.Errorf("%s: %v; want %s", c.name, err, c.want)
		}
		err = tablebase.Solve(t.Context(), lookup(t, small), path, tablebase.Options{Seeds: 3})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: going on gives %v; want %s", c.name, err, c.want)
		}
	}
}

// A value may be wrong in spite of its checksum where the program that solved was.
func TestVerifyComparesValuesWithTheirActions(t *testing.T) {
	table := solve(t, small, 5)
	calls := 0
	err := table.Verify(t.Context(), 2000, 1, func(done, total int64) {
		if calls++; calls == len(table.Pairs()) && done != total {
			t.Errorf("%d of %d at the end", done, total)
		}
	})
	if err != nil || calls != len(table.Pairs()) {
		t.Errorf("%v, %d calls", err, calls)
	}
	falsified := solveFile(t, small, 5)
	data, err := os.ReadFile(falsified)
	if err != nil {
		t.Fatal(err)
	}
	tablebase.Falsify(data, func(value byte) byte {
		if value == 2 { // a win at once becomes a draw
			return 0
		}
		return value
	})
	if err := os.WriteFile(falsified, data, 0o666); err != nil {
		t.Fatal(err)
	}
	err = open(t, falsified).Verify(t.Context(), 2000, 1, nil)
	if !errors.Is(err, tablebase.ErrDamaged) || !strings.Contains(err.Error(), "value is draw, its actions lead to win in 1") {
		t.Errorf("verify says %v", err)
	}
}

func TestATableOfOtherRulesIsNotGoneOnWith(t *testing.T) {
	path := solveFile(t, small, 2)
	err := tablebase.Solve(t.Context(), lookup(t, "ntxuva/4"), path, tablebase.Options{Seeds: 2})
	if err == nil || !strings.Contains(err.Error(), "has positions of a different rule set, ntxuva/4{") {
		t.Errorf("it says %v", err)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for _, c := range []struct {
		variant string
		seeds   int
		want    string
	}{
		{"trench/standard", 3, "cannot solve trench/standard, only variants of ntxuva"},
		{"ntxuva/4", 0, "seeds is 0, must be 1 to 16"},
		{"ntxuva/4", 17, "seeds is 17, must be 1 to 16"},
		{"ntxuva/4", 16, "seeds is 16, must be at most 14"},
		{"ntxuva/12", 24, "must be at most 5"},
	} {
		path := filepath.Join(t.TempDir(), "table")
		err := tablebase.Solve(t.Context(), lookup(t, c.variant), path, tablebase.Options{Seeds: c.seeds})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %d seeds: %v; want %s", c.variant, c.seeds, err, c.want)
		}
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s with %d seeds: a file is there", c.variant, c.seeds)
		}
	}
	o := tablebase.Options{Seeds: 10}
	positions, memory := o.Needs(lookup(t, "ntxuva/4"))
	if positions != 43757*43757 || memory != 2*11440*19448/8*13 {
		t.Errorf("%d positions, %d bytes of memory", positions, memory)
	}
}

func TestDigestsTellTablesApart(t *testing.T) {
	seen := map[string]int{}
	for seeds := 1; seeds <= 3; seeds++ {
		for range 2 {
			seen[solve(t, small, seeds).Digest()]++
		}
	}
	seen[solve(t, "ntxuva/4", 1).Digest()]++
	for digest, times := range seen {
		if !strings.HasPrefix(digest, "sha256:") || len(digest) != 71 {
			t.Errorf("digest %s", digest)
		}
		if times > 2 {
			t.Errorf("%d tables have one digest", times)
		}
	}
	if len(seen) != 4 {
		t.Errorf("%d digests of four tables", len(seen))
	}
}

func TestPairsCountTheirPositions(t *testing.T) {
	table := solve(t, small, 4)
	if table.Seeds() != 4 || len(table.Pairs()) != 10 {
		t.Fatalf("%d seeds, %d pairs", table.Seeds(), len(table.Pairs()))
	}
	r, s, p := env.NewRand(1), env.NewState(table.Variant().Game), table.Prober()
	longest := map[int]uint64{} // by seeds
	for range 20_000 {
		v, err := table.Random(r, s)
		if err != nil {
			t.Fatal(err)
		}
		if s.Player() == env.NoPlayer {
			continue
		}
		if got, ok := p.Probe(s); !ok || got != v {
			t.Fatalf("%s is worth %v, its probe gives %v, %v", env.PositionText(s), v, got, ok)
		}
		points := s.(env.Scorer)
		key := 10*points.Points(env.First) + points.Points(env.Second)
		longest[key] = max(longest[key], uint64(v.Plies))
	}
	positions := 0
	for _, pair := range table.Pairs() {
		for i, c := range []tablebase.Count{pair.FewToMove, pair.ManyToMove} {
			own, enemy := pair.Few, pair.Many
			if i == 1 {
				own, enemy = pair.Many, pair.Few
			}
			if i == 1 && pair.Few == pair.Many {
				continue
			}
			ways := []int{1, 4, 10, 20, 35} // of so many seeds in four houses
			if want := ways[own] * ways[enemy]; int(c.Won+c.Drawn+c.Lost) != want {
				t.Errorf("%d against %d: %+v, must be %d in all", own, enemy, c, want)
			}
			positions += int(c.Won + c.Drawn + c.Lost)
			if c.Longest != longest[10*own+enemy] {
				t.Errorf("%d against %d: the longest game takes %d plies, %d were met", own, enemy, c.Longest, longest[10*own+enemy])
			}
		}
	}
	if positions != 69*69 {
		t.Errorf("%d positions, must be %d", positions, 69*69)
	}
}

func TestAnEmptyTableHasNothingToDraw(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := tablebase.Solve(ctx, lookup(t, small), path, tablebase.Options{Seeds: 1}); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	table := open(t, path)
	if _, err := table.Random(env.NewRand(1), env.NewState(table.Variant().Game)); err == nil || table.Seeds() != 0 {
		t.Errorf("%v, %d seeds", err, table.Seeds())
	}
}

func TestAFileThatCannotBeReadHasNoValues(t *testing.T) {
	table, err := tablebase.Open(solveFile(t, small, 2))
	if err != nil {
		t.Fatal(err)
	}
	p, s := table.Prober(), env.NewState(table.Variant().Game)
	if _, err := table.Random(env.NewRand(1), s); err != nil {
		t.Fatal(err)
	}
	if err := table.Close(); err != nil {
		t.Fatal(err)
	}
	if v, err := table.Random(env.NewRand(1), s); !errors.Is(err, os.ErrClosed) {
		t.Errorf("a random position has the value %v, %v", v, err)
	}
	if v, ok := p.Probe(s); ok {
		t.Errorf("a position has the value %v", v)
	}
	if err := table.Verify(t.Context(), 0, 1, nil); !errors.Is(err, os.ErrClosed) {
		t.Errorf("verify says %v", err)
	}
}
