package export

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path"
	"path/filepath"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/replay"
	"github.com/sandtable-farm/sandtable/env"
)

// A worker exports shards of one run. It belongs to one goroutine.
type worker struct {
	exporter *exporter
	run      string
	replayer *replay.Replayer
	parts    []*openPart
	most     int // rows of a file
	metadata map[string]string
}

// An openPart collects the next file of a part.
type openPart struct {
	Part
	table *table       // unless the format is Text
	text  bytes.Buffer // in Text
	games int64
	rows  int
	files int // of the shard
}

func newWorker(e *exporter, m *dataset.Manifest) (*worker, error) {
	replayer, err := replay.New(&m.Settings)
	if err != nil {
		return nil, err
	}
	spec := replayer.Game().Spec()
	w := &worker{exporter: e, run: m.Run, replayer: replayer, most: e.options.rows(spec)}
	description, err := json.Marshal(newCatalogue(&m.Settings, spec, e.options).Columns)
	if err != nil {
		return nil, err
	}
	w.metadata = map[string]string{"sandtable.variant": m.Settings.Variant, "sandtable.digest": m.Settings.Digest, "sandtable.run": m.Run, "sandtable.columns": string(description)}
	room := int64(0) // for the longest shard, or for a file with the game at its end
	for i := range e.todo {
		room = max(room, e.todo[i].shard.Steps.Rows)
	}
	for _, part := range e.parts() {
		most := float64(min(room, int64(w.most)+1000)) * part.Share
		w.parts = append(w.parts, &openPart{Part: part, table: newTable(spec, e.options, int(most))})
	}
	return w, nil
}

// export writes the files of a shard.
func (w *worker) export(ctx context.Context, t *task) (files []File, err error) {
	for _, p := range w.parts {
		p.empty()
		p.files = 0
	}
	for ep, err := range t.reader.Shard(t.shard) {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			p := w.part(ep)
			if err = w.add(p, ep); err == nil && p.rows >= w.most {
				files, err = w.write(t, p, files)
			}
		}
		if err != nil {
			return nil, inFile(t, err)
		}
		w.exporter.tell(1)
	}
	for _, p := range w.parts {
		if p.games > 0 {
			if files, err = w.write(t, p, files); err != nil {
				return nil, err
			}
		}
	}
	return files, nil
}

// inFile adds the data set and the file of a fault.
func inFile(t *task, err error) error {
	var fault *dataset.Fault
	if !errors.As(err, &fault) {
		return err
	}
	if fault.File == "" {
		fault.File = t.shard.Steps.Name
	}
	return fmt.Errorf("%s: %w", t.reader.Dir(), err)
}

// part returns the part of a game.
func (w *worker) part(ep *dataset.Episode) *openPart {
	if len(w.parts) == 1 {
		return w.parts[0]
	}
	start := fnv.New64a()
	_, _ = start.Write([]byte(ep.Start))
	h := env.Derive(w.exporter.options.Seed, start.Sum64())
	for i := range ep.Steps {
		h = env.Derive(h ^ uint64(ep.Steps[i].Action))
	}
	at := float64(h>>11) / (1 << 53)
	last := len(w.parts) - 1
	for _, p := range w.parts[:last] {
		if at -= p.Share; at < 0 {
			return p
		}
	}
	return w.parts[last]
}

func (w *worker) add(p *openPart, ep *dataset.Episode) error {
	p.games++
	p.rows += ep.Plies()
	if w.exporter.options.Format != Text {
		return p.table.add(w.replayer, ep)
	}
	if p.text.Len() > 0 {
		p.text.WriteByte('\n')
	}
	return w.replayer.Text(&p.text, ep, false)
}

func (p *openPart) empty() {
	p.games, p.rows = 0, 0
	p.table.reset()
	p.text.Reset()
}

// write writes the file of a part and empties it.
func (w *worker) write(t *task, p *openPart, files []File) ([]File, error) {
	o := w.exporter.options
	name := path.Join(p.Name, fmt.Sprintf("%s-%08d-%03d.%s", w.run, t.shard.Number, p.files, extension(o)))
	size, err := writeFile(filepath.Join(w.exporter.out, filepath.FromSlash(name)), func(out io.Writer) error { return w.encode(out, p) })
	if err != nil {
		return files, fmt.Errorf("writing %s: %w", name, err)
	}
	files = append(files, File{Name: name, Run: w.run, Shard: t.shard.Number, Part: p.Name, Games: p.games, Rows: int64(p.rows), Bytes: size})
	p.files++
	p.empty()
	return files, nil
}

// extension returns the end of the names of files.
func extension(o *Options) string {
	name := o.Format
	if name == Text {
		name = "txt"
	}
	if o.Compress && o.Format != NPZ && o.Format != Parquet {
		name += ".gz"
	}
	return name
}

// encode writes the content of the file of a part.
func (w *worker) encode(out io.Writer, p *openPart) (err error) {
	o := w.exporter.options
	switch o.Format {
	case NPZ:
		return writeNPZ(out, p.table, o.Compress)
	case Parquet:
		return writeParquet(out, p.table, w.metadata)
	}
	if o.Compress {
		zipped := gzip.NewWriter(out)
		defer func() { err = errors.Join(err, zipped.Close()) }()
		out = zipped
	}
	switch o.Format {
	case CSV:
		return writeCSV(out, p.table)
	case JSONL:
		return writeJSONL(out, p.table)
	}
	_, err = p.text.WriteTo(out)
	return err
}

// writeFile writes a file under a temporary name, syncs and renames it, and returns its size.
func writeFile(path string, content func(io.Writer) error) (size int64, err error) {
	temp := path + dataset.TempSuffix
	file, err := dataset.CreateTemp(temp)
	if err != nil {
		return 0, err
	}
	defer func() {
		if err != nil {
			_ = file.Close()
			_ = os.Remove(temp)
		}
	}()
	if err := content(file); err != nil {
		return 0, err
	}
	if size, err = file.Seek(0, io.SeekCurrent); err != nil {
		return 0, err
	}
	if err := errors.Join(file.Sync(), file.Close(), os.Rename(temp, path)); err != nil {
		return 0, err
	}
	return size, dataset.SyncDir(filepath.Dir(path))
}
