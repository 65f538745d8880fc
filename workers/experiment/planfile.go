package experiment

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset"
)

// PlanName is the name of the file with the plan in the folder of an experiment.
const PlanName = "plan.json"

// KeepPlan writes the plan of an experiment into its folder, atomically, and creates the
// folder. If the folder has a plan, it must be the same. If it differs, the error wraps
// dataset.ErrSettings and names a difference. If the folder has files but no plan, the
// error wraps dataset.ErrSettings too.
func KeepPlan(dir string, plan any) error {
	data, err := json.MarshalIndent(plan, "", "  ")
	if err != nil {
		return fmt.Errorf("encoding %s: %w", PlanName, err)
	}
	path := filepath.Join(dir, PlanName)
	switch stored, err := os.ReadFile(path); {
	case err == nil:
		return samePlan(path, stored, data)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	entries, _ := os.ReadDir(dir) // empty for a missing folder
	for _, e := range entries {
		if e.Name() != PlanName+dataset.TempSuffix { // left by a crash
			return fmt.Errorf("%w: %s contains %s but no %s, so it is not the folder of an experiment", dataset.ErrSettings, dir, e.Name(), PlanName)
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return dataset.WriteFile(path, append(data, '\n'))
}

// samePlan returns an error if a plan differs from the one in the file.
func samePlan(path string, stored, wanted []byte) error {
	if bytes.Equal(bytes.TrimSpace(stored), wanted) {
		return nil
	}
	var old, stated map[string]json.RawMessage
	if err := json.Unmarshal(stored, &old); err != nil {
		return fmt.Errorf("%w: %s is not a plan: %w", dataset.ErrSettings, path, err)
	}
	if err := json.Unmarshal(wanted, &stated); err != nil {
		return fmt.Errorf("a plan must be a JSON object: %w", err)
	}
	names := map[string]bool{}
	for _, plan := range []map[string]json.RawMessage{old, stated} {
		for name := range plan {
			names[name] = true
		}
	}
	// The error names the shortest difference; long ones, such as rules, follow from others.
	var differs error
	shortest := 0
	for _, name := range slices.Sorted(maps.Keys(names)) {
		a, b := compact(old[name]), compact(stated[name])
		if size := len(a) + len(b); a != b && (differs == nil || size < shortest) {
			shortest = size
			differs = fmt.Errorf("%w: in %s %s is %s, here %s", dataset.ErrSettings, path, name, shortened(a), shortened(b))
		}
	}
	return differs
}

// mostOfField is the greatest number of bytes of a field in an error.
const mostOfField = 120

// compact returns a field of a plan on one line.
func compact(field json.RawMessage) string {
	if field == nil {
		return "missing"
	}
	var b bytes.Buffer
	_ = json.Compact(&b, field) // the field was decoded before
	return b.String()
}

// shortened shortens a field for an error.
func shortened(field string) string {
	if len(field) <= mostOfField {
		return field
	}
	return strings.ToValidUTF8(field[:mostOfField], "") + " …"
}
