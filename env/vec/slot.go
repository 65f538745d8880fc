package vec

import (
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// slot is one environment of a batch. It fills whole cache lines of 64 bytes.
type slot struct {
	state    env.State
	masker   env.Masker      // the state; nil if it does not implement it
	observer env.BitObserver // likewise
	sampler  env.Sampler     // likewise

	mover    env.Player // to move; NoPlayer if the slot is finished
	viewer   env.Player // whose view the observation is
	seat     env.Player // the learner's; NoPlayer without an opponent
	opponent env.Player // the opponent's seat; noOpponent without one
	end      ending

	plies, steps int32
	episode      int64
	rand         env.Rand // draws everything in an episode
	sampleRand   env.Rand // draws the actions of SampleActions

	_ [8]byte
}

// noOpponent is a value that State.Player never returns.
const noOpponent env.Player = 2

// ending is how the episode of a slot ended, or running.
type ending uint8

const (
	running ending = iota
	terminated
	truncated
	endings // number of values
)

// setState sets the state of the slot and the optional interfaces that it implements.
func (s *slot) setState(state env.State) {
	s.state = state
	s.masker, _ = state.(env.Masker)
	s.observer, _ = state.(env.BitObserver)
	s.sampler, _ = state.(env.Sampler)
}

// attempts is the maximum number of openings that are drawn to find one after which the
// learner has a turn.
const attempts = 1000

var errNoTurn = fmt.Errorf("%d openings in a row ended before the first turn; use fewer random plies or other start positions", attempts)

// begin starts an episode of the slot. A failure becomes a fault of w.
func (v *Vec) begin(w *worker, i int, s *slot, episode int64) {
	s.episode = episode
	if err := v.open(w, i, s, v.starts, v.options.RandomPlies); err != nil {
		w.fault.note(i, err)
		s.mover = env.NoPlayer
	}
}

// open plays the opening of the slot's episode. It draws one of the start positions,
// plays the random plies, and then the opponent's plies before the learner's first
// turn. An empty starts means the game's start position.
func (v *Vec) open(w *worker, i int, s *slot, starts []env.State, plies int) error {
	s.rand.Seed(env.Derive(v.seed, v.stream(i), uint64(s.episode)))
	for range attempts {
		switch len(starts) {
		case 0:
			s.state.Reset()
		case 1:
			s.state.CopyFrom(starts[0])
		default:
			s.state.CopyFrom(starts[s.rand.IntN(len(starts))])
		}
		s.plies, s.steps, s.end = 0, 0, running
		s.mover = s.state.Player()
		v.seatLearner(s)
		for int(s.plies) < plies && s.mover != env.NoPlayer {
			w.legal = s.state.Legal(w.legal[:0])
			s.apply(w.legal[s.rand.IntN(len(w.legal))])
		}
		forfeit, err := v.reply(w, s)
		if err != nil {
			return err
		}
		if forfeit != env.NoReason {
			return fmt.Errorf("the opponent gave up before the first turn: %s", forfeit)
		}
		if s.mover != env.NoPlayer && int(s.plies) < v.options.MaxPlies {
			s.setViewer()
			return nil
		}
	}
	return errNoTurn
}

// stream returns the number of slot i among those of the larger batch.
func (v *Vec) stream(i int) uint64 { return uint64(v.options.FirstSlot + i) }

func (v *Vec) seatLearner(s *slot) {
	s.seat, s.opponent = env.NoPlayer, noOpponent
	if v.options.Opponent == nil {
		return
	}
	switch v.options.Seat {
	case SeatFirst:
		s.seat = env.First
	case SeatSecond:
		s.seat = env.Second
	default:
		s.seat = env.Player(s.rand.IntN(2))
	}
	s.opponent = s.seat.Opponent()
}

// reply plays the opponent's plies until it is the learner's turn or the episode
// is over. forfeit is the reason why the opponent gave up, or NoReason if it did not.
func (v *Vec) reply(w *worker, s *slot) (forfeit env.Reason, err error) {
	for s.mover == s.opponent && int(s.plies) < v.options.MaxPlies {
		w.legal = s.state.Legal(w.legal[:0])
		a := w.policy.Choose(s.state, w.legal, &s.rand)
		if a == env.NoAction {
			forfeit, _ = env.ForfeitOf(w.policy)
			return forfeit, nil
		}
		if _, legal := slices.BinarySearch(w.legal, a); !legal {
			return env.NoReason, fmt.Errorf("the opponent chose action %d, which is not legal", a)
		}
		s.apply(a)
	}
	return env.NoReason, nil
}

// apply plays a ply. Until setViewer is called, viewer is the player who moved.
func (s *slot) apply(a env.Action) {
	s.viewer = s.mover
	s.state.Apply(a)
	s.mover = s.state.Player()
	s.plies++
}

// setViewer sets whose view the observation is.
func (s *slot) setViewer() {
	switch {
	case s.seat != env.NoPlayer:
		s.viewer = s.seat
	case s.mover != env.NoPlayer:
		s.viewer = s.mover
	default:
		s.viewer = s.viewer.Opponent()
	}
}

// step does the part of a Step that concerns slot i.
func (v *Vec) step(w *worker, i int, s *slot, a env.Action) {
	seat, end, result := s.seat, running, env.Result(0)
	if s.end != running {
		v.begin(w, i, s, s.episode+1)
		seat = s.seat
	} else {
		var reason env.Reason
		result, reason = v.play(w, i, s, a)
		if end = s.end; end != running {
			v.writeFinal(w, i, s, result, reason)
			if v.options.Autoreset == SameStep {
				v.begin(w, i, s, s.episode+1)
			}
		}
	}
	v.setReward(i, result, seat)
	v.Terminated[i], v.Truncated[i] = end == terminated, end == truncated
	v.writeOutputs(w, i, s)
}

// play makes the caller's ply and the opponent's replies. It returns how the game
// ended: result 0 and NoReason if it continues or was truncated.
func (v *Vec) play(w *worker, i int, s *slot, a env.Action) (result env.Result, reason env.Reason) {
	s.steps++
	if v.forfeit != nil && v.forfeit[i] {
		v.forfeit[i] = false
		return s.lose(), env.IllegalAction
	}
	s.apply(a)
	forfeit, err := v.reply(w, s)
	if err != nil {
		w.fault.note(i, err)
	}
	if forfeit != env.NoReason {
		return s.lose(), forfeit
	}
	s.setViewer()
	if s.mover == env.NoPlayer {
		s.end = terminated
		return s.state.Result()
	}
	if int(s.plies) >= v.options.MaxPlies {
		s.end, s.mover = truncated, env.NoPlayer
	}
	return 0, env.NoReason
}

// lose ends the episode as a loss for the player to move and returns the result.
func (s *slot) lose() env.Result {
	result := env.WinFor(s.mover.Opponent())
	s.end, s.viewer, s.mover = terminated, s.mover, env.NoPlayer
	s.setViewer()
	return result
}

// setReward writes the rewards of a result; seat is the learner's. It negates the
// integer and not the float, so the reward of a draw is 0 and never −0.
func (v *Vec) setReward(i int, result env.Result, seat env.Player) {
	if v.Reward == nil {
		return
	}
	v.Reward[2*i], v.Reward[2*i+1] = float32(result), float32(-result)
	if v.LearnerReward != nil {
		v.LearnerReward[i] = float32(result.For(seat))
	}
}

// writeFinal writes the Final outputs of an episode that has ended.
func (v *Vec) writeFinal(w *worker, i int, s *slot, result env.Result, reason env.Reason) {
	v.observe(w, i, s, v.FinalObs, v.FinalBits, v.FinalScalars)
	if v.FinalViewer == nil {
		return
	}
	v.FinalViewer[i], v.FinalResult[i], v.FinalReason[i] = s.viewer, result, reason
	v.FinalReturn[2*i], v.FinalReturn[2*i+1] = float32(result), float32(-result)
	v.FinalPlies[i], v.FinalSteps[i] = s.plies, s.steps
	v.FinalSeat[i], v.FinalEpisode[i] = s.seat, s.episode
}

// writeOutputs writes the outputs that describe the position of a slot.
func (v *Vec) writeOutputs(w *worker, i int, s *slot) {
	if v.ToMove != nil {
		v.ToMove[i], v.Viewer[i] = s.mover, s.viewer
	}
	v.writeLegal(w, i, s, v.mask)
	if v.foreign && v.Mask != nil {
		copy(row(v.Mask, i, v.maskWords), row(v.mask, i, v.maskWords))
	}
	v.observe(w, i, s, v.Obs, v.Bits, v.Scalars)
}

// writeLegal writes the legal actions of a slot: to the list if that is an output,
// and to row i of masks unless masks is nil.
func (v *Vec) writeLegal(w *worker, i int, s *slot, masks []uint64) {
	listed := v.offsets != nil
	if masks == nil && !listed {
		return
	}
	list := w.list
	if !listed {
		list = list[:0]
	}
	switch {
	case s.mover == env.NoPlayer:
		if masks != nil {
			clear(row(masks, i, v.maskWords))
		}
	case masks == nil:
		list = s.state.Legal(list)
	case s.masker != nil:
		list = s.masker.LegalMask(list, row(masks, i, v.maskWords))
	default:
		begin := len(list)
		list = s.state.Legal(list)
		env.PackActions(row(masks, i, v.maskWords), list[begin:])
	}
	w.list = list
	if listed {
		v.offsets[i+1] = int32(len(list) - w.base)
	}
}

// observe writes the observation of a slot to row i of the matrices that are not
// nil.
func (v *Vec) observe(w *worker, i int, s *slot, obs []uint8, packed []uint64, scalars []uint8) {
	if obs != nil {
		s.state.Observe(row(obs, i, v.obsSize), s.viewer)
	}
	if packed == nil {
		return
	}
	packed, scalars = row(packed, i, v.bitWords), row(scalars, i, v.scalars)
	switch {
	case s.observer != nil:
		s.observer.ObserveBits(packed, scalars, s.viewer)
	case obs != nil:
		v.spec.PackObservation(packed, scalars, row(obs, i, v.obsSize))
	default:
		s.state.Observe(w.planes, s.viewer)
		v.spec.PackObservation(packed, scalars, w.planes)
	}
}
