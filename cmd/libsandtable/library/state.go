package library

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
	"github.com/sandtable-farm/sandtable/env/render"
	"github.com/sandtable-farm/sandtable/env/render/raster"
)

// state is one position that the caller plays.
type state struct {
	game    *game
	state   env.State
	plies   int64        // since the position was set up
	last    env.Player   // moved last; NoPlayer in the first position
	legal   []env.Action // of the position, if listed
	listed  bool
	scratch []byte
}

func (*state) what() string { return "state" }

// NewState opens a state of a game at the start position, or at that of a position text
// unless text is nil.
func (l *Library) NewState(handle int64, text []byte) (n int64, err error) {
	g, err := l.game(handle)
	if err != nil {
		return 0, err
	}
	defer recovered(&err)
	s := &state{game: g, state: env.NewState(g.variant.Game), last: env.NoPlayer}
	if text != nil {
		if err := s.set(text); err != nil {
			return 0, err
		}
	}
	return l.open(s), nil
}

// recovered makes a panic an error, for functions that make an object.
func recovered(err *error) {
	if r := recover(); r != nil {
		*err = Panicked(r)
	}
}

func (s *state) set(text []byte) error {
	if len(text) > mostText {
		return faultf(Value, "the position text has %d bytes, must have at most %d", len(text), mostText)
	}
	if err := s.state.SetPosition(string(text)); err != nil {
		return err
	}
	s.plies, s.last, s.listed = 0, env.NoPlayer, false
	return nil
}

// A status is the number that functions on states return: from the least significant bit
// on, the player to move + 1 in 2 bits (0 when the game is over), the result + 1 for the
// first player in 2 bits, the reason in 8 bits, and the plies played since the position
// was set up.
func (s *state) status() int64 {
	result, reason := s.state.Result()
	return int64(s.state.Player()+1) | int64(result+1)<<2 | int64(reason)<<4 | s.plies<<12
}

// list returns the legal actions.
func (s *state) list() []env.Action {
	if !s.listed {
		s.game.list(func(list []env.Action) { s.legal = append(s.legal[:0], s.state.Legal(list)...) })
		s.listed = true
	}
	return s.legal
}

func (s *state) apply(a env.Action) error {
	if _, legal := slices.BinarySearch(s.list(), a); !legal {
		if s.state.Player() == env.NoPlayer {
			return faultf(Illegal, "action %d is not legal: the game is over", a)
		}
		return faultf(Illegal, "action %d is not legal", a)
	}
	s.last = s.state.Player()
	s.state.Apply(a)
	s.plies++
	s.listed = false
	return nil
}

// viewer returns the player whose view an observation is: the given one or, for −1, the
// player to move or, after the end, the opponent of the player who moved last.
func (s *state) viewer(given int64) (env.Player, error) {
	switch {
	case given < -1 || given > 1:
		return 0, faultf(Value, "viewer is %d, must be 0, 1 or -1", given)
	case given >= 0:
		return env.Player(given), nil
	case s.state.Player() != env.NoPlayer:
		return s.state.Player(), nil
	case s.last != env.NoPlayer:
		return s.last.Opponent(), nil
	}
	return env.First, nil
}

// Status returns the status of a state.
func (l *Library) Status(handle int64) (int64, error) {
	return use(l, handle, func(s *state) (int64, error) { return s.status(), nil })
}

// Apply plays an action, which it checks, and returns the status of the next position.
func (l *Library) Apply(handle, action int64) (int64, error) {
	return use(l, handle, func(s *state) (int64, error) {
		if action != int64(int32(action)) {
			return 0, faultf(Illegal, "action %d is not legal", action)
		}
		if err := s.apply(env.Action(action)); err != nil {
			return 0, err
		}
		return s.status(), nil
	})
}

// Legal writes the legal actions in ascending order to actions, and returns their number.
func (l *Library) Legal(handle int64, actions []env.Action) (int64, error) {
	return use(l, handle, func(s *state) (int64, error) {
		list := s.list()
		if len(actions) < len(list) {
			return 0, faultf(Value, "the array has room for %d actions, must have room for %d", len(actions), len(list))
		}
		return int64(copy(actions, list)), nil
	})
}

// Mask writes the legal actions to mask: 1 for a legal action, 0 for all others.
func (l *Library) Mask(handle int64, mask []int8) (int64, error) {
	return use(l, handle, func(s *state) (int64, error) {
		if err := length("mask", len(mask), s.game.spec.Actions); err != nil {
			return 0, err
		}
		clear(mask)
		for _, a := range s.list() {
			mask[a] = 1
		}
		return int64(len(s.legal)), nil
	})
}

// length returns an error if an array has the wrong length.
func length(name string, got, want int) error {
	if got != want {
		return faultf(Value, "array %s has length %d, must be %d", name, got, want)
	}
	return nil
}

