package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dashboards/report"
)

// reportFlags are the flags of commands that publish a report.
type reportFlags struct {
	file   string
	asJSON bool
	full   bool
	write  func(*report.Page) error // writes the file; set by check
}

func (f *reportFlags) add(cmd *cobra.Command) {
	jsonFlag(cmd, &f.asJSON)
	cmd.Flags().StringVar(&f.file, "report", "", "also write a report to this `FILE`: .html or .md")
	cmd.Flags().BoolVar(&f.full, "full", false, "write all numbers, and not only the first screen")
}

// check checks the name of the file.
func (f *reportFlags) check() error {
	write, err := reportWriter(f.file)
	f.write = write
	return err
}

// publish writes a report to the file of the flags and to standard output, as JSON or as
// text. It writes to standard output even if the file cannot be written.
func (a *app) publish(page *report.Page, data any, f *reportFlags) error {
	err := f.write(page)
	switch {
	case f.asJSON:
		return errors.Join(err, writeJSON(a.out, data))
	case f.full:
		return errors.Join(err, page.Full(a.out))
	}
	err = errors.Join(err, page.Text(a.out))
	_, last := fmt.Fprintln(a.out, "\nAll numbers: the same command with --full, or with --report FILE.html for a page with figures.")
	return errors.Join(err, last)
}

// reportWriter returns a function that writes a page to a file atomically, as HTML or
// Markdown by the file's extension. If file is "", the function does nothing.
func reportWriter(file string) (func(*report.Page) error, error) {
	form := (*report.Page).HTML
	switch filepath.Ext(file) {
	case ".html":
	case ".md":
		form = (*report.Page).Markdown
	default:
		if file != "" {
			return nil, fmt.Errorf("--report is %q, must end in .html or .md", file)
		}
		return func(*report.Page) error { return nil }, nil
	}
	if err := checkFile(file); err != nil {
		return nil, fmt.Errorf("--report: %w", err)
	}
	return func(p *report.Page) error {
		return writeFile(file, func(w io.Writer) error { return form(p, w) })
	}, nil
}
