// Package dataset stores played games. An [Episode] is the record of one game, and a data
// set is a folder of such records:
//
//	manifest.json        the settings of the run, and the list of shards
//	episodes/*.parquet   one row per game
//	steps/*.parquet      one row per ply, sorted by game and ply
//	lock                 held by the writers ([AcquireLock], [AcquireSharedLock])
//
// The manifest decides what the data set contains: a shard that it does not list does not
// belong to it. It is written last and atomically, so that a crash neither loses nor
// duplicates data. The numbers of shards ascend in the order of their commits, and a shard
// that is taken out leaves a gap in them.
//
// An episode may name the worker process that played it (Episode.Worker), so that the games
// of a faulty worker can be taken out. The name is not part of the identity of an episode:
// two data sets whose games were played by different workers have equal digests.
//
// Between processes, an episode is sent in the wire format of [AppendEpisode]. [Digest]
// shows whether two data sets contain the same games, and [Tally] summarises them.
//
// Package dataset/parquetio writes and reads the Parquet files, package dataset/replay
// verifies them against the rules, package dataset/mend repairs damaged data sets, package
// dataset/loader feeds a training loop from them, and package dataset/export writes their
// positions for other programs. Three packages analyse them:
// dataset/balance the balance of a game, dataset/handicap experiments with handicaps, and dataset/compare the
// differences between rule variants.
package dataset
