package parquetio_test

import (
	"iter"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/datasettest"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/env"
)

// games returns episodes that look to the writer like those of a board game of
// some 100 plies with some 40 legal actions: hashes are random, actions and
// legal counts cluster, the sides alternate. score says whether the agent is a
// greedy one, which tells a score, its nodes and the depth.
func games(settings *dataset.Settings, score bool) []*dataset.Episode {
	rand := env.NewRand(settings.Seed)
	list := make([]*dataset.Episode, settings.Episodes)
	for i := range list {
		ep := &dataset.Episode{Run: settings.Run(), Number: int64(i), Pair: dataset.NoPair, ResignPly: dataset.NoPly, Seed: rand.Uint64(),
			Agents: settings.Agents, Start: "a2 b2 c2 d2 e2 f2 g2 a7 b7 c7 d7 e7 f7 g7 0 0 0", OpeningPlies: settings.OpeningPlies,
			Terminated: true, Result: 1, Reason: env.Points, FinalHash: rand.Uint64()}
		for ply := range 60 + rand.IntN(80) {
			s := ep.AddStep()
			s.Player, s.Hash = env.Player(ply%2), rand.Uint64()
			s.LegalCount = int32(25 + rand.IntN(15) + rand.IntN(15))
			s.Action = env.Action(64*(rand.IntN(16)) + rand.IntN(64))
			if ply < settings.OpeningPlies {
				s.Source = dataset.FromOpening
			} else if score {
				s.Search = dataset.Search{Has: dataset.HasScore | dataset.HasNodes | dataset.HasDepth,
					Score: int32(rand.IntN(12) - 4), Nodes: int64(s.LegalCount), Depth: 1}
			}
		}
		list[i] = ep
	}
	return list
}

func benchmarks(b *testing.B, f func(b *testing.B, settings *dataset.Settings, list []*dataset.Episode, plies int64)) {
	for _, agent := range []string{"random", "greedy"} {
		b.Run(agent, func(b *testing.B) {
			settings := datasettest.Settings(1, 4096, 4096)
			list := games(&settings, agent == "greedy")
			var plies int64
			for _, ep := range list {
				plies += int64(ep.Plies())
			}
			f(b, &settings, list, plies)
		})
	}
}

func all(list []*dataset.Episode) iter.Seq2[*dataset.Episode, error] {
	return func(yield func(*dataset.Episode, error) bool) {
		for _, ep := range list {
			if !yield(ep, nil) {
				return
			}
		}
	}
}

func report(b *testing.B, plies int64) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(plies)/float64(b.N), "ns/ply")
}

// fromWire reads episodes out of one message, as a collector does.
func fromWire(message []byte) iter.Seq2[*dataset.Episode, error] {
	return func(yield func(*dataset.Episode, error) bool) {
		var ep dataset.Episode
		for rest := message; len(rest) > 0; {
			var err error
			if rest, err = dataset.ReadEpisode(rest, &ep); err != nil {
				yield(nil, err)
				return
			}
			if !yield(&ep, nil) {
				return
			}
		}
	}
}

// BenchmarkCommit reads 4096 games from the wire and writes them as the first
// shard of a data set.
// bytes/ply is of both tables on disk.
func BenchmarkCommit(b *testing.B) {
	benchmarks(b, func(b *testing.B, settings *dataset.Settings, list []*dataset.Episode, plies int64) {
		var message []byte
		for _, ep := range list {
			message = dataset.AppendEpisode(message, ep)
		}
		b.ReportAllocs()
		for b.Loop() {
			w := openWriter(b, b.TempDir(), settings)
			if _, err := w.Commit([]int64{0}, fromWire(message)); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(w.Manifest().Bytes())/float64(plies), "bytes/ply")
		}
		report(b, plies)
	})
}

// BenchmarkNextCommit is BenchmarkCommit with a writer that lasts from shard to
// shard, as that of a collector does: its memory is there already.
func BenchmarkNextCommit(b *testing.B) {
	benchmarks(b, func(b *testing.B, settings *dataset.Settings, list []*dataset.Episode, plies int64) {
		endless := *settings
		endless.Episodes = 0
		var message []byte
		for _, ep := range list {
			ep.Run = endless.Run()
			message = dataset.AppendEpisode(message, ep)
		}
		w := openWriter(b, b.TempDir(), &endless)
		job := int64(0)
		commit := func() {
			first, _ := endless.Job(job)
			if _, err := w.Commit([]int64{job}, numberedFrom(first, fromWire(message))); err != nil {
				b.Fatal(err)
			}
			job++
		}
		commit()
		b.ReportAllocs()
		for b.Loop() {
			commit()
		}
		report(b, plies)
	})
}

// numberedFrom adds first to the numbers of episodes.
func numberedFrom(first int64, episodes iter.Seq2[*dataset.Episode, error]) iter.Seq2[*dataset.Episode, error] {
	return func(yield func(*dataset.Episode, error) bool) {
		for ep, err := range episodes {
			if err == nil {
				ep.Number += first
			}
			if !yield(ep, err) {
				return
			}
		}
	}
}

// written returns a reader of a data set of the games, which are one job.
func written(b *testing.B, settings *dataset.Settings, list []*dataset.Episode) *parquetio.Reader {
	b.Helper()
	dir := b.TempDir()
	if _, err := openWriter(b, dir, settings).Commit([]int64{0}, all(list)); err != nil {
		b.Fatal(err)
	}
	reader, err := parquetio.Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	return reader
}

// BenchmarkRead reads a data set of 4096 games.
func BenchmarkRead(b *testing.B) {
	benchmarks(b, func(b *testing.B, settings *dataset.Settings, list []*dataset.Episode, plies int64) {
		reader := written(b, settings, list)
		for b.Loop() {
			for _, err := range reader.Episodes() {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
		report(b, plies)
	})
}

// BenchmarkEpisode reads one game from the middle of 4096.
func BenchmarkEpisode(b *testing.B) {
	benchmarks(b, func(b *testing.B, settings *dataset.Settings, list []*dataset.Episode, _ int64) {
		reader := written(b, settings, list)
		var ep dataset.Episode
		for b.Loop() {
			if err := reader.Episode(2048, &ep); err != nil {
				b.Fatal(err)
			}
		}
	})
}
