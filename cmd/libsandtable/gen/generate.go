package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/cmd/libsandtable/library"
)

// A function is an exported function of the library with the ctypes of its arguments.
type function struct {
	name      string
	arguments []string
}

// generate returns the module for the library whose source is in a folder.
func generate(folder string) (string, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return "", err
	}
	var all []function
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			return "", err
		}
		for _, decl := range parsed.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || !isExported(f) {
				continue
			}
			one, err := signature(f)
			if err != nil {
				return "", fmt.Errorf("%s: %w", file, err)
			}
			all = append(all, one)
		}
	}
	if len(all) == 0 {
		return "", fmt.Errorf("%s has no exported functions", folder)
	}
	slices.SortFunc(all, func(a, b function) int { return strings.Compare(a.name, b.name) })
	return module(all), nil
}

// isExported reports whether C sees a function.
func isExported(f *ast.FuncDecl) bool {
	return f.Doc != nil && slices.ContainsFunc(f.Doc.List, func(c *ast.Comment) bool { return c.Text == "//export "+f.Name.Name })
}

// signature returns a function, whose arguments and result have the types of the border.
func signature(f *ast.FuncDecl) (function, error) {
	types := map[string]string{"int64": "c_int64", "uint64": "c_uint64", "unsafe.Pointer": "c_void_p"}
	one := function{name: f.Name.Name}
	for _, field := range f.Type.Params.List {
		name := typeName(field.Type)
		ctype, ok := types[name]
		if !ok {
			return one, fmt.Errorf("%s has an argument of type %s, must be int64, uint64 or unsafe.Pointer", one.name, name)
		}
		for range field.Names {
			one.arguments = append(one.arguments, ctype)
		}
	}
	if results := f.Type.Results; results.NumFields() != 1 || typeName(results.List[0].Type) != "int64" {
		return one, fmt.Errorf("%s must return an int64", one.name)
	}
	return one, nil
}

// typeName returns the text of a plain or qualified type name.
func typeName(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return typeName(x.X) + "." + x.Sel.Name
	}
	return "?"
}

func module(all []function) string {
	var out strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	line(`"""Numbers, names and functions of the C library.`)
	line("")
	line(`Written by "go run ./cmd/libsandtable/gen"; do not edit.`)
	line(`"""`)
	line("")
	line("from ctypes import c_int64, c_uint64, c_void_p")
	line("from typing import Any, Final")
	line("")
	line("VERSION: Final = %d", library.Version)
	line("PENDING: Final = 1 << 62")
	line("")
	line("KINDS: Final = (%s)", quoted(library.Kinds()))
	line("OUTPUTS: Final = (%s)", quoted(library.OutputSets()))
	line("")
	line("# The arguments of each function; all return int64.")
	line("FUNCTIONS: Final[dict[str, tuple[Any, ...]]] = {")
	for _, f := range all {
		arguments := strings.Join(f.arguments, ", ")
		if len(f.arguments) == 1 {
			arguments += ","
		}
		if text := fmt.Sprintf("    %q: (%s),", f.name, arguments); len(text) <= lineLength {
			line("%s", text)
			continue
		}
		line("    %q: (", f.name)
		for _, a := range f.arguments {
			line("        %s,", a)
		}
		line("    ),")
	}
	line("}")
	return out.String()
}

// lineLength is the longest line that the formatter of the Python sources leaves whole.
const lineLength = 88

func quoted[T ~string](texts []T) string {
	var all []string
	for _, t := range texts {
		all = append(all, fmt.Sprintf("%q", string(t)))
	}
	return strings.Join(all, ", ")
}
