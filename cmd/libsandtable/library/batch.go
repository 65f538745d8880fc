package library

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/vec"
	"github.com/sandtable-farm/sandtable/selfplay"
)

// batch is a batch of environments in the caller's memory.
type batch struct {
	game    *game
	vec     *vec.Vec
	actions []env.Action // copy of the argument, which the caller might change during a step
	slow    bool         // a step may take long
}

func (*batch) what() string { return "batch" }

// Close implements io.Closer.
func (b *batch) Close() error {
	b.vec.Close()
	return nil
}

// batchOptions are the options of a batch as JSON. Absent members have the defaults of
// vec.Options.
type batchOptions struct {
	N           int64    `json:"n"`
	Outputs     []string `json:"outputs"`   // names of outputs; null for all
	Autoreset   string   `json:"autoreset"` // next_step, same_step or disabled
	MaxPlies    int64    `json:"max_plies"` // −1 for no limit
	Starts      []string `json:"starts"`
	RandomPlies int64    `json:"random_plies"`
	Opponent    string   `json:"opponent"` // agent string; empty if the caller plays both seats
	Seat        string   `json:"seat"`     // random, first or second
	Illegal     string   `json:"illegal"`  // error or loses
	Threads     int64    `json:"threads"`
	FirstSlot   int64    `json:"first_slot"`
	sources
}

// OutputSets lists the sets of outputs that the option outputs may name, in the order of
// the bits of vec.Outputs.
func OutputSets() []string {
	return []string{"obs", "bits", "list", "mask", "turns", "reward", "final_obs", "final_info"}
}

// choice returns the value of a text among names; the empty text stands for the first.
func choice[T ~uint8](option, text string, names ...string) (T, error) {
	if text == "" {
		return 0, nil
	}
	i := slices.Index(names, text)
	if i < 0 {
		return 0, faultf(Value, "option %s is %q, must be one of %q", option, text, names)
	}
	return T(i), nil
}

// mostSlots keeps sizes of arrays below 2⁶³ bytes, whatever the game.
const mostSlots = 1 << 31

// options returns the options for package vec, without opponent and memory.
func (o *batchOptions) options() (options vec.Options, err error) {
	if o.N < 1 || o.N > mostSlots {
		return options, faultf(Value, "n is %d, must be positive and at most %d", o.N, mostSlots)
	}
	if o.Outputs != nil && len(o.Outputs) == 0 {
		return options, faultf(Value, "option outputs is empty, must name an output")
	}
	for _, name := range o.Outputs {
		i := slices.Index(OutputSets(), name)
		if i < 0 {
			return options, faultf(Value, "output %q is unknown, must be one of %q", name, OutputSets())
		}
		options.Outputs |= 1 << i
	}
	if options.Autoreset, err = choice[vec.Autoreset]("autoreset", o.Autoreset, "next_step", "same_step", "disabled"); err != nil {
		return options, err
	}
	if options.Seat, err = choice[vec.Seat]("seat", o.Seat, "random", "first", "second"); err != nil {
		return options, err
	}
	if options.Illegal, err = choice[vec.Illegal]("illegal", o.Illegal, "error", "loses"); err != nil {
		return options, err
	}
	const most = 1 << 40 // vec refuses it too
	options.MaxPlies, options.RandomPlies, options.Goroutines = int(o.MaxPlies), int(o.RandomPlies), int(min(o.Threads, most))
	options.Starts, options.FirstSlot = o.Starts, int(o.FirstSlot)
	return options, nil
}

// layout returns the outputs of a batch with these options. It makes a batch of one slot,
// which checks all options except the opponent.
func (o *batchOptions) layout(g *game) ([]array, error) {
	options, err := o.options()
	if err != nil {
		return nil, err
	}
	if o.Opponent != "" {
		options.Opponent = vec.Random{}
	}
	options.Goroutines = min(options.Goroutines, 1)
	one, err := vec.New(g.variant.Game, 1, options)
	if err != nil {
		return nil, err
	}
	defer one.Close()
	outputs := arrays(g.spec, int(o.N), &one.Results)
	var bytes int64
	for _, a := range outputs {
		if a.length() < 0 || a.length() > 1<<50 {
			return nil, faultf(Value, "n is %d, which is too great", o.N)
		}
		bytes += int64(a.length()) * int64(a.element.Size())
	}
	return outputs, fits("a batch of this size", bytes+o.N*slotBytes)
}

// slotBytes is about what a slot needs besides its outputs.
const slotBytes = 4 << 10

// Layout writes the outputs of a batch of a game as a JSON list of objects with the
// members name, dtype and shape. options is a JSON object; see batchOptions.
func (l *Library) Layout(handle int64, options, buffer []byte) (n int64, err error) {
	g, err := l.game(handle)
	if err != nil {
		return 0, err
	}
	defer recovered(&err)
	var o batchOptions
	if err := decode(options, "options", &o); err != nil {
		return 0, err
	}
	outputs, err := o.layout(g)
	if err != nil {
		return 0, err
	}
	text, err := json.Marshal(outputs)
	return put(buffer, text), err
}

