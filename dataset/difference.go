package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
)

// ErrSettings is wrapped by the error for a folder whose run has other settings than the
// caller's.
var ErrSettings = errors.New("folder belongs to a different run")

// Differs returns nil if other has the same run as s. Otherwise it returns an error that
// wraps ErrSettings and names the first field that differs, with both values.
func (s *Settings) Differs(other *Settings) error {
	if s.Run() == other.Run() {
		return nil
	}
	return Difference(s, other)
}

// Difference compares two structs of one type, given by pointers. The argument there is
// the struct read from a folder, and the argument here is the caller's. The error wraps
// ErrSettings and names the first field whose JSON differs, with both values. It is nil
// if all fields are equal.
func Difference(there, here any) error {
	a, b := reflect.ValueOf(there).Elem(), reflect.ValueOf(here).Elem()
	for i := range a.NumField() {
		mine, err1 := json.Marshal(a.Field(i).Interface())
		yours, err2 := json.Marshal(b.Field(i).Interface())
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		if bytes.Equal(mine, yours) {
			continue
		}
		name, _, _ := bytes.Cut([]byte(a.Type().Field(i).Tag.Get("json")), []byte(","))
		return fmt.Errorf("%w: %s is %s there and %s here", ErrSettings, name, shortened(mine), shortened(yours))
	}
	return nil
}

// shortened truncates a long value, such as a whole rule set, for error messages.
func shortened(text []byte) []byte {
	const limit = 80
	if len(text) <= limit {
		return text
	}
	return append(bytes.Clone(text[:limit]), "…"...)
}
