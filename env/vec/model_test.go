package vec_test

import (
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/vec"
)

// This file is a plain model of a batch. single is one environment with the reset
// and step of a gymnasium.Env. vector.step is the loop of Gymnasium 1.1's
// SyncVectorEnv.step, branch for branch. The model shares only Options with package
// vec.

// seen is what an environment returns apart from reward and flags.
type seen struct {
	planes []uint8
	legal  []env.Action
	toMove env.Player
	viewer env.Player
}

// ended describes an episode that has ended.
type ended struct {
	seen
	result  env.Result
	reason  env.Reason
	returns [2]float32
	plies   int
	steps   int
	seat    env.Player
	episode int
}

type single struct {
	game    env.Game
	options vec.Options
	seed    uint64
	slot    int

	state   env.State
	rand    *env.Rand
	episode int
	plies   int
	steps   int
	seat    env.Player
	last    env.Player // moved last
}

func (e *single) opponentsTurn() bool {
	p := e.state.Player()
	return e.options.Opponent != nil && p != env.NoPlayer && p != e.seat
}

func (e *single) apply(a env.Action) {
	e.last = e.state.Player()
	e.state.Apply(a)
	e.plies++
}

func (e *single) truncated() bool {
	return e.options.MaxPlies > 0 && e.plies >= e.options.MaxPlies && e.state.Player() != env.NoPlayer
}

func (e *single) reply() {
	for e.opponentsTurn() && !e.truncated() {
		e.apply(e.options.Opponent.Choose(e.state, e.state.Legal(nil), e.rand))
	}
}

// reset begins episode number k.
func (e *single) reset(k int) seen {
	e.episode = k
	e.rand = env.NewRand(env.Derive(e.seed, uint64(e.slot), uint64(k)))
	for {
		e.state = env.NewState(e.game)
		if n := len(e.options.Starts); n > 0 {
			start := 0
			if n > 1 {
				start = e.rand.IntN(n)
			}
			if err := e.state.SetPosition(e.options.Starts[start]); err != nil {
				panic(err)
			}
		}
		e.plies, e.steps, e.seat = 0, 0, env.NoPlayer
		if e.options.Opponent != nil {
			switch e.options.Seat {
			case vec.SeatRandom:
				e.seat = env.Player(e.rand.IntN(2))
			case vec.SeatFirst:
				e.seat = env.First
			case vec.SeatSecond:
				e.seat = env.Second
			}
		}
		for range e.options.RandomPlies {
			if legal := e.state.Legal(nil); len(legal) > 0 {
				e.apply(legal[e.rand.IntN(len(legal))])
			}
		}
		e.reply()
		if e.state.Player() != env.NoPlayer && !e.truncated() {
			return e.look(false)
		}
	}
}

// look returns the observation. over means that the episode has ended.
func (e *single) look(over bool) seen {
	s := seen{toMove: e.state.Player(), planes: make([]uint8, e.game.Spec().ObservationSize())}
	s.viewer = s.toMove
	if s.viewer == env.NoPlayer {
		s.viewer = 1 - e.last
	}
	if e.seat != env.NoPlayer {
		s.viewer = e.seat
	}
	e.state.Observe(s.planes, s.viewer)
	if over {
		s.toMove = env.NoPlayer
	} else {
		s.legal = e.state.Legal(nil)
	}
	return s
}

func (e *single) step(a env.Action) (next seen, rewards [2]float32, terminated, truncated bool, info *ended) {
	var result env.Result
	var reason env.Reason
	e.steps++
	legal := false
	for _, l := range e.state.Legal(nil) {
		legal = legal || l == a
	}
	if legal {
		e.apply(a)
		e.reply()
		result, reason = e.state.Result()
		terminated, truncated = reason != env.NoReason, e.truncated()
		next = e.look(terminated || truncated)
	} else {
		loser := e.state.Player()
		result, reason, terminated = env.Result(-1), env.IllegalAction, true
		if loser == env.Second {
			result = 1
		}
		next = e.look(true)
		if e.seat == env.NoPlayer {
			next.viewer = 1 - loser
			e.state.Observe(next.planes, next.viewer)
		}
	}
	if result != 0 {
		rewards = [2]float32{float32(result), float32(-result)}
	}
	if terminated || truncated {
		info = &ended{seen: next, result: result, reason: reason, returns: rewards, plies: e.plies, steps: e.steps, seat: e.seat, episode: e.episode}
	}
	return next, rewards, terminated, truncated, info
}

// vector is a batch of singles.
type vector struct {
	options   vec.Options
	envs      []*single
	autoreset []bool

	obs        []seen
	rewards    [][2]float32
	terminated []bool
	truncated  []bool
	seats      []env.Player // the learner's, in the episode that the reward belongs to
	final      []*ended     // episodes that ended in this step
}

func newVector(game env.Game, n int, options vec.Options, seed uint64) *vector {
	if options.MaxPlies == 0 {
		options.MaxPlies = 2000
	}
	v := &vector{options: options, autoreset: make([]bool, n), obs: make([]seen, n), rewards: make([][2]float32, n),
		terminated: make([]bool, n), truncated: make([]bool, n), seats: make([]env.Player, n), final: make([]*ended, n)}
	for i := range n {
		e := &single{game: game, options: options, seed: seed, slot: i}
		v.envs = append(v.envs, e)
		v.obs[i] = e.reset(0)
		v.seats[i] = e.seat
	}
	return v
}

func (v *vector) step(actions []env.Action) {
	for i, e := range v.envs {
		v.final[i] = nil
		v.seats[i] = e.seat
		switch v.options.Autoreset {
		case vec.NextStep:
			if v.autoreset[i] {
				v.obs[i] = e.reset(e.episode + 1)
				v.rewards[i] = [2]float32{}
				v.terminated[i], v.truncated[i] = false, false
				v.seats[i] = e.seat
			} else {
				v.obs[i], v.rewards[i], v.terminated[i], v.truncated[i], v.final[i] = e.step(actions[i])
			}
		case vec.Disabled:
			if v.autoreset[i] {
				panic("step of a finished environment")
			}
			v.obs[i], v.rewards[i], v.terminated[i], v.truncated[i], v.final[i] = e.step(actions[i])
		case vec.SameStep:
			v.obs[i], v.rewards[i], v.terminated[i], v.truncated[i], v.final[i] = e.step(actions[i])
			if v.terminated[i] || v.truncated[i] {
				v.obs[i] = e.reset(e.episode + 1)
			}
		}
		v.autoreset[i] = v.terminated[i] || v.truncated[i]
	}
}

// resetMask is reset(options={"reset_mask": mask}).
func (v *vector) resetMask(mask []bool) {
	for i, e := range v.envs {
		if mask[i] {
			v.terminated[i], v.truncated[i], v.autoreset[i] = false, false, false
			v.rewards[i], v.final[i] = [2]float32{}, nil
			v.obs[i] = e.reset(e.episode + 1)
			v.seats[i] = e.seat
		}
	}
}