// NewBatch opens a batch of a game. memory has a piece for each array of Layout, in order.
func (l *Library) NewBatch(handle int64, options []byte, memory [][]byte) (n int64, err error) {
	g, err := l.game(handle)
	if err != nil {
		return 0, err
	}
	defer recovered(&err)
	var o batchOptions
	if err := decode(options, "options", &o); err != nil {
		return 0, err
	}
	outputs, err := o.layout(g)
	if err != nil {
		return 0, err
	}
	vecOptions, err := o.options()
	if err != nil {
		return 0, err
	}
	if vecOptions.Memory, err = results(outputs, memory); err != nil {
		return 0, err
	}
	if vecOptions.Opponent, err = o.policy(g); err != nil {
		return 0, err
	}
	v, err := vec.New(g.variant.Game, int(o.N), vecOptions)
	if err != nil {
		return 0, err
	}
	// A slot takes some µs, and up to some ms to find no opening that leaves it a turn.
	const manySlots, manyOpenings = 1 << 15, 64
	return l.open(&batch{
		game: g, vec: v, actions: make([]env.Action, o.N),
		slow: o.Opponent != "" && o.Opponent != randomAgent || o.N > manySlots || o.RandomPlies > 0 && o.N > manyOpenings,
	}), nil
}

// policy makes the opponent; nil for none.
func (o *batchOptions) policy(g *game) (vec.Policy, error) {
	switch o.Opponent {
	case "":
		return nil, nil
	case randomAgent:
		return vec.Random{}, nil
	}
	spec, err := o.parse(o.Opponent, g)
	if err != nil {
		return nil, err
	}
	return selfplay.NewPolicy(spec, g.variant.Game)
}

// run does work that writes the outputs of a batch, in a goroutine if it may take long,
// and returns the number of legal actions in the list.
func (l *Library) run(handle int64, work func(*batch) error) (int64, error) {
	return useEntry(l, handle, func(e *entry, b *batch) (int64, error) {
		if b.slow {
			return e.start(true, func(context.Context) (int64, error) { return b.listed(work(b)) })
		}
		return b.listed(work(b))
	})
}

func (b *batch) listed(err error) (int64, error) { return int64(len(b.vec.LegalActions)), err }

// Reset begins episode 0 of every slot.
func (l *Library) Reset(handle int64, seed uint64) (int64, error) {
	return l.run(handle, func(b *batch) error { return b.vec.Reset(seed) })
}

// ResetSlots begins the next episode of every slot i for which mask[i] is not 0.
func (l *Library) ResetSlots(handle int64, mask []uint8) (int64, error) {
	marked := make([]bool, len(mask))
	for i, m := range mask {
		marked[i] = m != 0
	}
	return l.run(handle, func(b *batch) error { return b.vec.ResetSlots(marked) })
}

// take copies the actions of a step.
func (b *batch) take(actions []env.Action) error {
	if err := length("actions", len(actions), len(b.actions)); err != nil {
		return err
	}
	copy(b.actions, actions)
	return nil
}

// Step plays an action in each slot and returns the number of legal actions in the list.
func (l *Library) Step(handle int64, actions []env.Action) (int64, error) {
	return useEntry(l, handle, func(e *entry, b *batch) (int64, error) {
		if err := b.take(actions); err != nil {
			return 0, err
		}
		if b.slow {
			return e.start(true, func(context.Context) (int64, error) { return b.listed(b.vec.Step(b.actions)) })
		}
		return b.listed(b.vec.Step(b.actions))
	})
}

// Send starts a Step, whose result Wait returns. It always returns Pending.
func (l *Library) Send(handle int64, actions []env.Action) (int64, error) {
	return useEntry(l, handle, func(e *entry, b *batch) (int64, error) {
		if err := b.take(actions); err != nil {
			return 0, err
		}
		e.launch(true, func(context.Context) (int64, error) { return b.listed(b.vec.Step(b.actions)) })
		return Pending, nil
	})
}

// Sample sets actions to uniformly random legal actions.
func (l *Library) Sample(handle int64, actions []env.Action) (int64, error) {
	return use(l, handle, func(b *batch) (int64, error) {
		if err := length("actions", len(actions), len(b.actions)); err != nil {
			return 0, err
		}
		return 0, b.vec.SampleActions(actions)
	})
}

// wholeBatch as a slot means all of them.
const wholeBatch = -1

// slot checks the number of a slot.
func (b *batch) slot(i int64) error {
	if i < 0 || i >= int64(b.vec.Len()) {
		return faultf(Value, "slot is %d, must be 0 to %d", i, b.vec.Len()-1)
	}
	return nil
}

// Save writes a slot of a batch, or the whole batch for slot −1.
func (l *Library) Save(handle, slot int64, buffer []byte) (int64, error) {
	return use(l, handle, func(b *batch) (int64, error) {
		var data []byte
		var err error
		if slot == wholeBatch {
			data, err = b.vec.Save(nil)
		} else if err = b.slot(slot); err == nil {
			data, err = b.vec.SaveSlot(nil, int(slot))
		}
		return put(buffer, data), err
	})
}

// LoadBatch restores what Save has written: a slot, or the whole batch for slot −1.
func (l *Library) LoadBatch(handle, slot int64, data []byte) (int64, error) {
	return use(l, handle, func(b *batch) (int64, error) {
		if slot == wholeBatch {
			return b.listed(b.vec.Load(data))
		}
		if err := b.slot(slot); err != nil {
			return 0, err
		}
		return b.listed(b.vec.LoadSlot(int(slot), data))
	})
}

// Set begins the next episode of a slot at a position.
func (l *Library) Set(handle, slot int64, position []byte) (int64, error) {
	text := string(position)
	return l.run(handle, func(b *batch) error {
		if err := b.slot(slot); err != nil {
			return err
		}
		return b.vec.Set(int(slot), text)
	})
}

// SlotState opens a copy of the state of a slot. Its plies count from here.
func (l *Library) SlotState(handle, slot int64) (int64, error) {
	return use(l, handle, func(b *batch) (int64, error) {
		if err := b.slot(slot); err != nil {
			return 0, err
		}
		s := &state{game: b.game, state: env.NewState(b.game.variant.Game), last: env.NoPlayer}
		s.state.CopyFrom(b.vec.State(int(slot)))
		return l.open(s), nil
	})
}
