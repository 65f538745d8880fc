package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Files maps the FileDigest of small files to their contents. Agents name such files, for
// example the weights of an evaluator, by digest. They are part of the settings of a run.
type Files map[string]string

// FileDigestPrefix is the prefix of every digest.
const FileDigestPrefix = "sha256:"

// FileDigest returns the digest of a file, "sha256:…".
func FileDigest(content string) string {
	sum := sha256.Sum256([]byte(content))
	return FileDigestPrefix + hex.EncodeToString(sum[:])
}

// Validate checks that the key of every file is its digest.
func (f Files) Validate() error {
	for digest, content := range f {
		if actual := FileDigest(content); actual != digest {
			return fmt.Errorf("files: the content of %s has the digest %s", digest, actual)
		}
	}
	return nil
}
