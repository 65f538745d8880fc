package main

import (
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/workers"
)

// openFarm returns the farm that plays into a folder, on the server that the flags
// name or on an embedded one, which it opens when there is something to play. A nil
// meter counts nothing. The caller closes the farm.
func (a *app) openFarm(dir string, nats *natsFlags, players *workerFlags, commands agent.Commands, meter workers.Meter) *workers.Farm {
	return workers.New(workers.Config{
		Open: nats.opener(a, dir, meter), Workers: players.count, Commands: commands, Meter: meter, Log: a.log,
	})
}
