package external

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
)

// A fault is an answer that forfeits the game.
type fault struct {
	reason env.Reason
	detail string
}

func (f *fault) Error() string { return f.detail }

func faultf(reason env.Reason, format string, args ...any) error {
	return &fault{reason, fmt.Sprintf(format, args...)}
}

// parseAnswer reads a line that answers the go line of the given number; parse reads its
// actions. more
// reports an info line. The fields of a move line go into found, which is empty. Every error
// is a fault, and leaves found undefined.
func parseAnswer(line string, parse parser, number int, found *dataset.Search) (a env.Action, more bool, err error) {
	words := strings.Fields(line)
	switch {
	case len(words) > 0 && words[0] == "info":
		return env.NoAction, true, nil
	case len(words) < 2 || words[0] != "move" && words[0] != "resign":
		return env.NoAction, false, faultf(env.Crashed, "program wrote %q, must be info, move or resign", shortened(line))
	case words[1] != strconv.Itoa(number):
		return env.NoAction, false, faultf(env.Crashed, "program answered go %s with %q, must answer go %d", shortened(words[1]), shortened(line), number)
	case words[0] == "resign" && len(words) == 2:
		return env.NoAction, false, faultf(env.Resigned, "program resigned")
	case words[0] == "resign":
		return env.NoAction, false, faultf(env.Crashed, "program wrote %q, must be resign %d", shortened(line), number)
	case len(words) == 2:
		return env.NoAction, false, faultf(env.IllegalAction, "program wrote %q without a move", shortened(line))
	}
	a, err = parse(words[2])
	if err != nil {
		return env.NoAction, false, faultf(env.IllegalAction, "%s", shortened(err.Error()))
	}
	if err := parseFields(words[3:], parse, found); err != nil {
		return env.NoAction, false, faultf(env.Crashed, "answer %q: %v", shortened(line), err)
	}
	return a, false, nil
}

// parseFields reads the fields of a move line, each a name and a value.
func parseFields(words []string, parse parser, found *dataset.Search) error {
	for ; len(words) > 0; words = words[2:] {
		name := words[0]
		if len(words) == 1 {
			return fmt.Errorf("%s has no value", shortened(name))
		}
		field, err := parseField(name, words[1], parse, found)
		switch {
		case err != nil:
			return err
		case found.Has&field != 0:
			return fmt.Errorf("%s is given twice", name)
		}
		found.Has |= field
	}
	return nil
}

func parseField(name, text string, parse parser, found *dataset.Search) (dataset.SearchField, error) {
	switch name {
	case "value":
		v, err := strconv.ParseFloat(text, 32)
		if err != nil || !(v >= -1 && v <= 1) || strings.ContainsAny(text, "xX") {
			return 0, fmt.Errorf("value is %q, must be a decimal number from -1 to 1", shortened(text))
		}
		found.Value = float32(v)
		return dataset.HasValue, nil
	case "score":
		n, err := wholeNumber(name, text, math.MinInt32, math.MaxInt32)
		found.Score = int32(n)
		return dataset.HasScore, err
	case "nodes":
		n, err := wholeNumber(name, text, 0, math.MaxInt64)
		found.Nodes = n
		return dataset.HasNodes, err
	case "depth":
		n, err := wholeNumber(name, text, 0, math.MaxInt32)
		found.Depth = int32(n)
		return dataset.HasDepth, err
	case "visits":
		return dataset.HasVisits, parseVisits(text, parse, found)
	}
	return 0, fmt.Errorf("field %q is unknown; known are value, score, nodes, depth, visits", shortened(name))
}

func parseVisits(text string, parse parser, found *dataset.Search) error {
	seen := map[env.Action]bool{}
	for item := range strings.SplitSeq(text, ",") {
		colon := strings.LastIndexByte(item, ':')
		if colon < 0 {
			return fmt.Errorf("visits has %q, must be of the form MOVE:COUNT", shortened(item))
		}
		a, err := parse(item[:colon])
		if err != nil {
			return fmt.Errorf("visits: %s", shortened(err.Error()))
		}
		if seen[a] {
			return fmt.Errorf("visits has %s twice", item[:colon])
		}
		seen[a] = true
		n, err := wholeNumber("the count of "+item[:colon], item[colon+1:], 0, math.MaxInt32)
		if err != nil {
			return err
		}
		found.Visits = append(found.Visits, dataset.Visit{Action: a, Count: int32(n)})
	}
	return nil
}

func wholeNumber(name, text string, least, most int64) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < least || n > most {
		return 0, fmt.Errorf("%s is %q, must be a whole number from %d to %d", name, shortened(text), least, most)
	}
	return n, nil
}

// shortened shortens a text that a program wrote.
func shortened(text string) string {
	const most = 200
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
