package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/external/host"
)

func (a *app) agentCommand() *cobra.Command {
	return newCommand("agent AGENT",
		"Play an agent as an external program",
		`Agent reads positions from standard input and writes moves to standard output, in the line
protocol of external programs (go doc github.com/sandtable-farm/sandtable/selfplay/external).
So one build of Sandtable plays another, and programs of other people play its agents. The
other side names the rule set. The agent keeps the limits of AGENT; it does not use the time,
nodes and depth in the go lines.`,
		`  sandtable arena trench/standard exec:old exec:new \
      --exec 'old=./sandtable-v1 agent alphabeta:nodes=20000,noise=2' \
      --exec 'new=./sandtable agent alphabeta:nodes=20000,noise=2'
  printf 'sandtable 1\nquit\n' | sandtable agent best`,
		func(_ *cobra.Command, args []string) error {
			h := host.Host{
				Name: fmt.Sprintf("sandtable %s %s", version(), args[0]),
				New: func(v *variant.Variant) (agent.Agent, error) {
					spec, err := parseLocalAgent(args[0], v, nil)
					if err != nil {
						return nil, err
					}
					return spec.New(v.Game)
				},
			}
			return h.Serve(a.in, a.out)
		})
}
