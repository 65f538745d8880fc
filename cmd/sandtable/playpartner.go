package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

// partner is an agent of a session. It must be closed.
type partner struct {
	spec    agent.Spec
	agent   agent.Agent
	analyst agent.Analyst // the agent if it reports lines of play, else nil
	watcher agent.Watcher // the agent if it follows games, else nil
	legal   []env.Action
	told    dataset.Search
}

func newPartner(text string, v *variant.Variant, commands agent.Commands) (*partner, error) {
	spec, err := parseLocalAgent(text, v, commands)
	if err != nil {
		return nil, err
	}
	player, err := spec.New(v.Game)
	if err != nil {
		return nil, err
	}
	p := &partner{spec: spec, agent: player, legal: v.Game.Spec().NewActions()}
	p.analyst, _ = player.(agent.Analyst)
	p.watcher, _ = player.(agent.Watcher)
	return p, nil
}

// begin starts an episode of the agent at the current position of a game.
func (p *partner) begin(seed uint64, start env.State, plies []playedPly) error {
	p.agent.Begin(seed)
	if p.watcher == nil {
		return nil
	}
	if err := p.watcher.Watch(start); err != nil {
		return err
	}
	for _, ply := range plies {
		p.watcher.Played(ply.action)
	}
	return nil
}

// played reports the next action of the game to the agent.
func (p *partner) played(action env.Action) {
	if p.watcher != nil {
		p.watcher.Played(action)
	}
}

func (p *partner) close() error {
	if c, ok := p.agent.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// choose returns the agent's action in s, a position in which the game is not over.
func (p *partner) choose(s env.State) env.Action {
	p.legal = s.Legal(p.legal[:0])
	p.told = dataset.Search{Visits: p.told.Visits[:0]}
	return p.agent.Choose(s, p.legal, &p.told)
}

// noLines returns the error for an agent that does not report lines of play.
func noLines(spec agent.Spec) error {
	return fmt.Errorf("agent %s does not report lines of play; alphabeta and mcts do", spec)
}

// lineText formats a line of play from a position. The score is from the point of view of
// the player to move there.
func lineText(game env.Game, from env.State, line *search.Line) string {
	return fmt.Sprintf("%s at depth %d: %s", search.ScoreText(line.Score), line.Depth,
		strings.Join(describeLine(game, from, line).Moves, " "))
}
