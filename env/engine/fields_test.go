package engine_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

func TestCountsAreReadAsTheyAreWritten(t *testing.T) {
	for _, limit := range []int{0, 7, 10, 119, engine.MaxCount} {
		for _, want := range []int{0, 1, 7, 8, 9, 10, 11, 100, 119, 120, engine.MaxCount, engine.MaxCount + 1} {
			got, err := engine.ParseCount(strconv.Itoa(want), limit)
			if want <= limit && (err != nil || got != want) {
				t.Errorf("ParseCount(%d, %d) = %d, %v", want, limit, got, err)
			}
			if want > limit && err == nil {
				t.Errorf("ParseCount(%d, %d) = %d", want, limit, got)
			}
		}
	}
}

func TestWhatIsNoCountIsRefused(t *testing.T) {
	const plain = " is not a whole number without leading zeros from 0 to 1000000000"
	many := strings.Repeat("9", 40)
	for text, want := range map[string]string{
		"": "a number is missing", "00": `"00"` + plain, "01": `"01"` + plain, "-1": `"-1"` + plain, "+1": `"+1"` + plain,
		"1 ": `"1 "` + plain, " 1": `" 1"` + plain, "1e3": `"1e3"` + plain, "x": `"x"` + plain, "½": `"½"` + plain,
		many + "x": `"` + many + `x"` + plain, many: many + " is too great, must be at most 1000000000",
	} {
		if n, err := engine.ParseCount(text, engine.MaxCount); err == nil || err.Error() != want {
			t.Errorf("ParseCount(%q) = %d, %v, must say %s", text, n, err, want)
		}
	}
}

func TestFieldsAreSeparatedByOneSpace(t *testing.T) {
	var set string
	parse := func(fields []string) (string, error) {
		if fields[2] == "x" {
			return "", errors.New("plies are x")
		}
		return strings.Join(fields, "|"), nil
	}
	setPosition := func(text string) error {
		return engine.SetPosition(text, "BOARD SIDE PLIES", parse, func(p *string) { set = *p })
	}
	if err := setPosition("a b c"); err != nil || set != "a|b|c" {
		t.Errorf("fields are %q, %v", set, err)
	}
	if err := setPosition("d e x"); err == nil || err.Error() != `position "d e x": plies are x` {
		t.Errorf("error of the engine: %v", err)
	}
	for _, text := range []string{"a b", "a  b c", "a b c ", ""} {
		err := setPosition(text)
		if err == nil || !strings.HasSuffix(err.Error(), "must have 3 separated by one space each: BOARD SIDE PLIES") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if set != "a|b|c" {
		t.Errorf("after errors, %q is set", set)
	}
}

func TestSidesAreReadAsTheyAreWritten(t *testing.T) {
	for text, want := range map[string]env.Player{"w": env.First, "b": env.Second} {
		if p, err := engine.ParseTurn("wb", text, "0", "0"); p.Next != want || err != nil {
			t.Errorf("%q is player %d, %v", text, p.Next, err)
		}
	}
	for _, text := range []string{"", "wb", "x", "W", "0"} {
		if p, err := engine.ParseTurn("wb", text, "0", "0"); p.Next != env.NoPlayer || err == nil || !strings.HasSuffix(err.Error(), ", must be w or b") {
			t.Errorf("%q is player %d, %v", text, p.Next, err)
		}
	}
}

// letters parses a board of the letters a to e and lists them with their squares.
func letters(text string, size int) (map[int]byte, error) {
	found := map[int]byte{}
	err := engine.ParseBoard(text, size, func(square int, letter byte) error {
		if letter < 'a' || letter > 'e' {
			return errors.New("a to e")
		}
		found[square] = letter
		return nil
	})
	return found, err
}

func TestBoardsAreReadAsTheyAreWritten(t *testing.T) {
	for _, x := range []struct {
		text string
		size int
	}{{"3/1a1/b1c", 3}, {"abc/3/2d", 3}, {"12/a11/11a/a10b/12/12/5c6/12/12/12/12/e11", 12}} {
		found, err := letters(x.text, x.size)
		if err != nil {
			t.Errorf("%s: %v", x.text, err)
		}
		if back := string(engine.AppendBoard(nil, x.size, func(square int) byte { return found[square] })); back != x.text {
			t.Errorf("%s is written back as %s", x.text, back)
		}
	}
	if found, _ := letters("3/1a1/b1c", 3); len(found) != 3 || found[4] != 'a' || found[0] != 'b' || found[2] != 'c' {
		t.Errorf("pieces are %v", found)
	}
}

func TestBoardErrorsSayWhatWouldBeRight(t *testing.T) {
	for text, want := range map[string]string{
		"3/3":       `is "3/3" with 2 rows, must have 3 separated by /`,
		"3/3/2":     `has row "2" of rank 1 with 2 squares, must have 3`,
		"3/ab/3":    `has row "ab" of rank 2 with 2 squares, must have 3`,
		"abca/3/3":  `has row "abca" of rank 3 with 4 squares, must have 3`,
		"3/3/4":     `has row "4" of rank 1 with 4 empty squares, must be 1 to 3 without leading zeros`,
		"3/3/0abc":  `has row "0abc" of rank 1 with 0 empty squares, must be 1 to 3 without leading zeros`,
		"3/3/03":    `has row "03" of rank 1 with 03 empty squares, must be 1 to 3 without leading zeros`,
		"3/3/12":    `has row "12" of rank 1 with 12 empty squares, must be 1 to 3 without leading zeros`,
		"3/3/2x":    `has row "2x" of rank 1 with "x", must have a to e`,
		"3/3/3abcx": `has row "3abcx" of rank 1 with 7 squares, must have 3`,
	} {
		if _, err := letters(text, 3); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
