// Package externaltest lets a test binary run as an external program, so that tests
// with external programs need only Go.
package externaltest

import (
	"bufio"
	"encoding/base64"
	"encoding/binary"
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

// mark is the argument with which a test binary runs as a program.
const mark = "external-program"

// Main runs the program if the arguments of the test binary ask for it, and reports
// whether they did. The caller, a TestMain, then returns.
func Main() (played bool) {
	if len(os.Args) != 3 || os.Args[1] != mark {
		// Otherwise a program exits late under the race detector.
		_ = os.Setenv("GORACE", "atexit_sleep_ms=0")
		return false
	}
	p := program{manner: os.Args[2]}
	p.play()
	return true
}

// Command returns the command that runs this test binary as a program. The program plays
// the first legal move, and crashes if the legal moves that it receives are not those of
// the position. manner selects a deviation, one of the cases below; "legal" means none.
func Command(t testing.TB, manner string) []string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return []string{exe, mark, manner}
}

type program struct {
	manner   string
	state    env.State
	spec     *env.Spec
	position string // the rest of the last position line
	legal    []string
	observed string   // the rest of the last observation line
	batch    int      // questions that are to come
	answers  []string // of the batch, the last question first
	games    int      // begun
	asked    int      // go lines received
}

func (p *program) play() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		word, rest, _ := strings.Cut(in.Text(), " ")
		switch word {
		case "sandtable":
			p.introduce()
		case "variant":
			_, name, _ := strings.Cut(rest, " ")
			v, err := games.Lookup(name)
			p.must(err)
			p.state, p.spec = env.NewState(v.Game), v.Game.Spec()
		case "rules":
			p.accept()
		case "newgame":
			if p.games++; p.manner == "exits at newgame" {
				os.Exit(4)
			}
			fmt.Println("ready")
		case "position":
			p.position = rest
		case "layout":
			fmt.Println("ready")
		case "batch":
			_, err := fmt.Sscan(rest, &p.batch)
			p.must(err)
		case "observation":
			p.observed = rest
		case "actions":
			p.legal = strings.Fields(rest)
			if p.manner == "numbers" {
				p.checkNumbers()
			}
		case "legal":
			p.legal = strings.Fields(rest)
			p.check()
		case "go":
			p.asked++
			if p.batch > 0 {
				p.collect(rest)
			} else {
				p.answer(rest)
			}
		case "quit":
			p.quit()
			return
		}
	}
	p.quit()
}

func (p *program) must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(5)
	}
}

func (p *program) introduce() {
	switch p.manner {
	case "chatty":
		fmt.Println("hello")
	case "dies":
		fmt.Fprintln(os.Stderr, "\x1b[31mno licence")
		os.Exit(3)
	}
	switch p.manner {
	case "numbers":
		fmt.Print("protocol 2\nwants actions\nwants observation bits\nready\n")
		return
	case "batches", "batches, exits":
		fmt.Print("protocol 2\nwants actions\nwants observation planes\nwants no position\nwants batch 3\nready\n")
		return
	case "protocol 9":
		fmt.Print("protocol 9\nready\n")
		return
	case "batch of version 1":
		fmt.Print("wants batch 3\nready\n")
		return
	}
	fmt.Print("id Test Program 7\r\nwants legal\n\nready\n")
}

// accept answers the rules.
func (p *program) accept() {
	switch p.manner {
	case "numbers", "batches", "batches, exits": // layout follows
	case "refuses":
		fmt.Println("error I know chess only")
	case "sleeps":
		time.Sleep(time.Hour)
	default:
		fmt.Println("ready")
	}
}

// collect answers a go line of a batch, after the last one.
func (p *program) collect(rest string) {
	number, _, _ := strings.Cut(rest, " ")
	planes, err := base64.StdEncoding.DecodeString(p.observed)
	if err != nil || len(planes) != p.spec.ObservationSize() || p.position != "" || !strings.Contains(rest, " seed ") {
		p.must(fmt.Errorf("observation of %d bytes (%v), position %q, go %s", len(planes), err, p.position, rest))
	}
	if p.manner == "batches, exits" && p.asked > 6 {
		os.Exit(3)
	}
	p.answers = append([]string{"move " + number + " " + p.legal[0]}, p.answers...)
	if len(p.answers) < p.batch {
		return
	}
	time.Sleep(2 * time.Millisecond) // other games ask meanwhile
	for _, answer := range p.answers {
		fmt.Println(answer, "nodes", p.batch)
	}
	p.answers, p.batch = nil, 0
}

