package learn

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/selfplay/record"
)

// A Recipe says how an agent learns from its games.
type Recipe struct {
	Episodes  int64   `json:"episodes,string"` // self-play games of an iteration
	Window    int     `json:"window"`          // iterations whose games are learnt from: the last ones
	Positions int     `json:"positions"`       // sampled from a game, at most
	Mix       float64 `json:"mix"`             // share of the game's result in a target; the rest is the search's score
	// L2 is the penalty λ on the weights of places and facings, in games; that on
	// features and counts is a tenth of it. See stats.Logistic.
	L2   float64 `json:"l2"`
	Gate Gate    `json:"gate"`
}

// A Gate is the match that a candidate has to win against the best so far. Its
// openings are balanced.
type Gate struct {
	stats.SPRT
	Pairs        int64 `json:"pairs,string"` // at most; undecided then, the candidate is refused
	OpeningPlies int   `json:"opening_plies"`
}

// DefaultRecipe is what serves the shipped rule sets in minutes on two cores.
func DefaultRecipe() Recipe {
	return Recipe{
		Episodes: 4000, Window: 3, Positions: 32, Mix: 0.5, L2: 3,
		Gate: Gate{SPRT: stats.SPRT{Elo0: 0, Elo1: 20, Alpha: 0.05, Beta: 0.05}, Pairs: 1000, OpeningPlies: 8},
	}
}

// mostGames bounds the games of an iteration and of a gate.
const mostGames = 1_000_000_000_000

// Validate checks the numbers of the recipe.
func (r *Recipe) Validate() error {
	switch {
	case r.Episodes < heldOut || r.Episodes > mostGames:
		return fmt.Errorf("episodes is %d, must be %d to %d: every tenth game is held out", r.Episodes, heldOut, int64(mostGames))
	case r.Window < 1:
		return fmt.Errorf("window is %d, must be 1 or more iterations", r.Window)
	case r.Positions < 1:
		return fmt.Errorf("positions is %d, must be 1 or more", r.Positions)
	case !(r.Mix >= 0 && r.Mix <= 1):
		return fmt.Errorf("mix is %v, must be 0 (search scores alone) to 1 (results alone)", r.Mix)
	case !(r.L2 > 0 && r.L2 <= math.MaxFloat32):
		return fmt.Errorf("l2 is %v, must be more than 0 and at most %.2g", r.L2, math.MaxFloat32)
	case r.Gate.Pairs < 1 || r.Gate.Pairs > mostGames/2:
		return fmt.Errorf("pairs of the gate is %d, must be 1 to %d", r.Gate.Pairs, int64(mostGames/2))
	}
	if err := r.Gate.Validate(); err != nil {
		return fmt.Errorf("gate: %w", err)
	}
	return nil
}

// settings are everything that decides a run, as train.json has them.
type settings struct {
	Version int              `json:"version"`
	Play    dataset.Settings `json:"play"` // of the agent against itself; its seed is the run's
	Recipe  Recipe           `json:"recipe"`
}

// settingsVersion is the version of the run folder.
const settingsVersion = 1

const settingsName = "train.json"

// ID returns what names the run: 16 hexadecimal digits of the SHA-256 of its
// settings. It is said of valid runs.
func (r *Run) ID() string {
	data, err := json.Marshal(r.settings())
	if err != nil {
		panic(fmt.Sprintf("settings do not encode: %v", err)) // the rules were parsed before, the numbers are finite
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

func (r *Run) settings() *settings {
	return &settings{Version: settingsVersion, Play: record.Settings(r.Plan), Recipe: r.Recipe}
}

// claim makes dir the folder of a run, or sees to it that it is already.
func (s *settings) claim(dir string) error {
	path := filepath.Join(dir, settingsName)
	there := settings{}
	switch err := readJSON(path, &there); {
	case errors.Is(err, fs.ErrNotExist):
		entries, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if name := e.Name(); name != dataset.LockName && name != settingsName+dataset.TempSuffix { // what a crash left
				return fmt.Errorf("%w: %s holds %s and no %s: it is no folder of a training", dataset.ErrSettings, dir, name, settingsName)
			}
		}
		return writeJSON(path, s)
	case err != nil:
		return err
	case there.Version != s.Version:
		return fmt.Errorf("%s: version is %d, this program reads %d", path, there.Version, s.Version)
	}
	err := there.Play.Differs(&s.Play)
	if err == nil {
		err = dataset.Difference(&there.Recipe, &s.Recipe)
	}
	if err != nil {
		return fmt.Errorf("%s holds %w", dir, err)
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

// writeJSON writes a file whole or not at all.
func writeJSON(path string, value any) error {
	data, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return dataset.WriteFile(path, append(data, '\n'))
}
