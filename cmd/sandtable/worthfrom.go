package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/handicap"
	"github.com/sandtable-farm/sandtable/workers/experiment"
)

const handicapFromFlag = "handicap-from"

// worthFrom reads the experiment with handicaps in a folder, which must have the rules of
// the data sets. If the folder is "", it is that of the experiment to which the only data
// set belongs; if there is none, worthFrom returns nil.
func worthFrom(ctx context.Context, dir string, sources []balance.Source) (*handicap.Experiment, error) {
	given := dir != ""
	if !given {
		if len(sources) != 1 || !experiment.IsControl(sources[0].Name) {
			return nil, nil
		}
		dir = filepath.Dir(filepath.Clean(sources[0].Name))
	}
	e, err := experiment.ReadHandicaps(ctx, dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !given:
		return nil, nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, experiment.ErrNotHandicaps):
		return nil, usage(fmt.Errorf("--%s: %w", handicapFromFlag, err))
	case err != nil:
		return nil, badData(err)
	}
	if s := sources[0].Settings; s.Digest != e.Variant.Digest {
		return nil, usage(fmt.Errorf("--%s: the rules of %s are %s (%s), must be those of the data sets, %s (%s)",
			handicapFromFlag, dir, e.Variant.Name, e.Variant.Digest, s.Variant, s.Digest))
	}
	return e, nil
}
