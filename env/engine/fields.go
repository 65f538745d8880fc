package engine

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
)

func splitFields(text, form string) ([]string, error) {
	fields, want := strings.Split(text, " "), strings.Count(form, " ")+1
	if len(fields) != want {
		return nil, fmt.Errorf("has %d fields, must have %d separated by one space each: %s", len(fields), want, form)
	}
	return fields, nil
}

// parseSide reads the field of the side to move. Letters are those of the two
// players, as in "wb".
func parseSide(text, letters string) (env.Player, error) {
	side := strings.Index(letters, text)
	if len(text) != 1 || side < 0 {
		return env.NoPlayer, fmt.Errorf("side to move is %q, must be %c or %c", text, letters[0], letters[1])
	}
	return env.Player(side), nil
}

// MaxCount is the greatest number of plies or points in a position text. It
// leaves a game of any length room to count on.
const MaxCount = 1_000_000_000

// ParseCount reads a whole number from 0 to limit, which is at most MaxCount. It
// accepts only what strconv writes: no sign and no leading zeros.
func ParseCount(text string, limit int) (int, error) {
	if text == "" {
		return 0, errors.New("a number is missing")
	}
	n := 0
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' || i > 0 && text[0] == '0' {
			return 0, fmt.Errorf("%q is not a whole number without leading zeros from 0 to %d", text, limit)
		}
		n = min(n*10+int(text[i]-'0'), limit+1)
	}
	if n > limit {
		return 0, fmt.Errorf("%s is too great, must be at most %d", text, limit)
	}
	return n, nil
}

// A Count is a field of a position text that ParseCounts reads.
type Count struct {
	Name, Text string
	To         *int32
}

// ParseCounts reads numbers from 0 to MaxCount. Its error begins with the name
// of the field.
func ParseCounts(counts ...Count) error {
	for _, c := range counts {
		n, err := ParseCount(c.Text, MaxCount)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		*c.To = int32(n)
	}
	return nil
}

// ParseBoard reads a board field: rows separated by slashes, the last rank first, made
// of letters and of numbers of empty squares. Put puts the piece of a letter on a
// square, or returns an error that lists the letters. The errors of ParseBoard begin
// with a verb, so that the name of the field can precede them.
func ParseBoard(text string, size int, put func(square int, letter byte) error) error {
	rows := strings.Split(text, "/")
	if len(rows) != size {
		return fmt.Errorf("is %q with %d rows, must have %d separated by /", text, len(rows), size)
	}
	for i, row := range rows {
		y := size - 1 - i
		if err := parseRow(row, y, size, put); err != nil {
			return fmt.Errorf("has row %q of rank %d %w", row, y+1, err)
		}
	}
	return nil
}

func parseRow(row string, y, size int, put func(square int, letter byte) error) error {
	x := 0
	for j := 0; j < len(row); {
		digits := 0
		for j+digits < len(row) && '0' <= row[j+digits] && row[j+digits] <= '9' {
			digits++
		}
		if digits > 0 {
			empty, err := ParseCount(row[j:j+digits], size)
			if err != nil || empty == 0 {
				return fmt.Errorf("with %s empty squares, must be 1 to %d without leading zeros", row[j:j+digits], size)
			}
			x += empty
			j += digits
			continue
		}
		if x < size {
			if err := put(y*size+x, row[j]); err != nil {
				return fmt.Errorf("with %q, must have %w", row[j:j+1], err)
			}
		}
		x++
		j++
	}
	if x != size {
		return fmt.Errorf("with %d squares, must have %d", x, size)
	}
	return nil
}

// AppendBoard appends the board field that ParseBoard reads. Letter returns the
// letter of the piece on a square, 0 for none.
func AppendBoard(dst []byte, size int, letter func(square int) byte) []byte {
	for y := size - 1; y >= 0; y-- {
		empty := 0
		for x := range size {
			c := letter(y*size + x)
			if c == 0 {
				empty++
				continue
			}
			dst = appendEmpty(dst, empty)
			dst = append(dst, c)
			empty = 0
		}
		dst = appendEmpty(dst, empty)
		if y > 0 {
			dst = append(dst, '/')
		}
	}
	return dst
}

func appendEmpty(dst []byte, empty int) []byte {
	if empty == 0 {
		return dst
	}
	return strconv.AppendInt(dst, int64(empty), 10)
}
