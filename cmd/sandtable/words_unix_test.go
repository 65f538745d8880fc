//go:build unix

package main

import (
	"os/exec"
	"testing"
)

func TestAShellReadsAWordAsItWas(t *testing.T) {
	for text, want := range map[string]string{
		"alphabeta:depth=3,eval=runs/my-run/best.json": "alphabeta:depth=3,eval=runs/my-run/best.json",
		`ntxuva/basic{"columns":5}`:                    `'ntxuva/basic{"columns":5}'`,
		"@my rules.json":                               "'@my rules.json'",
		"it's $HOME `x` \\ * ~":                        `'it'\''s $HOME ` + "`x`" + ` \ * ~'`,
		"":                                             "''",
		"é":                                            "'é'",
	} {
		word := shellWord(text)
		if word != want {
			t.Errorf("%s becomes %s, must be %s", text, word, want)
		}
		if read, err := exec.Command("sh", "-c", "printf %s "+word).Output(); err != nil || string(read) != text {
			t.Errorf("a shell reads %s as %s, %v", word, read, err)
		}
	}
}
