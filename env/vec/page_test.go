package vec_test

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/vec"
)

func TestTheCodeOfThePageIsAnExampleThatRuns(t *testing.T) {
	page, source := read(t, "README.md"), read(t, "example_test.go")
	_, rest, _ := strings.Cut(page, "```go\n")
	code, _, ok := strings.Cut(rest, "```")
	if !ok || !strings.Contains(strings.ReplaceAll(source, "\n\t", "\n"), strings.TrimSpace(code)) {
		t.Error("the code on the page is not that of Example")
	}
}

// Names in backquotes must exist, here or in the library that is compared.
func TestThePageNamesOnlyWhatThereIs(t *testing.T) {
	known := map[string]bool{}
	for _, value := range []any{vec.Results{}, vec.Options{}, env.Spec{}, env.Plane{}} {
		for i := range reflect.TypeOf(value).NumField() {
			known[reflect.TypeOf(value).Field(i).Name] = true
		}
	}
	for _, typ := range []reflect.Type{reflect.TypeFor[*vec.Vec](), reflect.TypeFor[*env.Spec](), reflect.TypeFor[env.State](), reflect.TypeFor[env.Game]()} {
		for i := range typ.NumMethod() {
			known[typ.Method(i).Name] = true
		}
	}
	for _, name := range []string{"New", "NewPolicy", "Lookup", "Derive", "NextStep", "SameStep", "Disabled", "IllegalLoses", "NoPlayer", "Options", "Spec", "State", "Plane"} {
		known[name] = true
	}
	theirs := map[string]bool{"VectorEnv": true, "Discrete": true, "Box": true, "TimeLimit": true, "AutoresetMode": true, "RecordEpisodeStatistics": true, "None": true}
	for _, quoted := range regexp.MustCompile("`[^`\n]+`").FindAllString(strings.ReplaceAll(read(t, "README.md"), "```", ""), -1) {
		for _, name := range regexp.MustCompile(`\b[A-Z][a-z]\w*`).FindAllString(quoted, -1) {
			if !known[name] && !theirs[name] {
				t.Errorf("%s names %s, which does not exist", quoted, name)
			}
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
