package external_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/external"
)

func TestWrongAnswersAreFaults(t *testing.T) {
	s := env.NewState(trench(t).Game)
	move := "move 3 " + env.ActionText(s, s.Legal(nil)[0])
	for line, want := range map[string]struct {
		reason env.Reason
		detail string
	}{
		"":                               {env.Crashed, "must be info, move or resign"},
		"move":                           {env.Crashed, "must be info, move or resign"},
		"move 2 c4-c5":                   {env.Crashed, "program answered go 2"},
		"move 03 c4-c5":                  {env.Crashed, "program answered go 03"},
		"resign 3 now":                   {env.Crashed, "must be resign 3"},
		"resign 3":                       {env.Resigned, "program resigned"},
		"move 3":                         {env.IllegalAction, "without a move"},
		"move 3 x9":                      {env.IllegalAction, `move "x9"`},
		move + " value":                  {env.Crashed, "value has no value"},
		move + " value 1.01":             {env.Crashed, "must be a decimal number from -1 to 1"},
		move + " value NaN":              {env.Crashed, "must be a decimal number from -1 to 1"},
		move + " value 0x1p-2":           {env.Crashed, "must be a decimal number from -1 to 1"},
		move + " value 0 value 0":        {env.Crashed, "value is given twice"},
		move + " score 1e3":              {env.Crashed, "score is \"1e3\""},
		move + " score 2147483648":       {env.Crashed, "whole number from -2147483648 to 2147483647"},
		move + " nodes -1":               {env.Crashed, "nodes is \"-1\""},
		move + " depth -1":               {env.Crashed, "depth is \"-1\""},
		move + " luck 3":                 {env.Crashed, "field \"luck\" is unknown"},
		move + " visits c4-c5":           {env.Crashed, "of the form MOVE:COUNT"},
		move + " visits c4-c5:-1":        {env.Crashed, "the count of c4-c5 is \"-1\""},
		move + " visits c4-c5:1,":        {env.Crashed, `visits has ""`},
		move + " visits c4-c5:1,c4-c5:2": {env.Crashed, "visits has c4-c5 twice"},
		move + " visits a1-a2:1":         {env.Crashed, "visits: move"},
	} {
		a, more, reason, detail := external.Answer(line, s, 3, new(dataset.Search))
		if a != env.NoAction || more || reason != want.reason || !strings.Contains(detail, want.detail) {
			t.Errorf("%q: action %d, more is %v, %v: %s; must be %v: %s", line, a, more, reason, detail, want.reason, want.detail)
		}
	}
}

func TestLongAnswersAreToldInShort(t *testing.T) {
	s := env.NewState(trench(t).Game)
	blanks := strings.Repeat(" ", 1<<19)
	for _, line := range []string{"move" + blanks + "3", "move 3 " + strings.Repeat("a", 1<<19), "resign 3" + blanks + "4", blanks + "x"} {
		if _, _, _, detail := external.Answer(line, s, 3, new(dataset.Search)); detail == "" || len(detail) > 500 {
			t.Errorf("%.20q: the fault is told in %d bytes", line, len(detail))
		}
	}
}

// FuzzAnswer: whatever a program writes, the action is legal and what it tells
// is within its bounds, or the answer is a fault.
func FuzzAnswer(f *testing.F) {
	for _, line := range []string{
		"info depth 3", "resign 1", "move 1 c4-c5", "move 1 c4-c5 value 0.5 score -3 nodes 10 depth 2 visits c4-c5:8,d4-d5:2",
		"move 1 c4-c5 visits c4-c5:8,c4-c5:1", "move 2 c4-c5", "move 1 zz value 3",
	} {
		f.Add(line)
	}
	s := env.NewState(trench(f).Game)
	legal := s.Legal(nil)
	f.Fuzz(func(t *testing.T, line string) {
		var told dataset.Search
		a, more, reason, detail := external.Answer(line, s, 1, &told)
		switch {
		case reason != env.NoReason && (more || a != env.NoAction || !reason.Forfeit()):
			t.Errorf("%q: action %d, more %v, %v: %s", line, a, more, reason, detail)
		case reason != env.NoReason || more:
			return
		case !slices.Contains(legal, a), told.Value < -1, told.Value > 1, told.Value != told.Value, told.Nodes < 0, told.Depth < 0:
			t.Errorf("%q: action %d, told %+v", line, a, told)
		}
		for i, v := range told.Visits {
			if !slices.Contains(legal, v.Action) || v.Count < 0 || slices.ContainsFunc(told.Visits[:i], func(w dataset.Visit) bool { return w.Action == v.Action }) {
				t.Errorf("%q: visits %+v", line, told.Visits)
			}
		}
	})
}
