package report_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"html"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
)

// page is the page on so many games of a greedy agent against itself.
func page(t *testing.T, variant string, episodes int64) *report.Page {
	t.Helper()
	return report.Balance(analysis(t, variant, episodes, balance.Options{}))
}

// analysis is the report that the page is made of.
func analysis(t *testing.T, variant string, episodes int64, o balance.Options) *balance.Report {
	t.Helper()
	v, err := games.Lookup(variant)
	if err != nil {
		t.Fatal(err)
	}
	config := selfplay.Config{Variant: v, Opening: selfplay.Opening{Plies: 3}, MaxPlies: 300, Seed: 5}
	for i := range config.Agents {
		if config.Agents[i], err = agent.Parse("greedy", v, nil); err != nil {
			t.Fatal(err)
		}
	}
	plan, err := selfplay.NewPlan(config)
	if err != nil {
		t.Fatal(err)
	}
	settings := plan.Cut(max(1, episodes), 0).Settings()
	r, err := balance.Analyze(context.Background(), []balance.Source{{Name: "runs/<mine> & |yours|", Settings: &settings, Count: episodes,
		Episodes: func(yield func(*dataset.Episode, error) bool) {
			err := selfplay.PlayAll(context.Background(), plan, settings.Run(), 0, episodes, 1, func(ep *dataset.Episode) error {
				yield(ep, nil)
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		}}}, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func written(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(b.String(), "\u00a0", " ") // HTML keeps numbers and units together
}

func TestHTMLIsOneWellFormedFileThatAsksForNothing(t *testing.T) {
	for variant, figures := range map[string]int{"trench/standard": 4, "tankchess/16x16": 4, "ntxuva/basic": 3} {
		wellFormed(t, written(t, page(t, variant, 12).HTML), figures)
	}
}

// noNumber reports whether a text holds what Go writes for what is no number.
func noNumber(text string) bool { return regexp.MustCompile(`NaN|\bInf\b`).MatchString(text) }

// wellFormed checks a page in HTML with at least so many figures.
func wellFormed(t *testing.T, text string, figures int) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(strings.Replace(text, `<meta charset="utf-8">`, "", 1)))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	open := 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			open++
			if e.Name.Local == "script" || e.Name.Local == "link" || e.Name.Local == "img" || e.Name.Local == "iframe" {
				t.Errorf("the page has a %s", e.Name.Local)
			}
			for _, a := range e.Attr {
				if a.Name.Local == "src" || a.Name.Local == "href" && !strings.HasPrefix(a.Value, "#") {
					t.Errorf("the page asks for %s", a.Value)
				}
			}
		case xml.EndElement:
			open--
		}
	}
	if open != 0 {
		t.Errorf("%d elements are not closed", open)
	}
	if n := strings.Count(text, "<figure "); n < figures || n != strings.Count(text, "<svg") || n != strings.Count(text, "<figcaption>") {
		t.Errorf("%d figures, must be %d or more, each with a drawing and a caption", n, figures)
	}
	if regexp.MustCompile(`url\([^#]`).MatchString(text) || strings.Contains(text, "@import") || strings.Contains(text, "<mine>") || noNumber(text) {
		t.Error("the page asks for something, or is not escaped, or holds what is no number")
	}
}

func TestEveryFigureSaysHowManyItIsFrom(t *testing.T) {
	figuresTellN(t, written(t, page(t, "trench/standard", 30).HTML))
}

// figuresTellN checks the figures of a page in HTML.
func figuresTellN(t *testing.T, text string) {
	t.Helper()
	for _, caption := range regexp.MustCompile(`(?s)<figure class="plot">.*?</figure>`).FindAllString(text, -1) {
		if !strings.Contains(caption, "n = ") {
			t.Errorf("a figure does not tell its n: %.200s", caption)
		}
	}
}

