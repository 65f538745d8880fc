package vec_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/vec"
)

func game(t testing.TB, name string) env.Game {
	t.Helper()
	v, err := games.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return v.Game
}

func newVec(t testing.TB, g env.Game, n int, options vec.Options) *vec.Vec {
	t.Helper()
	v, err := vec.New(g, n, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.Close)
	return v
}

func reset(t testing.TB, v *vec.Vec, seed uint64) {
	t.Helper()
	if err := v.Reset(seed); err != nil {
		t.Fatal(err)
	}
}

func step(t testing.TB, v *vec.Vec, actions []env.Action) {
	t.Helper()
	if err := v.Step(actions); err != nil {
		t.Fatal(err)
	}
}

// sample returns random legal actions.
func sample(t testing.TB, v *vec.Vec) []env.Action {
	t.Helper()
	actions := make([]env.Action, v.Len())
	if err := v.SampleActions(actions); err != nil {
		t.Fatal(err)
	}
	return actions
}

// legal returns the list of a slot.
func legal(v *vec.Vec, i int) []env.Action {
	return v.LegalActions[v.LegalOffsets[i]:v.LegalOffsets[i+1]]
}

func row[T any](matrix []T, i, n int) []T {
	width := len(matrix) / n
	return matrix[i*width : (i+1)*width]
}

// sees returns an error if the observation outputs, in any of their forms, differ
// from s.
func sees(spec *env.Spec, obs []uint8, packed []uint64, scalars []uint8, viewer env.Player, s seen) error {
	if viewer != s.viewer {
		return fmt.Errorf("the viewer is player %d, must be %d", viewer, s.viewer)
	}
	if !bytes.Equal(obs, s.planes) {
		return fmt.Errorf("the planes differ")
	}
	wantPacked, wantScalars := make([]uint64, spec.ObservationBitWords()), make([]uint8, spec.ObservationScalars())
	spec.PackObservation(wantPacked, wantScalars, s.planes)
	if !slices.Equal(packed, wantPacked) || !bytes.Equal(scalars, wantScalars) {
		return fmt.Errorf("the packed observations differ")
	}
	return nil
}

// differs returns an error if a batch with all outputs on differs from the model.
func differs(v *vec.Vec, m *vector) error {
	for i := range m.envs {
		if err := slotDiffers(v, m, i); err != nil {
			return fmt.Errorf("slot %d: %w", i, err)
		}
	}
	if int(v.LegalOffsets[v.Len()]) != len(v.LegalActions) || v.LegalOffsets[0] != 0 {
		return fmt.Errorf("offsets go from %d to %d, there are %d legal actions", v.LegalOffsets[0], v.LegalOffsets[v.Len()], len(v.LegalActions))
	}
	return nil
}

func slotDiffers(v *vec.Vec, m *vector, i int) error {
	n, spec := v.Len(), v.Game().Spec()
	want := m.obs[i]
	if err := sees(spec, row(v.Obs, i, n), row(v.Bits, i, n), row(v.Scalars, i, n), v.Viewer[i], want); err != nil {
		return err
	}
	if v.ToMove[i] != want.toMove {
		return fmt.Errorf("player %d is to move, must be %d", v.ToMove[i], want.toMove)
	}
	if got := legal(v, i); !slices.Equal(got, want.legal) {
		return fmt.Errorf("legal actions are %v, must be %v", got, want.legal)
	}
	mask := make([]uint64, spec.MaskWords())
	env.PackActions(mask, want.legal)
	if !slices.Equal(row(v.Mask, i, n), mask) {
		return fmt.Errorf("the mask differs")
	}
	if got := [2]float32(row(v.Reward, i, n)); got != m.rewards[i] {
		return fmt.Errorf("rewards are %v, must be %v", got, m.rewards[i])
	}
	if v.LearnerReward != nil && v.LearnerReward[i] != m.rewards[i][m.seats[i]] {
		return fmt.Errorf("the learner's reward is %v of %v, its seat is %d", v.LearnerReward[i], m.rewards[i], m.seats[i])
	}
	if v.Terminated[i] != m.terminated[i] || v.Truncated[i] != m.truncated[i] {
		return fmt.Errorf("terminated %v, truncated %v, must be %v, %v", v.Terminated[i], v.Truncated[i], m.terminated[i], m.truncated[i])
	}
	if m.final[i] == nil {
		return nil
	}
	f := m.final[i]
	if err := sees(spec, row(v.FinalObs, i, n), row(v.FinalBits, i, n), row(v.FinalScalars, i, n), v.FinalViewer[i], f.seen); err != nil {
		return fmt.Errorf("final observation: %w", err)
	}
	got := ended{seen: f.seen, result: v.FinalResult[i], reason: v.FinalReason[i], returns: [2]float32(row(v.FinalReturn, i, n)),
		plies: int(v.FinalPlies[i]), steps: int(v.FinalSteps[i]), seat: v.FinalSeat[i], episode: int(v.FinalEpisode[i])}
	if a, b := fmt.Sprint(got), fmt.Sprint(*f); a != b {
		return fmt.Errorf("the episode is %s, must be %s", a[len(a)-60:], b[len(b)-60:])
	}
	return nil
}

// agree plays a batch and its model side by side, and returns the number of
// episodes that ended. Under Disabled it resets the finished slots before each step.
func agree(t *testing.T, v *vec.Vec, m *vector, steps int, actions func() []env.Action) (episodes int) {
	t.Helper()
	for n := range steps {
		if err := differs(v, m); err != nil {
			t.Fatalf("step %d: %v", n, err)
		}
		if m.options.Autoreset == vec.Disabled && slices.Contains(m.autoreset, true) {
			mask := slices.Clone(m.autoreset)
			m.resetMask(mask)
			if err := v.ResetSlots(mask); err != nil {
				t.Fatal(err)
			}
			if err := differs(v, m); err != nil {
				t.Fatalf("step %d, slots reset: %v", n, err)
			}
		}
		a := actions()
		m.step(a)
		step(t, v, a)
		for _, f := range m.final {
			if f != nil {
				episodes++
			}
		}
	}
	return episodes
}
