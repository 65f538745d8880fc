package mend_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/datasettest"
	"github.com/sandtable-farm/sandtable/dataset/replay"
	"github.com/sandtable-farm/sandtable/env"
)

// A randomDamage damages a data set at random and returns the files that verify must name;
// an empty list means that the damage may have changed nothing.
type randomDamage func(t testing.TB, dir string, rand *env.Rand) []string

// anyFile returns a file of one of the four shards.
func anyFile(rand *env.Rand) string {
	return shardFile([]string{episodes, steps}[rand.IntN(2)], rand.IntN(4))
}

// two returns two different numbers of shards.
func two(rand *env.Rand) (a, b int) {
	a = rand.IntN(4)
	return a, (a + 1 + rand.IntN(3)) % 4
}

var randomDamages = map[string]randomDamage{
	"a flipped bit": func(t testing.TB, dir string, rand *env.Rand) []string {
		name := anyFile(rand)
		data := []byte(datasettest.Files(t, dir)[name])
		data[rand.IntN(len(data))] ^= 1 << rand.IntN(8)
		datasettest.Put(t, dir, name, string(data))
		return []string{name}
	},
	"a run of bytes overwritten": func(t testing.TB, dir string, rand *env.Rand) []string {
		name := anyFile(rand)
		data := []byte(datasettest.Files(t, dir)[name])
		at := rand.IntN(len(data))
		for i := at; i < min(len(data), at+512); i++ {
			data[i] ^= 0xa5
		}
		datasettest.Put(t, dir, name, string(data))
		return []string{name}
	},
	"a cut file": func(t testing.TB, dir string, rand *env.Rand) []string {
		name := anyFile(rand)
		data := datasettest.Files(t, dir)[name]
		datasettest.Put(t, dir, name, data[:rand.IntN(len(data))])
		return []string{name}
	},
	"a longer file": func(t testing.TB, dir string, rand *env.Rand) []string {
		name := anyFile(rand)
		datasettest.Put(t, dir, name, datasettest.Files(t, dir)[name]+"x")
		return []string{name}
	},
	"a removed file": func(t testing.TB, dir string, rand *env.Rand) []string {
		name := anyFile(rand)
		remove(t, dir, name)
		return []string{name}
	},
	"a folder in place of a file": func(t testing.TB, dir string, rand *env.Rand) []string {
		name := anyFile(rand)
		remove(t, dir, name)
		datasettest.Put(t, dir, name+"/x", "")
		return []string{name}
	},
	"a removed shard": func(t testing.TB, dir string, rand *env.Rand) []string {
		number := rand.IntN(4)
		remove(t, dir, shardFile(episodes, number))
		remove(t, dir, shardFile(steps, number))
		return []string{shardFile(episodes, number), shardFile(steps, number)}
	},
	"two files that changed places": func(t testing.TB, dir string, rand *env.Rand) []string {
		a, b := two(rand)
		table := []string{episodes, steps}[rand.IntN(2)]
		before := datasettest.Files(t, dir)
		datasettest.Put(t, dir, shardFile(table, a), before[shardFile(table, b)])
		datasettest.Put(t, dir, shardFile(table, b), before[shardFile(table, a)])
		return []string{shardFile(table, a), shardFile(table, b)}
	},
	"a shard over another": func(t testing.TB, dir string, rand *env.Rand) []string {
		a, b := two(rand)
		for _, table := range []string{episodes, steps} {
			datasettest.Put(t, dir, shardFile(table, a), datasettest.Files(t, dir)[shardFile(table, b)])
		}
		return []string{shardFile(episodes, a), shardFile(steps, a)}
	},
	"a copy of a shard": func(t testing.TB, dir string, rand *env.Rand) []string {
		from, to := rand.IntN(4), 4+rand.IntN(5)
		for _, table := range []string{episodes, steps} {
			datasettest.Put(t, dir, shardFile(table, to), datasettest.Files(t, dir)[shardFile(table, from)])
		}
		return []string{shardFile(episodes, to), shardFile(steps, to)}
	},
	"a copy of a file": func(t testing.TB, dir string, rand *env.Rand) []string {
		name := fmt.Sprintf("steps/copy %d.parquet", rand.IntN(100))
		datasettest.Put(t, dir, name, datasettest.Files(t, dir)[anyFile(rand)])
		return []string{name}
	},
	"a cut manifest": func(t testing.TB, dir string, rand *env.Rand) []string {
		data := datasettest.Files(t, dir)[manifest]
		datasettest.Put(t, dir, manifest, data[:rand.IntN(len(data)-2)])
		return []string{manifest}
	},
	"a lost manifest": func(t testing.TB, dir string, rand *env.Rand) []string {
		remove(t, dir, manifest)
		return []string{manifest}
	},
	"a changed digit in the manifest": func(t testing.TB, dir string, rand *env.Rand) []string {
		data := []byte(datasettest.Files(t, dir)[manifest])
		shards := strings.Index(string(data), `"shards"`)
		for {
			at := shards + rand.IntN(len(data)-shards)
			if data[at] >= '0' && data[at] <= '9' {
				data[at] = '0' + (data[at]-'0'+byte(1+rand.IntN(9)))%10
				break
			}
		}
		datasettest.Put(t, dir, manifest, string(data))
		return nil // what it names depends on the digit
	},
	"a shard that left the manifest": func(t testing.TB, dir string, rand *env.Rand) []string {
		m, err := dataset.Load(dir)
		if err != nil {
			t.Fatal(err)
		}
		number := rand.IntN(4)
		m.Shards = slices.Delete(m.Shards, number, number+1)
		m.Complete = false
		if err := m.Save(dir); err != nil {
			t.Fatal(err)
		}
		return []string{shardFile(episodes, number), shardFile(steps, number)}
	},
	"leftovers of a killed writer": func(t testing.TB, dir string, rand *env.Rand) []string {
		name := []string{shardFile(episodes, 4), shardFile(steps, 4), shardFile(steps, 4) + ".tmp", "episodes/writer-x.parquet.tmp", manifest + ".tmp"}[rand.IntN(5)]
		data := datasettest.Files(t, dir)[anyFile(rand)]
		datasettest.Put(t, dir, name, data[:rand.IntN(len(data))])
		return []string{name}
	},
}

