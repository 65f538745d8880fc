package learn

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/arena"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
	"github.com/sandtable-farm/sandtable/selfplay/record"
)

// Random streams under the run's seed and the iteration's number.
const (
	playStream = 1
	gateStream = 2
)

// iterate does the missing steps of an iteration and returns its report.
func (l *learner) iterate(ctx context.Context, number int) (*Report, error) {
	dir := iterationFolder(l.Dir, number)
	if err := l.play(ctx, number, dir); err != nil {
		return nil, err
	}
	data, err := dataset.Load(filepath.Join(dir, dataFolder))
	if err != nil {
		return nil, err
	}
	weights, err := l.learn(ctx, number, dir)
	if err != nil {
		return nil, err
	}
	r := &Report{
		Iteration: number, Player: l.best.String(), Episodes: data.Episodes(), Plies: data.Steps(), Fit: new(Fit), Weights: dataset.FileDigest(weights),
	}
	if err := readReport(filepath.Join(dir, fitName), r.Fit); err != nil {
		return nil, err
	}
	candidate, err := l.with(weights)
	if err != nil {
		return nil, err
	}
	if r.Candidate = candidate.String(); r.Candidate != r.Player {
		if r.Gate, err = l.gate(ctx, number, dir, candidate); err != nil {
			return nil, err
		}
		r.Accepted = r.Gate.Test.Verdict == stats.AcceptH1.String()
	}
	return r, writeJSON(filepath.Join(dir, reportName), r)
}

// watch announces a stage to Watch and returns the function that reports its progress.
func (l *learner) watch(number int, stage Stage, games int64) func(games, plies int64) {
	if l.Watch != nil {
		if progress := l.Watch(number, stage, games); progress != nil {
			return progress
		}
	}
	return func(int64, int64) {}
}

// play plays the missing self-play games of an iteration.
func (l *learner) play(ctx context.Context, number int, dir string) error {
	games := l.Plan.Config()
	games.Agents = [2]agent.Spec{l.best, l.best}
	games.Seed = env.Derive(games.Seed, uint64(number), playStream)
	plan, err := selfplay.NewPlan(games)
	if err != nil {
		return err
	}
	recording := record.Recording{Dir: filepath.Join(dir, dataFolder), Plan: plan, Episodes: l.Recipe.Episodes, Workers: l.Workers}
	missing := recording.Missing()
	if missing == 0 {
		return nil
	}
	recording.Progress = l.watch(number, Playing, missing)
	return l.Record.Record(ctx, recording)
}

// learn fits the weights of an iteration, unless their file exists, and returns its content.
func (l *learner) learn(ctx context.Context, number int, dir string) (string, error) {
	path := filepath.Join(dir, weightsName)
	if data, err := os.ReadFile(path); !errors.Is(err, fs.ErrNotExist) {
		return string(data), err
	}
	first := max(1, number-l.Recipe.Window+1)
	progress := l.watch(number, Learning, int64(number-first+1)*l.Recipe.Episodes)
	samples := newSamples(l.layout)
	var confidence float64
	var before, now [2]int64 // games and plies
	for i := first; i <= number; i++ {
		var err error
		confidence, err = samples.sample(ctx, filepath.Join(iterationFolder(l.Dir, i), dataFolder), l.layout, &l.Recipe, func(games, plies int64) {
			now = [2]int64{before[0] + games, before[1] + plies}
			progress(now[0], now[1])
		})
		if err != nil {
			return "", err
		}
		before = now
	}
	fit, values, err := samples.fit(l.layout, l.Recipe.L2, l.Workers)
	if err != nil {
		return "", fmt.Errorf("iteration %d: %w", number, err)
	}
	fit.Confidence = confidence
	v := l.Plan.Config().Variant
	weights, err := eval.NewWeights(v.Game, v.Digest, values, l.made(number))
	if err != nil {
		return "", fmt.Errorf("iteration %d: %w", number, err)
	}
	if err := writeJSON(filepath.Join(dir, fitName), fit); err != nil {
		return "", err
	}
	return string(weights.JSON()), dataset.WriteFile(path, weights.JSON())
}

// made describes how the weights of an iteration were made. The text is part of
// weights.json, so a change of its wording changes the digest of the weights.
func (l *learner) made(number int) string {
	c := l.Plan.Config()
	return fmt.Sprintf("sandtable train %s, iteration %d, seed %d: %d games an iteration by %s, %d positions a game, mix %g, l2 %g",
		c.Variant.Name, number, c.Seed, l.Recipe.Episodes, c.Agents[0], l.Recipe.Positions, l.Recipe.Mix, l.Recipe.L2)
}

// gate plays the match of the candidate against the best agent.
func (l *learner) gate(ctx context.Context, number int, dir string, candidate agent.Spec) (*arena.Report, error) {
	gate := &l.Recipe.Gate
	games := l.Plan.Config()
	games.Agents = [2]agent.Spec{candidate, l.best}
	games.Opening = gate.opening(&games.Opening)
	games.Seed = env.Derive(games.Seed, uint64(number), gateStream)
	plan, err := selfplay.NewPlan(games)
	if err != nil {
		return nil, err
	}
	match := arena.Match{Dir: filepath.Join(dir, gateFolder), Plan: plan, Pairs: gate.Pairs, Test: &gate.SPRT, Workers: l.Workers, Record: l.Record}
	match.Progress = l.watch(number, Gating, match.Missing())
	report, err := arena.Play(ctx, match)
	if err != nil {
		return nil, err
	}
	report.Dir = gateFolder // relative, since the run folder may be moved
	return report, nil
}
