package parquetio

import (
	"github.com/parquet-go/parquet-go/compress/zstd"

	"github.com/sandtable-farm/sandtable/dataset"
)

// The columns of the table of games, by index. pair is null in unpaired
// self-play; result is the first player's and null when the game was truncated.
const (
	epRun = iota
	epEpisode
	epPair
	epSeed
	epAgent0
	epAgent1
	epStart
	epOpeningPlies
	epPlies
	epResult
	epReason
	epTerminated
	epTruncated
	epPoints0
	epPoints1
	epActions
	epFinalHash
)

func episodeColumns() []column {
	return []column{
		epRun:          {"run", words(), true},
		epEpisode:      {"episode", counters(64), false},
		epPair:         {"pair", optional(counters(64)), false},
		epSeed:         {"seed", hashes(), true},
		epAgent0:       {"agent_0", words(), true},
		epAgent1:       {"agent_1", words(), true},
		epStart:        {"start", words(), true},
		epOpeningPlies: {"opening_plies", numbers(32), false},
		epPlies:        {"plies", numbers(32), false},
		epResult:       {"result", optional(numbers(8)), false},
		epReason:       {"reason", words(), true},
		epTerminated:   {"terminated", flags(), false},
		epTruncated:    {"truncated", flags(), false},
		epPoints0:      {"points_0", numbers(32), false},
		epPoints1:      {"points_1", numbers(32), false},
		epActions:      {"actions", lists(), false},
		epFinalHash:    {"final_hash", hashes(), true},
	}
}

// An episodeTable is the writer of the table of games.
type episodeTable struct {
	*tableWriter
	run, agent0, agent1, start, reason *textColumn
	number, pair, seed, finalHash      *numberColumn[int64]
	openingPlies, plies, result        *numberColumn[int32]
	points0, points1, actions          *numberColumn[int32]
	terminated, truncated              *flagColumn
}

func newEpisodeTable(metadata map[string]string, codec *zstd.Codec) (*episodeTable, error) {
	t, err := newTableWriter(dataset.EpisodesFolder, episodeColumns(), metadata, codec)
	if err != nil {
		return nil, err
	}
	return &episodeTable{
		tableWriter: t,
		run:         t.texts(epRun), agent0: t.texts(epAgent0), agent1: t.texts(epAgent1), start: t.texts(epStart), reason: t.texts(epReason),
		number: t.int64s(epEpisode), pair: t.int64s(epPair), seed: t.int64s(epSeed), finalHash: t.int64s(epFinalHash),
		openingPlies: t.int32s(epOpeningPlies), plies: t.int32s(epPlies), result: t.int32s(epResult),
		points0: t.int32s(epPoints0), points1: t.int32s(epPoints1), actions: t.int32s(epActions),
		terminated: t.flags(epTerminated), truncated: t.flags(epTruncated),
	}, nil
}

// add appends the row of an episode.
func (t *episodeTable) add(ep *dataset.Episode) error {
	t.run.add(ep.Run, 1)
	t.number.add(ep.Number)
	t.pair.addOptional(ep.Pair, ep.Pair != dataset.NoPair)
	t.seed.add(int64(ep.Seed))
	t.agent0.add(ep.Agents[0], 1)
	t.agent1.add(ep.Agents[1], 1)
	t.start.add(ep.Start, 1)
	t.openingPlies.add(int32(ep.OpeningPlies))
	t.plies.add(int32(ep.Plies()))
	t.result.addOptional(int32(ep.Result), !ep.Truncated)
	if ep.Truncated {
		t.reason.add(dataset.TruncatedReason, 1)
	} else {
		t.reason.add(ep.Reason.String(), 1)
	}
	t.terminated.add(ep.Terminated)
	t.truncated.add(ep.Truncated)
	t.points0.add(int32(ep.Points[0]))
	t.points1.add(int32(ep.Points[1]))
	for i, actions := 0, t.actions.list(ep.Plies()); i < len(actions); i++ {
		actions[i] = int32(ep.Steps[i].Action)
	}
	t.finalHash.add(int64(ep.FinalHash))
	return t.endRows(1)
}
