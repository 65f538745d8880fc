package queue_test

import (
	"testing"

	"github.com/sandtable-farm/sandtable/workers/queue"
)

func TestSharesAreReadAsTheyAreWritten(t *testing.T) {
	for text, want := range map[string]queue.Share{"0/1": {}, "0/2": {Index: 0, Of: 2}, "1/2": {Index: 1, Of: 2}, "15/16": {Index: 15, Of: 16}} {
		got, err := queue.ParseShare(text)
		if err != nil || got != want || got.String() != text {
			t.Errorf("%s is read as %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "1", "0/0", "1/1", "2/2", "-1/2", "0/3", "0/32", "00/2", "0/2/4", "a/2", "0/-2"} {
		if got, err := queue.ParseShare(text); err == nil {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
}

func TestEachJobBelongsToOneShare(t *testing.T) {
	for _, of := range []int{1, 2, 4, 8, 16} {
		for job := range int64(40) {
			n := 0
			for i := range of {
				if (queue.Share{Index: i, Of: of}).Has(job) {
					n++
				}
			}
			if n != 1 {
				t.Errorf("job %d belongs to %d of %d shares", job, n, of)
			}
		}
	}
	if !(queue.Share{}).Has(7) {
		t.Error("a job does not belong to the zero share")
	}
}
