package main

import "strings"

// shellWord returns a text as one word of a command line for a POSIX shell: as it
// is where nothing in it has a meaning there, else in quotes.
func shellWord(text string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%"
	if text != "" && strings.Trim(text, plain) == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
