package main

import (
	"fmt"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

// partner is an agent that a person plays with.
type partner struct {
	spec    selfplay.AgentSpec
	agent   selfplay.Agent
	analyst selfplay.Analyst // the agent, where it looks ahead in lines; else nil
	legal   []env.Action
	told    dataset.Search
}

func newPartner(text string, v *variant.Variant) (*partner, error) {
	spec, err := parseAgent(text, v)
	if err != nil {
		return nil, err
	}
	agent, err := spec.New(v.Game)
	if err != nil {
		return nil, err
	}
	p := &partner{spec: spec, agent: agent, legal: v.Game.Spec().NewActions()}
	p.analyst, _ = agent.(selfplay.Analyst)
	return p, nil
}

// choose has the agent choose an action of a running position.
func (p *partner) choose(s env.State) env.Action {
	p.legal = s.Legal(p.legal[:0])
	p.told = dataset.Search{Visits: p.told.Visits[:0]}
	return p.agent.Choose(s, p.legal, &p.told)
}

// noLines is the error of asking an agent for lines of play that has none.
func noLines(spec selfplay.AgentSpec) error {
	return fmt.Errorf("agent %s does not look ahead in lines; alphabeta and mcts do", spec)
}

// lineText writes a line of play that begins in a position, with its score from
// the view of the player to move there.
func lineText(game env.Game, from env.State, line *search.Line) string {
	return fmt.Sprintf("%s at depth %d: %s", search.ScoreText(line.Score), line.Depth,
		strings.Join(describeLine(game, from, line).Moves, " "))
}
