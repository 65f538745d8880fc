package cmd_test

import (
	"go/ast"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// bans are patterns of English that readers of this project had to read twice, each with
// the plain form. They hold in comments and strings of Go code outside tests, and in
// Markdown and YAML files.
var bans = [...]struct{ pattern, instead string }{
	{`\b(games to )?(tells?|told|telling)\b`, "report, show, state or return"},
	{`\b(of|to|by|for) who(ever)?\b`, "name the player or the process"},
	{`(\bthere )?\b(is|are|was) no \w+`, "is not a"},
	{`\bso (many|much|long as)\b`, "N, or a number by its name"},
	{`\b(nobody|somebody)\b`, "no worker, another process, no player"},
	{`\b(is|are) other\b`, "differs"},
	{`\b(anew|afresh|amiss|whence|thereof|whereof|hitherto|thither)\b`, "again, wrong, from which"},
	{`\bof (its|one's) own\b`, "its own, custom"},
	{`\b(plies|games|nodes|positions|moves|rows|bytes|seeds|jobs|kills|times|ns|µs) (?-i:an?) (second|minute|hour|ply|game|move|episode|player|node|core|job|action|position)\b`, "per"},
	{`\b(go|goes|going|gone|went) on (with|from|at)\b`, "resume, continue"},
	{`\bprov(e|es|ed|ing) (a |an |the |all |every |each )?(data|game|games|episode|episodes)\b`, "verify"},
	{`\b(gets?|got) on\b`, "progress"},
	{`\bit is there\b`, "it exists"},
}

// plain matches what a ban finds in plain sentences, too.
var plain = regexp.MustCompile(`(?i)^games to tell$|^there (is|are|was) no|no (longer|more|less|fewer|better|worse|larger|smaller|earlier|later|different)$`)

// dialect returns what a ban finds in a text, or "".
func dialect(ban *regexp.Regexp, text string) string {
	for _, found := range ban.FindAllString(text, -1) {
		if !plain.MatchString(found) {
			return found
		}
	}
	return ""
}

func TestTextsArePlainEnglish(t *testing.T) {
	var patterns []*regexp.Regexp
	for _, ban := range bans {
		patterns = append(patterns, regexp.MustCompile(`(?i)`+ban.pattern))
	}
	// A text that is part of a file's digest cannot be reworded: the commands of the
	// shipped weights reproduce the files to the byte.
	digested := map[string]string{"selfplay/learn/iteration.go": "%d games an iteration by %s, %d positions a game"}
	check := func(place, text string) {
		text = strings.Replace(text, digested[place], "", 1)
		for i, pattern := range patterns {
			if found := dialect(pattern, text); found != "" {
				t.Errorf("%s: %q in %q; write: %s", place, found, excerpt(text, found), bans[i].instead)
			}
		}
	}
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		place := s.pkg + "/" + s.name
		for _, group := range s.file.Comments {
			check(place, strings.Join(strings.Fields(group.Text()), " "))
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				check(place, strings.Join(strings.Fields(literal.Value), " "))
			}
			return true
		})
	}
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := entry.Name(); entry.IsDir() && (name == "testdata" || name == "runs" || len(name) > 2 && name[0] == '.') {
			return filepath.SkipDir
		}
		if ext := filepath.Ext(path); ext != ".md" && ext != ".yml" {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for paragraph := range strings.SplitSeq(string(data), "\n\n") {
			check(path, strings.Join(strings.Fields(paragraph), " "))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// excerpt returns what surrounds a part of a text.
func excerpt(text, part string) string {
	const around = 40
	at := strings.Index(text, part)
	return strings.ToValidUTF8(text[max(0, at-around):min(len(text), at+len(part)+around)], "")
}

// TestTheBansFindWhatTheyAreFor gives each ban a sentence that it must find, and plain
// sentences that none may find.
func TestTheBansFindWhatTheyAreFor(t *testing.T) {
	for i, sentence := range []string{
		"the report tells the score", "the move of who is ahead", "chess is no game", "after so many plies", "nobody answers",
		"its speed is other", "begins anew", "a file of its own", "plies a second", "goes on from there", "proves every game",
		"how a farm gets on", "when it is there",
	} {
		if dialect(regexp.MustCompile(`(?i)`+bans[i].pattern), sentence) == "" {
			t.Errorf("%q does not find %q", bans[i].pattern, sentence)
		}
	}
	for _, sentence := range []string{
		"It is no longer used.", "There is no more room.", "There is no limit.", "a score of no less than 3", "Report shows the score.", "10 plies per second",
		"Too few games to tell.", "The player who moved last wins.", "It continues from the last position.",
	} {
		for _, ban := range bans {
			if dialect(regexp.MustCompile(`(?i)`+ban.pattern), sentence) != "" {
				t.Errorf("%q finds %q", ban.pattern, sentence)
			}
		}
	}
}
