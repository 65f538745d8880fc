package parquetio

import (
	"slices"

	"github.com/parquet-go/parquet-go"

	"github.com/sandtable-farm/sandtable/dataset"
)

// Indices of the columns of the table of episodes. pair is null in unpaired self-play, and
// resign_ply is null if the resignation rule never applied. result is the first player's,
// and null if the game was truncated. worker is null if it is unknown.
const (
	epRun = iota
	epEpisode
	epPair
	epSeed
	epAgent0
	epAgent1
	epStart
	epOpeningPlies
	epResignPly
	epPlies
	epResult
	epReason
	epTerminated
	epTruncated
	epPoints0
	epPoints1
	epActions
	epFinalHash
	epWorker
)

// epRequired is the number of columns that every file has. A file of an earlier build may
// lack those that follow.
const epRequired = epWorker

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
		epResignPly:    {"resign_ply", optional(numbers(32)), false},
		epPlies:        {"plies", numbers(32), false},
		epResult:       {"result", optional(numbers(8)), false},
		epReason:       {"reason", words(), true},
		epTerminated:   {"terminated", flags(), false},
		epTruncated:    {"truncated", flags(), false},
		epPoints0:      {"points_0", numbers(32), false},
		epPoints1:      {"points_1", numbers(32), false},
		epActions:      {"actions", lists(), false},
		epFinalHash:    {"final_hash", hashes(), true},
		epWorker:       {"worker", optional(words()), true},
	}
}

// An episodeTable writes the table of episodes of one shard after the other.
type episodeTable struct {
	*tableWriter
	agents          [2]textMemo
	reasons, worker textMemo
	starts          []byte // texts of the batch
	actions         listMemo
}

func newEpisodeTable(config *tableConfig) *episodeTable {
	t := &episodeTable{
		tableWriter: newTableWriter(dataset.EpisodesFolder, episodeColumns(), config),
		actions:     newListMemo(1<<12, 0),
	}
	t.columns[epRun].usual = slices.Repeat([]parquet.Value{textValue(config.run)}, batchRows)
	return t
}

// batchActions is the number of actions after which a batch is written.
const batchActions = 1 << 12

// add appends the row of an episode.
func (t *episodeTable) add(ep *dataset.Episode) error {
	c := t.columns
	if t.batch == 0 {
		t.starts = t.starts[:0] // parquet-go has copied them
	}
	c[epRun].addUsual(1)
	c[epEpisode].add(parquet.Int64Value(ep.Number))
	c[epPair].addOptional(parquet.Int64Value(ep.Pair), ep.Pair != dataset.NoPair)
	c[epSeed].add(parquet.Int64Value(int64(ep.Seed)))
	c[epAgent0].add(t.agents[0].get(ep.Agents[0]))
	c[epAgent1].add(t.agents[1].get(ep.Agents[1]))
	first := len(t.starts)
	t.starts = append(t.starts, ep.Start...)
	c[epStart].add(parquet.ByteArrayValue(t.starts[first:]))
	c[epOpeningPlies].add(parquet.Int32Value(int32(ep.OpeningPlies)))
	c[epResignPly].addOptional(parquet.Int32Value(int32(ep.ResignPly)), ep.ResignPly != dataset.NoPly)
	c[epPlies].add(parquet.Int32Value(int32(ep.Plies())))
	c[epResult].addOptional(parquet.Int32Value(int32(ep.Result)), !ep.Truncated)
	reason := ep.Reason.String()
	if ep.Truncated {
		reason = dataset.TruncatedReason
	}
	c[epReason].add(t.reasons.get(reason))
	c[epTerminated].add(parquet.BooleanValue(ep.Terminated))
	c[epTruncated].add(parquet.BooleanValue(ep.Truncated))
	c[epPoints0].add(parquet.Int32Value(int32(ep.Points[0])))
	c[epPoints1].add(parquet.Int32Value(int32(ep.Points[1])))
	for i, actions := 0, c[epActions].list(ep.Plies(), 0); i < len(actions); i++ {
		actions[i] = t.actions.element(i, int32(ep.Steps[i].Action))
	}
	c[epFinalHash].add(parquet.Int64Value(int64(ep.FinalHash)))
	c[epWorker].addOptional(t.worker.get(ep.Worker), ep.Worker != "")
	if err := t.endRows(1); err != nil || len(c[epActions].values) < batchActions {
		return err
	}
	return t.flush()
}
