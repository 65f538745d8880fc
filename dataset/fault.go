package dataset

import "fmt"

// A Fault is something in a data set that is not as it must be. It is an error.
type Fault struct {
	File    string // of the shard, or the manifest; relative to the folder
	Episode int64  // None when it concerns no single episode
	Ply     int    // None when it concerns no single ply
	What    string // the field or fact: "hash"
	Found   string
	Want    string // what is right; empty where only the file could know
}

// None fills Episode and Ply of a Fault that concerns none.
const None = -1

func (f *Fault) Error() string {
	where := f.File
	if f.Episode != None {
		where += fmt.Sprintf(", episode %d", f.Episode)
	}
	if f.Ply != None {
		where += fmt.Sprintf(", ply %d", f.Ply)
	}
	if f.Want == "" {
		return fmt.Sprintf("%s: %s: %s", where, f.What, f.Found)
	}
	return fmt.Sprintf("%s: %s is %s, must be %s", where, f.What, f.Found, f.Want)
}
