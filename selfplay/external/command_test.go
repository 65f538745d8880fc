package external_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/selfplay/external"
)

func TestCommandsAreCutAtBlanksOutsideQuotes(t *testing.T) {
	for text, want := range map[string][]string{
		"engine":                             {"engine"},
		"  python3\t-u  my.py ":              {"python3", "-u", "my.py"},
		`"C:\Program Files\e.exe" --x='a b'`: {`C:\Program Files\e.exe`, "--x=a b"},
		`e '' "it's"`:                        {"e", "", "it's"},
		`e $HOME *`:                          {"e", "$HOME", "*"},
	} {
		if got, err := external.ParseCommand(text); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s is %q, %v; must be %q", text, got, err, want)
		}
	}
	for text, want := range map[string]string{"": "empty", " ": "empty", "''": "empty", `e "x`: "quote \" is not closed"} {
		if got, err := external.ParseCommand(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s is %q, %v; must be %s", text, got, err, want)
		}
	}
}

// FuzzCommand: a command that is quoted word by word is the same command.
func FuzzCommand(f *testing.F) {
	for _, text := range []string{"engine", " a  b ", `"C:\x y" 'q' z''`, `'"'`, "\t", "a=$b"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		words, err := external.ParseCommand(text)
		if err != nil {
			return
		}
		var quoted []string
		for _, word := range words {
			quoted = append(quoted, "'"+strings.ReplaceAll(word, "'", `'"'"'`)+"'")
		}
		again, err := external.ParseCommand(strings.Join(quoted, "\t"))
		if err != nil || !slices.Equal(again, words) {
			t.Errorf("%q is %q, quoted %q, %v", text, words, again, err)
		}
	})
}
