package selfplay

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// DefaultMaxPlies is the limit of plies where none is given.
const DefaultMaxPlies = 2000

// A Plan settles everything that decides the episodes of a run.
type Plan struct {
	Variant *variant.Variant
	Agents  [2]AgentSpec // the second may equal the first
	Opening Opening
	// MaxPlies truncates an episode after that many plies, the opening's
	// included; 0 is no limit.
	MaxPlies int
	Resign   dataset.Resign // when a player gives up; the zero value: never
	Seed     uint64
	// Forfeited, unless nil, is told of each game that an agent gave up, and of
	// what happened in words for people. It decides nothing, and is called from the
	// goroutines that play.
	Forfeited func(ep *dataset.Episode, detail string)
}

// Opening says how episodes begin.
type Opening struct {
	// Plies is the number of uniformly random plies at the start of every game
	// or pair. An opening that ends the game is drawn anew.
	Plies int
	// Balanced draws an opening anew, too, after which the score, where the game
	// keeps one, is not what it was at the start, or in which a position comes twice.
	Balanced bool
	// Starts are position texts to start from in turn; empty means the
	// variant's own start.
	Starts []string
}

// FromSettings makes the plan of the settings in a job or a manifest. It
// refuses rules that this program would play otherwise, and agents it does not
// have. The agents find in the settings what they name, but for the commands of
// external programs, which are this machine's.
func FromSettings(s *dataset.Settings, commands Commands) (*Plan, error) {
	v, err := games.FromRules(s.Rules, s.Digest)
	if err != nil {
		return nil, err
	}
	p := &Plan{Variant: v, Opening: Opening{Plies: s.OpeningPlies, Balanced: s.OpeningBalanced, Starts: s.Starts}, MaxPlies: s.MaxPlies, Resign: s.Resign, Seed: s.Seed}
	for i, text := range s.Agents {
		if p.Agents[i], err = ParseAgent(text, v, &Sources{Files: s.Files, Commands: commands}); err != nil {
			return nil, err
		}
	}
	return p, p.Validate()
}

// Settings returns the plan as data, for a run of so many episodes (0: without
// an end), and settles how it is cut into jobs.
func (p *Plan) Settings(episodes int64) dataset.Settings {
	return dataset.Settings{
		Variant: p.Variant.Name, Digest: p.Variant.Digest, Rules: p.Variant.Rules,
		Agents: [2]string{p.Agents[0].String(), p.Agents[1].String()}, Files: p.files(),
		OpeningPlies: p.Opening.Plies, OpeningBalanced: p.Opening.Balanced, Starts: p.Opening.Starts, MaxPlies: p.MaxPlies,
		Resign: p.Resign, Seed: p.Seed, Episodes: episodes, JobEpisodes: p.jobEpisodes(episodes),
	}
}

// files returns what the agents name by digest, nil where they name nothing.
func (p *Plan) files() dataset.Files {
	files := dataset.Files{}
	for _, a := range p.Agents {
		a.files(files)
	}
	if len(files) == 0 {
		return nil
	}
	return files
}

// Paired reports whether episodes come in colour-swapped pairs.
func (p *Plan) Paired() bool { return p.Agents[0].String() != p.Agents[1].String() }

// LogForfeits returns a Plan.Forfeited that writes warnings.
func LogForfeits(log *slog.Logger) func(*dataset.Episode, string) {
	return func(ep *dataset.Episode, detail string) {
		log.Warn("an agent gave a game up", "run", ep.Run, "episode", ep.Number, "reason", ep.Reason.String(),
			"first", ep.Agents[env.First], "second", ep.Agents[env.Second], "winner", ep.Result.String(), "detail", detail)
	}
}

// Runnable tells whether this machine has what the agents need; see [AgentSpec.Runnable].
func (p *Plan) Runnable() error {
	return errors.Join(p.Agents[0].Runnable(), p.Agents[1].Runnable())
}

// Programs returns the names of the external programs among the agents, each once.
func (p *Plan) Programs() []string {
	var names []string
	for _, a := range p.Agents {
		if name := a.Program(); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Validate checks what can be checked before playing: the numbers, and that the
// starts are positions in which the game still runs.
func (p *Plan) Validate() error {
	if p.MaxPlies < 0 {
		return fmt.Errorf("max plies is %d, must be 0 (no limit) or more", p.MaxPlies)
	}
	if p.Opening.Plies < 0 {
		return fmt.Errorf("opening plies is %d, must be 0 or more", p.Opening.Plies)
	}
	if p.MaxPlies > 0 && p.Opening.Plies >= p.MaxPlies {
		return fmt.Errorf("opening plies is %d, must be less than max plies, %d", p.Opening.Plies, p.MaxPlies)
	}
	if err := p.Resign.Validate(); err != nil {
		return err
	}
	s := env.NewState(p.Variant.Game)
	for i, text := range p.Opening.Starts {
		if err := s.SetPosition(text); err != nil {
			return fmt.Errorf("start position %d: %w", i+1, err)
		}
		if s.Player() == env.NoPlayer {
			return fmt.Errorf("start position %d: the game is over in %s", i+1, text)
		}
	}
	return nil
}

// jobEpisodes is the number of episodes of one job: what one core plays in some
// ten seconds, but not more than keeps a result small, and few enough that a run
// of so many episodes (0: without an end) has work for many workers. It never
// splits a pair, and is decided by nothing but the plan.
func (p *Plan) jobEpisodes(episodes int64) int64 {
	const pliesPerEpisode, most, jobsPerRun = 100, 8192, 64
	count := min(int64(min(p.Agents[0].pliesPerJob(), p.Agents[1].pliesPerJob())/pliesPerEpisode), most)
	if episodes > 0 {
		count = min(count, (episodes+jobsPerRun-1)/jobsPerRun)
	}
	return max(2, (count+1)&^1)
}
