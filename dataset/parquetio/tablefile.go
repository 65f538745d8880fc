package parquetio

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"

	"github.com/sandtable-farm/sandtable/dataset"
)

// A tableFile is a Parquet file of a shard that is open for reading, with the first error
// of its columns.
type tableFile struct {
	name    string
	file    *os.File
	groups  []parquet.RowGroup
	columns map[string]parquet.LeafColumn
	closers []func() error
	err     error
}

// openTable opens a file of a shard and checks that it belongs to the given run, and that
// it has the columns of its table, of which those from index required on may be missing,
// and the number of rows in the manifest.
func openTable(dir, run string, entry dataset.File, table string, columns []column, required int) (*tableFile, error) {
	file, err := os.Open(filepath.Join(dir, filepath.FromSlash(entry.Name)))
	if err != nil {
		return nil, err
	}
	t := &tableFile{name: entry.Name, file: file, columns: map[string]parquet.LeafColumn{}}
	if err := guarded(func() error {
		return t.open(run, entry, newSchema(table, columns), newSchema(table, columns[:required]))
	}); err != nil {
		_ = file.Close()
		t.fail("file", err)
		return nil, t.err
	}
	return t, nil
}

func (t *tableFile) open(run string, entry dataset.File, full, required *parquet.Schema) error {
	info, err := t.file.Stat()
	if err != nil {
		return err
	}
	file, err := parquet.OpenFile(t.file, info.Size(), parquet.SkipBloomFilters(true))
	if err != nil {
		return err
	}
	if !parquet.EqualNodes(full, file.Schema()) && !parquet.EqualNodes(required, file.Schema()) {
		return fmt.Errorf("columns are not those of schema version %d", dataset.SchemaVersion)
	}
	if file.NumRows() != entry.Rows {
		return fmt.Errorf("it has %d rows, must have %d by the manifest", file.NumRows(), entry.Rows)
	}
	if err := checkMetadata(file, run); err != nil {
		return err
	}
	t.groups = file.RowGroups()
	for _, path := range file.Schema().Columns() {
		leaf, _ := file.Schema().Lookup(path...)
		t.columns[path[0]] = leaf
	}
	return nil
}

// checkMetadata checks that the metadata of a file name the given run.
func checkMetadata(file *parquet.File, run string) error {
	settings, err := settingsOf(file)
	if err != nil {
		return err
	}
	said, _ := file.Lookup(MetaRun)
	if said != run || settings.Run() != run {
		return fmt.Errorf("metadata name run %s and hold the settings of run %s, must be %s by the manifest", said, settings.Run(), run)
	}
	return nil
}

// fail records the first error.
func (t *tableFile) fail(what string, err error) {
	if t.err == nil {
		t.err = &dataset.Fault{File: t.name, Episode: dataset.None, Ply: dataset.None, What: what, Found: err.Error()}
	}
}

func (t *tableFile) close() error {
	var errs []error
	for _, closer := range t.closers {
		errs = append(errs, closer())
	}
	return errors.Join(append(errs, t.file.Close())...)
}

// columnOf returns the reader of a column.
func columnOf[T any](t *tableFile, name string, decode func([]T, parquet.Page) ([]T, error)) *columnReader[T] {
	leaf := t.columns[name]
	c := &columnReader[T]{file: t, leaf: leaf.ColumnIndex, name: name, decode: decode, most: byte(leaf.MaxDefinitionLevel)}
	t.closers = append(t.closers, c.close)
	return c
}

// A columnSet is an open table whose columns have readers by their index.
type columnSet struct {
	*tableFile
	columns []column
}

func openColumns(dir, run string, entry dataset.File, table string, columns []column, required int) (columnSet, error) {
	t, err := openTable(dir, run, entry, table, columns, required)
	return columnSet{t, columns}, err
}

// has reports whether the file has a column that may be missing.
func (s columnSet) has(i int) bool {
	_, ok := s.tableFile.columns[s.columns[i].name]
	return ok
}

func (s columnSet) text(i int) *textReader { return textsOf(s.tableFile, s.columns[i].name) }

func (s columnSet) long(i int) *columnReader[int64] {
	return columnOf(s.tableFile, s.columns[i].name, int64Values)
}

func (s columnSet) short(i int) *columnReader[int32] {
	return columnOf(s.tableFile, s.columns[i].name, int32Values)
}

func (s columnSet) flag(i int) *columnReader[bool] {
	return columnOf(s.tableFile, s.columns[i].name, boolValues)
}
