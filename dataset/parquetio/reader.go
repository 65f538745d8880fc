package parquetio

import (
	"errors"
	"fmt"
	"iter"

	"github.com/sandtable-farm/sandtable/dataset"
)

// A Reader reads the episodes of a data set. It keeps no files open between calls, and it
// is safe for concurrent use.
type Reader struct {
	dir      string
	manifest *dataset.Manifest
}

// Open opens a data set by reading its manifest. Its errors are those of dataset.Load.
func Open(dir string) (*Reader, error) {
	manifest, err := dataset.Load(dir)
	if err != nil {
		return nil, err
	}
	return NewReader(dir, manifest), nil
}

// NewReader returns a reader of the data set in a folder by a manifest that the caller has
// loaded or made.
func NewReader(dir string, manifest *dataset.Manifest) *Reader {
	return &Reader{dir: dir, manifest: manifest}
}

// Dir returns the folder of the data set.
func (r *Reader) Dir() string { return r.dir }

// Manifest returns the manifest from the time of Open. The caller must not change it.
func (r *Reader) Manifest() *dataset.Manifest { return r.manifest }

// Episodes yields every episode in ascending order of number. An episode is valid until
// the next one. The first error ends the sequence; it wraps a *dataset.Fault if the data
// are faulty.
func (r *Reader) Episodes() iter.Seq2[*dataset.Episode, error] {
	return func(yield func(*dataset.Episode, error) bool) {
		open := map[int64]*shardReader{}
		defer func() {
			for _, s := range open {
				s.close()
			}
		}()
		for _, turn := range turns(r.manifest) {
			shard := turn.shard
			s := open[shard.Number]
			if s == nil {
				var err error
				if s, err = openShard(r.dir, r.manifest.Run, shard); err != nil {
					yield(nil, err)
					return
				}
				open[shard.Number] = s
			}
			for i := range turn.count {
				if err := s.next(); err != nil {
					yield(nil, err)
					return
				}
				if s.ep.Number != turn.first+i {
					yield(nil, &dataset.Fault{File: shard.Episodes.Name, Episode: s.ep.Number, Ply: dataset.None,
						What: "number of the episode", Found: text(s.ep.Number), Want: text(turn.first + i)})
					return
				}
				if !yield(&s.ep, nil) {
					return
				}
			}
			if turn.last {
				s.close()
				delete(open, shard.Number)
			}
		}
	}
}

// Shard yields the episodes of one shard in ascending order of number, like Episodes.
func (r *Reader) Shard(shard *dataset.Shard) iter.Seq2[*dataset.Episode, error] {
	return func(yield func(*dataset.Episode, error) bool) {
		s, err := openShard(r.dir, r.manifest.Run, shard)
		if err != nil {
			yield(nil, err)
			return
		}
		defer s.close()
		for range shard.Episodes.Rows {
			if err := s.next(); err != nil {
				yield(nil, err)
				return
			}
			if !yield(&s.ep, nil) {
				return
			}
		}
		if s.row != shard.Steps.Rows {
			yield(nil, &dataset.Fault{File: shard.Steps.Name, Episode: dataset.None, Ply: dataset.None,
				What: "number of rows", Found: text(shard.Steps.Rows), Want: text(s.row) + ", the plies of its episodes"})
		}
	}
}

// Episode reads one episode into ep, whose memory it reuses. An episode that the data set
// does not have is an error.
func (r *Reader) Episode(number int64, ep *dataset.Episode) error {
	shard, err := r.manifest.ShardOf(number)
	if err != nil {
		return fmt.Errorf("%s: %w", r.dir, err)
	}
	s, err := openShard(r.dir, r.manifest.Run, shard)
	if err != nil {
		return err
	}
	defer s.close()
	for range shard.Episodes.Rows {
		plies := s.episodes.read(&s.ep)
		if s.episodes.err != nil {
			return s.episodes.err
		}
		if s.ep.Number == number {
			if err := s.steps.seek(s.row); err != nil {
				return err
			}
			if err := s.readSteps(); err != nil {
				return err
			}
			*ep, s.ep = s.ep, *ep
			return nil
		}
		s.row += int64(plies)
	}
	return &dataset.Fault{File: shard.Episodes.Name, Episode: number, Ply: dataset.None, What: "row", Found: "missing"}
}

// A shardReader reads the two tables of a shard side by side.
type shardReader struct {
	episodes *episodeReader
	steps    *stepReader
	ep       dataset.Episode
	row      int64 // plies read or skipped
}

func openShard(dir, run string, shard *dataset.Shard) (*shardReader, error) {
	episodes, err := openEpisodes(dir, run, shard.Episodes)
	if err != nil {
		return nil, err
	}
	steps, err := openSteps(dir, run, shard.Steps)
	if err != nil {
		return nil, errors.Join(err, episodes.close())
	}
	return &shardReader{episodes: episodes, steps: steps}, nil
}

// next reads the next episode into s.ep.
func (s *shardReader) next() error {
	s.episodes.read(&s.ep)
	if s.episodes.err != nil {
		return s.episodes.err
	}
	return s.readSteps()
}

func (s *shardReader) readSteps() error {
	s.steps.read(&s.ep, s.episodes.list)
	s.row += int64(len(s.episodes.list))
	return s.steps.err
}

// close closes both files. Errors do not matter after reading.
func (s *shardReader) close() {
	_ = s.episodes.close()
	_ = s.steps.close()
}
