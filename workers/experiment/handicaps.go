package experiment

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset/balance"
	effects "github.com/sandtable-farm/sandtable/dataset/handicap"
	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay/handicap"
	"github.com/sandtable-farm/sandtable/workers"
)

// Handicaps is an experiment that finds out what handicaps of one side cost.
type Handicaps struct {
	Variant   *variant.Variant
	Agent     handicap.Agent
	Handicaps []handicap.Handicap // each once
	Pairs     int64               // games of each handicap by two: one with either side handicapped
	// Control is how many games of the unchanged rules there are to be beside them, for
	// values by regression; 0 is none.
	Control int64
	Options handicap.Options
}

// A HandicapPlan states an experiment with handicaps before it is played: plan.json.
type HandicapPlan struct {
	Experiment   string          `json:"experiment"` // "handicaps"
	Variant      string          `json:"variant"`
	Digest       string          `json:"digest"`
	Rules        json.RawMessage `json:"rules"`
	Agent        string          `json:"agent"`
	OpeningPlies int             `json:"opening_plies"` // in which nobody gets ahead
	MaxPlies     int             `json:"max_plies"`
	Seed         uint64          `json:"seed,string"`
	Pairs        int64           `json:"pairs,string"`
	Control      int64           `json:"control,string"`
	Arms         []PlannedArm    `json:"arms"`
}

// A PlannedArm is a data set that an experiment is to have, in the folder of its name.
type PlannedArm struct {
	Name     string `json:"name"`
	Run      string `json:"run"` // id of the settings, which say all else
	Episodes int64  `json:"episodes,string"`
}

// MostHandicapPairs bounds the pairs of a handicap.
const MostHandicapPairs = 1_000_000_000

// A handicapArm is an arm with what it measures.
type handicapArm struct {
	handicap.Arm
	of       int // index of the handicap; −1 of the control
	episodes int64
}

// arms plans the games. Its error says what is wrong with the experiment.
func (h *Handicaps) arms() ([]handicapArm, error) {
	switch {
	case len(h.Handicaps) == 0:
		return nil, fmt.Errorf("there are no handicaps, must be one or more")
	case h.Pairs < 1 || h.Pairs > MostHandicapPairs:
		return nil, fmt.Errorf("pairs is %d, must be 1 to %d", h.Pairs, int64(MostHandicapPairs))
	case h.Control < 0 || h.Control > 2*MostHandicapPairs:
		return nil, fmt.Errorf("control is %d, must be 0 to %d", h.Control, int64(2*MostHandicapPairs))
	}
	var list []handicapArm
	for i, of := range h.Handicaps {
		arms, err := handicap.New(h.Variant, h.Agent, of, h.Options)
		if err != nil {
			return nil, err
		}
		for _, arm := range arms {
			if slices.ContainsFunc(list, func(o handicapArm) bool { return o.Name == arm.Name }) {
				return nil, fmt.Errorf("%s is there twice", of)
			}
			list = append(list, handicapArm{arm, i, 2 * h.Pairs / int64(len(arms))})
		}
	}
	if h.Control > 0 {
		arm, err := handicap.Control(h.Variant, h.Agent, h.Options)
		if err != nil {
			return nil, err
		}
		list = append(list, handicapArm{arm, -1, h.Control})
	}
	return list, nil
}

// prepare plans the games and names the agent of the unchanged rules as it is recorded.
func (h *Handicaps) prepare() (arms []handicapArm, agent string, err error) {
	if arms, err = h.arms(); err != nil {
		return nil, "", err
	}
	spec, err := h.Agent(h.Variant)
	if err != nil {
		return nil, "", err
	}
	return arms, spec.String(), nil
}

// Plan returns what is to be played. Its error says what is wrong with the experiment.
func (h *Handicaps) Plan() (*HandicapPlan, error) {
	arms, agent, err := h.prepare()
	if err != nil {
		return nil, err
	}
	return h.plan(arms, agent), nil
}