// Observe writes the observation planes as a player sees them: see state.viewer.
func (l *Library) Observe(handle, viewer int64, planes []uint8) (int64, error) {
	return use(l, handle, func(s *state) (int64, error) {
		p, err := s.viewer(viewer)
		if err == nil {
			err = length("planes", len(planes), s.game.spec.ObservationSize())
		}
		if err == nil {
			s.state.Observe(planes, p)
		}
		return int64(p), err
	})
}

// ObserveBits writes the packed observation as a player sees it: see state.viewer.
func (l *Library) ObserveBits(handle, viewer int64, bits []uint64, scalars []uint8) (int64, error) {
	return use(l, handle, func(s *state) (int64, error) {
		p, err := s.viewer(viewer)
		if err == nil {
			err = length("bits", len(bits), s.game.spec.ObservationBitWords())
		}
		if err == nil {
			err = length("scalars", len(scalars), s.game.spec.ObservationScalars())
		}
		if err == nil {
			s.observeBits(bits, scalars, p)
		}
		return int64(p), err
	})
}

func (s *state) observeBits(bits []uint64, scalars []uint8, p env.Player) {
	if packer, ok := s.state.(env.BitObserver); ok {
		packer.ObserveBits(bits, scalars, p)
		return
	}
	s.scratch = slices.Grow(s.scratch[:0], s.game.spec.ObservationSize())[:s.game.spec.ObservationSize()]
	s.state.Observe(s.scratch, p)
	s.game.spec.PackObservation(bits, scalars, s.scratch)
}

// Position writes the position text.
func (l *Library) Position(handle int64, buffer []byte) (int64, error) {
	return use(l, handle, func(s *state) (int64, error) {
		s.scratch = s.state.AppendPosition(s.scratch[:0])
		return put(buffer, s.scratch), nil
	})
}

// SetPosition sets up the position of a text, and returns the status. After an error the
// state is unchanged.
func (l *Library) SetPosition(handle int64, text []byte) (int64, error) {
	return use(l, handle, func(s *state) (int64, error) {
		if err := s.set(text); err != nil {
			return 0, err
		}
		return s.status(), nil
	})
}

// ActionText writes the move text of a legal action.
func (l *Library) ActionText(handle, action int64, buffer []byte) (int64, error) {
	return use(l, handle, func(s *state) (int64, error) {
		if _, legal := slices.BinarySearch(s.list(), env.Action(action)); !legal || action != int64(int32(action)) {
			return 0, faultf(Illegal, "action %d is not legal", action)
		}
		s.scratch = s.state.AppendAction(s.scratch[:0], env.Action(action))
		return put(buffer, s.scratch), nil
	})
}

// ParseAction returns the legal action of a move text.
func (l *Library) ParseAction(handle int64, text []byte) (int64, error) {
	return use(l, handle, func(s *state) (int64, error) {
		if len(text) > mostText {
			return 0, faultf(Value, "the move text has %d bytes, must have at most %d", len(text), mostText)
		}
		a, err := s.state.ParseAction(string(text))
		return int64(a), err
	})
}

// Hash writes the 64-bit hash of the position to hash, which has one element.
func (l *Library) Hash(handle int64, hash []uint64) (int64, error) {
	return use(l, handle, func(s *state) (int64, error) {
		if err := length("hash", len(hash), 1); err != nil {
			return 0, err
		}
		hash[0] = s.state.Hash()
		return 0, nil
	})
}

// Points writes the points of both players to points. A game without a score is an error.
func (l *Library) Points(handle int64, points []int64) (int64, error) {
	return use(l, handle, func(s *state) (int64, error) {
		if err := length("points", len(points), 2); err != nil {
			return 0, err
		}
		scorer, ok := s.state.(env.Scorer)
		if !ok {
			return 0, faultf(Value, "%s has no score", s.game.variant.Name)
		}
		points[0], points[1] = int64(scorer.Points(env.First)), int64(scorer.Points(env.Second))
		return 0, nil
	})
}

// Text writes a diagram of the position for people.
func (l *Library) Text(handle int64, buffer []byte) (int64, error) {
	return use(l, handle, func(s *state) (int64, error) { return put(buffer, []byte(render.Text(s.state))), nil })
}

// SVG writes a picture of the position, width pixels wide (0 means the natural width) and
// seen by a player. A bare picture has no coordinates, legend and captions.
func (l *Library) SVG(handle, width, viewer, bare int64, buffer []byte) (int64, error) {
	return use(l, handle, func(s *state) (int64, error) {
		options, err := picture(width, viewer, bare)
		if err != nil {
			return 0, err
		}
		var out bytes.Buffer
		if err := render.SVG(&out, s.state, options); err != nil {
			return 0, err
		}
		return put(buffer, out.Bytes()), nil
	})
}

