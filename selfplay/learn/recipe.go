package learn

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/record"
)

// A Recipe contains the parameters of learning.
type Recipe struct {
	Episodes  int64   `json:"episodes,string"` // self-play games per iteration
	Window    int     `json:"window"`          // number of latest iterations whose games are used
	Positions int     `json:"positions"`       // sampled per game, at most
	Mix       float64 `json:"mix"`             // weight of the game's result in a target; the rest is the search's prediction
	// L2 is the penalty λ on the weights of squares, lines and facings, on a scale where
	// each game has weight 1. The penalty on features and counts is a tenth of it. See
	// stats.Logistic.
	L2   float64 `json:"l2"`
	Gate Gate    `json:"gate"`
}

// A Gate is the match in which a candidate must beat the best agent so far. Its
// openings are balanced.
type Gate struct {
	stats.SPRT
	Pairs        int64 `json:"pairs,string"` // at most; an undecided test rejects the candidate
	OpeningPlies int   `json:"opening_plies"`
}

// opening returns the opening of the match for self-play games with an opening.
func (g *Gate) opening(play *selfplay.Opening) selfplay.Opening {
	return selfplay.Opening{Plies: g.OpeningPlies, Balanced: g.OpeningPlies > 0, Starts: play.Starts}
}

// DefaultRecipe returns a recipe that suits the default rule sets and takes minutes per
// iteration on two cores.
func DefaultRecipe() Recipe {
	return Recipe{
		Episodes: 4000, Window: 3, Positions: 32, Mix: 0.5, L2: 3,
		Gate: Gate{SPRT: stats.SPRT{Elo0: 0, Elo1: 20, Alpha: 0.05, Beta: 0.05}, Pairs: 1000, OpeningPlies: 8},
	}
}

// maxGames bounds the games of an iteration and of a gate.
const maxGames = 1_000_000_000_000

// Validate returns an error that names the first parameter out of range.
func (r *Recipe) Validate() error {
	switch {
	case r.Episodes < heldOutEvery || r.Episodes > maxGames:
		return fmt.Errorf("episodes is %d, must be %d to %d: every tenth game is held out", r.Episodes, heldOutEvery, int64(maxGames))
	case r.Window < 1:
		return fmt.Errorf("window is %d, must be 1 or more iterations", r.Window)
	case r.Positions < 1:
		return fmt.Errorf("positions is %d, must be 1 or more", r.Positions)
	case !(r.Mix >= 0 && r.Mix <= 1):
		return fmt.Errorf("mix is %v, must be 0 (search scores alone) to 1 (results alone)", r.Mix)
	case !(r.L2 > 0 && r.L2 <= math.MaxFloat32):
		return fmt.Errorf("l2 is %v, must be more than 0 and at most %.2g", r.L2, math.MaxFloat32)
	case r.Gate.Pairs < 1 || r.Gate.Pairs > maxGames/2:
		return fmt.Errorf("gate: pairs is %d, must be 1 to %d", r.Gate.Pairs, int64(maxGames/2))
	}
	if err := r.Gate.Validate(); err != nil {
		return fmt.Errorf("gate: %w", err)
	}
	return nil
}

// settings determine a run. They are the content of train.json.
type settings struct {
	Version int              `json:"version"`
	Play    dataset.Settings `json:"play"` // of the self-play games; the seed is that of the run
	Recipe  Recipe           `json:"recipe"`
}

// settingsVersion is the version of the run folder.
const settingsVersion = 1

const settingsName = "train.json"

// ID returns the identifier of a valid run: the first 16 hexadecimal digits of the
// SHA-256 of its settings.
func (r *Run) ID() string {
	data, err := json.Marshal(r.settings())
	if err != nil {
		panic(fmt.Sprintf("learn: encoding the settings: %v", err)) // cannot happen: the rules were parsed from JSON and the numbers are finite
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

func (r *Run) settings() *settings {
	return &settings{Version: settingsVersion, Play: record.Settings(r.Plan), Recipe: r.Recipe}
}

// claim makes dir the folder of a run with these settings. It returns an error if dir
// has different settings or is not the folder of a training run.
func (s *settings) claim(dir string) error {
	path := filepath.Join(dir, settingsName)
	found := settings{}
	switch err := readJSON(path, &found); {
	case errors.Is(err, fs.ErrNotExist):
		entries, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if name := e.Name(); name != dataset.LockName && name != settingsName+dataset.TempSuffix { // a crash leaves these
				return fmt.Errorf("%s: %w: the folder contains %s but no %s, so it is not the folder of a training run", dir, dataset.ErrSettings, name, settingsName)
			}
		}
		return writeJSON(path, s)
	case err != nil:
		return err
	case found.Version != s.Version:
		return fmt.Errorf("%s: version is %d, must be %d", path, found.Version, s.Version)
	}
	err := found.Play.Differs(&s.Play)
	if err == nil {
		err = dataset.Difference(&found.Recipe, &s.Recipe)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	return nil
}

func readJSON(path string, value any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, value); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// readReport reads a report or the description of a fit. Earlier versions of this program
// wrote counts, but not seeds, as strings.
func readReport(path string, value any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	counts := regexp.MustCompile(`(?m)^(\s*(?:"[a-z_]+": )?)"(\d+)"(,?)$`)
	data = counts.ReplaceAllFunc(data, func(line []byte) []byte {
		if bytes.Contains(line, []byte(`"seed"`)) {
			return line
		}
		return counts.ReplaceAll(line, []byte("$1$2$3"))
	})
	if err := json.Unmarshal(data, value); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// writeJSON writes a file atomically.
func writeJSON(path string, value any) error {
	data, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return dataset.WriteFile(path, append(data, '\n'))
}
