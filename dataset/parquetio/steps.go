package parquetio

import (
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

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

// A stepTable is the writer of the table of plies.
type stepTable struct {
	*tableWriter
	run, source               *textColumn
	episode, hash, nodes      *numberColumn[int64]
	ply, player, action       *numberColumn[int32]
	legalCount, score, depth  *numberColumn[int32]
	visitActions, visitCounts *numberColumn[int32]
	value                     *numberColumn[float32]
}

func newStepTable(metadata map[string]string, codec *zstd.Codec) (*stepTable, error) {
	t, err := newTableWriter(dataset.StepsFolder, stepColumns(), metadata, codec)
	if err != nil {
		return nil, err
	}
	return &stepTable{
		tableWriter: t,
		run:         t.texts(stepRun), source: t.texts(stepSource),
		episode: t.int64s(stepEpisode), hash: t.int64s(stepHash), nodes: t.int64s(stepNodes),
		ply: t.int32s(stepPly), player: t.int32s(stepPlayer), action: t.int32s(stepAction),
		legalCount: t.int32s(stepLegalCount), score: t.int32s(stepScore), depth: t.int32s(stepDepth),
		visitActions: t.int32s(stepVisitActions), visitCounts: t.int32s(stepVisitCounts),
		value: t.floats(stepValue),
	}, nil
}

// add appends the plies of an episode, column by column.
func (t *stepTable) add(ep *dataset.Episode) error {
	for ply := 0; ply < len(ep.Steps); {
		n := min(len(ep.Steps)-ply, t.room())
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
	t.run.add(ep.Run, n)
	episode, plies, players := t.episode.grow(n), t.ply.grow(n), t.player.grow(n)
	actions, counts, hashes := t.action.grow(n), t.legalCount.grow(n), t.hash.grow(n)
	for i := range steps {
		s := &steps[i]
		episode[i], plies[i], players[i] = ep.Number, int32(ply+i), int32(s.Player)
		actions[i], counts[i], hashes[i] = int32(s.Action), s.LegalCount, int64(s.Hash)
		t.source.add(s.Source.String(), 1)
	}
}

// addSearch appends what the agents told, null for what they did not.
func (t *stepTable) addSearch(steps []dataset.Step) {
	var told dataset.SearchField
	for i := range steps {
		told |= steps[i].Search.Has
	}
	tell(t.value, steps, told&dataset.HasValue, func(s *dataset.Search) float32 { return s.Value })
	tell(t.score, steps, told&dataset.HasScore, func(s *dataset.Search) int32 { return s.Score })
	tell(t.nodes, steps, told&dataset.HasNodes, func(s *dataset.Search) int64 { return s.Nodes })
	tell(t.depth, steps, told&dataset.HasDepth, func(s *dataset.Search) int32 { return s.Depth })
	if told&dataset.HasVisits == 0 {
		t.visitActions.addNulls(len(steps))
		t.visitCounts.addNulls(len(steps))
		return
	}
	for i := range steps {
		t.addVisits(&steps[i].Search)
	}
}

// tell appends a field of the search, which is null where its bit is not set.
func tell[T number](c *numberColumn[T], steps []dataset.Step, bit dataset.SearchField, field func(*dataset.Search) T) {
	if bit == 0 {
		c.addNulls(len(steps))
		return
	}
	for i := range steps {
		s := &steps[i].Search
		c.addOptional(field(s), s.Has&bit != 0)
	}
}

func (t *stepTable) addVisits(s *dataset.Search) {
	if s.Has&dataset.HasVisits == 0 {
		t.visitActions.addNulls(1)
		t.visitCounts.addNulls(1)
		return
	}
	actions, counts := t.visitActions.list(len(s.Visits)), t.visitCounts.list(len(s.Visits))
	for i, v := range s.Visits {
		actions[i], counts[i] = int32(v.Action), v.Count
	}
}
