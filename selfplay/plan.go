package selfplay

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
)

// DefaultMaxPlies is the usual maximum number of plies.
const DefaultMaxPlies = 2000

// A Config describes the games of a plan.
type Config struct {
	// Variant is the rule set. A game that the calling program implements is a Variant
	// with only a Name and a Game; the jobs of a farm cannot carry it.
	Variant *variant.Variant
	Agents  [2]agent.Spec // the second may equal the first
	Opening Opening
	// MaxPlies truncates an episode after that many plies, including those of the
	// opening; 0 means no limit.
	MaxPlies int
	Resign   dataset.Resign // when a player gives up; the zero value means never
	Seed     uint64
}

// A Plan holds everything that decides the episodes of a run, checked and ready to
// play. It is immutable; goroutines may share it and its game.
type Plan struct {
	// Forfeited, unless nil, is called with each game that an agent gives up, and with
	// what happened, in words for people. It does not affect play. Set it before the
	// first Player is made. The goroutines that play call it.
	Forfeited func(ep *dataset.Episode, detail string)

	config   Config
	settings dataset.Settings
	starts   []env.State // read only
}

// NewPlan checks the configuration and returns its plan, for a run without a fixed end
// and with jobs of about ten seconds; [Plan.Cut] changes both.
func NewPlan(c Config) (*Plan, error) {
	c.Opening.Starts = slices.Clone(c.Opening.Starts)
	s := dataset.Settings{
		Variant: c.Variant.Name, Digest: c.Variant.Digest, Rules: c.Variant.Rules,
		OpeningPlies: c.Opening.Plies, OpeningBalanced: c.Opening.Balanced, OpeningPolicy: c.Opening.Policy, Starts: c.Opening.Starts,
		MaxPlies: c.MaxPlies, Resign: c.Resign, Seed: c.Seed,
	}
	if s.Rules == nil {
		s.Rules = json.RawMessage("null")
	}
	files := dataset.Files{}
	for i, a := range c.Agents {
		s.Agents[i] = a.String()
		a.AddFiles(files)
	}
	if len(files) > 0 {
		s.Files = files
	}
	p := &Plan{config: c, settings: s}
	if err := p.prepare(); err != nil {
		return nil, err
	}
	return p.Cut(0, 0), nil
}

// Open returns the plan of the settings in a job or a manifest, and keeps these
// settings. It returns an error for rules that this program would play differently and
// for agents that it does not have. The settings contain the files that agents name; the
// commands of external programs are those of this machine.
func Open(settings *dataset.Settings, commands agent.Commands) (*Plan, error) {
	if settings.Digest == "" {
		return nil, foreignGame(settings.Variant)
	}
	v, err := games.FromRules(settings.Rules, settings.Digest)
	if err != nil {
		return nil, err
	}
	p := &Plan{
		config: Config{
			Variant:  v,
			Opening:  Opening{Plies: settings.OpeningPlies, Policy: settings.OpeningPolicy, Balanced: settings.OpeningBalanced, Starts: settings.Starts},
			MaxPlies: settings.MaxPlies, Resign: settings.Resign, Seed: settings.Seed,
		},
		settings: *settings,
	}
	for i, text := range settings.Agents {
		if p.config.Agents[i], err = agent.Parse(text, v, &agent.Sources{Files: settings.Files, Commands: commands}); err != nil {
			return nil, err
		}
	}
	return p, p.prepare()
}

// prepare checks the numbers and reads the start positions, in which the game must not
// be over.
func (p *Plan) prepare() error {
	c := &p.config
	if c.MaxPlies < 0 {
		return fmt.Errorf("max plies is %d, must be 0 (no limit) or more", c.MaxPlies)
	}
	if c.Opening.Plies < 0 {
		return fmt.Errorf("opening plies is %d, must be 0 or more", c.Opening.Plies)
	}
	if longest := c.Opening.longest(); c.MaxPlies > 0 && longest >= c.MaxPlies {
		return fmt.Errorf("opening plies is %d, must be less than max plies, %d", longest, c.MaxPlies)
	}
	if err := c.Opening.Policy.Validate(c.Opening.Plies); err != nil {
		return err
	}
	if err := c.Resign.Validate(); err != nil {
		return err
	}
	for i, text := range p.settings.Agents {
		if text == "" {
			return fmt.Errorf("agent %d is missing", i+1)
		}
	}
	p.starts = c.Variant.Game.NewStates(max(1, len(c.Opening.Starts)))
	for i, text := range c.Opening.Starts {
		if err := p.starts[i].SetPosition(text); err != nil {
			return fmt.Errorf("start position %d: %w", i+1, err)
		}
		if p.starts[i].Player() == env.NoPlayer {
			return fmt.Errorf("start position %d: the game is over in %s", i+1, text)
		}
	}
	return nil
}

