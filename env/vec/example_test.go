package vec_test

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/vec"
)

// A learner plays against a built-in opponent, as in a Gymnasium training loop.
func Example() {
	variant, err := games.Lookup("ntxuva/basic")
	if err != nil {
		panic(err)
	}
	envs, err := vec.New(variant.Game, 64, vec.Options{
		Opponent: vec.Random{}, // the learner's seat is drawn for each episode
		Outputs:  vec.OutBits | vec.OutMask | vec.OutList | vec.OutReward | vec.OutFinalInfo,
	})
	if err != nil {
		panic(err)
	}
	defer envs.Close()
	if err := envs.Reset(42); err != nil {
		panic(err)
	}
	actions := make([]env.Action, envs.Len())
	episodes, won := 0, 0
	for range 1000 {
		// A policy reads envs.Bits, envs.Scalars and envs.Mask here.
		if err := envs.SampleActions(actions); err != nil {
			panic(err)
		}
		if err := envs.Step(actions); err != nil {
			panic(err)
		}
		for i, reward := range envs.LearnerReward {
			if envs.Terminated[i] || envs.Truncated[i] {
				episodes++
				if reward > 0 {
					won++
				}
			}
		}
	}
	fmt.Printf("%d episodes, %d won\n", episodes, won)
	// Output: 1720 episodes, 865 won
}

// The caller plays both seats, as in PettingZoo's AEC loop and in Pgx.
func ExampleVec_Step() {
	variant, err := games.Lookup("trench/standard")
	if err != nil {
		panic(err)
	}
	envs, err := vec.New(variant.Game, 2, vec.Options{Autoreset: vec.SameStep, MaxPlies: 300})
	if err != nil {
		panic(err)
	}
	if err := envs.Reset(1); err != nil {
		panic(err)
	}
	actions := make([]env.Action, envs.Len())
	for ended := false; !ended; {
		for i := range actions {
			// The mover is envs.ToMove[i], and envs.Obs is what it sees.
			legal := envs.LegalActions[envs.LegalOffsets[i]:envs.LegalOffsets[i+1]]
			actions[i] = legal[len(legal)/2]
		}
		if err := envs.Step(actions); err != nil {
			panic(err)
		}
		for i := range actions {
			if envs.Terminated[i] || envs.Truncated[i] {
				ended = true
				fmt.Println("slot", i, "reason", envs.FinalReason[i], "rewards", envs.Reward[2*i:2*i+2],
					"plies", envs.FinalPlies[i], "next to move", envs.ToMove[i])
			}
		}
	}
	// Output:
	// slot 0 reason repetition rewards [0 0] plies 43 next to move 0
	// slot 1 reason repetition rewards [0 0] plies 43 next to move 0
}

// A restored batch continues exactly as the saved one.
func ExampleVec_Load() {
	variant, err := games.Lookup("trench/standard")
	if err != nil {
		panic(err)
	}
	open := func() *vec.Vec {
		envs, err := vec.New(variant.Game, 8, vec.Options{RandomPlies: 4})
		if err != nil {
			panic(err)
		}
		return envs
	}
	play := func(envs *vec.Vec, steps int) {
		actions := make([]env.Action, envs.Len())
		for range steps {
			if err := envs.SampleActions(actions); err != nil {
				panic(err)
			}
			if err := envs.Step(actions); err != nil {
				panic(err)
			}
		}
	}
	first := open()
	if err := first.Reset(3); err != nil {
		panic(err)
	}
	play(first, 100)
	saved, err := first.Save(nil)
	if err != nil {
		panic(err)
	}
	second := open()
	if err := second.Load(saved); err != nil {
		panic(err)
	}
	play(first, 500)
	play(second, 500)
	fmt.Println(env.PositionText(first.State(5)) == env.PositionText(second.State(5)))
	// Output: true
}

// A custom policy as the opponent: it captures whenever it can.
func ExamplePolicy() {
	variant, err := games.Lookup("trench/standard")
	if err != nil {
		panic(err)
	}
	envs, err := vec.New(variant.Game, 64, vec.Options{Opponent: capturer{}, Seat: vec.SeatFirst, Autoreset: vec.SameStep})
	if err != nil {
		panic(err)
	}
	if err := envs.Reset(0); err != nil {
		panic(err)
	}
	actions, total := make([]env.Action, envs.Len()), float32(0)
	for range 400 {
		if err := envs.SampleActions(actions); err != nil {
			panic(err)
		}
		if err := envs.Step(actions); err != nil {
			panic(err)
		}
		for _, reward := range envs.LearnerReward {
			total += reward
		}
	}
	fmt.Println("a random learner loses more than it wins:", total < 0)
	// Output: a random learner loses more than it wins: true
}

type capturer struct{}

func (capturer) Choose(s env.State, legal []env.Action, r *env.Rand) env.Action {
	var room [512]env.Action
	if captures := s.(env.Noisy).Noisy(room[:0]); len(captures) > 0 {
		legal = captures
	}
	return vec.Random{}.Choose(s, legal, r)
}

func (c capturer) Clone() (vec.Policy, error) { return c, nil }