// Pixels writes a picture of the position like that of SVG as bytes of red, green and blue,
// row by row from the top. The height follows from the length and the width.
func (l *Library) Pixels(handle, width, viewer, bare int64, buffer []byte) (int64, error) {
	return use(l, handle, func(s *state) (int64, error) {
		options, err := picture(width, viewer, bare)
		if err != nil {
			return 0, err
		}
		image, err := raster.Image(s.state, options)
		if err != nil {
			return 0, err
		}
		pixels := make([]byte, 0, len(image.Pix)/4*3)
		for i := 0; i < len(image.Pix); i += 4 {
			pixels = append(pixels, image.Pix[i:i+3]...)
		}
		return put(buffer, pixels), nil
	})
}

// mostPixels is the greatest width of a picture.
const mostPixels = 1 << 14

func picture(width, viewer, bare int64) (render.Options, error) {
	switch {
	case width < 0 || width > mostPixels:
		return render.Options{}, faultf(Value, "width is %d, must be 0 to %d", width, mostPixels)
	case viewer < 0 || viewer > 1:
		return render.Options{}, faultf(Value, "viewer is %d, must be 0 or 1", viewer)
	}
	return render.Options{Width: int(width), View: env.Player(viewer), Bare: bare != 0}, nil
}

// Clone opens a copy of a state.
func (l *Library) Clone(handle int64) (int64, error) {
	return use(l, handle, func(s *state) (int64, error) { return l.open(s.clone()), nil })
}

func (s *state) clone() *state {
	c := &state{game: s.game, state: env.NewState(s.game.variant.Game), plies: s.plies, last: s.last}
	c.state.CopyFrom(s.state)
	return c
}

// CopyFrom makes a state equal to another one of the same game, and returns its status.
func (l *Library) CopyFrom(to, from int64) (int64, error) {
	if to == from {
		return l.Status(to)
	}
	return use(l, to, func(t *state) (int64, error) {
		return use(l, from, func(s *state) (int64, error) {
			if t.game != s.game {
				return 0, faultf(Value, "the states belong to different games")
			}
			t.state.CopyFrom(s.state)
			t.plies, t.last, t.listed = s.plies, s.last, false
			return t.status(), nil
		})
	})
}

// Image replaces actions, which must be legal, by their images under a symmetry of the
// game, given by its index.
func (l *Library) Image(handle, number int64, actions []env.Action) (int64, error) {
	return use(l, handle, func(s *state) (int64, error) {
		all := symmetriesOf(s.game.variant.Game)
		if number < 0 || number >= int64(len(all)) {
			return 0, faultf(Value, "symmetry is %d, must be 0 to %d", number, len(all)-1)
		}
		for i, a := range actions {
			if _, legal := slices.BinarySearch(s.list(), a); !legal {
				return 0, faultf(Illegal, "action %d is not legal", a)
			}
			actions[i] = all[number].Action(s.state, a)
		}
		return int64(len(actions)), nil
	})
}

// A snapshot is, little-endian:
//
//	4 bytes   "SLIB"
//	1 byte    snapshotVersion
//	2 bytes   length of the digest of the game, which follows
//	8 bytes   plies played
//	1 byte    the player who moved last
//	the rest  snapshot of the engine
//	4 bytes   CRC-32 (Castagnoli) of all bytes before
const (
	snapshotMark    = "SLIB"
	snapshotVersion = 1
)

// Snapshot writes a state with its history.
func (l *Library) Snapshot(handle int64, buffer []byte) (int64, error) {
	return use(l, handle, func(s *state) (int64, error) {
		from, ok := s.state.(env.Snapshotter)
		if !ok {
			return 0, faultf(Value, "%s has no snapshots", s.game.variant.Name)
		}
		data := append(s.scratch[:0], snapshotMark...)
		data = append(data, snapshotVersion)
		data = binary.LittleEndian.AppendUint16(data, uint16(len(s.game.variant.Digest)))
		data = append(data, s.game.variant.Digest...)
		data = binary.LittleEndian.AppendUint64(data, uint64(s.plies))
		data, err := from.AppendBinary(append(data, byte(s.last)))
		if err != nil {
			return 0, err
		}
		s.scratch = engine.Seal(data, 0)
		return put(buffer, s.scratch), nil
	})
}

// Restore opens the state of a snapshot of a game.
func (l *Library) Restore(handle int64, data []byte) (n int64, err error) {
	g, err := l.game(handle)
	if err != nil {
		return 0, err
	}
	defer recovered(&err)
	s, err := g.restore(data)
	if err != nil {
		return 0, fmt.Errorf("snapshot: %w", err)
	}
	return l.open(s), nil
}

