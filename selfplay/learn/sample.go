package learn

import (
	"context"
	"math"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/dataset/replay"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

// Every heldOutEvery-th game is held out from fitting.
const heldOutEvery = 10

func isHeldOut(episode int64) bool { return episode%heldOutEvery == heldOutEvery-1 }

// samples are the positions to learn from. Their columns are the parameters of a layout.
type samples struct {
	rows      *stats.Rows
	held      *stats.Rows // of the held-out games
	heldEnds  []int       // ends of the rows of each game in held
	games     int64       // that contributed positions, held-out games included
	truncated int64       // games
}

func newSamples(layout *eval.Layout) *samples {
	return &samples{rows: stats.NewRows(layout.Size()), held: stats.NewRows(layout.Size())}
}

// A sampler draws positions from the games of one data set.
type sampler struct {
	recipe     *Recipe
	samples    *samples
	reader     *parquetio.Reader
	replayer   *replay.Replayer
	extractor  *eval.Extractor
	confidence float64 // in the search's scores
	rand       env.Rand
	noisy      []env.Action
	terms      []eval.Term
	places     []position // drawn from one game; reused
}

// A position is a sampled position.
type position struct {
	terms  []stats.Term
	target float64
}

// sampleStream is the random stream under an episode's seed that draws its positions. The
// streams that play the episode are small numbers.
const sampleStream = 0x73616d706c65

// sample adds positions from a data set and returns the confidence in its scores. It
// calls progress after each game, with the games and plies read so far.
func (s *samples) sample(ctx context.Context, dir string, layout *eval.Layout, recipe *Recipe, progress func(games, plies int64)) (confidence float64, err error) {
	reader, err := parquetio.Open(dir)
	if err != nil {
		return 0, err
	}
	settings := &reader.Manifest().Settings
	replayer, err := replay.New(settings)
	if err != nil {
		return 0, err
	}
	p := &sampler{recipe: recipe, samples: s, reader: reader, replayer: replayer, extractor: layout.NewExtractor()}
	if p.confidence, err = p.calibrate(ctx); err != nil {
		return 0, err
	}
	var games, plies int64
	err = p.each(ctx, func(ep *dataset.Episode) error {
		if err := p.add(ep); err != nil {
			return err
		}
		games, plies = games+1, plies+int64(ep.Plies())
		progress(games, plies)
		return nil
	})
	return p.confidence, err
}

// each calls use with every game of the data set, in order.
func (p *sampler) each(ctx context.Context, use func(*dataset.Episode) error) error {
	for ep, err := range p.reader.Episodes() {
		if err == nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		if err != nil {
			return err
		}
		if err := use(ep); err != nil {
			return err
		}
	}
	return nil
}

// calibrate fits the confidence c with which σ(c·score/eval.Scale) predicts the results
// of the games that are not held out. The prior is a confidence of 1 with the weight of
// priorGames games.
func (p *sampler) calibrate(ctx context.Context) (float64, error) {
	const priorGames = 10
	rows := stats.NewRows(1)
	if err := rows.Append([]stats.Term{{Index: 0, Value: 1}}, 1/(1+math.Exp(-1)), priorGames); err != nil {
		return 0, err
	}
	err := p.each(ctx, func(ep *dataset.Episode) error {
		if ep.Truncated || isHeldOut(ep.Number) {
			return nil
		}
		for i := range ep.Steps {
			step := &ep.Steps[i]
			if _, forced := search.Forced(int(step.Search.Score)); forced || step.Search.Has&dataset.HasScore == 0 {
				continue
			}
			term := []stats.Term{{Index: 0, Value: float32(step.Search.Score) / eval.Scale}}
			if err := rows.Append(term, result(ep, step.Player), 1/float64(ep.Plies())); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	fit, err := stats.Logistic{Penalty: []float64{0}}.Fit(rows)
	if err != nil {
		return 0, err
	}
	return max(0, fit.Coefficients[0]), nil
}

// result returns a game's result for a player: 1, ½ or 0.
func result(ep *dataset.Episode, p env.Player) float64 { return float64(ep.Result.For(p)+1) / 2 }

// add samples positions from a game and adds them. They share the game's weight of 1
// equally.
func (p *sampler) add(ep *dataset.Episode) error {
	drawn, err := p.draw(ep)
	if ep.Truncated {
		p.samples.truncated++
	}
	if err != nil || len(drawn) == 0 {
		return err
	}
	rows := p.samples.rows
	if isHeldOut(ep.Number) {
		rows = p.samples.held
	}
	for i := range drawn {
		if err := rows.Append(drawn[i].terms, drawn[i].target, 1/float64(len(drawn))); err != nil {
			return err
		}
	}
	if isHeldOut(ep.Number) {
		p.samples.heldEnds = append(p.samples.heldEnds, rows.Len())
	}
	p.samples.games++
	return nil
}

// draw samples positions from a game uniformly (Vitter 1985, "Random Sampling with a
// Reservoir", algorithm R). The slice is valid until the next call.
func (p *sampler) draw(ep *dataset.Episode) ([]position, error) {
	p.rand.Seed(env.Derive(ep.Seed, sampleStream))
	ply, found := 0, 0
	for s, err := range p.replayer.Positions(ep) {
		if err != nil {
			return nil, err
		}
		if ply == len(ep.Steps) {
			break
		}
		step := &ep.Steps[ply]
		ply++
		target, known := p.target(ep, step)
		if !known || step.Source != dataset.FromAgent || !p.quiet(s, step.Action) {
			continue
		}
		place := found
		if found++; found > p.recipe.Positions {
			place = p.rand.IntN(found)
		}
		if place >= p.recipe.Positions {
			continue
		}
		if place == len(p.places) {
			p.places = append(p.places, position{})
		}
		p.places[place].target = target
		p.describe(&p.places[place], s, step.Player)
	}
	return p.places[:min(found, p.recipe.Positions)], nil
}

// describe sets the terms of a position, from its mover's view.
func (p *sampler) describe(to *position, s env.State, mover env.Player) {
	p.terms = p.extractor.Extract(p.terms[:0], s, mover)
	to.terms = to.terms[:0]
	for _, t := range p.terms {
		to.terms = append(to.terms, stats.Term(t))
	}
}

// target returns the target of a position from its mover's view. known is false if the
// game has no result and the position has no score.
func (p *sampler) target(ep *dataset.Episode, step *dataset.Step) (target float64, known bool) {
	has := step.Search.Has&dataset.HasScore != 0
	switch {
	case ep.Truncated && !has:
		return 0, false
	case ep.Truncated:
		return p.predicted(int(step.Search.Score)), true
	case !has:
		return result(ep, step.Player), true
	}
	mix := p.recipe.Mix
	return mix*result(ep, step.Player) + (1-mix)*p.predicted(int(step.Search.Score)), true
}

// predicted returns the result that a score predicts.
func (p *sampler) predicted(score int) float64 {
	if _, forced := search.Forced(score); forced {
		if score > 0 {
			return 1
		}
		return 0
	}
	return 1 / (1 + math.Exp(-p.confidence*float64(score)/eval.Scale))
}

// quiet reports whether an action is neither a capture nor a shot.
func (p *sampler) quiet(s env.State, a env.Action) bool {
	state, ok := s.(env.Noisy)
	if !ok {
		return true
	}
	p.noisy = state.Noisy(p.noisy[:0])
	_, noisy := slices.BinarySearch(p.noisy, a)
	return !noisy
}
