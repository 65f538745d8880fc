// Package dataset holds what was played. An [Episode] is the record of one game;
// a data set is a folder of such records:
//
//	manifest.json        what was played by whom, and the list of shards
//	episodes/*.parquet   one row a game
//	steps/*.parquet      one row a ply, sorted by game and ply
//	lock                 held by whoever writes ([AcquireLock])
//
// The manifest is the truth: a shard that it does not list does not exist. It is
// written last, whole and atomically, so that a crash loses or doubles nothing.
//
// Between processes an episode travels in the wire form of [AppendEpisode].
// [Digest] says whether two data sets hold the same games, and [Tally] sums
// them up.
//
// The Parquet files are written and read by package dataset/parquetio; package
// dataset/replay proves them against the rules. What they say of the game tell package
// dataset/balance of any games, and package dataset/handicap of experiments;
// package dataset/compare tells rule variants apart.
package dataset
