// Package parquetio writes and reads the Parquet files of a data set. It is the
// only importer of parquet-go.
//
// # What a writer does
//
//  1. Lock the folder ([dataset.AcquireLock]).
//  2. [OpenWriter] with the settings of the run. A folder that holds the same
//     run is continued; another run is refused, and nothing is touched.
//  3. [Writer.Commit] whole jobs, as many at a time as make a shard of a decent
//     size. When it returns, the shard is on disk for good. When it fails, or the
//     machine does, the data set is what it was before.
//
// A reader ([Open]) needs no lock: the manifest changes in one step, and shards
// never change.
//
// # The files
//
// Version 2 (dataset.SchemaVersion) of the two tables is declared in
// episodes.go and steps.go. Files are compressed with Zstandard; a row group has
// at most groupRows rows, so that memory is bounded on both sides. The metadata
// of each file hold, under the keys MetaVersion, MetaRun and MetaSettings,
// what is needed to rebuild its games without the manifest.
//
// Values are written column by column in batches, without reflection, and read
// as typed pages.
package parquetio
