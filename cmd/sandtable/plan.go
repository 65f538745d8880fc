package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/openings"
)

// planFlags are the flags that decide the episodes of a run.
type planFlags struct {
	agent, vs    string
	episodes     int64
	duration     time.Duration
	openingPlies int
	starts       string
	maxPlies     int
	resign       dataset.Resign
	seed         uint64
	programs     programFlag // of farm alone: other machines have their own
}

const (
	defaultEpisodes = 100_000
	maxEpisodes     = 1_000_000_000_000

	defaultResignPlies = 3
	defaultPlayOn      = 0.1

	startsUsage = "file of position texts, a line each, to start from in turn (default: the variant's start)"
)

func (f *planFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.agent, "agent", "greedy", "agent that plays: "+strings.Join(selfplay.AgentNames(), ", "))
	flags.StringVar(&f.vs, "vs", "", "its opponent; pairs of games with seats swapped are played when it differs (default: itself)")
	flags.Int64Var(&f.episodes, "episodes", defaultEpisodes, "episodes to play")
	flags.DurationVar(&f.duration, "for", 0, "play whole jobs for so long instead of a number of episodes")
	flags.IntVar(&f.openingPlies, "opening-plies", 8, "uniformly random plies at the start of each game or pair")
	flags.StringVar(&f.starts, "starts", "", startsUsage)
	flags.IntVar(&f.maxPlies, "max-plies", selfplay.DefaultMaxPlies, "truncate an episode after so many plies; 0 is no limit")
	flags.Int32Var(&f.resign.Score, "resign", 0, "an agent resigns at a score of minus so many hundredths of a point; 0 is never")
	flags.IntVar(&f.resign.Plies, "resign-plies", defaultResignPlies, "for so many of its own moves in a row")
	flags.Float64Var(&f.resign.PlayOn, "resign-playon", defaultPlayOn, "share of the games that are played on all the same, so that the data tell how often resigning is wrong")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of the run")
	completeAgents(cmd, "agent")
	completeAgents(cmd, "vs")
}

// settings checks the flags and returns the settings of a run of a variant.
func (f *planFlags) settings(cmd *cobra.Command, variantText string) (dataset.Settings, error) {
	plan, err := f.plan(variantText)
	if err != nil {
		return dataset.Settings{}, usage(err)
	}
	if err := f.setResign(cmd, plan); err != nil {
		return dataset.Settings{}, usage(err)
	}
	switch {
	case f.duration < 0:
		return dataset.Settings{}, usage(fmt.Errorf("--for is %s, must be more than 0", f.duration))
	case f.duration > 0 && cmd.Flags().Changed("episodes"):
		return dataset.Settings{}, usage(errors.New("--for and --episodes exclude each other"))
	case f.duration > 0:
		return plan.Settings(0), nil
	case f.episodes < 1 || f.episodes > maxEpisodes:
		return dataset.Settings{}, usage(fmt.Errorf("--episodes is %d, must be 1 to %d", f.episodes, int64(maxEpisodes)))
	case plan.Paired() && f.episodes%2 != 0:
		return dataset.Settings{}, usage(fmt.Errorf("--episodes is %d, must be even: two different agents play pairs of games", f.episodes))
	}
	return plan.Settings(f.episodes), nil
}

// setResign gives the plan its resignation rule.
func (f *planFlags) setResign(cmd *cobra.Command, plan *selfplay.Plan) error {
	changed := cmd.Flags().Changed
	switch {
	case changed("resign") && f.resign.Score < 0:
		return fmt.Errorf("--resign is %d, must be 0 (never) or more", f.resign.Score)
	case f.resign.Score == 0 && (changed("resign-plies") || changed("resign-playon")):
		return errors.New("--resign-plies and --resign-playon need --resign, the score at which an agent resigns")
	case f.resign.Score == 0:
		return nil
	}
	plan.Resign = f.resign
	return plan.Resign.Validate()
}

func (f *planFlags) plan(variantText string) (*selfplay.Plan, error) {
	v, err := lookup(variantText)
	if err != nil {
		return nil, err
	}
	commands, err := f.programs.commands()
	if err != nil {
		return nil, err
	}
	plan := &selfplay.Plan{Variant: v, Opening: selfplay.Opening{Plies: f.openingPlies}, MaxPlies: f.maxPlies, Seed: f.seed}
	if plan.Agents[0], err = parseAgent(f.agent, v, commands); err != nil {
		return nil, fmt.Errorf("--agent: %w", err)
	}
	plan.Agents[1] = plan.Agents[0]
	if f.vs != "" {
		if plan.Agents[1], err = parseAgent(f.vs, v, commands); err != nil {
			return nil, fmt.Errorf("--vs: %w", err)
		}
	}
	if f.starts != "" {
		if plan.Opening.Starts, err = readStarts(f.starts); err != nil {
			return nil, fmt.Errorf("--starts: %w", err)
		}
	}
	if err := plan.Validate(); err != nil {
		return nil, err
	}
	return plan, nil
}

// warnTimed tells when the games of a run cannot be played again.
func (a *app) warnTimed(settings *dataset.Settings) {
	plan, err := selfplay.FromSettings(settings, nil)
	if err != nil {
		return // it is for the farm to say
	}
	for _, spec := range plan.Agents {
		if a.warnTimedAgent(spec) {
			return
		}
	}
}

// warnTimedAgent tells when the games of an agent cannot be played again, and reports
// whether that is so.
func (a *app) warnTimedAgent(spec selfplay.AgentSpec) bool {
	if spec.Timed() {
		a.log.Warn("an agent thinks in seconds: the same settings will not give the same games again", "agent", spec.String())
	}
	return spec.Timed()
}

// readStarts reads a file of position texts.
func readStarts(name string) ([]string, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	starts, err := openings.Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(starts) == 0 {
		return nil, fmt.Errorf("%s holds no position", name)
	}
	return starts, nil
}

// defaultFolder is where a run goes that was given no --out: runs/ and the
// variant, the beginning of its digest, and the seed.
func defaultFolder(s *dataset.Settings) string {
	name, _, _ := strings.Cut(s.Variant, "{")
	digest := strings.TrimPrefix(s.Digest, "sha256:")
	return filepath.Join("runs", strings.ReplaceAll(name, "/", "-")+"-"+digest[:8]+"-"+strconv.FormatUint(s.Seed, 10))
}
