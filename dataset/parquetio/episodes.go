package parquetio

import (
	"github.com/parquet-go/parquet-go"

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
		epRun:          {"run", words()},
		epEpisode:      {"episode", counters(64)},
		epPair:         {"pair", optional(counters(64))},
		epSeed:         {"seed", hashes()},
		epAgent0:       {"agent_0", words()},
		epAgent1:       {"agent_1", words()},
		epStart:        {"start", words()},
		epOpeningPlies: {"opening_plies", numbers(32)},
		epPlies:        {"plies", numbers(32)},
		epResult:       {"result", optional(numbers(8))},
		epReason:       {"reason", words()},
		epTerminated:   {"terminated", flags()},
		epTruncated:    {"truncated", flags()},
		epPoints0:      {"points_0", numbers(32)},
		epPoints1:      {"points_1", numbers(32)},
		epActions:      {"actions", lists()},
		epFinalHash:    {"final_hash", hashes()},
	}
}

// truncatedReason stands in the column reason for a game that was cut off by
// the limit of plies, which is no reason of any rules.
const truncatedReason = "max_plies"

// An episodeTable is the table of games of a shard while it is written.
type episodeTable struct {
	*tableWriter
	run []byte
}

func newEpisodeTable(out *shardFile, metadata map[string]string) *episodeTable {
	return &episodeTable{
		tableWriter: newTableWriter(out, dataset.EpisodesFolder, episodeColumns(), metadata),
		run:         []byte(metadata[MetaRun]),
	}
}

// add appends the row of an episode.
func (t *episodeTable) add(ep *dataset.Episode) error {
	c := t.columns
	c[epRun].bytes(t.run)
	c[epEpisode].int64(ep.Number)
	if ep.Pair == dataset.NoPair {
		c[epPair].null()
	} else {
		c[epPair].some(parquet.Int64Value(ep.Pair))
	}
	c[epSeed].int64(int64(ep.Seed))
	c[epAgent0].bytes([]byte(ep.Agents[0]))
	c[epAgent1].bytes([]byte(ep.Agents[1]))
	c[epStart].bytes([]byte(ep.Start))
	c[epOpeningPlies].int32(int32(ep.OpeningPlies))
	c[epPlies].int32(int32(ep.Plies()))
	if ep.Truncated {
		c[epResult].null()
		c[epReason].bytes([]byte(truncatedReason))
	} else {
		c[epResult].some(parquet.Int32Value(int32(ep.Result)))
		c[epReason].bytes([]byte(ep.Reason.String()))
	}
	c[epTerminated].bool(ep.Terminated)
	c[epTruncated].bool(ep.Truncated)
	c[epPoints0].int32(int32(ep.Points[0]))
	c[epPoints1].int32(int32(ep.Points[1]))
	c[epActions].list(ep.Plies(), 0, func(i int) int32 { return int32(ep.Steps[i].Action) })
	c[epFinalHash].int64(int64(ep.FinalHash))
	return t.endRow()
}
