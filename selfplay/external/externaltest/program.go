// Package externaltest lets a test binary be an external program, so that tests of
// whatever plays with one need nothing but Go.
package externaltest

import (
	"bufio"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
)

// mark is the argument that makes a test binary a program.
const mark = "external-program"

// Main plays where the arguments of the test binary say so, and then reports true:
// the caller, a TestMain, has nothing more to do.
func Main() (played bool) {
	if len(os.Args) != 3 || os.Args[1] != mark {
		// Under the race detector a program would linger at its end.
		_ = os.Setenv("GORACE", "atexit_sleep_ms=0")
		return false
	}
	program(os.Args[2])
	return true
}

// Command returns the command that runs this test binary as a program with a
// manner: legal, which plays the first legal move, or one of those below.
func Command(t testing.TB, manner string) []string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return []string{exe, mark, manner}
}

// program plays the first legal move, and does what its manner says. It knows
// the rules, and ends with an error when it is told other moves than they allow.
func program(manner string) {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	var state env.State
	var position, legal string
	begun, goes := 0, 0
	for in.Scan() {
		word, rest, _ := strings.Cut(in.Text(), " ")
		switch word {
		case "sandtable":
			introduce(manner)
		case "variant":
			_, name, _ := strings.Cut(rest, " ")
			v, err := games.Lookup(name)
			if err != nil {
				fail(err)
			}
			state = env.NewState(v.Game)
		case "rules":
			switch manner {
			case "refuses":
				fmt.Println("error I know chess only")
			case "sleeps":
				time.Sleep(time.Hour)
			default:
				fmt.Println("ready")
			}
		case "newgame":
			if begun++; manner == "exits at newgame" {
				os.Exit(4)
			}
			fmt.Println("ready")
		case "position":
			position = rest
		case "legal":
			legal = rest
			if got := legalAt(state, position); got != legal {
				fail(fmt.Errorf("position %s has %s, told %s", position, got, legal))
			}
		case "go":
			goes++
			number, _, _ := strings.Cut(rest, " ")
			answer(manner, number, strings.Fields(legal), begun, goes, in.Text(), position)
		case "quit":
			if manner == "stubborn" {
				signal.Ignore(syscall.SIGTERM, os.Interrupt)
				time.Sleep(time.Hour)
			}
			return
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(5)
}

// legalAt returns the legal moves after those of a position line.
func legalAt(s env.State, line string) string {
	start, moves, _ := strings.Cut(line, " moves")
	if err := s.SetPosition(start); err != nil {
		fail(err)
	}
	for _, move := range strings.Fields(moves) {
		a, err := s.ParseAction(move)
		if err != nil {
			fail(err)
		}
		s.Apply(a)
	}
	var texts []string
	for _, a := range s.Legal(nil) {
		texts = append(texts, env.ActionText(s, a))
	}
	return strings.Join(texts, " ")
}

func introduce(manner string) {
	switch manner {
	case "chatty":
		fmt.Println("hello")
	case "dies":
		fmt.Fprintln(os.Stderr, "no licence")
		os.Exit(3)
	}
	fmt.Print("id Test Program 7\r\nwants legal\n\nready\n")
}

// answer answers a go line.
func answer(manner, number string, legal []string, begun, goes int, line, position string) {
	move := "move " + number + " " + legal[0]
	switch manner {
	case "full":
		fmt.Println("info depth 1 score 3 nodes 5 pv", legal[0])
		fmt.Printf("%s value -0.25 score -120 nodes 5000 depth 7 visits %s:3,%s:0\n", move, legal[1], legal[0])
	case "asked":
		fmt.Fprintln(os.Stderr, line)
		fmt.Fprintln(os.Stderr, "position "+position)
		os.Exit(1)
	case "illegal":
		fmt.Println("move", number, "a1-a1")
	case "mute":
		fmt.Println("move", number)
	case "garbage":
		fmt.Println("bestmove", legal[0])
	case "exits":
		fmt.Fprintln(os.Stderr, "out of memory")
		os.Exit(3)
	case "exits once":
		if begun == 1 && position != "" && goes == 2 {
			os.Exit(3)
		}
		fmt.Println(move)
	case "closes":
		os.Stdout.Close()
		time.Sleep(time.Hour)
	case "hangs":
		time.Sleep(time.Hour)
	case "floods":
		for {
			fmt.Println("info", strings.Repeat("thinking ", 100))
		}
	case "long":
		fmt.Println(strings.Repeat("x", 2<<20))
	case "halves":
		fmt.Print(move)
		os.Exit(0)
	case "resigns":
		fmt.Println("resign", number)
	case "twice":
		fmt.Println(move)
		fmt.Println(move)
	case "parent":
		child, err := os.StartProcess("/bin/sleep", []string{"sleep", "3600"}, &os.ProcAttr{Files: []*os.File{nil, os.Stdout, os.Stderr}})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s nodes %d\n", move, child.Pid)
	case "pid":
		fmt.Printf("%s nodes %d\n", move, os.Getpid())
	default:
		fmt.Println(move)
	}
}
