package main

import (
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/experiment"
)

// openExperiment returns the farm that plays what is planned in a folder, on the
// server that the flags name or on one of its own, which it opens when there is
// something to play. A nil meter counts nothing. The caller closes the farm.
func (a *app) openExperiment(dir string, nats *natsFlags, players *workerFlags, commands agent.Commands, meter workers.Meter) *experiment.Farm {
	return experiment.New(experiment.Config{
		Open: nats.opener(a, dir, meter), Workers: players.count, Commands: commands, Meter: meter, Log: a.log,
	})
}
