package parquetio

import (
	"slices"

	"github.com/parquet-go/parquet-go"

	"github.com/sandtable-farm/sandtable/dataset"
)

// Indices of the columns of the table of plies. Player, action, legal count and hash are
// those of the position before the action. Statistics that an agent does not report are
// null. fast says that a playout cap shortened the search.
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
	stepFast
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
		stepFast:         {"fast", optional(flags()), false},
	}
}

// A stepTable writes the table of plies of one shard after the other.
type stepTable struct {
	*tableWriter
	sources               [2]parquet.Value
	scores, nodes, depths *memo
	visited, counts       listMemo
}

func newStepTable(config *tableConfig) *stepTable {
	t := &stepTable{tableWriter: newTableWriter(dataset.StepsFolder, stepColumns(), config)}
	t.columns[stepRun].usual = slices.Repeat([]parquet.Value{textValue(config.run)}, batchRows)
	t.scores, t.nodes, t.depths = newMemo(1<<8, some32), newMemo(1<<10, some64), newMemo(1<<8, some32)
	t.visited, t.counts = newListMemo(1<<10, 1), newListMemo(1<<10, 1)
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
	c[stepRun].addUsual(n)
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

// addSearch appends the search statistics, and null for missing ones.
func (t *stepTable) addSearch(steps []dataset.Step) {
	n := len(steps)
	c := t.columns
	var has dataset.SearchField
	for i := range steps {
		has |= steps[i].Search.Has
	}
	values, scores := c[stepValue].nulls(n, has&dataset.HasValue), c[stepScore].nulls(n, has&dataset.HasScore)
	nodes, depths := c[stepNodes].nulls(n, has&dataset.HasNodes), c[stepDepth].nulls(n, has&dataset.HasDepth)
	fasts := c[stepFast].nulls(n, has&dataset.HasFast)
	for i := range steps {
		s := &steps[i].Search
		if s.Has&dataset.HasValue != 0 {
			values[i] = parquet.FloatValue(s.Value).Level(0, 1, 0)
		}
		if s.Has&dataset.HasScore != 0 {
			scores[i] = t.scores.get(int64(s.Score))
		}
		if s.Has&dataset.HasNodes != 0 {
			nodes[i] = t.nodes.get(s.Nodes)
		}
		if s.Has&dataset.HasDepth != 0 {
			depths[i] = t.depths.get(int64(s.Depth))
		}
		if s.Has&dataset.HasFast != 0 {
			fasts[i] = parquet.BooleanValue(s.Fast).Level(0, 1, 0)
		}
	}
	if has&dataset.HasVisits == 0 {
		c[stepVisitActions].addUsual(n)
		c[stepVisitCounts].addUsual(n)
		return
	}
	for i := range steps {
		t.addVisits(&steps[i].Search)
	}
}

// nulls appends n nulls to the column of a statistic. It returns them for the caller to
// change, unless has says that no step has the statistic.
func (c *columnWriter) nulls(n int, has dataset.SearchField) []parquet.Value {
	if has == 0 {
		c.addUsual(n)
		return nil
	}
	values := c.grow(n)
	clear(values)
	return values
}

func (t *stepTable) addVisits(s *dataset.Search) {
	actions, counts := &t.columns[stepVisitActions], &t.columns[stepVisitCounts]
	if s.Has&dataset.HasVisits == 0 {
		actions.addUsual(1)
		counts.addUsual(1)
		return
	}
	action, count := actions.list(len(s.Visits), 1), counts.list(len(s.Visits), 1)
	for i := range action {
		action[i], count[i] = t.visited.element(i, int32(s.Visits[i].Action)), t.counts.element(i, s.Visits[i].Count)
	}
}
