// Package export writes the positions of data sets to files that other programs read: NumPy
// archives, Parquet, CSV, JSON lines, and texts of games.
//
// Every row is one position with the action that was played in it. [Run] replays the
// episodes and checks their actions and final positions; it writes a folder:
//
//	export.json                    the options, the columns and planes, and the finished files
//	RUN-00000003-000.npz           rows of shard 3 of a run, part 0
//	train/RUN-00000003-000.npz     the same with Options.Parts
//
// A file holds whole games. It is written under a temporary name and renamed, so that no
// file is incomplete. [Run] continues an interrupted export and skips the shards that
// export.json lists; a data set that has grown gets more files.
//
// # Columns
//
// [Columns] names the columns, their types and their meaning. All numbers of a position are
// from the mover's point of view. Arrays with a different length in each row, such as the
// legal actions, are lists in Parquet and JSON; in a NumPy archive the elements of row i of
// "legal" are legal[legal_offsets[i]:legal_offsets[i+1]]. CSV separates them by blanks.
// Observations and masks are arrays in a NumPy archive, byte strings in Parquet, and base64
// in CSV and JSON, in each case the little-endian bytes of the array.
package export
