// Package cmd_test holds the rules of the whole repository: who may import
// whom, and that every package says what it is.
package cmd_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/sandtable-farm/sandtable"

// The layers from the top down. A package imports only packages of its own
// layer's folder or of layers below; dashboards and workers stand side by side.
var below = map[string][]string{
	"env":        {},
	"dataset":    {"env"},
	"selfplay":   {"dataset", "env"},
	"workers":    {"selfplay", "dataset", "env"},
	"dashboards": {"dataset", "env"},
	"cmd":        {"dashboards", "workers", "selfplay", "dataset", "env"},
}

// adapters names, for each third-party module in use outside tests, the only
// package that may import it.
var adapters = map[string]string{
	"github.com/axiomhq/hyperloglog":      "dataset",
	"github.com/gofrs/flock":              "dataset",
	"github.com/nats-io/nats.go":          "workers/natsq",
	"github.com/nats-io/nats-server":      "workers/natsq",
	"github.com/parquet-go/parquet-go":    "dataset/parquetio",
	"github.com/prometheus/client_golang": "workers/metrics",
	"github.com/spf13/cobra":              "cmd/sandtable",
	"github.com/spf13/pflag":              "cmd/sandtable",
	"gonum.org/v1/gonum":                  "dataset/stats",
	"golang.org/x/image":                  "env/render/raster",
	"gonum.org/v1/plot":                   "dashboards/plot",
}

// A source is one Go file with what the rules ask of it.
type source struct {
	pkg     string // folder below the module
	name    string
	test    bool
	imports []string
	file    *ast.File
}

func sources(t *testing.T) []source {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	var all []source
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() && path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "runs") {
			return filepath.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		s := source{pkg: filepath.ToSlash(folder), name: name, test: strings.HasSuffix(name, "_test.go"), file: file}
		for _, spec := range file.Imports {
			s.imports = append(s.imports, strings.Trim(spec.Path.Value, `"`))
		}
		all = append(all, s)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 20 {
		t.Fatalf("only %d Go files found below %s", len(all), root)
	}
	return all
}

func layer(pkg string) string {
	top, _, _ := strings.Cut(pkg, "/")
	return top
}

// isStandard reports whether a path is that of a package of the standard library: only
// these have no dot in the first element. The module's own path has one.
func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

func TestImportsPointDown(t *testing.T) {
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		allowed, known := below[layer(s.pkg)]
		if !known {
			t.Errorf("%s/%s is outside the agreed folders", s.pkg, s.name)
		}
		for _, path := range s.imports {
			inner, ok := strings.CutPrefix(path, module+"/")
			if ok && layer(inner) != layer(s.pkg) && !slices.Contains(allowed, layer(inner)) {
				t.Errorf("%s/%s imports %s, which is not below it", s.pkg, s.name, inner)
			}
		}
	}
}

// The painter of pictures is the one package below env with a library, since the standard
// library has neither a rasteriser of outlines nor a font.
func TestEnvImportsOnlyTheStandardLibrary(t *testing.T) {
	for _, s := range sources(t) {
		if layer(s.pkg) != "env" || s.test {
			continue
		}
		for _, path := range s.imports {
			adapter := s.pkg == "env/render/raster" && strings.HasPrefix(path, "golang.org/x/image/")
			if !strings.HasPrefix(path, module+"/") && !isStandard(path) && !adapter {
				t.Errorf("%s/%s imports %s", s.pkg, s.name, path)
			}
		}
	}
}

func TestOnlyTheTableOfGamesImportsEngines(t *testing.T) {
	all := sources(t)
	engines := map[string]bool{}
	for _, s := range all {
		for _, decl := range s.file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "Engine" && f.Type.Params.NumFields() == 0 && !s.test {
				engines[s.pkg] = true
			}
		}
	}
	if len(engines) < 2 {
		t.Fatalf("engines found: %v", engines)
	}
	for _, s := range all {
		for _, path := range s.imports {
			inner, ok := strings.CutPrefix(path, module+"/")
			if ok && engines[inner] && s.pkg != "env/games" && s.pkg != inner {
				t.Errorf("%s/%s imports the engine %s", s.pkg, s.name, inner)
			}
		}
	}
}

func TestEachLibraryHasOneAdapter(t *testing.T) {
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		for _, path := range s.imports {
			if isStandard(path) || strings.HasPrefix(path, module) {
				continue
			}
			adapter := ""
			for library, pkg := range adapters {
				if path == library || strings.HasPrefix(path, library+"/") {
					adapter = pkg
				}
			}
			// golang.org/x is the Go project's own extension of the standard library.
			if adapter != s.pkg && (adapter != "" || !strings.HasPrefix(path, "golang.org/x/")) {
				t.Errorf("%s/%s imports %s, whose adapter is %q", s.pkg, s.name, path, adapter)
			}
		}
	}
}

