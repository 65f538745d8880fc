package library_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unsafe"

	"github.com/sandtable-farm/sandtable/cmd/libsandtable/library"
	"github.com/sandtable-farm/sandtable/dataset/loader"
	"github.com/sandtable-farm/sandtable/env/games"
)

const dataSet = "../../../dataset/replay/testdata/noworkers"

// octets returns the memory of a slice.
func octets[T any](s []T) []byte {
	var element T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(element)))
}

// memory returns the arrays of a batch in their order.
func memory(b *loader.Batch) [][]byte {
	return [][]byte{
		octets(b.Bits), octets(b.Scalars), octets(b.LegalOffsets), octets(b.LegalActions), octets(b.Policy), octets(b.PolicyWeight),
		octets(b.Value), octets(b.ValueWeight), octets(b.WDL), octets(b.Score), octets(b.SearchValue), octets(b.NextOffsets),
		octets(b.NextActions), octets(b.NextPolicy), octets(b.Weight), octets(b.Episode), octets(b.Set), octets(b.Ply), octets(b.Symmetry),
	}
}

// prepare prepares a batch and returns its sizes.
func prepare(t *testing.T, l *library.Library, handle, rows int64) []int64 {
	t.Helper()
	n, err := l.Prepare(handle, rows)
	for err == nil && n == library.Pending {
		n, err = l.Wait(handle, 500)
	}
	if err != nil {
		t.Fatal(err)
	}
	sizes := make([]int64, 3)
	if _, err := l.Sizes(handle, sizes); err != nil || sizes[0] != n {
		t.Fatalf("%d rows, sizes %v, %v", n, sizes, err)
	}
	return sizes
}

func openLoader(t *testing.T, l *library.Library, options string) int64 {
	t.Helper()
	handle, err := l.OpenLoader([]byte(`{"dirs":["` + dataSet + `"],"options":` + options + `}`))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close(handle) })
	return handle
}

func TestALoaderFillsTheCallersMemory(t *testing.T) {
	l := library.New()
	const options = `{"shuffle":200,"seed":"3","keep_truncated":true}`
	handle := openLoader(t, l, options)
	parsed, err := loader.ParseOptions([]byte(options))
	if err != nil {
		t.Fatal(err)
	}
	direct, err := loader.Open([]string{dataSet}, parsed)
	if err != nil {
		t.Fatal(err)
	}
	defer direct.Close()
	for range 5 {
		var want loader.Batch
		if err := direct.Next(t.Context(), 64, &want); err != nil {
			t.Fatal(err)
		}
		sizes := prepare(t, l, handle, 64)
		if sizes[0] != 64 || sizes[1] != int64(len(want.Policy)) || sizes[2] != int64(len(want.NextPolicy)) {
			t.Fatalf("the sizes are %v", sizes)
		}
		got := make([][]byte, 0, 19)
		for _, piece := range memory(&want) {
			got = append(got, octets(make([]uint64, (len(piece)+7)/8))[:len(piece)])
		}
		short := append([][]byte{got[0][8:]}, got[1:]...)
		for what, wrong := range map[string][][]byte{"Bits": short, "must be for 19": got[1:]} {
			if _, err := l.Fill(handle, wrong); err == nil || !strings.Contains(err.Error(), what) {
				t.Errorf("%s: %v", what, err)
			}
		}
		if n, err := l.Fill(handle, got); err != nil || n != 64 {
			t.Fatal(n, err)
		}
		for i, piece := range memory(&want) {
			if !bytes.Equal(piece, got[i]) {
				t.Errorf("array %d differs", i)
			}
		}
	}
}

func TestALoaderIsSavedRefreshedAndWeighted(t *testing.T) {
	l := library.New()
	handle := openLoader(t, l, `{"shuffle":200,"positions":1,"keep_truncated":true}`)
	text := make([]byte, 1<<16)
	n, err := l.DescribeLoader(handle, text)
	if err != nil {
		t.Fatal(err)
	}
	var about struct {
		Variant, Digest string
		Rules           json.RawMessage
	}
	if err := json.Unmarshal(text[:n], &about); err != nil {
		t.Fatal(err)
	}
	if v, err := games.FromRules(about.Rules, about.Digest); err != nil || v.Name == "" {
		t.Errorf("the rules are %s: %v", about.Rules, err)
	}
	episodes, err := l.Refresh(handle)
	if err != nil {
		t.Fatal(err)
	}
	sets, numbers := make([]int32, episodes), make([]int64, episodes)
	if n, err := l.Episodes(handle, sets, numbers); err != nil || n != episodes || numbers[1] != 1 {
		t.Fatalf("%d of %d episodes, %v", n, episodes, err)
	}
	weights := make([]float64, episodes)
	weights[2] = 1
	if _, err := l.SetWeights(handle, weights); err != nil {
		t.Fatal(err)
	}
	prepare(t, l, handle, 50)
	size, err := l.SaveLoader(handle, text)
	if err != nil {
		t.Fatal(err)
	}
	again := openLoader(t, l, `{"shuffle":200,"positions":1,"keep_truncated":true,"threads":1}`)
	n, err = l.RestoreLoader(again, text[:size])
	for err == nil && n == library.Pending {
		n, err = l.Wait(again, 500)
	}
	if err != nil {
		t.Fatal(err)
	}
	if a, b := prepare(t, l, handle, 50), prepare(t, l, again, 50); a[1] != b[1] || a[2] != b[2] {
		t.Errorf("the sizes are %v and %v", a, b)
	}
	for _, text := range []string{`{}`, `{"dirs":["missing"]}`, `{"dirs":["` + dataSet + `"],"options":{"shuffle":0}}`, `{"dir":1}`, ``} {
		if _, err := l.OpenLoader([]byte(text)); err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
	if _, err := l.Close(again); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Prepare(again, 1); err == nil {
		t.Error("a closed loader prepares a batch")
	}
}
