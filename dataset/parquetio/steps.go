package parquetio

import (
	"slices"

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
		stepRun:          {"run", words(), true},
		stepEpisode:      {"episode", counters(64), false},
		stepPly:          {"ply", counters(32), false},
		stepPlayer:       {"player", numbers(8), false},
		stepAction:       {"action", numbers(32), false},
		stepLegalCount:   {"legal_count", numbers(32), false},
		stepHash:         {"hash", hashes(), true},
		stepSource:       {"source", words(), true},
		stepValue:        {"value", optional(parquet.Leaf(parquet.FloatType)), false},
		stepScore:        {"score", optional(numbers(32)), false},
		stepNodes:        {"nodes", optional(numbers(64)), false},
		stepDepth:        {"depth", optional(numbers(32)), false},
		stepVisitActions: {"visit_actions", optional(lists()), false},
		stepVisitCounts:  {"visit_counts", optional(lists()), false},
	}
}

// A stepTable is the table of plies of a shard while it is written.
type stepTable struct {
	*tableWriter
	run     []parquet.Value // a batch of it
	sources [2]parquet.Value
}

func newStepTable(out *shardFile, config *tableConfig) *stepTable {
	t := &stepTable{tableWriter: newTableWriter(out, dataset.StepsFolder, stepColumns(), config)}
	t.run = slices.Repeat([]parquet.Value{textValue(config.run)}, batchRows)
	for _, source := range []dataset.Source{dataset.FromAgent, dataset.FromOpening} {
		t.sources[source] = textValue(source.String())
	}
	return t
}

// add appends the plies of an episode, column by column.
func (t *stepTable) add(ep *dataset.Episode) error {
	for ply := 0; ply < len(ep.Steps); {
		n := min(len(ep.Steps)-ply, batchRows-t.batch)
		t.addFacts(ep, ply, ep.Steps[ply:ply+n])
		t.addSearch(ep.Steps[ply : ply+n])
		if err := t.endRows(n); err != nil {
			return err
		}
		ply += n
	}
	return nil
}

func (t *stepTable) addFacts(ep *dataset.Episode, ply int, steps []dataset.Step) {
	n := len(steps)
	c := t.columns
	copy(c[stepRun].grow(n), t.run)
	episode, plies, players := c[stepEpisode].grow(n), c[stepPly].grow(n), c[stepPlayer].grow(n)
	for i := range steps {
		episode[i] = parquet.Int64Value(ep.Number)
		plies[i] = parquet.Int32Value(int32(ply + i))
		players[i] = parquet.Int32Value(int32(steps[i].Player))
	}
	actions, counts := c[stepAction].grow(n), c[stepLegalCount].grow(n)
	hashes, sources := c[stepHash].grow(n), c[stepSource].grow(n)
	for i := range steps {
		s := &steps[i]
		actions[i] = parquet.Int32Value(int32(s.Action))
		counts[i] = parquet.Int32Value(s.LegalCount)
		hashes[i] = parquet.Int64Value(int64(s.Hash))
		sources[i] = t.sources[s.Source&1]
	}
}

// addSearch appends what the agents told, null for what they did not.
func (t *stepTable) addSearch(steps []dataset.Step) {
	var has dataset.SearchField
	for i := range steps {
		has |= steps[i].Search.Has
	}
	t.addOptional(stepValue, has, dataset.HasValue, steps, func(s *dataset.Search) parquet.Value { return parquet.FloatValue(s.Value) })
	t.addOptional(stepScore, has, dataset.HasScore, steps, func(s *dataset.Search) parquet.Value { return parquet.Int32Value(s.Score) })
	t.addOptional(stepNodes, has, dataset.HasNodes, steps, func(s *dataset.Search) parquet.Value { return parquet.Int64Value(s.Nodes) })
	t.addOptional(stepDepth, has, dataset.HasDepth, steps, func(s *dataset.Search) parquet.Value { return parquet.Int32Value(s.Depth) })
	actions, counts := &t.columns[stepVisitActions], &t.columns[stepVisitCounts]
	for i := range steps {
		s := &steps[i].Search
		if s.Has&dataset.HasVisits == 0 {
			actions.values = append(actions.values, parquet.Value{})
			counts.values = append(counts.values, parquet.Value{})
			continue
		}
		visited, count := actions.list(len(s.Visits), 1), counts.list(len(s.Visits), 1)
		for i := range visited {
			visited[i], count[i] = element(i, 1, int32(s.Visits[i].Action)), element(i, 1, s.Visits[i].Count)
		}
	}
}

// addOptional fills a column of which any of the steps may have a value; has is
// what they have together.
func (t *stepTable) addOptional(column int, has, field dataset.SearchField, steps []dataset.Step, value func(*dataset.Search) parquet.Value) {
	out := t.columns[column].grow(len(steps))
	clear(out)
	if has&field == 0 {
		return
	}
	for i := range steps {
		if s := &steps[i].Search; s.Has&field != 0 {
			out[i] = value(s).Level(0, 1, 0)
		}
	}
}
