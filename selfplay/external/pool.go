package external

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// A Launcher starts the processes of one program. If the program asks for batches, all its
// Agents share one process; otherwise each has its own. The zero value is ready to use, and
// it is safe for concurrent use.
type Launcher struct {
	mu    sync.Mutex
	pool  *pool // nil if none is open
	users int   // Agents of pool
}

// New is the function [New] for Agents that can share a process. All calls must have the same
// arguments.
func (l *Launcher) New(command []string, v *variant.Variant, limits Limits) (*Agent, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	a := newAgent(v)
	if l.pool == nil {
		c, err := newConnection(command, v, limits)
		if err != nil {
			return nil, err
		}
		if c.wants.batch == 0 {
			a.connection = c
			return a, nil
		}
		l.pool = newPool(c, limits)
	}
	l.users++
	a.pool, a.launcher = l.pool, l
	return a, nil
}

// leave closes the pool after its last Agent.
func (l *Launcher) leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.users--; l.users == 0 {
		l.pool.connection.quit()
		l.pool = nil
	}
}

// A pool collects the questions of several Agents. While a batch is out, the next questions
// wait; one of their Agents then sends them as the next batch.
type pool struct {
	limits Limits

	mu      sync.Mutex
	waiting []*request

	turn       chan struct{} // holds an element while an Agent uses what follows
	connection *connection
	last       int // size of the last batch
}

func newPool(c *connection, limits Limits) *pool {
	return &pool{limits: limits, turn: make(chan struct{}, 1), connection: c}
}

// A request is a question of an Agent that waits for its answer.
type request struct {
	question func(dst []byte, wants *wants, number int) []byte
	parse    func(wants *wants) parser
	found    *dataset.Search

	action   env.Action
	err      error
	answered chan struct{} // closed when action and err are set
}

// gather is how long a question waits for others, if fewer wait than the last batch had.
const gather = 200 * time.Microsecond

// ask returns the answer to a question.
func (p *pool) ask(r *request) (env.Action, error) {
	r.answered, r.action = make(chan struct{}), env.NoAction
	p.mu.Lock()
	p.waiting = append(p.waiting, r)
	p.mu.Unlock()
	for {
		select {
		case <-r.answered:
			return r.action, r.err
		case p.turn <- struct{}{}:
			p.lead()
			<-p.turn
		}
	}
}

// lead sends the questions that wait, if there are any.
func (p *pool) lead() {
	p.mu.Lock()
	few := len(p.waiting) < min(p.last, p.connection.wants.batch)
	p.mu.Unlock()
	if few {
		time.Sleep(gather)
	}
	p.mu.Lock()
	n := min(len(p.waiting), max(1, p.connection.wants.batch))
	batch := slices.Clone(p.waiting[:n])
	p.waiting = slices.Delete(p.waiting, 0, n)
	p.mu.Unlock()
	if n == 0 {
		return
	}
	p.last = n
	p.send(batch)
	for _, r := range batch {
		close(r.answered)
	}
}

// run starts the program again after a crash.
func (p *pool) run() error {
	p.turn <- struct{}{}
	defer func() { <-p.turn }()
	return p.connection.run()
}

func (p *pool) name() string {
	p.turn <- struct{}{}
	defer func() { <-p.turn }()
	return p.connection.name()
}

// send sends a batch and sets the answers.
func (p *pool) send(batch []*request) {
	c := p.connection
	fail := func(err error) {
		for _, r := range batch {
			if r.action == env.NoAction && r.err == nil {
				r.err = err
			}
		}
	}
	if err := c.run(); err != nil {
		fail(err)
		return
	}
	open := map[string]*request{}
	numbers := map[string]int{}
	lines := fmt.Appendf(nil, "batch %d\n", len(batch))
	for _, r := range batch {
		c.number++
		word := fmt.Sprint(c.number)
		open[word], numbers[word] = r, c.number
		lines = r.question(lines, &c.wants, c.number)
	}
	err := c.exchange(p.limits.Time+p.limits.Grace, lines, func(line string) (more bool, err error) {
		words := strings.Fields(line)
		if words[0] == "info" {
			return true, nil
		}
		if len(words) < 2 || open[words[1]] == nil {
			return false, faultf(env.Crashed, "program wrote %q, must answer a question of the batch", shortened(line))
		}
		r := open[words[1]]
		r.action, _, r.err = parseAnswer(line, r.parse(&c.wants), numbers[words[1]], r.found)
		if f, ok := r.err.(*fault); ok && f.reason == env.Crashed {
			return false, f
		}
		delete(open, words[1])
		return len(open) > 0, nil
	})
	if err != nil {
		fail(err)
		return
	}
	c.lost = 0
}
