package external

import (
	"errors"
	"fmt"
	"strings"
)

// ParseCommand splits a command line into the program and its arguments at blanks. Single
// or double quotes, also within a word, protect blanks. No other character is special, not
// even a backslash or a dollar sign.
func ParseCommand(text string) ([]string, error) {
	var words []string
	var word strings.Builder
	begun, quote := false, byte(0)
	for i := range len(text) {
		c := text[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote, begun = c, true
		case quote == 0 && (c == ' ' || c == '\t'):
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteByte(c)
			begun = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("command %q: the quote %c is not closed", text, quote)
	}
	if begun {
		words = append(words, word.String())
	}
	if len(words) == 0 || words[0] == "" {
		return nil, errors.New("the command is empty, must be a program and its arguments")
	}
	return words, nil
}
