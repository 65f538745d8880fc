package external

import (
	"strings"
	"sync"
	"unicode"
)

// A tail is an io.Writer that keeps the end of the text.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const mostTail = 2048

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p[max(0, len(p)-mostTail):]...)
	if cut := len(t.text) - mostTail; cut > 0 {
		t.text = append(t.text[:0], t.text[cut:]...)
	}
	return len(p), nil
}

// String returns the end of the text without control characters.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return unicode.ReplacementChar
		}
		return r
	}, strings.TrimSpace(string(t.text)))
}
