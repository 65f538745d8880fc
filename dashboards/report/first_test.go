package report_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dashboards/report"
)

// pages are pages of every kind, with and without results.
func pages(t *testing.T) map[string]*report.Page {
	t.Helper()
	return map[string]*report.Page{
		"balance": page(t, "trench/standard", 60), "balance of tanks": page(t, "tankchess/16x16", 20), "balance of nothing": page(t, "ntxuva/4", 0),
		"handicaps": handicaps(t, 400, unchanged()), "no handicaps": handicaps(t, 0, nil),
		"comparison": report.Compare(comparison(t, 20, "ntxuva/4", `ntxuva/4{"columns":5}`, "ntxuva/8")), "one variant": report.Compare(comparison(t, 20, "ntxuva/4")),
	}
}

// The first screen is short: at most 400 words, three figures and two tables outside folded
// parts, and a screen of a terminal.
func TestFirstScreens(t *testing.T) {
	all := pages(t)
	t.Run("are short", func(t *testing.T) { short(t, all) })
	t.Run("are in all forms", func(t *testing.T) { inAllForms(t, all) })
}

func short(t *testing.T, pages map[string]*report.Page) {
	t.Helper()
	folded := regexp.MustCompile(`(?s)<details>.*</details>|<style>.*?</style>|<title>.*?</title>`)
	drawing := regexp.MustCompile(`(?s)<svg.*?</svg>`)
	tag := regexp.MustCompile(`<[^>]*>`)
	for name, p := range pages {
		open := folded.ReplaceAllString(written(t, p.HTML), "")
		figures, tables := strings.Count(open, "<svg"), strings.Count(open, "<table")
		words := strings.Fields(tag.ReplaceAllString(drawing.ReplaceAllString(open, ""), " "))
		if len(words) > 400 || figures > 3 || tables > 2 {
			t.Errorf("%s: %d words, %d figures, %d tables are open:\n%s", name, len(words), figures, tables, strings.Join(words, " "))
		}
		text := written(t, p.Text)
		lines := strings.Split(strings.TrimSpace(text), "\n")
		if len(lines) > 44 {
			t.Errorf("%s: %d lines:\n%s", name, len(lines), text)
		}
		for _, line := range lines {
			if n := len([]rune(line)); n > 100 {
				t.Errorf("%s: %d columns: %s", name, n, line)
			}
		}
	}
}

// Every question has an answer, and the first screens of all forms say the same.
func inAllForms(t *testing.T, pages map[string]*report.Page) {
	t.Helper()
	for name, p := range pages {
		text, markdown, html := oneLine(written(t, p.Text)), oneLine(written(t, p.Markdown)), oneLine(written(t, p.HTML))
		for _, answer := range p.First.Answers {
			for form, of := range map[string]string{"text": text, "Markdown": strings.ReplaceAll(markdown, `\`, ""), "HTML": strings.ReplaceAll(html, "&#39;", "'")} {
				if !strings.Contains(of, oneLine(answer)) {
					t.Errorf("%s: %s lacks %q", name, form, answer)
				}
			}
		}
		if len(p.First.Answers) == 0 || len(p.First.Lights) < 2 || len(p.First.Next) == 0 {
			t.Errorf("%s: the first screen has %d answers, %d lights and %d steps", name, len(p.First.Answers), len(p.First.Lights), len(p.First.Next))
		}
		for i, block := range p.Blocks {
			h, ok := block.(report.Heading)
			if ok && h.Level == 2 && !strings.HasSuffix(h.Text, "?") {
				t.Errorf("%s: %q is not a question", name, h.Text)
			}
			if ok && i+1 < len(p.Blocks) {
				if next, ok := p.Blocks[i+1].(report.Heading); ok && next.Level == 2 {
					t.Errorf("%s: %q has no answer", name, h.Text)
				}
			}
		}
	}
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
