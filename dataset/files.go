package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Files are small files that agents name by digest, such as the weights of an
// evaluator: the contents by FileDigest. They travel with the settings of a run.
type Files map[string]string

// FileDigestPrefix begins every digest.
const FileDigestPrefix = "sha256:"

// FileDigest returns the digest of a file, "sha256:…".
func FileDigest(content string) string {
	sum := sha256.Sum256([]byte(content))
	return FileDigestPrefix + hex.EncodeToString(sum[:])
}

// Validate checks that every file has its digest.
func (f Files) Validate() error {
	for digest, content := range f {
		if actual := FileDigest(content); actual != digest {
			return fmt.Errorf("files: the content of %s has the digest %s", digest, actual)
		}
	}
	return nil
}
