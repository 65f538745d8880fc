package tablebase

import (
	"crypto/sha256"
	"os"
)

// Falsify changes the values of a table's file and makes the checksums fit.
func Falsify(data []byte, change func(value byte) byte) {
	file, err := os.CreateTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.Remove(file.Name())
	if _, err := file.Write(data); err != nil {
		panic(err)
	}
	t, err := newTable(file)
	if err != nil {
		panic(err)
	}
	defer t.Close()
	for i := range t.pairs {
		p := &t.pairs[i]
		values := data[p.values : p.values+p.size(t.circuits)]
		for j, v := range values {
			values[j] = change(v)
		}
		p.Values = sha256.Sum256(values)
		copy(data[p.values-headSize:], p.append(nil))
	}
}
