// Command sandtable plays, records and analyses board games of manoeuvre.
//
// It is the only binary of the project. Its commands reach every engine, every role
// of the farm and every data set. See sandtable --help.
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