// checkNumbers crashes unless the actions and the observation are those of the position.
func (p *program) checkNumbers() {
	p.place()
	if want, got := strings.Trim(fmt.Sprint(p.state.Legal(nil)), "[]"), strings.Join(p.legal, " "); got != want {
		p.must(fmt.Errorf("actions after %s are %s, received %s", p.position, want, got))
	}
	packed, scalars := make([]uint64, p.spec.ObservationBitWords()), make([]uint8, p.spec.ObservationScalars())
	planes := make([]uint8, p.spec.ObservationSize())
	p.state.Observe(planes, p.state.Player())
	p.spec.PackObservation(packed, scalars, planes)
	var bits []byte
	for _, w := range packed {
		bits = binary.LittleEndian.AppendUint64(bits, w)
	}
	if want := base64.StdEncoding.EncodeToString(bits) + " " + base64.StdEncoding.EncodeToString(scalars); p.observed != want {
		p.must(fmt.Errorf("the observation after %s is %s, received %s", p.position, want, p.observed))
	}
}

// place sets the state to the last position.
func (p *program) place() {
	start, moves, _ := strings.Cut(p.position, " moves")
	p.must(p.state.SetPosition(start))
	for _, move := range strings.Fields(moves) {
		a, err := p.state.ParseAction(move)
		p.must(err)
		p.state.Apply(a)
	}
}

// check crashes unless the legal moves are those of the position.
func (p *program) check() {
	p.place()
	var texts []string
	for _, a := range p.state.Legal(nil) {
		texts = append(texts, env.ActionText(p.state, a))
	}
	if want, got := fmt.Sprint(texts), fmt.Sprint(p.legal); got != want {
		p.must(fmt.Errorf("legal after %s are %s, received %s", p.position, want, got))
	}
}

// answer answers a go line.
func (p *program) answer(limits string) {
	number, _, _ := strings.Cut(limits, " ")
	move := "move " + number + " " + p.legal[0]
	switch p.manner {
	case "full":
		fmt.Println("info depth 1 score 3 nodes 5 pv", p.legal[0])
		fmt.Printf("%s value -0.25 score -120 nodes 5000 depth 7 visits %s:3,%s:0\n", move, p.legal[1], p.legal[0])
	case "quotes":
		p.must(fmt.Errorf("position %s\ngo %s", p.position, limits))
	case "illegal":
		fmt.Println("move", number, "a1-a1")
	case "mute":
		fmt.Println("move", number)
	case "garbage":
		fmt.Println("bestmove", p.legal[0])
	case "exits":
		fmt.Fprintln(os.Stderr, "out of memory")
		os.Exit(3)
	case "exits once":
		if p.games == 1 && p.asked == 2 {
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
		fmt.Printf("%s\n%s\n", move, move)
	case "thinks": // reports its process id as nodes
		for range 20 { // it would wake at once after standing still in one long sleep
			time.Sleep(5 * time.Millisecond)
		}
		fmt.Println(move, "nodes", os.Getpid())
	case "child", "setsid": // reports the process id of a child as nodes
		command := []string{"/bin/sleep", "3600"}
		if p.manner == "setsid" {
			command = append([]string{"/usr/bin/setsid"}, command...)
		}
		child, err := os.StartProcess(command[0], command, &os.ProcAttr{Files: []*os.File{nil, os.Stdout, os.Stderr}})
		p.must(err)
		fmt.Println(move, "nodes", child.Pid)
	case "pid", "stubborn": // reports its process id as nodes
		fmt.Println(move, "nodes", os.Getpid())
	default:
		fmt.Println(move)
	}
}

// quit ends the program, unless it is stubborn.
func (p *program) quit() {
	if p.manner == "stubborn" {
		signal.Ignore(syscall.SIGTERM, os.Interrupt)
		time.Sleep(time.Hour)
	}
}
