package dataset_test

import (
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
)

func TestFilesAreKeyedByTheDigestOfTheirContent(t *testing.T) {
	digest := dataset.FileDigest("weights")
	if err := (dataset.Files{digest: "weights"}).Validate(); err != nil {
		t.Errorf("the right key is refused: %v", err)
	}
	err := dataset.Files{digest: "other weights"}.Validate()
	if err == nil || !strings.Contains(err.Error(), digest) || !strings.Contains(err.Error(), dataset.FileDigest("other weights")) {
		t.Errorf("error is %v, must name both digests", err)
	}
}