// formsTellTheSame checks that the numbers of all tables are in all forms of a page,
// and returns it as text and as Markdown.
func formsTellTheSame(t *testing.T, p *report.Page) (text, markdown string) {
	t.Helper()
	text, markdown = written(t, p.Full), written(t, p.Markdown)
	plain := html.UnescapeString(strings.NewReplacer("<span>", "", "</span>", "").Replace(written(t, p.HTML)))
	for _, block := range p.Blocks {
		table, ok := block.(report.Table)
		if !ok {
			continue
		}
		for _, row := range table.Rows {
			for _, cell := range row {
				for form, of := range map[string]string{"text": text, "Markdown": html.UnescapeString(strings.ReplaceAll(markdown, `\`, "")), "HTML": plain} {
					if !hasWords(of, cell) && !(form == "text" && table.Leisure) {
						t.Errorf("%s does not tell %q", form, cell)
					}
				}
			}
		}
	}
	return text, markdown
}

// hasWords reports whether a text contains all words of another, which the lines of a
// terminal can separate.
func hasWords(text, words string) bool {
	for word := range strings.FieldsSeq(words) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

func TestTheWholeReportFitsATerminal(t *testing.T) {
	for name, p := range map[string]*report.Page{"balance": page(t, "trench/standard", 30), "compare": report.Compare(comparison(t, 10, "ntxuva/4", `ntxuva/4{"columns":5}`)), "handicap": handicaps(t, 400, unchanged())} {
		for line := range strings.Lines(written(t, p.Full)) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 100 && !strings.HasPrefix(line, "  ") { // a command has indivisible words
				t.Errorf("%s: a line has %d characters: %s", name, n, line)
			}
		}
	}
}

// unwrapped returns a text of a terminal on one line.
func unwrapped(text string) string { return strings.Join(strings.Fields(text), " ") }

func TestAllFormsTellTheSame(t *testing.T) {
	text, markdown := formsTellTheSame(t, page(t, "trench/standard", 30))
	for _, want := range []string{"# Balance of trench/standard", "## What are the pieces worth?", "| Soldier |", "sandtable methods", `\|yours\|`, "| a8 |"} {
		if !strings.Contains(markdown, want) {
			t.Errorf("Markdown does not tell %q", want)
		}
	}
	if strings.Contains(markdown, "<svg") || strings.Contains(text, "Fieller") || strings.Contains(text, "METHOD") {
		t.Error("Markdown has drawings, or the terminal is told of methods")
	}
}

func TestAPageOfNothingSaysSo(t *testing.T) {
	p := page(t, "ntxuva/4", 0)
	for _, text := range []string{written(t, p.Full), written(t, p.Markdown), written(t, p.HTML)} {
		for _, want := range []string{"There are no games", "No game has a result", "values cannot be estimated", "No agent has made a move"} {
			if !strings.Contains(text, want) {
				t.Errorf("the page does not tell %q:\n%.2000s", want, text)
			}
		}
	}
}

func TestWhatCannotBeToldHasNoNumber(t *testing.T) {
	for variant, n := range map[string]int64{"tankchess/16x16": 60, "ntxuva/4": 1} {
		text := written(t, page(t, variant, n).Full)
		for _, bad := range []string{"never (no bounds),", "1.00 (1.00 to 1.00)", " 0.00 (no bounds)", " 1 games", "1 clusters"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s: the page tells %q:\n%s", variant, bad, text)
			}
		}
	}
}

// A fault writes nothing, so that no half of a page stays.
type full struct{}

var errFull = errors.New("the disk is full")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestErrorsOfWritingAreReturned(t *testing.T) {
	p := page(t, "ntxuva/4", 2)
	for _, write := range []func(io.Writer) error{p.Text, p.Markdown, p.HTML} {
		if err := write(full{}); !errors.Is(err, errFull) {
			t.Errorf("the error is %v", err)
		}
	}
	p.Blocks = append(p.Blocks, report.Figure{Draw: func(io.Writer) error { return errFull }})
	if err := p.HTML(io.Discard); !errors.Is(err, errFull) {
		t.Errorf("the error is %v", err)
	}
}
