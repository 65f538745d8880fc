package eval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
)

// Scale turns scores into results: a position that is worth s to a player is
// expected to give 1/(1 + e^(−s/Scale)) of a win, draws being half of one. It is
// 400/(2·atanh ½) rounded, so that the tree search, which takes s for the value
// s/(|s| + 400), agrees where a player is half way to a win.
const Scale = 364

// Fraction is how many units of a weight are one of a score.
const Fraction = 16

// MaxWeight is the greatest weight, in the unit of scores: a thousand points.
const MaxWeight = 1000 * Unit

// weightsVersion is that of the document.
const weightsVersion = 1

// Weights are what a linear evaluator gives for each parameter of a layout. As a
// document they are JSON with the game, the variant and the digest of the rules
// that they were fitted for, a text that says how they were made, and rows of
// parameters with their values in sixteenths of a hundredth of a point. Weights
// are immutable.
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

// NewWeights rounds values, one for each parameter of the game's layout in the
// unit of scores, to weights. It refuses another number of values, and values
// that are no numbers or beyond MaxWeight.
func NewWeights(game env.Game, digest string, values []float64, made string) (*Weights, error) {
	l, err := NewLayout(game)
	if err != nil {
		return nil, err
	}
	if len(values) != l.Size() {
		return nil, fmt.Errorf("%d weights for %s, which has %d parameters", len(values), l.spec.Name, l.Size())
	}
	w := &Weights{document{weightsVersion, l.spec.Game, l.spec.Name, digest, strings.ToValidUTF8(made, "\uFFFD"), nil}}
	rest := values
	for _, r := range l.rows {
		r.Values = make([]int32, len(r.At))
		for i := range r.Values {
			if !(math.Abs(rest[i]) <= MaxWeight) {
				return nil, fmt.Errorf("the weight of %q is %g, must be %d to %d", r.Name+" "+r.At[i], rest[i], -MaxWeight, MaxWeight)
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

// ReadWeights reads what JSON writes. It refuses unknown fields, another version
// and weights that no NewWeights would make.
func ReadWeights(data []byte) (*Weights, error) {
	w := &Weights{}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&w.doc)
	if err == nil {
		if _, end := decoder.Token(); end != io.EOF {
			err = errors.New("something follows the document")
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
			return fmt.Errorf("parameters[%d], %q, has %d values at %d places, must have as many, and one at least", i, r.Name, len(r.Values), len(r.At))
		}
		for j, value := range r.Values {
			name := r.Name + " " + r.At[j]
			if value < -MaxWeight*Fraction || value > MaxWeight*Fraction {
				return fmt.Errorf("the value of %q is %d, must be %d to %d", name, value, -MaxWeight*Fraction, MaxWeight*Fraction)
			}
			if seen[name] {
				return fmt.Errorf("%q is there twice", name)
			}
			seen[name] = true
		}
	}
	return nil
}

// JSON returns the document, a line for each row of parameters. Equal weights
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

// encoded returns the JSON of a text or of a list of texts or numbers.
func encoded(value any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(fmt.Sprintf("eval: encoding %v: %v", value, err)) // such values always encode
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// Rules returns the variant that the weights were fitted for and the digest of
// its rules.
func (w *Weights) Rules() (variant, digest string) { return w.doc.Variant, w.doc.Digest }

// Values returns the weights in the unit of scores, by parameter.
func (w *Weights) Values() []float64 {
	var values []float64
	for _, r := range w.doc.Parameters {
		for _, value := range r.Values {
			values = append(values, float64(value)/Fraction)
		}
	}
	return values
}

// New makes the evaluator of a game with these weights. The rules of the game may
// be others than those the weights were fitted for, but not its layout.
func (w *Weights) New(game env.Game) (Evaluator, error) {
	l, err := NewLayout(game)
	if err != nil {
		return nil, err
	}
	if err := w.fits(l); err != nil {
		return nil, fmt.Errorf("weights of %s do not fit %s: %w", w.doc.Variant, l.spec.Name, err)
	}
	return newLinear(l, slices.Concat(valuesOf(w.doc.Parameters)...)), nil
}

func valuesOf(rows []row) (values [][]int32) {
	for _, r := range rows {
		values = append(values, r.Values)
	}
	return values
}

// fits tells the first difference between the parameters of the weights and a layout.
func (w *Weights) fits(l *Layout) error {
	if w.doc.Game != l.spec.Game {
		return fmt.Errorf("their game is %s", w.doc.Game)
	}
	var names []string
	for _, r := range w.doc.Parameters {
		for _, at := range r.At {
			names = append(names, r.Name+" "+at)
		}
	}
	for i := range max(len(names), l.Size()) {
		switch {
		case i >= len(names):
			return fmt.Errorf("parameter %d is %q there, and the weights have only %d", i, l.Name(i), i)
		case i >= l.Size():
			return fmt.Errorf("parameter %d of the weights is %q, and there are only %d there", i, names[i], i)
		case names[i] != l.Name(i):
			return fmt.Errorf("parameter %d of the weights is %q, and %q there", i, names[i], l.Name(i))
		}
	}
	return nil
}
