package vec

import (
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// Vec is a batch of environments of one game. Its methods must not be called
// concurrently. Reset must be called before the other methods.
type Vec struct {
	Results

	game    env.Game
	spec    *env.Spec
	options Options
	starts  []env.State // start positions; empty means the game's start position
	spare   []env.State // two states for attempts that may fail
	slots   []slot
	// What legality is checked against: a mask of the legal actions, unless neither the
	// mask nor the list is an output, and the offsets of the list. They are Mask and
	// LegalOffsets unless those are the caller's memory.
	mask    []uint64
	offsets []int32
	foreign bool // Options.Memory is set

	forfeit []bool // slots whose action was illegal; nil unless illegal actions lose
	seed    uint64
	started bool
	broken  error // why the batch must be reset, or nil

	obsSize, bitWords, scalars, maskWords int

	workers   []worker
	blocks    []block
	shares    shares
	team      *team           // nil for one goroutine
	cleanup   runtime.Cleanup // closes the team when the batch is garbage-collected
	pace      pace
	staging   [][]env.Action // a list for each goroutine, until the lists are joined
	placed    int            // number of legal actions that the leader wrote directly to LegalActions
	nextBlock int            // block whose list follows them

	actions []env.Action // argument of the running Step
	chosen  []env.Action // argument of the running SampleActions
	job     job          // what the team is doing

	// Method values, made once because making one allocates.
	stepJob, resetJob, checkJob, gatherJob, sampleJob job
	takeJob                                           func(goroutine int)
}

// New returns a batch of n slots. Its errors name the option at fault.
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
		v.slots[i].setState(state)
	}
	if options.Illegal == IllegalLoses {
		v.forfeit = make([]bool, n)
	}
	if err := v.allocate(n, spec, &v.options); err != nil {
		return nil, fmt.Errorf("vec: %w", err)
	}
	v.mask, v.offsets = v.Mask, v.LegalOffsets
	if options.Memory != nil {
		v.foreign = true
		if v.Mask != nil || v.LegalOffsets != nil {
			v.mask = make([]uint64, n*v.maskWords)
		}
		if v.LegalOffsets != nil {
			v.offsets = make([]int32, n+1)
		}
	}
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
				v.staging[g] = spec.NewActionLists(n)
			}
		}
		v.team = newTeam(members)
		v.cleanup = runtime.AddCleanup(v, (*team).close, v.team)
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
			return fmt.Errorf("option Starts[%d] is %q, where the game is over; must be a position with a legal action", i, text)
		}
	}
	return nil
}

// Len returns the number of slots.
func (v *Vec) Len() int { return len(v.slots) }

// Game returns the game that the batch plays.
func (v *Vec) Game() env.Game { return v.game }

// State returns the position of slot i. The caller may read it until the next call
// of Step, Reset, ResetSlots, Set, Load or LoadSlot, and must not change it.
func (v *Vec) State(i int) env.State { return v.slots[i].state }

// Close stops the goroutines of the batch. They otherwise stop when the batch is
// garbage-collected. A closed batch still works, on the calling goroutine.
func (v *Vec) Close() {
	if v.team != nil {
		v.cleanup.Stop()
		v.team.close()
		v.team = nil
	}
}

// Reset begins episode 0 of every slot. The start position, the random plies, the
// learner's seat and the opponent of slot i's k-th episode draw only from
// env.Derive(seed, i, k). If Reset finds no opening for a slot, the error names
// the slot.
func (v *Vec) Reset(seed uint64) error {
	v.seed, v.started, v.broken = seed, true, nil
	v.runAndList(v.resetJob)
	return v.report("Reset")
}

// sampleStream is the number of the random stream of SampleActions in a slot. The
// streams of the episodes are numbered from 0.
const sampleStream = ^uint64(0)

func (v *Vec) resetBlock(w *worker, b *block) {
	v.beginBlock(w, b)
	for i := b.begin; i < b.end; i++ {
		s := &v.slots[i]
		s.sampleRand.Seed(env.Derive(v.seed, v.stream(i), sampleStream))
		v.begin(w, i, s, 0)
		v.clearStep(i)
		v.writeOutputs(w, i, s)
	}
	v.endBlock(w, b)
}

// clearStep clears the outputs that describe the last Step of slot i.
func (v *Vec) clearStep(i int) {
	v.setReward(i, 0, env.First)
	v.Terminated[i], v.Truncated[i] = false, false
}

// ResetSlots begins the next episode of every slot i for which mask[i] is true, and
// clears its rewards and flags. The other slots do not change. mask must have an
// element for each slot, and at least one of them must be true.
func (v *Vec) ResetSlots(mask []bool) error {
	if err := v.ready("ResetSlots"); err != nil {
		return err
	}
	if len(mask) != len(v.slots) {
		return fmt.Errorf("vec: ResetSlots: mask has %d elements, must have %d, one for each slot", len(mask), len(v.slots))
	}
	if !slices.Contains(mask, true) {
		return errors.New("vec: ResetSlots: no element of mask is true, at least one must be")
	}
	w := &v.workers[0]
	for i, marked := range mask {
		if marked {
			s := &v.slots[i]
			v.begin(w, i, s, s.episode+1)
			v.clearStep(i)
		}
	}
	v.refresh(func(i int) bool { return mask[i] })
	return v.report("ResetSlots")
}

// refresh writes all outputs of the slots that changed, and for the others only
// the list of legal actions, whose offset may differ now.
func (v *Vec) refresh(changed func(i int) bool) {
	w := &v.workers[0]
	if v.LegalOffsets != nil {
		w.list, w.base = v.LegalActions[:0], 0
	}
	for i := range v.slots {
		if changed(i) {
			v.writeOutputs(w, i, &v.slots[i])
		} else {
			v.writeLegal(w, i, &v.slots[i], nil)
		}
	}
	if v.LegalOffsets != nil {
		v.LegalActions = w.list
		v.publishOffsets()
	}
}

// Set begins the next episode of slot i at a position, in which the game must not
// be over. If it is the opponent's turn there, the opponent moves first. After an
// error the batch is unchanged.
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
	trial.setState(v.spare[1])
	trial.episode++
	if err := v.open(&v.workers[0], i, &trial, start, 0); err != nil {
		return fmt.Errorf("vec: Set: slot %d: %w", i, err)
	}
	v.replace(s, &trial)
	v.clearStep(i)
	v.refresh(func(j int) bool { return i == j })
	return nil
}

// replace makes slot s a copy of slot by. The two slots share no memory.
func (v *Vec) replace(s, by *slot) {
	state := s.state
	state.CopyFrom(by.state)
	*s = *by
	s.setState(state)
}

// ready returns an error if the batch cannot play, and nil otherwise.
func (v *Vec) ready(what string) error {
	switch {
	case !v.started:
		return fmt.Errorf("vec: %s: the batch must be Reset first", what)
	case v.broken != nil:
		return fmt.Errorf("vec: %s: the batch must be Reset after an earlier error: %w", what, v.broken)
	}
	return nil
}

// report returns the fault that a call met, or nil. After a fault the batch must be
// Reset.
func (v *Vec) report(what string) error {
	f := v.takeFault()
	if f.err == nil {
		return nil
	}
	v.broken = fmt.Errorf("slot %d: %w", f.slot, f.err)
	return fmt.Errorf("vec: %s: %w", what, v.broken)
}