// named returns what verify names: files with faults, and leftovers.
func named(t testing.TB, dir string) []string {
	t.Helper()
	report, err := replay.Verify(context.Background(), dir, 1, nil)
	var faults dataset.Faults
	if err != nil && !errors.As(err, &faults) {
		t.Fatal(err)
	}
	names := slices.Clone(report.Leftovers)
	for _, fault := range faults {
		names = append(names, fault.File)
	}
	return names
}

// randomlyDamaged damages a data set in one to three ways, a number of times. Verify must
// name every damage, and a repaired data set must be completed to the same content.
func randomlyDamaged(t *testing.T, times int) {
	r := play(t, 3)
	sound := datasettest.Files(t, r.write(t))
	kinds := make([]string, 0, len(randomDamages))
	for kind := range randomDamages {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	for i := range times {
		rand := env.NewRand(uint64(1000 + i))
		dir := lay(t, sound)
		kind := kinds[i%len(kinds)]
		name := fmt.Sprintf("damage %d: %s", i, kind)
		want := randomDamages[kind](t, dir, rand)
		got := named(t, dir)
		if want == nil && len(got) == 0 {
			t.Errorf("%s: verify finds nothing", name)
		}
		for _, file := range want {
			if !slices.Contains(got, file) {
				t.Errorf("%s: verify names %q, not %s", name, got, file)
			}
		}
		if rand.IntN(3) == 0 && !strings.Contains(kind, "manifest") { // a second damage
			second := anyFile(rand)
			remove(t, dir, second)
			name += " and " + second + " removed"
			if got := named(t, dir); !slices.Contains(got, second) && !slices.Contains(got, manifest) {
				t.Errorf("%s: verify names %q, not %s", name, got, second)
			}
		}
		repair(t, dir, name)
		r.complete(t, dir, name)
	}
}

func TestRandomDamages(t *testing.T) { randomlyDamaged(t, 48) }
