package dataset_test

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/datasettest"
	"github.com/sandtable-farm/sandtable/env"
)

func TestEpisodesComeOffTheWireAsTheyWent(t *testing.T) {
	rand := env.NewRand(1)
	var sent, back dataset.Episode
	var wire []byte
	for i := range int64(500) {
		datasettest.Fill(&sent, "a run", i, rand)
		wire = dataset.AppendEpisode(wire[:0], &sent)
		wire = append(wire, "the rest"...)
		rest, err := dataset.ReadEpisode(wire, &back)
		if err != nil {
			t.Fatal(err)
		}
		if string(rest) != "the rest" {
			t.Fatalf("episode %d left %q", i, rest)
		}
		sameEpisode(t, &back, &sent)
	}
}

// sameEpisode compares two episodes by their fields, so that one which the wire
// forgets is found.
func sameEpisode(t *testing.T, got, want *dataset.Episode) {
	t.Helper()
	for _, ep := range []*dataset.Episode{got, want} {
		for i := range ep.Steps {
			if s := &ep.Steps[i].Search; len(s.Visits) == 0 {
				s.Visits = nil // an empty list is as good as none
			}
		}
	}
	if !slices.EqualFunc(got.Steps, want.Steps, func(a, b dataset.Step) bool { return reflect.DeepEqual(a, b) }) {
		t.Fatalf("plies of episode %d are\n%+v, want\n%+v", want.Number, got.Steps, want.Steps)
	}
	a, b := *got, *want
	a.Steps, b.Steps = nil, nil
	if !reflect.DeepEqual(a, b) {
		t.Fatalf("episode is\n%+v, want\n%+v", a, b)
	}
}

func TestReadingTheWireAllocatesNothing(t *testing.T) {
	rand := env.NewRand(2)
	var sent, back dataset.Episode
	var wire []byte
	for sent.Plies() < 100 {
		datasettest.Fill(&sent, "a run", 7, rand)
	}
	exchange := func() {
		wire = dataset.AppendEpisode(wire[:0], &sent)
		// In a pair the seats are swapped.
		sent.Agents[0], sent.Agents[1] = sent.Agents[1], sent.Agents[0]
		if _, err := dataset.ReadEpisode(wire, &back); err != nil {
			t.Fatal(err)
		}
	}
	exchange()
	if n := testing.AllocsPerRun(100, exchange); n != 0 {
		t.Errorf("an episode over the wire allocates %v times", n)
	}
}

func TestARandomPlyTakesTwelveBytesOnTheWire(t *testing.T) {
	rand := env.NewRand(3)
	var short, long dataset.Episode
	for i := range 1000 {
		s := long.AddStep()
		*s = dataset.Step{Action: env.Action(rand.IntN(2000)), LegalCount: int32(rand.IntN(100)), Player: env.Player(i % 2), Hash: rand.Uint64()}
	}
	size := len(dataset.AppendEpisode(nil, &long)) - len(dataset.AppendEpisode(nil, &short))
	if size > 12*1000+1 {
		t.Errorf("1000 plies take %d bytes", size)
	}
}

func TestEveryTruncationOfTheWireIsAnError(t *testing.T) {
	rand := env.NewRand(4)
	var sent, back dataset.Episode
	for sent.Plies() != 17 {
		datasettest.Fill(&sent, "a run", 7, rand)
	}
	wire := dataset.AppendEpisode(nil, &sent)
	for n := range wire {
		if _, err := dataset.ReadEpisode(wire[:n], &back); !errors.Is(err, dataset.ErrWire) {
			t.Fatalf("%d of %d bytes: error is %v", n, len(wire), err)
		}
	}
	wire[0] = 99
	if _, err := dataset.ReadEpisode(wire, &back); !errors.Is(err, dataset.ErrWire) {
		t.Fatalf("version 99: error is %v", err)
	}
}

