package external_test

import (
	"bufio"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain lets the test binary be the external program, so that the tests need
// nothing but Go: its first argument is then "program", the second says how it
// behaves.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "program" {
		program(os.Args[2])
		return
	}
	_ = os.Setenv("GORACE", "atexit_sleep_ms=0") // so that programs under the race detector end at once
	os.Exit(m.Run())
}

// program plays the first legal move, and does what its manner says.
func program(manner string) {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	var position, legal string
	games, goes := 0, 0
	for in.Scan() {
		word, rest, _ := strings.Cut(in.Text(), " ")
		switch word {
		case "sandtable":
			introduce(manner)
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
			if games++; manner == "exits at newgame" {
				os.Exit(4)
			}
			fmt.Println("ready")
		case "position":
			position = rest
		case "legal":
			legal = rest
		case "go":
			goes++
			number, _, _ := strings.Cut(rest, " ")
			answer(manner, number, strings.Fields(legal), games, goes, in.Text(), position)
		case "quit":
			if manner == "stubborn" {
				signal.Ignore(syscall.SIGTERM, os.Interrupt)
				time.Sleep(time.Hour)
			}
			return
		}
	}
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
func answer(manner, number string, legal []string, games, goes int, line, position string) {
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
		if games == 1 && position != "" && goes == 2 {
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
