package openings

import (
	"bufio"
	"bytes"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay"
)

//go:generate go run ../../cmd/sandtable openings trench/standard --agent alphabeta:eval=score,nodes=100000,noise=0,version=1 --out suites/trench-standard.txt
//go:generate go run ../../cmd/sandtable openings ntxuva/basic --agent alphabeta:eval=score,nodes=100000,noise=0,version=1 --out suites/ntxuva-basic.txt
//go:generate go run ../../cmd/sandtable openings tankchess/16x16 --agent alphabeta:eval=score,nodes=100000,noise=0,version=1 --out suites/tankchess-16x16.txt
//go:generate go run ../../cmd/sandtable openings tankchess/20x20 --agent alphabeta:eval=score,nodes=100000,noise=0,version=1 --out suites/tankchess-20x20.txt
//go:generate go run ../../cmd/sandtable openings tankbattle/standard --agent alphabeta:eval=score,nodes=100000,noise=0,version=1 --out suites/tankbattle-standard.txt

//go:embed suites/*.txt
var suites embed.FS // constant

// digestMark begins the line of a suite that names its rules.
const digestMark = "# digest: "

// Write writes a suite of a rule set: comments, which include the command that makes the
// suite, then one position text per line. [Read] reads it.
func Write(w io.Writer, command string, v *variant.Variant, positions []string) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "# Balanced random openings of %s, one position text per line, as --starts reads them.\n# command: %s\n%s%s\n",
		v.Name, command, digestMark, v.Digest)
	for _, text := range positions {
		fmt.Fprintln(out, text)
	}
	return out.Flush()
}

// Read reads position texts, one per line. It skips empty lines and lines that begin with
// #. It does not check the texts against any rules.
func Read(in io.Reader) ([]string, error) {
	var positions []string
	lines := bufio.NewScanner(in)
	number := 1
	for ; lines.Scan(); number++ {
		if text := strings.TrimSpace(lines.Text()); text != "" && !strings.HasPrefix(text, "#") {
			positions = append(positions, text)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", number, err)
	}
	return positions, nil
}

// Suites yields the stored suites by file name, as [Write] wrote them.
func Suites(yield func(name string, text []byte) bool) {
	files, err := fs.Glob(suites, "suites/*.txt")
	for _, name := range files {
		var text []byte
		if text, err = suites.ReadFile(name); err != nil || !yield(name, text) {
			break
		}
	}
	if err != nil {
		panic(fmt.Sprintf("embedded suites: %v", err)) // they are part of the program
	}
}

// Stored returns the stored suite of a rule set. The caller may change it.
func Stored(digest string) (positions []string, ok bool) {
	mark := []byte("\n" + digestMark + digest + "\n")
	for _, text := range Suites {
		if !bytes.Contains(text, mark) {
			continue
		}
		positions, err := Read(bytes.NewReader(text))
		if err != nil {
			panic(fmt.Sprintf("embedded suite: %v", err)) // as in Suites
		}
		return positions, true
	}
	return nil, false
}

// DefaultPlies is the default number of plies of an opening.
const DefaultPlies = 8

// suiteStream is the stream of random numbers, under the seed of a match, that decides
// the order of a suite.
const suiteStream = 3

// OfMatch returns the default policy of a match: the stored suite of the rule set or, for
// one without a suite, sampled plies.
func OfMatch(v *variant.Variant) Policy {
	if _, ok := Stored(v.Digest); ok {
		return Policy{name: suiteName}
	}
	return Sampled()
}

// Of returns the opening of [OfMatch]. The seed decides the order of a suite.
func Of(v *variant.Variant, seed uint64) selfplay.Opening {
	opening, err := OfMatch(v).Opening(v, seed)
	if err != nil {
		panic(fmt.Sprintf("default opening: %v", err)) // only files and missing suites have errors
	}
	return opening
}
