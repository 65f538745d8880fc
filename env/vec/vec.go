package vec

import (
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// Vec is a batch of environments of one game. It belongs to one goroutine at a
// time; those it uses itself are its own affair. Reset comes first.
type Vec struct {
	Results

	game    env.Game
	spec    *env.Spec
	options Options
	starts  []env.State // none: the game's start
	spare   []env.State // two, for what may fail
	slots   []slot
	forfeit []bool // slots whose action was illegal, where that loses
	seed    uint64
	started bool
	broken  error // why the batch must be reset

	obsSize, bitWords, scalars, maskWords int

	workers []worker
	blocks  []block
	shares  shares
	team    *team           // nil for one goroutine
	dropped runtime.Cleanup // ends the team of a batch that nobody holds
	pace    pace
	staging [][]env.Action // room for the lists of each goroutine until they are put together
	placed  int            // legal actions that the leader has put where they belong
	inPlace int            // block whose list follows there

	actions []env.Action // of the Step that runs
	chosen  []env.Action // of the SampleActions that runs
	job     job          // of the sweep that runs

	// Method values, made once because making one allocates.
	stepJob, resetJob, checkJob, gatherJob, sampleJob job
	takeJob                                           func(goroutine int)
}

// New makes a batch of n slots. Errors name the option at fault.
func New(game env.Game, n int, options Options) (*Vec, error) {
	spec := game.Spec()
	options, err := options.check(n, spec)
	if err != nil {
		return nil, fmt.Errorf("vec: %w", err)
	}
	v := &Vec{game: game, spec: spec, options: options, spare: game.NewStates(2), slots: make([]slot, n),
		obsSize: spec.ObservationSize(), bitWords: spec.ObservationBitWords(),
		scalars: spec.ObservationScalars(), maskWords: spec.MaskWords()}
	if err := v.setStarts(options.Starts); err != nil {
		return nil, fmt.Errorf("vec: %w", err)
	}
	for i, state := range game.NewStates(n) {
		v.slots[i].adopt(state)
	}
	if options.Illegal == IllegalLoses {
		v.forfeit = make([]bool, n)
	}
	v.allocate(n, spec, &v.options)
	members := options.members(n)
	if err := v.makeWorkers(members); err != nil {
		return nil, fmt.Errorf("vec: %w", err)
	}
	v.blocks = makeBlocks(n)
	v.stepJob, v.resetJob, v.checkJob, v.gatherJob, v.sampleJob = v.stepBlock, v.resetBlock, v.checkBlock, v.gatherBlock, v.sampleBlock
	v.takeJob = v.takeBlocks
	if members > 1 {
		v.shares = makeShares(len(v.blocks), members)
		v.staging = make([][]env.Action, members)
		if v.LegalOffsets != nil {
			for g := range v.staging {
				v.staging[g] = make([]env.Action, 0, n*spec.MaxLegal)
			}
		}
		v.team = newTeam(members)
		v.dropped = runtime.AddCleanup(v, (*team).close, v.team)
		v.pace = pace{fixed: options.Goroutines > 0, together: options.Goroutines > 0}
	}
	return v, nil
}

func (v *Vec) setStarts(texts []string) error {
	if len(texts) == 0 {
		return nil
	}
	v.starts = v.game.NewStates(len(texts))
	for i, text := range texts {
		if err := v.starts[i].SetPosition(text); err != nil {
			return fmt.Errorf("option Starts[%d]: %w", i, err)
		}
		if v.starts[i].Player() == env.NoPlayer {
			return fmt.Errorf("option Starts[%d] is %q, where the game is over; nothing can be played from it", i, text)
		}
	}
	return nil
}

// Len is the number of slots.
func (v *Vec) Len() int { return len(v.slots) }

// Game is the game that is played.
func (v *Vec) Game() env.Game { return v.game }

// State is the position of a slot. The caller may look at it until the next call
// of Step, Reset, ResetSlots, Set, Load or LoadSlot, and must not change it.
func (v *Vec) State(i int) env.State { return v.slots[i].state }

// Close ends the goroutines of the batch, which otherwise end some time after
// nobody holds it any more. Whoever goes on using it plays alone.
func (v *Vec) Close() {
	if v.team != nil {
		v.dropped.Stop()
		v.team.close()
		v.team = nil
	}
}

// Reset begins episode 0 of every slot. Slot i's k-th episode draws from
// env.Derive(seed, i, k), and from nothing else: the random plies, the learner's
// seat and the opponent. The error names a slot for which no opening was found.
func (v *Vec) Reset(seed uint64) error {
	v.seed, v.started, v.broken = seed, true, nil
	v.sweep(v.resetJob)
	return v.mend("Reset")
}

// pickStream is the stream of SampleActions under a slot's seed; episodes have
// the numbers from 0.
const pickStream = ^uint64(0)

func (v *Vec) resetBlock(w *worker, b *block) {
	v.enter(w, b)
	for i := b.begin; i < b.end; i++ {
		s := &v.slots[i]
		s.pick.Seed(env.Derive(v.seed, uint64(i), pickStream))
		v.begin(w, i, s, 0)
		v.restart(i)
		v.show(w, i, s)
	}
	v.leave(w, b)
}

// restart clears the outputs that tell of the last Step.
func (v *Vec) restart(i int) {
	v.pay(i, 0, env.First)
	v.Terminated[i], v.Truncated[i] = false, false
}

// ResetSlots begins the next episode of the slots that are marked in mask, which
// has an element for each slot, and clears their rewards and flags. The other
// slots stay as they are.
func (v *Vec) ResetSlots(mask []bool) error {
	if err := v.ready("ResetSlots"); err != nil {
		return err
	}
	if len(mask) != len(v.slots) {
		return fmt.Errorf("vec: ResetSlots: mask has %d elements, must have %d", len(mask), len(v.slots))
	}
	if !slices.Contains(mask, true) {
		return errors.New("vec: ResetSlots: no slot is marked")
	}
	w := &v.workers[0]
	for i, marked := range mask {
		if marked {
			s := &v.slots[i]
			v.begin(w, i, s, s.episode+1)
			v.restart(i)
		}
	}
	v.showAgain(func(i int) bool { return mask[i] })
	return v.mend("ResetSlots")
}

// showAgain writes the outputs of slots that have changed and moves the lists of
// the others.
func (v *Vec) showAgain(changed func(i int) bool) {
	w := &v.workers[0]
	if v.LegalOffsets != nil {
		w.list, w.base = v.LegalActions[:0], 0
	}
	for i := range v.slots {
		if changed(i) {
			v.show(w, i, &v.slots[i])
		} else {
			v.list(w, i, &v.slots[i], nil)
		}
	}
	if v.LegalOffsets != nil {
		v.LegalActions = w.list
	}
}

// Set begins the next episode of slot i at a position, in which the game must
// run. Against an opponent whose turn it is there, the opponent moves first.
// After an error the batch is as it was.
func (v *Vec) Set(i int, position string) error {
	if err := v.ready("Set"); err != nil {
		return err
	}
	if i < 0 || i >= len(v.slots) {
		return fmt.Errorf("vec: Set: slot is %d, must be 0 to %d", i, len(v.slots)-1)
	}
	start := v.spare[:1]
	if err := start[0].SetPosition(position); err != nil {
		return fmt.Errorf("vec: Set: slot %d: %w", i, err)
	}
	if start[0].Player() == env.NoPlayer {
		return fmt.Errorf("vec: Set: slot %d: the game is over in position %q", i, position)
	}
	s := &v.slots[i]
	trial := *s
	trial.adopt(v.spare[1])
	trial.episode++
	if err := v.open(&v.workers[0], i, &trial, start, 0); err != nil {
		return fmt.Errorf("vec: Set: slot %d: %w", i, err)
	}
	v.replace(s, &trial)
	v.restart(i)
	v.showAgain(func(j int) bool { return i == j })
	return nil
}

// replace makes a slot equal to another one, whose state stays its own.
func (v *Vec) replace(s, by *slot) {
	state := s.state
	state.CopyFrom(by.state)
	*s = *by
	s.adopt(state)
}

// ready says why the batch cannot go on.
func (v *Vec) ready(what string) error {
	switch {
	case !v.started:
		return fmt.Errorf("vec: %s: the batch has not begun; Reset comes first", what)
	case v.broken != nil:
		return fmt.Errorf("vec: %s: the batch must be Reset after an earlier error: %w", what, v.broken)
	}
	return nil
}

// mend reports a fault that a call met on its way. The batch then needs a Reset.
func (v *Vec) mend(what string) error {
	f := v.takeFault()
	if f.err == nil {
		return nil
	}
	v.broken = fmt.Errorf("slot %d: %w", f.slot, f.err)
	return fmt.Errorf("vec: %s: %w", what, v.broken)
}
