// Package datasettest generates random settings and episodes for tests of code that stores
// them. They do not follow the rules of any game; for real games, use package selfplay.
package datasettest

import (
	"encoding/json"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
)

// Settings returns the settings of an unpaired run with the given number of episodes, in
// jobs of jobEpisodes, under rules that no engine knows.
func Settings(seed uint64, episodes, jobEpisodes int64) dataset.Settings {
	return dataset.Settings{
		Variant: "toy/standard", Digest: "sha256:toy", Rules: json.RawMessage(`{"game":"toy","name":"toy/standard"}`),
		Agents: [2]string{"random", "random"}, OpeningPlies: 4, Starts: []string{}, MaxPlies: 200,
		Seed: seed, Episodes: episodes, JobEpisodes: jobEpisodes,
	}
}

// Fill overwrites ep with a random episode of the given number. Every field that may be
// null is present in some steps and missing in others.
func Fill(ep *dataset.Episode, run string, number int64, rand *env.Rand) {
	ep.Reset()
	ep.Run, ep.Number = run, number
	if rand.IntN(2) == 0 {
		ep.Pair = number / 2
	}
	ep.Seed, ep.FinalHash = rand.Uint64(), rand.Uint64()
	ep.Agents = [2]string{pick(rand, "random", "greedy"), pick(rand, "random", "mcts:sims=400")}
	ep.Start = pick(rand, "start", "another start", "")
	ep.Points = [2]int{rand.IntN(100) - 20, rand.IntN(1000)}
	if rand.IntN(4) == 0 {
		ep.Truncated = true
	} else {
		ep.Terminated = true
		ep.Result = env.Result(rand.IntN(3) - 1)
		ep.Reason = pick(rand, env.Points, env.General, env.Repetition, env.Escaped, env.Resigned, env.Crashed)
	}
	plies := pick(rand, 0, 1, 2, 17, rand.IntN(300))
	ep.OpeningPlies = min(plies, rand.IntN(5))
	if rand.IntN(3) == 0 {
		ep.ResignPly = rand.IntN(plies + 1)
	}
	for i := range plies {
		fillStep(ep.AddStep(), i < ep.OpeningPlies, rand)
	}
}

func fillStep(s *dataset.Step, opening bool, rand *env.Rand) {
	s.Action, s.LegalCount = env.Action(rand.IntN(5000)), int32(1+rand.IntN(500))
	s.Player, s.Hash = env.Player(rand.IntN(2)), rand.Uint64()
	if opening {
		s.Source = dataset.FromOpening
		return
	}
	t := &s.Search
	t.Has = dataset.SearchField(rand.IntN(64))
	if t.Has&dataset.HasValue != 0 {
		t.Value = float32(2*rand.Float64() - 1)
	}
	if t.Has&dataset.HasScore != 0 {
		t.Score = int32(rand.Uint64())
	}
	if t.Has&dataset.HasNodes != 0 {
		t.Nodes = int64(rand.Uint64() >> (1 + rand.IntN(63)))
	}
	if t.Has&dataset.HasDepth != 0 {
		t.Depth = int32(rand.IntN(60))
	}
	t.Fast = t.Has&dataset.HasFast != 0 && rand.IntN(2) == 0
	if t.Has&dataset.HasVisits != 0 {
		for range rand.IntN(6) {
			t.Visits = append(t.Visits, dataset.Visit{Action: env.Action(rand.IntN(5000)), Count: int32(rand.IntN(1e6))})
		}
	}
}

func pick[T any](rand *env.Rand, from ...T) T { return from[rand.IntN(len(from))] }
