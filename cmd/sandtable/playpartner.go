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

// partner is an agent that a person plays with. It must be closed.
type partner struct {
	spec    agent.Spec
	agent   agent.Agent
	analyst agent.Analyst // the agent, where it looks ahead in lines; else nil
	watcher agent.Watcher // the agent, where it is one; else nil
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

// begin lets the agent begin anew where a game has come to.
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

// played tells the agent of the next action of the game.
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

// choose has the agent choose an action of a running position.
func (p *partner) choose(s env.State) env.Action {
	p.legal = s.Legal(p.legal[:0])
	p.told = dataset.Search{Visits: p.told.Visits[:0]}
	return p.agent.Choose(s, p.legal, &p.told)
}

// noLines is the error of asking an agent for lines of play that has none.
func noLines(spec agent.Spec) error {
	return fmt.Errorf("agent %s does not look ahead in lines; alphabeta and mcts do", spec)
}

// lineText writes a line of play that begins in a position, with its score from
// the view of the player to move there.
func lineText(game env.Game, from env.State, line *search.Line) string {
	return fmt.Sprintf("%s at depth %d: %s", search.ScoreText(line.Score), line.Depth,
		strings.Join(describeLine(game, from, line).Moves, " "))
}
