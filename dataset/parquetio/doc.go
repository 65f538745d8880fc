// Package parquetio writes and reads the Parquet files of a data set. It is the
// only importer of parquet-go.
//
// # Writing
//
//  1. Lock the folder with [dataset.AcquireLock].
//  2. Call [OpenWriter] with the settings of the run. It continues a data set of the same
//     run, and refuses a data set of a different run without changing it.
//  3. Call [Writer.Commit] with whole jobs, enough for a shard of reasonable size. When it
//     returns, the shard is durable. If it fails, or the machine crashes, the data set is
//     unchanged.
//
// # Reading
//
// [Open] a data set and iterate over [Reader.Episodes]. A reader needs no lock, because
// the manifest is replaced atomically and shards never change.
//
// # Files
//
// Files episodes.go and steps.go declare version 2 (dataset.SchemaVersion) of the two
// tables. Files are compressed with Zstandard. A row group has at most groupRows rows, so
// that writers and readers use bounded memory. Files of earlier builds lack the column
// worker of the table of episodes. A data set may contain files with and without it, and
// its manifest does not distinguish them; the reader takes a missing column for null. Other
// programs read such a folder if they unite columns by name, as DuckDB does with
// read_parquet('DIR/episodes/*.parquet', union_by_name = true). The metadata of each file, under the keys
// MetaVersion, MetaRun and MetaSettings, suffice to rebuild its games without the manifest.
//
// Values are written column by column in batches, without reflection, and read as typed
// pages.
package parquetio