func (g *game) restore(data []byte) (*state, error) {
	head := len(snapshotMark) + 1 + 2
	if len(data) < head || string(data[:len(snapshotMark)]) != snapshotMark {
		return nil, fmt.Errorf("the bytes are not a snapshot of a state, which begins with %s", snapshotMark)
	}
	if version := data[len(snapshotMark)]; version != snapshotVersion {
		return nil, fmt.Errorf("version is %d, must be %d", version, snapshotVersion)
	}
	body, err := engine.Unseal(data)
	if err != nil {
		return nil, err
	}
	size := int(binary.LittleEndian.Uint16(data[head-2:]))
	if len(body) < head+size+9 {
		return nil, fmt.Errorf("it has %d bytes, which are too few", len(data))
	}
	if digest := string(body[head : head+size]); digest != g.variant.Digest {
		return nil, fmt.Errorf("it belongs to the rules %s, not to those of %s, %s", digest, g.variant.Name, g.variant.Digest)
	}
	body = body[head+size:]
	s := &state{game: g, state: env.NewState(g.variant.Game), plies: int64(binary.LittleEndian.Uint64(body)), last: env.Player(body[8])}
	if s.plies < 0 || s.plies > 1<<40 || s.last < env.NoPlayer || s.last > env.Second {
		return nil, fmt.Errorf("its plies, %d, and its last mover, %d, cannot be", s.plies, s.last)
	}
	to, ok := s.state.(env.Snapshotter)
	if !ok {
		return nil, fmt.Errorf("%s has no snapshots", g.variant.Name)
	}
	return s, to.UnmarshalBinary(body[9:])
}

// outputs of Play. Each is nil, or has a row for each action.
type outputs struct {
	movers  []int8   // the player who plays the action
	planes  []uint8  // the observation of that player before the action
	bits    []uint64 // the same, packed
	scalars []uint8
	masks   []uint64 // packed masks of the legal actions
}

// mostPlayed is the greatest number of actions of a call of Play.
const mostPlayed = 1 << 14

// Play plays actions and writes what each mover sees before its action to pieces of memory:
// the mover, the planes, the bits and the scalars of the packed observation, and the packed
// mask of the legal actions, each with a row for each action. A nil piece is left out. Play
// returns the status of the last position. An action that is not legal ends it with an
// error; the actions before it have been played.
func (l *Library) Play(handle int64, actions []env.Action, memory [][]byte) (int64, error) {
	return use(l, handle, func(s *state) (int64, error) {
		if len(actions) > mostPlayed {
			return 0, faultf(Value, "%d actions, must be at most %d; play longer episodes in parts", len(actions), mostPlayed)
		}
		out, err := playOutputs(s.game.spec, len(actions), memory)
		if err != nil {
			return 0, err
		}
		for i, a := range actions {
			if err := s.play(i, a, out); err != nil {
				return 0, err
			}
		}
		return s.status(), nil
	})
}

func playOutputs(spec *env.Spec, n int, memory [][]byte) (*outputs, error) {
	if err := length("of outputs", len(memory), 5); err != nil {
		return nil, err
	}
	var out outputs
	var err error
	set(&err, &out.movers, "movers", memory[0], n)
	set(&err, &out.planes, "planes", memory[1], n*spec.ObservationSize())
	set(&err, &out.bits, "bits", memory[2], n*spec.ObservationBitWords())
	set(&err, &out.scalars, "scalars", memory[3], n*spec.ObservationScalars())
	set(&err, &out.masks, "masks", memory[4], n*spec.MaskWords())
	if err == nil && out.bits != nil && out.scalars == nil && spec.ObservationScalars() > 0 {
		err = faultf(Value, "the array bits needs the array scalars")
	}
	return &out, err
}

func (s *state) play(i int, a env.Action, out *outputs) error {
	mover := s.state.Player()
	if _, legal := slices.BinarySearch(s.list(), a); !legal {
		return faultf(Illegal, "ply %d: action %d is not legal", i, a)
	}
	spec := s.game.spec
	if out.movers != nil {
		out.movers[i] = int8(mover)
	}
	if out.planes != nil {
		s.state.Observe(row(out.planes, i, spec.ObservationSize()), mover)
	}
	if out.bits != nil {
		s.observeBits(row(out.bits, i, spec.ObservationBitWords()), row(out.scalars, i, spec.ObservationScalars()), mover)
	}
	if out.masks != nil {
		env.PackActions(row(out.masks, i, spec.MaskWords()), s.legal)
	}
	return s.apply(a)
}

// row returns row i of a matrix.
func row[T any](matrix []T, i, width int) []T { return matrix[i*width : (i+1)*width : (i+1)*width] }
