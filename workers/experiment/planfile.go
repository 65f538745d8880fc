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

// PlanName is the file in the folder of an experiment that says what it plays.
const PlanName = "plan.json"

// KeepPlan writes the plan of an experiment into its folder, whole or not at all,
// before anything is played, and creates the folder. A folder that holds another plan
// is refused with an error that wraps dataset.ErrSettings and names what differs; so
// is one that holds something else than an experiment.
func KeepPlan(dir string, plan any) error {
	data, err := json.MarshalIndent(plan, "", "  ")
	if err != nil {
		return fmt.Errorf("encoding %s: %w", PlanName, err)
	}
	path := filepath.Join(dir, PlanName)
	switch there, err := os.ReadFile(path); {
	case err == nil:
		return samePlan(path, there, data)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	entries, _ := os.ReadDir(dir) // of a missing folder there are none
	for _, e := range entries {
		if e.Name() != PlanName+dataset.TempSuffix { // what a crash left
			return fmt.Errorf("%w: %s holds %s and no %s: it is no folder of an experiment", dataset.ErrSettings, dir, e.Name(), PlanName)
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return dataset.WriteFile(path, append(data, '\n'))
}

// samePlan refuses a plan that is not the one in the file.
func samePlan(path string, there, wanted []byte) error {
	if bytes.Equal(bytes.TrimSpace(there), wanted) {
		return nil
	}
	var old, stated map[string]json.RawMessage
	if err := json.Unmarshal(there, &old); err != nil {
		return fmt.Errorf("%w: %s is no plan: %w", dataset.ErrSettings, path, err)
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
	// The shortest of what differs is told: the long ones follow from others.
	var differs error
	shortest := 0
	for _, name := range slices.Sorted(maps.Keys(names)) {
		a, b := compact(old[name]), compact(stated[name])
		if size := len(a) + len(b); a != b && (differs == nil || size < shortest) {
			shortest = size
			differs = fmt.Errorf("%w: by %s its %s is %s, here %s", dataset.ErrSettings, path, name, shortened(a), shortened(b))
		}
	}
	return differs
}

// mostOfField is how much of a field an error quotes.
const mostOfField = 120

// compact writes a field of a plan on one line.
func compact(field json.RawMessage) string {
	if field == nil {
		return "not given"
	}
	var b bytes.Buffer
	_ = json.Compact(&b, field) // it was decoded before
	return b.String()
}

// shortened is a field to quote.
func shortened(field string) string {
	if len(field) <= mostOfField {
		return field
	}
	return strings.ToValidUTF8(field[:mostOfField], "") + " …"
}