// Cut returns the same plan for a run of the given number of episodes, 0 for no fixed
// end, in jobs of jobEpisodes. If jobEpisodes is 0, Cut chooses it: a job takes one core
// about ten seconds, its result is not too large, the run has enough jobs for many
// workers, and no pair is split. The choice depends only on the plan and on episodes.
func (p *Plan) Cut(episodes, jobEpisodes int64) *Plan {
	const pliesPerEpisode, most, jobsPerRun = 100, 8192, 64
	if jobEpisodes == 0 {
		pace := min(p.config.Agents[0].PliesPerJob(), p.config.Agents[1].PliesPerJob())
		jobEpisodes = min(int64(pace/pliesPerEpisode), most)
		if episodes > 0 {
			jobEpisodes = min(jobEpisodes, (episodes+jobsPerRun-1)/jobsPerRun)
		}
		jobEpisodes = max(2, (jobEpisodes+1)&^1)
	}
	cut := *p
	cut.settings.Episodes, cut.settings.JobEpisodes = episodes, jobEpisodes
	return &cut
}

// Config returns the configuration of the plan. A changed copy makes another plan.
func (p *Plan) Config() Config { return p.config }

// Settings returns the plan as data. Its slices and maps must not be changed.
func (p *Plan) Settings() dataset.Settings { return p.settings }

// Paired reports whether episodes come in colour-swapped pairs.
func (p *Plan) Paired() bool { return p.settings.Paired() }

// Different returns the number of games that can differ if the agents play the same in equal
// positions and openings draw no plies; all others repeat these. It is 0 if any two games
// can differ.
func (p *Plan) Different() int64 {
	if p.config.Opening.Plies > 0 || !p.config.Agents[0].Repeats() || !p.config.Agents[1].Repeats() {
		return 0
	}
	if p.Paired() {
		return 2 * int64(len(p.starts))
	}
	return int64(len(p.starts))
}

// Portable returns an error if a job of a farm, which travels to other machines, cannot
// carry the plan.
func (p *Plan) Portable() error {
	if v := p.config.Variant; v.Digest == "" {
		return foreignGame(v.Name)
	}
	return cmp.Or(p.config.Agents[0].Portable(), p.config.Agents[1].Portable())
}

func foreignGame(name string) error {
	return fmt.Errorf("game %s exists only in the Go program that made it; jobs and data sets carry rule sets of this program's games", name)
}

// Runnable returns an error if this machine lacks what the agents need; see
// [agent.Spec.Runnable].
func (p *Plan) Runnable() error {
	return errors.Join(p.config.Agents[0].Runnable(), p.config.Agents[1].Runnable())
}

// Programs returns the names of the external programs among the agents, each once.
func (p *Plan) Programs() []string {
	var names []string
	for _, a := range p.config.Agents {
		if name := a.Program(); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Memory estimates how many bytes the agents of one Player need; see [agent.Spec.Memory].
func (p *Plan) Memory() int64 {
	return p.config.Agents[0].Memory() + p.config.Agents[1].Memory()
}

// Reproducible reports whether the plan and a number decide an episode alone: no agent is
// limited by time or is an external program.
func (p *Plan) Reproducible() bool {
	for _, a := range p.config.Agents {
		if a.Timed() || a.Program() != "" {
			return false
		}
	}
	return true
}

// LogForfeits returns a function for Plan.Forfeited that logs warnings.
func LogForfeits(log *slog.Logger) func(*dataset.Episode, string) {
	return func(ep *dataset.Episode, detail string) {
		log.Warn("an agent forfeited a game", "run", ep.Run, "episode", ep.Number, "reason", ep.Reason.String(),
			"first", ep.Agents[env.First], "second", ep.Agents[env.Second], "winner", ep.Result.String(), "detail", detail)
	}
}
