package replay

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A Transcript is a game read from text. It has not been checked against the rules.
type Transcript struct {
	Headers map[string]string // by name; the first header of a name counts
	Moves   []string          // move texts in order
}

// Names of the headers that determine the start position.
const (
	DigestHeader = "Digest"
	StartHeader  = "Start"
)

// ReadTranscript reads the output of [Text] without boards and of [Moves], and any move
// texts separated by white space. Lines that begin with [ are headers. Numbers with a dot,
// such as 12., and remarks in braces are ignored.
func ReadTranscript(in io.Reader) (*Transcript, error) {
	data, err := io.ReadAll(in)
	if err != nil {
		return nil, fmt.Errorf("reading moves: %w", err)
	}
	t := &Transcript{Headers: map[string]string{}}
	remark, number := 0, 0 // line of the open remark, or 0
	for line := range strings.Lines(string(data)) {
		number++
		if remark == 0 && strings.HasPrefix(line, "[") {
			if err := t.header(strings.TrimSpace(line)); err != nil {
				return nil, fmt.Errorf("line %d: %w", number, err)
			}
			continue
		}
		for line != "" {
			if remark > 0 {
				_, rest, closed := strings.Cut(line, "}")
				if line = rest; closed {
					remark = 0
				}
				continue
			}
			text, rest, opened := strings.Cut(line, "{")
			t.moves(text)
			if line = rest; opened {
				remark = number
			}
		}
	}
	if remark > 0 {
		return nil, fmt.Errorf("line %d: remark that begins with { has no }", remark)
	}
	return t, nil
}

// header reads a line of the form [NAME "VALUE"].
func (t *Transcript) header(line string) error {
	inner, closed := strings.CutSuffix(line[1:], "]")
	name, quoted, _ := strings.Cut(inner, " ")
	value, err := strconv.Unquote(quoted)
	if !closed || name == "" || err != nil {
		return fmt.Errorf(`header is %.80q, must have the form [NAME "VALUE"]`, line)
	}
	if _, given := t.Headers[name]; !given {
		t.Headers[name] = value
	}
	return nil
}

// moves appends the move texts of a part of a line.
func (t *Transcript) moves(text string) {
	for word := range strings.FieldsSeq(text) {
		if number, dotted := strings.CutSuffix(word, "."); !dotted || strings.Trim(number, "0123456789") != "" {
			t.Moves = append(t.Moves, word)
		}
	}
}
