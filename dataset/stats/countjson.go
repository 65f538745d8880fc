package stats

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// MarshalJSON encodes the counts as strings, like all 64-bit integers.
func (p Pentanomial) MarshalJSON() ([]byte, error) { return json.Marshal(texts(p[:])) }

// UnmarshalJSON decodes the form that MarshalJSON writes.
func (p *Pentanomial) UnmarshalJSON(data []byte) error {
	var in [5]string
	if err := json.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("pentanomial: %w", err)
	}
	return numbers(p[:], in[:])
}

// MarshalJSON encodes the counts as strings, like all 64-bit integers.
func (t PairTable) MarshalJSON() ([]byte, error) {
	return json.Marshal([3][]string{texts(t[0][:]), texts(t[1][:]), texts(t[2][:])})
}

// UnmarshalJSON decodes the form that MarshalJSON writes.
func (t *PairTable) UnmarshalJSON(data []byte) error {
	var in [3][3]string
	if err := json.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("table of pairs: %w", err)
	}
	for i := range t {
		if err := numbers(t[i][:], in[i][:]); err != nil {
			return err
		}
	}
	return nil
}

func texts(counts []int64) []string {
	all := make([]string, len(counts))
	for i, n := range counts {
		all[i] = strconv.FormatInt(n, 10)
	}
	return all
}

func numbers(dst []int64, texts []string) error {
	for i, text := range texts {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 {
			return fmt.Errorf("count of pairs is %q, must be an integer of 0 or more", text)
		}
		dst[i] = n
	}
	return nil
}
