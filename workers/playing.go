package workers

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"runtime/debug"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// playing plays jobs one after the other in memory that it reuses. It must be
// closed.
type playing struct {
	*roster
	plan    *selfplay.Plan   // of player, as the roster has it
	player  *selfplay.Player // nil before the first job and after a failure
	forfeit string           // what happened in the last game that an agent gave up
	ep      dataset.Episode
	data    []byte
	parts   []queue.Part
}

func (r *roster) newPlaying() *playing { return &playing{roster: r} }

// result plays a job of a plan and returns its result, which is valid until the next
// call. A panic of an engine or an agent is an error of the job, and harms no other job of
// the process. After an error the player is made again, with its programs.
func (p *playing) result(ctx context.Context, plan *selfplay.Plan, held queue.HeldJob) (parts []queue.Part, err error) {
	settings := plan.Settings()
	first, count := settings.Job(held.Job().Number)
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic in job %d (episodes from %d on, last begun %d): %v\n%s",
				held.Job().Number, first, p.ep.Number, fault, debug.Stack())
		}
		if err != nil && ctx.Err() == nil {
			err = errors.Join(err, p.close())
		}
	}()
	if err := p.prepare(plan); err != nil {
		return nil, err
	}
	p.player.OnPly(held.Extend)
	// A job that is nearly done is finished; a longer one ends with its search.
	const finishing = time.Second
	allowed, cancel := lingering(ctx, min(finishing, p.Tuning.Grace))
	defer cancel()
	p.player.StopWhen(allowed.Done())
	counter := p.Meter.Episodes(settings.Variant)
	total := queue.Total{Episodes: count}
	p.data, p.ep.Run = p.data[:0], held.Job().Run
	for number := first; number < first+count; number++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := p.player.Play(number, &p.ep); err != nil {
			return nil, err
		}
		if allowed.Err() != nil {
			return nil, ctx.Err() // the episode may be truncated
		}
		if p.ep.Reason == env.Crashed && !p.KeepCrashes {
			return nil, fmt.Errorf("episode %d: %s", number, p.forfeit)
		}
		p.data = dataset.AppendEpisode(p.data, &p.ep)
		total.Plies += int64(p.ep.Plies())
		p.score.games.Add(1)
		p.score.plies.Add(int64(p.ep.Plies()))
		countEpisode(counter, &p.ep)
		held.Extend()
	}
	p.parts = cut(p.parts[:0], p.data, held.Job(), p.Name, total)
	return p.parts, nil
}

// prepare makes the player of a plan, unless the last job had the same plan.
func (p *playing) prepare(plan *selfplay.Plan) (err error) {
	if p.plan == plan {
		return nil
	}
	if err := p.close(); err != nil { // first, so that its memory and programs are free
		return err
	}
	own := *plan
	own.Forfeited = func(ep *dataset.Episode, detail string) {
		p.forfeit = detail
		plan.Forfeited(ep, detail)
	}
	if p.player, err = selfplay.NewPlayer(&own); err != nil {
		return err
	}
	p.plan = plan
	return nil
}

// close closes the player, if there is one.
func (p *playing) close() error {
	player := p.player
	p.plan, p.player = nil, nil
	if player == nil {
		return nil
	}
	return player.Close()
}

// countEpisode counts an episode.
func countEpisode(counter EpisodeMeter, ep *dataset.Episode) {
	var simulations int64
	for i := range ep.Steps {
		if search := &ep.Steps[i].Search; search.Has&dataset.HasNodes != 0 {
			simulations += search.Nodes
		}
	}
	reason := ep.Reason
	if ep.Truncated {
		reason = env.NoReason
	}
	counter.EpisodePlayed(ep.Plies(), simulations, ep.Result, reason)
}

// cut divides the result of a job into parts.
func cut(parts []queue.Part, data []byte, job *queue.Job, worker string, total queue.Total) []queue.Part {
	total.Sum = checksum(0, data)
	for {
		n := min(len(data), queue.PartBytes)
		parts = append(parts, queue.Part{Run: job.Run, Job: job.Number, Index: len(parts), Data: data[:n:n], Worker: worker})
		if data = data[n:]; len(data) == 0 {
			parts[len(parts)-1].Total = &total
			return parts
		}
	}
}

// checksum updates a CRC-32C, which begins as 0.
func checksum(sum uint32, data []byte) uint32 {
	return crc32.Update(sum, crc32.MakeTable(crc32.Castagnoli), data)
}
