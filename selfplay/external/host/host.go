// Package host plays an agent of this module as an external program: it is the other side
// of the line protocol of package external. So one build of Sandtable plays another, and
// programs of other people play its agents.
package host

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
)

// A Host answers one conversation. Its agent thinks within its own limits: the limits in
// go lines are not used.
type Host struct {
	// Name is what the program calls itself, a name and a version in one line.
	Name string
	// New makes the agent for the rule set of the conversation. Its error is sent to the
	// other side, which then cannot use the program. The Host closes an agent that is an
	// io.Closer.
	New func(v *variant.Variant) (agent.Agent, error)
}

// mostLine bounds a line, in bytes. The rules are the longest line of most conversations.
const mostLine = 16 << 20

// Serve reads lines from in and answers on out until "quit" or the end of the input. It
// returns an error if the other side breaks the protocol, after it has sent "error TEXT"
// if an answer was due.
func (h *Host) Serve(in io.Reader, out io.Writer) (err error) {
	c := conversation{host: h, out: bufio.NewWriter(out)}
	defer func() { err = errors.Join(err, c.close()) }()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, mostLine)
	for lines.Scan() {
		word, rest, _ := strings.Cut(strings.TrimSpace(lines.Text()), " ")
		if word == "quit" {
			return nil
		}
		if err := c.answer(word, rest); err != nil {
			fmt.Fprintf(c.out, "error %s\n", strings.ReplaceAll(err.Error(), "\n", "; "))
			return errors.Join(err, c.out.Flush())
		}
		if err := c.out.Flush(); err != nil {
			return fmt.Errorf("writing an answer: %w", err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("reading a line: %w", err)
	}
	return nil
}

// conversation is the state of one call of Serve.
type conversation struct {
	host   *Host
	out    *bufio.Writer
	digest string      // of the rules to come
	agent  agent.Agent // nil before the rules

	seed     uint64
	position string    // the last position line
	start    env.State // of the game
	now      env.State // after the moves of position
	legal    []env.Action
	search   dataset.Search
	line     []byte
}

// answer handles one line.
func (c *conversation) answer(word, rest string) error {
	switch word {
	case "":
		return nil
	case "sandtable":
		return c.introduce(rest)
	case "variant":
		c.digest, _, _ = strings.Cut(rest, " ")
		return nil
	case "rules":
		return c.accept(rest)
	}
	if c.agent == nil {
		return fmt.Errorf("%q came before the rules", word)
	}
	switch word {
	case "newgame":
		return c.begin(rest)
	case "position":
		return c.place(rest)
	case "legal":
		return nil // not wanted
	case "go":
		return c.choose(rest)
	}
	return fmt.Errorf("%q is not a line of the protocol", word)
}

func (c *conversation) introduce(version string) error {
	if version != "1" {
		return fmt.Errorf("protocol version is %q, must be 1", version)
	}
	if c.host.Name != "" {
		fmt.Fprintf(c.out, "id %s\n", c.host.Name)
	}
	c.out.WriteString("ready\n")
	return nil
}

// accept reads the rules and makes the agent.
func (c *conversation) accept(rules string) error {
	v, err := games.FromRules([]byte(rules), c.digest)
	if err != nil {
		return err
	}
	if err := c.close(); err != nil {
		return err
	}
	if c.agent, err = c.host.New(v); err != nil {
		return err
	}
	c.start, c.now, c.position = env.NewState(v.Game), env.NewState(v.Game), ""
	c.out.WriteString("ready\n")
	return nil
}

func (c *conversation) begin(seed string) (err error) {
	if c.seed, err = strconv.ParseUint(seed, 10, 64); err != nil {
		return fmt.Errorf("seed is %q, must be a whole number from 0 to 2^64-1", seed)
	}
	c.agent.Begin(c.seed)
	c.position = ""
	c.out.WriteString("ready\n")
	return nil
}

// place sets the position. If the line continues the one before it, only the further
// moves are played.
func (c *conversation) place(line string) error {
	moves, same := strings.CutPrefix(line, c.position)
	if c.position == "" || !same || moves != "" && moves[0] != ' ' {
		text, rest, ok := strings.Cut(line+" ", " moves ")
		if !ok {
			return errors.New(`a position has no "moves"`)
		}
		if err := c.start.SetPosition(text); err != nil {
			return fmt.Errorf("position: %w", err)
		}
		c.now.CopyFrom(c.start)
		if w, ok := c.agent.(agent.Watcher); ok {
			if err := w.Watch(c.start); err != nil {
				return err
			}
		}
		moves = rest
	}
	c.position = "" // in case of an error
	for text := range strings.FieldsSeq(moves) {
		if c.now.Player() == env.NoPlayer {
			return fmt.Errorf("move %s comes after the end of the game", text)
		}
		action, err := c.now.ParseAction(text)
		if err != nil {
			return err
		}
		if w, ok := c.agent.(agent.Watcher); ok {
			w.Played(action)
		}
		c.now.Apply(action)
	}
	c.position = line
	return nil
}

// choose answers a go line.
func (c *conversation) choose(rest string) error {
	number, _, _ := strings.Cut(rest, " ")
	if n, err := strconv.Atoi(number); err != nil || n < 0 {
		return fmt.Errorf("go %q needs a number", rest)
	}
	if c.position == "" {
		return errors.New("go came before a position")
	}
	if c.now.Player() == env.NoPlayer {
		return errors.New("go came after the end of the game")
	}
	c.legal = c.now.Legal(c.legal[:0])
	c.search = dataset.Search{Visits: c.search.Visits[:0]}
	action := c.agent.Choose(c.now, c.legal, &c.search)
	if action == env.NoAction {
		fmt.Fprintf(c.out, "resign %s\n", number)
		return nil
	}
	c.line = append(append(append(c.line[:0], "move "...), number...), ' ')
	c.line = appendSearch(c.now.AppendAction(c.line, action), c.now, &c.search)
	c.out.Write(append(c.line, '\n'))
	return nil
}

// appendSearch appends the fields of a search.
func appendSearch(b []byte, s env.State, found *dataset.Search) []byte {
	if found.Has&dataset.HasValue != 0 {
		b = strconv.AppendFloat(append(b, " value "...), float64(found.Value), 'g', -1, 32)
	}
	if found.Has&dataset.HasScore != 0 {
		b = fmt.Appendf(b, " score %d", found.Score)
	}
	if found.Has&dataset.HasNodes != 0 {
		b = fmt.Appendf(b, " nodes %d", found.Nodes)
	}
	if found.Has&dataset.HasDepth != 0 {
		b = fmt.Appendf(b, " depth %d", found.Depth)
	}
	if found.Has&dataset.HasVisits != 0 && len(found.Visits) > 0 {
		b = append(b, " visits "...)
		for _, v := range found.Visits {
			b = fmt.Appendf(s.AppendAction(b, v.Action), ":%d,", v.Count)
		}
		b = bytes.TrimSuffix(b, []byte{','})
	}
	return b
}

// close closes the agent, if there is one to close.
func (c *conversation) close() error {
	closer, ok := c.agent.(io.Closer)
	c.agent = nil
	if !ok {
		return nil
	}
	return closer.Close()
}
