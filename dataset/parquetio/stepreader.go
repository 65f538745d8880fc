package parquetio

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
)

// A stepReader reads the table of plies.
type stepReader struct {
	*tableFile
	run, source                *textReader
	episode, hash, nodes       *columnReader[int64]
	ply, player, action        *columnReader[int32]
	legalCount, score, depth   *columnReader[int32]
	visitActions, visitCounts  *columnReader[int32]
	value                      *columnReader[float32]
	fast                       *columnReader[bool]
	visitedActions, visitCount []int32 // of the last row
}

func openSteps(dir, run string, entry dataset.File) (*stepReader, error) {
	columns := stepColumns()
	t, err := openColumns(dir, run, entry, dataset.StepsFolder, columns, len(columns))
	if err != nil {
		return nil, err
	}
	return &stepReader{
		tableFile: t.tableFile,
		run:       t.text(stepRun), source: t.text(stepSource),
		episode: t.long(stepEpisode), hash: t.long(stepHash), nodes: t.long(stepNodes),
		ply: t.short(stepPly), player: t.short(stepPlayer), action: t.short(stepAction),
		legalCount: t.short(stepLegalCount), score: t.short(stepScore), depth: t.short(stepDepth),
		visitActions: t.short(stepVisitActions), visitCounts: t.short(stepVisitCounts),
		value: columnOf(t.tableFile, t.columns[stepValue].name, floatValues), fast: t.flag(stepFast),
	}, nil
}

// seek moves to the given row.
func (r *stepReader) seek(row int64) error {
	seeks := []func(int64) error{
		r.run.seek, r.source.seek, r.episode.seek, r.hash.seek, r.nodes.seek, r.ply.seek, r.player.seek,
		r.action.seek, r.legalCount.seek, r.score.seek, r.depth.seek, r.visitActions.seek, r.visitCounts.seek, r.value.seek, r.fast.seek,
	}
	for _, seek := range seeks {
		if err := seek(row); err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
	}
	return nil
}

// read reads the plies of an episode and checks that they belong to it. actions are the
// actions of the episode in the table of episodes.
func (r *stepReader) read(ep *dataset.Episode, actions []int32) {
	for ply := range actions {
		s := ep.AddStep()
		f := stepFacts{
			run: r.run.next(), source: r.source.next(), episode: r.episode.next(), ply: r.ply.next(), player: r.player.next(),
		}
		s.Action = env.Action(r.action.next())
		s.LegalCount = r.legalCount.next()
		s.Hash = uint64(r.hash.next())
		s.Player = env.Player(f.player)
		if f.source == dataset.FromOpening.String() {
			s.Source = dataset.FromOpening
		}
		f.visits = r.search(&s.Search)
		if r.err != nil {
			return
		}
		if f.episode != ep.Number || f.run != ep.Run || int(f.ply) != ply || uint32(f.player) > 1 ||
			int32(s.Action) != actions[ply] || f.source != s.Source.String() || !f.visits {
			r.err = f.fault(r.name, ep, ply, s.Action, actions[ply])
			return
		}
	}
}

// stepFacts are the columns of a row that a Step does not contain.
type stepFacts struct {
	run, source string
	episode     int64
	ply, player int32
	visits      bool // the two lists of visits have equal lengths
}

// fault returns what is wrong with a row that is not the given ply of ep.
func (f *stepFacts) fault(file string, ep *dataset.Episode, ply int, action env.Action, want int32) *dataset.Fault {
	fault := &dataset.Fault{File: file, Episode: ep.Number, Ply: ply}
	switch {
	case f.episode != ep.Number:
		fault.What, fault.Found, fault.Want = "episode", text(f.episode), text(ep.Number)
	case f.run != ep.Run:
		fault.What, fault.Found, fault.Want = "run", f.run, ep.Run
	case int(f.ply) != ply:
		fault.What, fault.Found, fault.Want = "ply", text(f.ply), text(ply)
	case uint32(f.player) > 1:
		fault.What, fault.Found, fault.Want = "player", text(f.player), "0 or 1"
	case int32(action) != want:
		fault.What, fault.Found, fault.Want = "action", text(action), text(want)+", as in the table of episodes"
	case !f.visits:
		fault.What, fault.Found, fault.Want = "length of visit_counts", "different", "that of visit_actions"
	default:
		fault.What, fault.Found, fault.Want = "source", f.source, "opening or agent"
	}
	return fault
}

// search reads the search statistics. It returns false if the two lists of visits differ
// in length.
func (r *stepReader) search(s *dataset.Search) bool {
	var has bool
	if s.Value, has = r.value.nextOptional(); has {
		s.Has |= dataset.HasValue
	}
	if s.Score, has = r.score.nextOptional(); has {
		s.Has |= dataset.HasScore
	}
	if s.Nodes, has = r.nodes.nextOptional(); has {
		s.Has |= dataset.HasNodes
	}
	if s.Depth, has = r.depth.nextOptional(); has {
		s.Has |= dataset.HasDepth
	}
	if s.Fast, has = r.fast.nextOptional(); has {
		s.Has |= dataset.HasFast
	}
	r.visitedActions, has = r.visitActions.nextList(r.visitedActions[:0])
	var hasCounts bool
	r.visitCount, hasCounts = r.visitCounts.nextList(r.visitCount[:0])
	if has != hasCounts || len(r.visitedActions) != len(r.visitCount) {
		return false
	}
	if has {
		s.Has |= dataset.HasVisits
	}
	for i, a := range r.visitedActions {
		s.Visits = append(s.Visits, dataset.Visit{Action: env.Action(a), Count: r.visitCount[i]})
	}
	return true
}

func text(v any) string { return fmt.Sprint(v) }
