package workers

import (
	"sync/atomic"

	"github.com/sandtable-farm/sandtable/env"
)

// farmStatus is the meter of a farm's workers. It counts what they play on its
// way to the farm's own meter, for FarmConfig.Status.
type farmStatus struct {
	Meter
	tell          func(FarmStatus)
	total, before int64
	played, plies atomic.Int64
}

func (s *farmStatus) Episodes(variant string) EpisodeMeter {
	return &countedEpisodes{s.Meter.Episodes(variant), s}
}

type countedEpisodes struct {
	EpisodeMeter
	status *farmStatus
}

func (c *countedEpisodes) EpisodePlayed(plies int, simulations int64, result env.Result, reason env.Reason) {
	c.status.played.Add(1)
	c.status.plies.Add(int64(plies))
	c.EpisodeMeter.EpisodePlayed(plies, simulations, result, reason)
}

// update passes on what the coordinator sees.
func (s *farmStatus) update(progress Progress, queued Queued) {
	if s.tell == nil {
		return
	}
	s.tell(FarmStatus{
		Progress: progress, Total: s.total, Remaining: max(0, s.total-s.before),
		Played: s.played.Load(), PlayedPlies: s.plies.Load(),
		QueuedJobs: int64(len(queued.Jobs)), QueuedResults: queued.Messages,
	})
}