// A step of one ply begins eleven bytes before the end: flags, action, legal
// count, hash.
func TestBitsThatMeanNothingAreDamage(t *testing.T) {
	var sent, back dataset.Episode
	sent.Terminated, sent.Reason, sent.ResignPly = true, env.Points, dataset.NoPly
	step := sent.AddStep()
	step.Hash = 1
	bare := dataset.AppendEpisode(nil, &sent)
	step.Search.Has, step.Search.Fast = dataset.HasFast, true
	told := dataset.AppendEpisode(nil, &sent)
	if len(told) != len(bare)+1 {
		t.Fatalf("a flag of the search takes %d bytes, want 1", len(told)-len(bare))
	}
	for _, c := range []struct {
		wire       []byte
		fromTheEnd int
		bits       byte
	}{
		{bare, 11, 1 << 2}, // fast, though nothing is told
		{bare, 11, 1 << 4}, {bare, 11, 1 << 7},
		{told, 1, 1 << 6}, {told, 1, 1 << 7},
		{told, 1, byte(dataset.HasFast)}, // nothing, though something is told
	} {
		wire := bytes.Clone(c.wire)
		wire[len(wire)-c.fromTheEnd] ^= c.bits
		if _, err := dataset.ReadEpisode(wire, &back); !errors.Is(err, dataset.ErrWire) {
			t.Errorf("bits %08b, %d from the end: error is %v", c.bits, c.fromTheEnd, err)
		}
	}
	if _, err := dataset.ReadEpisode(told, &back); err != nil || !back.Steps[0].Search.Fast {
		t.Errorf("read back as %+v, %v", back.Steps[0], err)
	}
}

func TestAResignationAfterTheEndIsDamage(t *testing.T) {
	var sent, back dataset.Episode
	sent.AddStep()
	for ply := dataset.NoPly; ply <= 3; ply++ {
		sent.ResignPly = ply
		_, err := dataset.ReadEpisode(dataset.AppendEpisode(nil, &sent), &back)
		if damaged := errors.Is(err, dataset.ErrWire); damaged != (ply > 1) {
			t.Errorf("resign ply %d of a game of one ply: error is %v", ply, err)
		}
	}
}

// FuzzReadEpisode looks for input that panics, takes much more memory than it
// is long, or is read as something that is written differently.
func FuzzReadEpisode(f *testing.F) {
	rand := env.NewRand(5)
	var ep dataset.Episode
	for i := range int64(8) {
		datasettest.Fill(&ep, "run", i, rand)
		f.Add(dataset.AppendEpisode(nil, &ep))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var ep, again dataset.Episode
		rest, err := dataset.ReadEpisode(data, &ep)
		if len(ep.Steps) > len(data) {
			t.Fatalf("%d plies out of %d bytes", len(ep.Steps), len(data))
		}
		if err != nil {
			if !errors.Is(err, dataset.ErrWire) {
				t.Fatalf("error %v does not wrap ErrWire", err)
			}
			return
		}
		wire := dataset.AppendEpisode(nil, &ep)
		if left, err := dataset.ReadEpisode(wire, &again); err != nil || len(left) != 0 {
			t.Fatalf("what was read is written as something unreadable: %v", err)
		}
		if !bytes.Equal(wire, dataset.AppendEpisode(nil, &again)) {
			t.Fatal("writing and reading again gives another episode")
		}
		if len(rest) > len(data) {
			t.Fatal("the rest is longer than the whole")
		}
	})
}

func BenchmarkWire(b *testing.B) {
	rand := env.NewRand(6)
	var ep, back dataset.Episode
	ep.Run, ep.Agents, ep.Start = "0123456789abcdef", [2]string{"random", "random"}, "a start position of some length"
	ep.Terminated, ep.Reason = true, env.Points
	for i := range 100 {
		s := ep.AddStep()
		*s = dataset.Step{Action: env.Action(rand.IntN(1000)), LegalCount: int32(20 + rand.IntN(40)), Player: env.Player(i % 2), Hash: rand.Uint64()}
	}
	var wire []byte
	for b.Loop() {
		wire = dataset.AppendEpisode(wire[:0], &ep)
		if _, err := dataset.ReadEpisode(wire, &back); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/100, "ns/ply")
	b.ReportMetric(float64(len(wire))/100, "bytes/ply")
}
