package parquetio

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
)

// An episodeReader reads the table of episodes.
type episodeReader struct {
	*tableFile
	run, agent0, agent1, start, reason *textReader
	number, pair, seed, finalHash      *columnReader[int64]
	openingPlies, resignPly            *columnReader[int32]
	plies, result                      *columnReader[int32]
	points0, points1, actions          *columnReader[int32]
	terminated, truncated              *columnReader[bool]
	worker                             *textReader // nil if the file has no such column
	list                               []int32     // the actions of the last row
}

func openEpisodes(dir, run string, entry dataset.File) (*episodeReader, error) {
	t, err := openColumns(dir, run, entry, dataset.EpisodesFolder, episodeColumns(), epRequired)
	if err != nil {
		return nil, err
	}
	r := &episodeReader{
		tableFile: t.tableFile,
		run:       t.text(epRun), agent0: t.text(epAgent0), agent1: t.text(epAgent1), start: t.text(epStart), reason: t.text(epReason),
		number: t.long(epEpisode), pair: t.long(epPair), seed: t.long(epSeed), finalHash: t.long(epFinalHash),
		openingPlies: t.short(epOpeningPlies), resignPly: t.short(epResignPly), plies: t.short(epPlies), result: t.short(epResult),
		points0: t.short(epPoints0), points1: t.short(epPoints1), actions: t.short(epActions),
		terminated: t.flag(epTerminated), truncated: t.flag(epTruncated),
	}
	if t.has(epWorker) {
		r.worker = t.text(epWorker)
	}
	return r, nil
}

// read reads the next row into ep and returns the number of its plies. An impossible row is
// an error of the file.
func (r *episodeReader) read(ep *dataset.Episode) (plies int) {
	ep.Reset()
	ep.Run = r.run.next()
	ep.Number = r.number.next()
	if pair, ok := r.pair.nextOptional(); ok {
		ep.Pair = pair
	}
	ep.Seed = uint64(r.seed.next())
	ep.Agents = [2]string{r.agent0.next(), r.agent1.next()}
	ep.Start = r.start.next()
	ep.OpeningPlies = int(r.openingPlies.next())
	if ply, ok := r.resignPly.nextOptional(); ok {
		ep.ResignPly = int(ply)
	}
	plies = int(r.plies.next())
	result, decided := r.result.nextOptional()
	reason := r.reason.next()
	ep.Terminated, ep.Truncated = r.terminated.next(), r.truncated.next()
	ep.Points = [2]int{int(r.points0.next()), int(r.points1.next())}
	r.list, _ = r.actions.nextList(r.list[:0])
	ep.FinalHash = uint64(r.finalHash.next())
	if r.worker != nil {
		ep.Worker = r.worker.nextOptional()
	}
	if r.err == nil {
		r.check(ep, plies, result, decided, reason)
	}
	return plies
}

// check sets the result and the reason, and fails if the row contradicts itself.
func (r *episodeReader) check(ep *dataset.Episode, plies int, result int32, decided bool, reason string) {
	fault := &dataset.Fault{File: r.name, Episode: ep.Number, Ply: dataset.None}
	switch {
	case ep.ResignPly < dataset.NoPly || ep.ResignPly > plies:
		fault.What, fault.Found, fault.Want = "resign_ply", text(ep.ResignPly), fmt.Sprintf("null or 0 to %d, the number of plies", plies)
	case ep.OpeningPlies < 0:
		fault.What, fault.Found, fault.Want = "opening_plies", text(ep.OpeningPlies), "0 or more"
	case plies != len(r.list):
		fault.What, fault.Found, fault.Want = "plies", text(plies), text(len(r.list))+", the length of actions"
	case ep.Truncated == ep.Terminated:
		fault.What, fault.Found = "truncated", text(ep.Truncated)
		fault.Want = "the opposite of terminated"
	case ep.Truncated && (decided || reason != dataset.TruncatedReason):
		fault.What, fault.Found, fault.Want = "result", "given", "null with reason "+dataset.TruncatedReason+" in a truncated game"
	case ep.Terminated && (!decided || result < -1 || result > 1):
		fault.What, fault.Found, fault.Want = "result", text(result), "-1, 0 or 1"
		if !decided {
			fault.Found = "null"
		}
	default:
		fault = nil
	}
	if fault == nil && ep.Terminated {
		ep.Result = env.Result(result)
		var err error
		if ep.Reason, err = env.ParseReason(reason); err != nil || ep.Reason == env.NoReason {
			fault = &dataset.Fault{File: r.name, Episode: ep.Number, Ply: dataset.None, What: "reason", Found: reason, Want: "a known reason"}
		}
	}
	if fault != nil {
		r.err = fault
	}
}

// A turn is a range of consecutive episodes in one shard.
type turn struct {
	first, count int64
	shard        *dataset.Shard
	last         bool // it is the last range of its shard
}

// turns returns the ranges of a data set in ascending order.
func turns(m *dataset.Manifest) []turn {
	var list []turn
	for i := range m.Shards {
		s := &m.Shards[i]
		for firstJob, lastJob := range s.Jobs.Ranges() {
			first, _ := m.Settings.Job(firstJob)
			last, count := m.Settings.Job(lastJob)
			list = append(list, turn{first: first, count: last + count - first, shard: s, last: lastJob == s.Jobs.Max()})
		}
	}
	slices.SortFunc(list, func(a, b turn) int { return cmp.Compare(a.first, b.first) })
	return list
}
