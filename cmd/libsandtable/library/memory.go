package library

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"unsafe"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/vec"
)

// An array describes an output of a batch: its name, the type of its elements as numpy
// names it, and its shape.
type array struct {
	Name  string `json:"name"`
	Type  string `json:"dtype"`
	Shape []int  `json:"shape"`

	index   int // field of vec.Results
	element reflect.Type
}

func (a *array) length() int {
	n := 1
	for _, side := range a.Shape {
		n *= side
	}
	return n
}

// arrays lists the outputs of a batch of n slots, given those of a batch of one slot.
func arrays(spec *env.Spec, n int, one *vec.Results) []array {
	var all []array
	value := reflect.ValueOf(one).Elem()
	for i := range value.NumField() {
		field := value.Type().Field(i)
		if value.Field(i).IsNil() {
			continue
		}
		a := array{Name: snake(field.Name), Type: numpyType(field.Type.Elem()), Shape: []int{n}, index: i, element: field.Type.Elem()}
		switch width := value.Field(i).Len(); field.Name {
		case "Obs", "FinalObs":
			a.Shape = append(a.Shape, len(spec.Planes), spec.Height, spec.Width)
		case "Bits", "Scalars", "Mask", "Reward", "FinalBits", "FinalScalars", "FinalReturn":
			a.Shape = append(a.Shape, width)
		case "LegalOffsets":
			a.Shape[0] = n + 1
		case "LegalActions":
			a.Shape[0] = spec.ActionListsSize(n)
		}
		all = append(all, a)
	}
	return all
}

// snake returns a Go name as Python writes it: FinalObs is final_obs.
func snake(name string) string {
	var out strings.Builder
	for i, r := range name {
		if i > 0 && 'A' <= r && r <= 'Z' {
			out.WriteByte('_')
		}
		out.WriteRune(r)
	}
	return strings.ToLower(out.String())
}

func numpyType(t reflect.Type) string {
	if t.Kind() == reflect.Bool {
		return "bool"
	}
	return t.Kind().String()
}

// results returns slices of the caller's memory for outputs. Each piece of memory has the
// size of the array in its place.
func results(outputs []array, memory [][]byte) (*vec.Results, error) {
	if len(memory) != len(outputs) {
		return nil, faultf(Value, "memory for %d arrays, must be for %d", len(memory), len(outputs))
	}
	r := new(vec.Results)
	value := reflect.ValueOf(r).Elem()
	for i, a := range outputs {
		if err := check(a.Name, memory[i], a.length(), a.element); err != nil {
			return nil, err
		}
		field := value.Field(a.index)
		start := unsafe.Pointer(unsafe.SliceData(memory[i]))
		field.Set(reflect.SliceAt(a.element, start, a.length()).Convert(field.Type()))
	}
	return r, nil
}

// check returns an error unless a piece of memory has room for n elements and is aligned.
func check(name string, memory []byte, n int, element reflect.Type) error {
	if want := n * int(element.Size()); len(memory) != want {
		return faultf(Value, "array %s has %d bytes, must have %d", name, len(memory), want)
	}
	if uintptr(unsafe.Pointer(unsafe.SliceData(memory)))%uintptr(element.Align()) != 0 {
		return faultf(Value, "array %s is not aligned to %d bytes", name, element.Align())
	}
	return nil
}

// set makes *to the n elements in a piece of memory, unless that is nil or an earlier
// piece had an error.
func set[T any](err *error, to *[]T, name string, memory []byte, n int) {
	if memory == nil || *err != nil {
		return
	}
	if *err = check(name, memory, n, reflect.TypeFor[T]()); *err == nil {
		*to = unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(memory))), n)
	}
}

// fits returns an error if something needs more bytes than the machine has. Go ends the
// process when memory is exhausted, so it must not be tried.
func fits(what string, bytes int64) error {
	const gibibyte = 1 << 30
	if all := machineMemory(); bytes > all {
		return faultf(Value, "%s needs about %d GiB of memory, and the machine has %d GiB", what, (bytes+gibibyte-1)/gibibyte, all/gibibyte)
	}
	return nil
}

// machineMemory returns the size of the machine's memory in bytes, or 64 GiB on systems
// that do not state it in a file.
func machineMemory() int64 {
	text, err := os.ReadFile("/proc/meminfo")
	var kibibytes int64
	if err == nil {
		_, err = fmt.Sscanf(string(text), "MemTotal: %d kB", &kibibytes)
	}
	if err != nil {
		return 64 << 30
	}
	return kibibytes << 10
}
