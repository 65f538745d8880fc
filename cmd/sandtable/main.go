// Command sandtable plays, records and examines board games of manoeuvre.
//
// It is the one binary of the project: every job of the farm, every look at a
// data set and every engine is reached through its commands. See
// sandtable --help.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	code := run(ctx, os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr})
	os.Exit(code)
}