func TestEveryLibraryIsNamedInTheReadme(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for library := range adapters {
		if !strings.Contains(string(readme), library) {
			t.Errorf("README.md does not name %s", library)
		}
	}
}

func TestStatsImportsNothingOfTheProject(t *testing.T) {
	for _, s := range sources(t) {
		if s.pkg != "dataset/stats" {
			continue
		}
		for _, path := range s.imports {
			if strings.HasPrefix(path, module) && path != module+"/dataset/stats" {
				t.Errorf("%s/%s imports %s", s.pkg, s.name, path)
			}
		}
	}
}

func TestEveryPackageSaysWhatItIs(t *testing.T) {
	comments := map[string]int{}
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		comments[s.pkg] += 0
		if s.file.Doc != nil {
			comments[s.pkg]++
			text := s.file.Doc.Text()
			if !strings.HasPrefix(text, "Package ") && !strings.HasPrefix(text, "Command ") {
				t.Errorf("the package comment in %s/%s begins %q", s.pkg, s.name, text[:min(20, len(text))])
			}
		}
	}
	for pkg, n := range comments {
		if n != 1 {
			t.Errorf("%s has %d package comments", pkg, n)
		}
	}
}

func TestNoPackageIsNamedForNothing(t *testing.T) {
	for _, s := range sources(t) {
		if name := s.file.Name.Name; name == "util" || name == "utils" || name == "common" || name == "types" || name == "helpers" {
			t.Errorf("%s is a package called %s", s.pkg, name)
		}
	}
}

func TestNoInitFunctions(t *testing.T) {
	for _, s := range sources(t) {
		for _, decl := range s.file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" && !s.test {
				t.Errorf("%s/%s has an init function", s.pkg, s.name)
			}
		}
	}
}

// Package variables may only be errors, embedded files, interface assertions, compiled
// regular expressions, and tables: literals of arrays, maps and structs that no code of the
// package writes to, deletes from or takes the address of. The objects of the C library
// are the exception, because the functions that C calls have no receiver.
func TestNoPackageLevelMutableState(t *testing.T) {
	all := sources(t)
	written := map[string]bool{} // package and name of what is written to
	for _, s := range all {
		ast.Inspect(s.file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, left := range n.Lhs {
					if n.Tok != token.DEFINE {
						written[s.pkg+"."+root(left)] = true
					}
				}
			case *ast.CallExpr:
				if f, ok := n.Fun.(*ast.Ident); ok && (f.Name == "delete" || f.Name == "clear" || f.Name == "copy") {
					written[s.pkg+"."+root(n.Args[0])] = true
				}
			case *ast.IncDecStmt:
				written[s.pkg+"."+root(n.X)] = true
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					written[s.pkg+"."+root(n.X)] = true
				}
			}
			return true
		})
	}
	for _, s := range all {
		if s.test {
			continue
		}
		for _, decl := range s.file.Decls {
			g, ok := decl.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, spec := range g.Specs {
				v := spec.(*ast.ValueSpec)
				for i, name := range v.Names {
					table := isTable(v, i) && !written[s.pkg+"."+name.Name]
					objects := s.pkg == "cmd/libsandtable" && name.Name == "lib"
					if !table && !objects && !harmless(g, v, name.Name) {
						t.Errorf("%s/%s has the package variable %s", s.pkg, s.name, name.Name)
					}
				}
			}
		}
	}
}

// root returns the variable at the bottom of x[i].f and the like, "" for none.
func root(x ast.Expr) string {
	for {
		switch e := x.(type) {
		case *ast.Ident:
			return e.Name
		case *ast.IndexExpr:
			x = e.X
		case *ast.SelectorExpr:
			x = e.X
		case *ast.ParenExpr:
			x = e.X
		case *ast.SliceExpr:
			x = e.X
		default:
			return ""
		}
	}
}

// isTable reports whether value i of a declaration is a literal of an array, a map or a
// struct, or a compiled regular expression. A slice is none: others can keep and change it.
func isTable(v *ast.ValueSpec, i int) bool {
	if i >= len(v.Values) {
		return false
	}
	switch value := v.Values[i].(type) {
	case *ast.CompositeLit:
		array, isArray := value.Type.(*ast.ArrayType)
		return !isArray || array.Len != nil
	case *ast.CallExpr:
		f, ok := value.Fun.(*ast.SelectorExpr)
		return ok && root(f.X) == "regexp" && f.Sel.Name == "MustCompile"
	}
	return false
}

func harmless(g *ast.GenDecl, v *ast.ValueSpec, name string) bool {
	if name == "_" || strings.HasPrefix(name, "Err") || strings.HasPrefix(name, "err") {
		return true
	}
	for _, group := range []*ast.CommentGroup{g.Doc, v.Doc} {
		if group != nil {
			for _, c := range group.List {
				if strings.HasPrefix(c.Text, "//go:embed") {
					return true
				}
			}
		}
	}
	return false
}
