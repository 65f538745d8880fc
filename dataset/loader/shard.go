package loader

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
)

// A source is one data set at the time when its manifest was read.
type source struct {
	index  int32 // among the data sets of the loader
	reader *parquetio.Reader
	shards []*shard // in the order of their commits
}

// A shard is a shard of a data set with its games in memory, or nil before they are read.
type shard struct {
	dataset.Shard
	source *source
	games  []game
}

// describe names a file of a data set in an error.
func (s *source) describe(err error) error {
	var fault *dataset.Fault
	if errors.As(err, &fault) {
		return fmt.Errorf("%s: %w", s.reader.Dir(), err)
	}
	return err
}

// load reads the games of a shard.
func (s *shard) load(ctx context.Context, o *Options, start string) error {
	games := make([]game, 0, s.Episodes.Rows)
	var w plyWriter
	ends := make([]int, 0, s.Episodes.Rows)
	for ep, err := range s.source.reader.Shard(&s.Shard) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return s.source.describe(err)
		}
		g := game{
			number: ep.Number, final: ep.FinalHash, score: int32(ep.Points[0] - ep.Points[1]),
			length: int32(ep.Plies()), opening: int32(min(ep.OpeningPlies, ep.Plies())), result: ep.Result, ended: !ep.Truncated,
		}
		if ep.Start != start {
			g.start = ep.Start
		}
		for i := range ep.Steps {
			step := &ep.Steps[i]
			if step.Action < 0 {
				return s.fault(&dataset.Fault{Episode: ep.Number, Ply: i, What: "action", Found: fmt.Sprint(step.Action), Want: "0 or more"})
			}
			for _, v := range step.Search.Visits {
				if v.Action < 0 || v.Count < 0 {
					return s.fault(&dataset.Fault{Episode: ep.Number, Ply: i, What: "visits", Found: fmt.Sprintf("action %d, count %d", v.Action, v.Count), Want: "0 or more"})
				}
			}
			if i >= o.first(&g) && !(o.DropFast && isShortened(step)) {
				g.eligible++
			}
			w.add(step)
		}
		if ep.Truncated && !o.KeepTruncated {
			g.eligible = 0
		}
		games, ends = append(games, g), append(ends, len(w.data))
	}
	// One slice holds the plies of the shard, so that the collector has few objects to visit.
	stream := slices.Clone(w.data)
	from := 0
	for i, end := range ends {
		games[i].plies = stream[from:end:end]
		from = end
	}
	s.games = games
	return nil
}

// first returns the first ply of a game that is eligible.
func (o *Options) first(g *game) int {
	if o.Openings {
		return o.MinPly
	}
	return max(o.MinPly, int(g.opening))
}

// fault returns a fault in an episode of the shard with its data set and file.
func (s *shard) fault(f *dataset.Fault) error {
	f.File = s.Episodes.Name
	if f.Ply != dataset.None {
		f.File = s.Steps.Name
	}
	return fmt.Errorf("%s: %w", filepath.Clean(s.source.reader.Dir()), f)
}