func (h *Handicaps) plan(arms []handicapArm, agent string) *HandicapPlan {
	p := &HandicapPlan{
		Experiment: "handicaps", Variant: h.Variant.Name, Digest: h.Variant.Digest, Rules: h.Variant.Rules, Agent: agent,
		OpeningPlies: h.Options.OpeningPlies, MaxPlies: h.Options.MaxPlies, Seed: h.Options.Seed, Pairs: h.Pairs, Control: h.Control,
	}
	for i := range arms {
		settings := Settings(arms[i].Plan)
		p.Arms = append(p.Arms, PlannedArm{Name: arms[i].Name, Run: settings.Run(), Episodes: arms[i].episodes})
	}
	return p
}

// Episodes is how many games the plan has.
func (p *HandicapPlan) Episodes() int64 {
	n := int64(0)
	for _, arm := range p.Arms {
		n += arm.Episodes
	}
	return n
}

// Play keeps the plan in a folder, as KeepPlan does, and plays what is missing of its
// arms, each in the folder of its name below. Its other errors are those of Play.
func (h *Handicaps) Play(ctx context.Context, farm *workers.Farm, dir string, status func(workers.Status)) error {
	arms, agent, err := h.prepare()
	if err != nil {
		return err
	}
	if err := KeepPlan(dir, h.plan(arms, agent)); err != nil {
		return err
	}
	var list []Arm
	for i := range arms {
		list = append(list, Arm{Dir: filepath.Join(dir, arms[i].Name), Plan: arms[i].Plan, Episodes: arms[i].episodes})
	}
	return Play(ctx, farm, list, status)
}

// Analyze reports on what was played in a folder. The control is of the sources, which
// must be of the unchanged rules and none of the handicaps' own, or, without any, of the
// games that were played as such; the options are for it. Errors are those of
// balance.Analyze and of the analysis of handicaps.
func (h *Handicaps) Analyze(ctx context.Context, dir string, sources []balance.Source, o balance.Options) (*effects.Report, error) {
	arms, agent, err := h.prepare()
	if err != nil {
		return nil, err
	}
	e := &effects.Experiment{Variant: h.Variant, Agent: agent, Unit: o.Unit}
	for i := range sources {
		if s := &sources[i]; s.Settings.Digest != h.Variant.Digest {
			return nil, fmt.Errorf("%w: %s is of %s (%s), the experiment of %s (%s)",
				balance.ErrSources, s.Name, s.Settings.Variant, s.Settings.Digest, h.Variant.Name, h.Variant.Digest)
		}
	}
	spec := h.Variant.Game.Spec()
	for _, of := range h.Handicaps {
		kind, err := spec.PieceType(of.Type)
		if err != nil {
			return nil, err
		}
		e.Handicaps = append(e.Handicaps, effects.Handicap{Type: spec.Pieces[kind].Name, Attribute: of.Change.Attribute, By: of.Change.By})
	}
	for i := range arms {
		arm := &arms[i]
		source, err := openArm(filepath.Join(dir, arm.Name), arm)
		if err != nil {
			return nil, err
		}
		if other := slices.IndexFunc(sources, func(s balance.Source) bool { return s.Settings.Run() == source.Settings.Run() }); arm.of >= 0 && other >= 0 {
			return nil, fmt.Errorf("%w: %s has games with a handicap of this very experiment, must have others to compare them with", balance.ErrSources, sources[other].Name)
		}
		if arm.of < 0 && len(sources) == 0 {
			sources = append(sources, source.First(arm.episodes))
		} else if arm.of >= 0 {
			of := &e.Handicaps[arm.of]
			of.Arms = append(of.Arms, effects.Arm{Source: source, Episodes: arm.episodes, Handicapped: arm.Handicapped})
		}
	}
	if len(sources) > 0 {
		e.SameOpenings = !slices.ContainsFunc(sources, func(s balance.Source) bool {
			return s.Settings.OpeningPlies != h.Options.OpeningPlies || !s.Settings.OpeningBalanced || len(s.Settings.Starts) > 0
		})
		if e.Control, err = balance.Analyze(ctx, sources, o); err != nil {
			return nil, err
		}
	}
	return effects.Analyze(ctx, e)
}

// openArm opens the data set of an arm, which must be the arm's.
func openArm(dir string, arm *handicapArm) (balance.Source, error) {
	source, err := balance.Open(dir)
	if err != nil {
		return balance.Source{}, err
	}
	settings := Settings(arm.Plan)
	if err := settings.Differs(source.Settings); err != nil {
		return balance.Source{}, fmt.Errorf("%s: %w", dir, err)
	}
	return source, nil
}
