package dataset

import (
	"fmt"
	"strings"
)

// A Fault is something in a data set that is not as it must be. It is an error.
type Fault struct {
	File    string // of the shard, or the manifest; relative to the folder. Empty where no file is at hand
	Episode int64  // None when it concerns no single episode
	Ply     int    // None when it concerns no single ply
	What    string // the field or fact: "hash"
	Found   string
	Want    string // what is right; empty where only the file could know
}

// None fills Episode and Ply of a Fault that concerns none.
const None = -1

func (f *Fault) Error() string {
	var where []string
	if f.File != "" {
		where = append(where, f.File)
	}
	if f.Episode != None {
		where = append(where, fmt.Sprintf("episode %d", f.Episode))
	}
	if f.Ply != None {
		where = append(where, fmt.Sprintf("ply %d", f.Ply))
	}
	what := f.What + ": " + f.Found
	if f.Want != "" {
		what = fmt.Sprintf("%s is %s, must be %s", f.What, f.Found, f.Want)
	}
	return strings.Join(where, ", ") + ": " + what
}
