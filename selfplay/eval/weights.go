package eval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
)

// Scale converts scores to results: a player whose score is s has an expected result of
// 1/(1 + e^(−s/Scale)), with draws as half a win. It is 400/(2·atanh ½), rounded, so
// that at half a win it agrees with the tree search, whose value for s is s/(|s| + 400).
const Scale = 364

// Fraction is the number of units of a weight in one unit of a score.
const Fraction = 16

// MaxWeight is the greatest absolute weight, in the unit of scores: a thousand points.
const MaxWeight = 1000 * Unit

const weightsVersion = 1

// Weights are the weights of a linear evaluator, one for each parameter of a layout.
// They are immutable. The JSON document contains the game, the variant and the digest of
// the rules that they were fitted for, a text that describes how they were made, and rows
// of parameters with their values: integers in units of 1/Fraction of the unit of scores.
type Weights struct {
	doc document
}

type document struct {
	Version    int    `json:"version"`
	Game       string `json:"game"`
	Variant    string `json:"variant"`
	Digest     string `json:"digest"`
	Made       string `json:"made"`
	Parameters []row  `json:"parameters"`
}

// NewWeights rounds values to weights. There is one value for each parameter of the
// game's layout, in the unit of scores, from −MaxWeight to MaxWeight. digest is that of
// the rules; made describes how the weights were made.
func NewWeights(game env.Game, digest string, values []float64, made string) (*Weights, error) {
	l, err := NewLayout(game)
	if err != nil {
		return nil, err
	}
	if len(values) != l.Size() {
		return nil, fmt.Errorf("%d weights for %s, must be %d, one for each parameter", len(values), l.spec.Name, l.Size())
	}
	w := &Weights{document{weightsVersion, l.spec.Game, l.spec.Name, digest, strings.ToValidUTF8(made, "\uFFFD"), nil}}
	rest := values
	for _, r := range l.rows {
		r.Values = make([]int32, len(r.At))
		for i := range r.Values {
			if !(math.Abs(rest[i]) <= MaxWeight) {
				return nil, fmt.Errorf("weight of %q is %g, must be %d to %d", r.Name+" "+r.At[i], rest[i], -MaxWeight, MaxWeight)
			}
			r.Values[i] = int32(math.Round(rest[i] * Fraction))
		}
		w.doc.Parameters, rest = append(w.doc.Parameters, r), rest[len(r.At):]
	}
	if err := w.check(); err != nil {
		return nil, err
	}
	return w, nil
}

// ReadWeights parses a document that JSON wrote. It returns an error for unknown
// fields, another version, and weights that NewWeights would not return.
func ReadWeights(data []byte) (*Weights, error) {
	w := &Weights{}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&w.doc)
	if err == nil {
		if _, end := decoder.Token(); end != io.EOF {
			err = errors.New("unexpected data after the document")
		}
	}
	if err == nil {
		err = w.check()
	}
	if err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	return w, nil
}

func (w *Weights) check() error {
	if w.doc.Version != weightsVersion {
		return fmt.Errorf("version is %d, must be %d", w.doc.Version, weightsVersion)
	}
	for _, field := range [...]struct{ name, value string }{{"game", w.doc.Game}, {"variant", w.doc.Variant}, {"digest", w.doc.Digest}} {
		if field.value == "" {
			return fmt.Errorf("%s is missing", field.name)
		}
	}
	seen := map[string]bool{}
	for i, r := range w.doc.Parameters {
		if len(r.Values) == 0 || len(r.Values) != len(r.At) {
			return fmt.Errorf("parameters[%d], %q, has %d values for %d names, must have the same number of each, at least 1", i, r.Name, len(r.Values), len(r.At))
		}
		for j, value := range r.Values {
			name := r.Name + " " + r.At[j]
			if value < -MaxWeight*Fraction || value > MaxWeight*Fraction {
				return fmt.Errorf("value of %q is %d, must be %d to %d", name, value, -MaxWeight*Fraction, MaxWeight*Fraction)
			}
			if seen[name] {
				return fmt.Errorf("parameter %q occurs twice", name)
			}
			seen[name] = true
		}
	}
	return nil
}

// JSON returns the document, with one line for each row of parameters. Equal weights
// have equal documents.
func (w *Weights) JSON() []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "{\n  \"version\": %d,\n  \"game\": %s,\n  \"variant\": %s,\n  \"digest\": %s,\n  \"made\": %s,\n  \"parameters\": [",
		w.doc.Version, encoded(w.doc.Game), encoded(w.doc.Variant), encoded(w.doc.Digest), encoded(w.doc.Made))
	for i, r := range w.doc.Parameters {
		if i > 0 {
			out.WriteByte(',')
		}
		fmt.Fprintf(&out, "\n    {\"name\": %s, \"at\": %s, \"values\": %s}", encoded(r.Name), encoded(r.At), encoded(r.Values))
	}
	out.WriteString("\n  ]\n}\n")
	return out.Bytes()
}

// encoded returns the JSON of a string or of a list of strings or numbers.
func encoded(value any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(fmt.Sprintf("eval: encoding %v: %v", value, err)) // such values always encode
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// Rules returns the variant that the weights were fitted for and the digest of its rules.
func (w *Weights) Rules() (variant, digest string) { return w.doc.Variant, w.doc.Digest }

// Values returns the weights by parameter, in the unit of scores.
func (w *Weights) Values() []float64 {
	var values []float64
	for _, r := range w.doc.Parameters {
		for _, value := range r.Values {
			values = append(values, float64(value)/Fraction)
		}
	}
	return values
}

// New returns the evaluator of a game with these weights. The rules of the game may
// differ from those that the weights were fitted for; the layout must be the same.
func (w *Weights) New(game env.Game) (Evaluator, error) {
	l, err := NewLayout(game)
	if err != nil {
		return nil, err
	}
	if err := w.fits(l); err != nil {
		return nil, fmt.Errorf("weights for %s do not fit %s: %w", w.doc.Variant, l.spec.Name, err)
	}
	var values []int32
	for _, r := range w.doc.Parameters {
		values = append(values, r.Values...)
	}
	return newLinear(l, values), nil
}

// fits returns an error that names the first difference between the parameters of the
// weights and of a layout.
func (w *Weights) fits(l *Layout) error {
	if w.doc.Game != l.spec.Game {
		return fmt.Errorf("the weights are for the game %s", w.doc.Game)
	}
	var names []string
	for _, r := range w.doc.Parameters {
		for _, at := range r.At {
			names = append(names, r.Name+" "+at)
		}
	}
	for i := range min(len(names), l.Size()) {
		if names[i] != l.Name(i) {
			return fmt.Errorf("parameter %d of the weights is %q, must be %q", i, names[i], l.Name(i))
		}
	}
	if len(names) != l.Size() {
		return fmt.Errorf("there are %d weights, must be %d", len(names), l.Size())
	}
	return nil
}
