// Package mend repairs data sets, takes games out of them that should be played again, and
// merges the parts of a run.
//
// [Repair] makes a damaged folder a data set again: it lists shards whose manifest is lost,
// and moves what is damaged into the folder [AsideFolder], with the reason. [Drop] removes
// the jobs of a worker that cannot be trusted. Both leave a data set in which jobs are
// missing; a farm with the same settings plays these again and completes it to the same
// content digest.
// [Merge] joins data sets that have different jobs of one run.
//
// Repair and Drop lock the folder. A process that is killed in either leaves a folder that another
// call of Repair or Drop completes, and no sound episode is lost or occurs twice.
package mend
