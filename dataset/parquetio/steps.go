package parquetio

import (
	"github.com/parquet-go/parquet-go"

	"github.com/sandtable-farm/sandtable/dataset"
)

// The columns of the table of plies, by index. Player, action, legal count and
// hash are of the position before the action. What an agent does not tell is null.
const (
	stepRun = iota
	stepEpisode
	stepPly
	stepPlayer
	stepAction
	stepLegalCount
	stepHash
	stepSource
	stepValue
	stepScore
	stepNodes
	stepDepth
	stepVisitActions
	stepVisitCounts
)

func stepColumns() []column {
	return []column{
		stepRun:          {"run", words()},
		stepEpisode:      {"episode", counters(64)},
		stepPly:          {"ply", counters(32)},
		stepPlayer:       {"player", numbers(8)},
		stepAction:       {"action", numbers(32)},
		stepLegalCount:   {"legal_count", numbers(32)},
		stepHash:         {"hash", hashes()},
		stepSource:       {"source", words()},
		stepValue:        {"value", optional(parquet.Leaf(parquet.FloatType))},
		stepScore:        {"score", optional(numbers(32))},
		stepNodes:        {"nodes", optional(numbers(64))},
		stepDepth:        {"depth", optional(numbers(32))},
		stepVisitActions: {"visit_actions", optional(lists())},
		stepVisitCounts:  {"visit_counts", optional(lists())},
	}
}

// A stepTable is the table of plies of a shard while it is written.
type stepTable struct {
	*tableWriter
	run     []byte
	sources [2][]byte // texts by Source
}

func newStepTable(out *shardFile, metadata map[string]string) *stepTable {
	t := &stepTable{run: []byte(metadata[MetaRun])}
	t.tableWriter = newTableWriter(out, dataset.StepsFolder, stepColumns(), metadata)
	for _, source := range []dataset.Source{dataset.FromAgent, dataset.FromOpening} {
		t.sources[source] = []byte(source.String())
	}
	return t
}

// add appends the plies of an episode.
func (t *stepTable) add(ep *dataset.Episode) error {
	for i := range ep.Steps {
		s := &ep.Steps[i]
		c := t.columns
		c[stepRun].bytes(t.run)
		c[stepEpisode].int64(ep.Number)
		c[stepPly].int32(int32(i))
		c[stepPlayer].int32(int32(s.Player))
		c[stepAction].int32(int32(s.Action))
		c[stepLegalCount].int32(s.LegalCount)
		c[stepHash].int64(int64(s.Hash))
		c[stepSource].bytes(t.sources[s.Source&1])
		addSearch(c, &s.Search)
		if err := t.endRow(); err != nil {
			return err
		}
	}
	return nil
}

func addSearch(c []columnWriter, s *dataset.Search) {
	if s.Has&dataset.HasValue != 0 {
		c[stepValue].some(parquet.FloatValue(s.Value))
	} else {
		c[stepValue].null()
	}
	if s.Has&dataset.HasScore != 0 {
		c[stepScore].some(parquet.Int32Value(s.Score))
	} else {
		c[stepScore].null()
	}
	if s.Has&dataset.HasNodes != 0 {
		c[stepNodes].some(parquet.Int64Value(s.Nodes))
	} else {
		c[stepNodes].null()
	}
	if s.Has&dataset.HasDepth != 0 {
		c[stepDepth].some(parquet.Int32Value(s.Depth))
	} else {
		c[stepDepth].null()
	}
	if s.Has&dataset.HasVisits != 0 {
		c[stepVisitActions].list(len(s.Visits), 1, func(i int) int32 { return int32(s.Visits[i].Action) })
		c[stepVisitCounts].list(len(s.Visits), 1, func(i int) int32 { return s.Visits[i].Count })
	} else {
		c[stepVisitActions].null()
		c[stepVisitCounts].null()
	}
}
