package experiment

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/handicap"
	"github.com/sandtable-farm/sandtable/env/games"
)

// ErrNotHandicaps is wrapped by the error of ReadHandicaps if a folder is not that of an
// experiment with handicaps.
var ErrNotHandicaps = errors.New("not an experiment with handicaps")

// IsControl reports whether a folder is, by its name and that of a plan beside it, the
// control of an experiment.
func IsControl(dir string) bool {
	dir = filepath.Clean(dir)
	_, err := os.Stat(filepath.Join(filepath.Dir(dir), PlanName))
	return err == nil && filepath.Base(dir) == controlName
}

// ReadHandicaps measures the games of the experiment with handicaps in a folder, without
// its control, and plays nothing. Its other errors are those of handicap.Measure and, for
// data that do not belong to the plan, wrap dataset.ErrSettings.
func ReadHandicaps(ctx context.Context, dir string) (*handicap.Experiment, error) {
	data, err := os.ReadFile(filepath.Join(dir, PlanName))
	if err != nil {
		return nil, err
	}
	var plan handicap.Plan
	if err := json.Unmarshal(data, &plan); err != nil || plan.Experiment != handicap.ExperimentName {
		return nil, fmt.Errorf("%w: %s has another plan", ErrNotHandicaps, dir)
	}
	v, err := games.FromRules(plan.Rules, plan.Digest)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	e := &handicap.Experiment{Variant: v, Agent: plan.Agent, Until: plan.Until}
	spec := v.Game.Spec()
	for arms := plan.Arms; len(arms) > 0 && arms[0].Name != controlName; {
		of, err := handicapOf(arms[0].Name)
		if err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrNotHandicaps, dir, err)
		}
		kind, err := spec.PieceType(of.Type)
		if err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrNotHandicaps, dir, err)
		}
		of.Type = spec.Pieces[kind].Name
		n := armsOf(of)
		if len(arms) < n {
			return nil, fmt.Errorf("%w: %s: %s lacks an arm", ErrNotHandicaps, dir, of)
		}
		p, err := readPlayed(ctx, dir, &plan, of, arms[:n])
		if err != nil {
			return nil, err
		}
		e.Played, arms = append(e.Played, p), arms[n:]
	}
	return e, nil
}

// handicapOf returns the handicap of an arm by its name, with the symbol of its type.
func handicapOf(arm string) (handicap.Handicap, error) {
	symbol, text, _ := strings.Cut(arm, "-")
	for _, seat := range armSeats() {
		text = strings.TrimSuffix(text, "-"+seat)
	}
	change, err := handicap.ParseChange(text)
	return handicap.Handicap{Type: symbol, Change: change}, err
}

// readPlayed measures the games of a handicap. With a precision they are those of the last
// look for which all arms have games.
func readPlayed(ctx context.Context, dir string, plan *handicap.Plan, of handicap.Handicap, arms []handicap.PlannedArm) (handicap.Played, error) {
	p := handicap.Played{Handicap: of}
	var sources []balance.Source
	for _, arm := range arms {
		source, err := balance.Open(filepath.Join(dir, arm.Name))
		if err != nil {
			return p, err
		}
		if run := source.Settings.Run(); run != arm.Run {
			return p, fmt.Errorf("%s: %w: the run is %s, must be %s", source.Name, dataset.ErrSettings, run, arm.Run)
		}
		sources = append(sources, source)
	}
	looks := plan.Looks()
	episodes := func(look int) int64 { return 2 * looks[look] / int64(len(arms)) }
	look := len(looks) - 1
	for look > 0 && !has(sources, episodes(look)) {
		look--
	}
	var data []handicap.Games
	for seat := range sources {
		data = append(data, handicap.Games{Source: sources[seat], Episodes: episodes(look), Handicapped: handicappedPlayer(of, seat)})
	}
	var err error
	if p.Measures, err = handicap.Measure(ctx, data...); err == nil && plan.Until != nil {
		p.Levels, err = plan.Levels(look)
	}
	return p, err
}

// has reports whether all data sets have a number of episodes.
func has(sources []balance.Source, episodes int64) bool {
	for i := range sources {
		if sources[i].Count < episodes {
			return false
		}
	}
	return true
}
