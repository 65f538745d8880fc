// Command sandtable plays, records and analyses board games of manoeuvre.
//
// It is the only binary of the project. Its commands reach every engine, every role
// of the farm and every data set. See sandtable --help.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// quickEnd is how long a command may take to end before a user should hear of it.
const quickEnd = 2 * time.Second

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() {
		stop() // a second Ctrl-C ends the program at once
		time.Sleep(quickEnd)
		fmt.Fprintln(os.Stderr, "sandtable: stopping; Ctrl-C again ends it at once")
	})
	code := run(ctx, os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr})
	os.Exit(code)
}
