package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/openings"
)

// planFlags are the flags that determine the episodes of a run.
type planFlags struct {
	agent, vs string
	episodes  int64
	duration  time.Duration
	opening   openingFlags
	maxPlies  int
	resign    dataset.Resign
	seed      uint64
	programs  programFlag // used only by farm; workers on other machines have their own
}

const (
	defaultEpisodes = 100_000
	maxEpisodes     = 1_000_000_000_000

	defaultResignPlies = 3
	defaultPlayOn      = 0.1
)

func (f *planFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.agent, "agent", "greedy", "agent that plays: "+strings.Join(agent.Names(), ", ")+"; see sandtable help agents")
	flags.StringVar(&f.vs, "vs", "", "opponent (default: the same agent); a different opponent plays pairs of games with seats swapped")
	flags.Int64Var(&f.episodes, "episodes", defaultEpisodes, "number of episodes to play")
	flags.DurationVar(&f.duration, "for", 0, "play for this long instead of a number of episodes; jobs in progress are then completed")
	f.opening.add(cmd, "start")
	f.opening.addStarts(cmd, "games")
	flags.IntVar(&f.maxPlies, "max-plies", selfplay.DefaultMaxPlies, "truncate an episode after this many plies; 0 means no limit")
	flags.Int32Var(&f.resign.Score, "resign", 0, "resign when the agent's score is this many hundredths of a point below 0, or lower; 0 means never")
	flags.IntVar(&f.resign.Plies, "resign-plies", defaultResignPlies, "number of consecutive moves of the agent with such a score before it resigns")
	flags.Float64Var(&f.resign.PlayOn, "resign-playon", defaultPlayOn, "share of control games: these continue past a resignation, to measure how often the rule is wrong")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of the run")
	completeAgents(cmd, "agent")
	completeAgents(cmd, "vs")
}

// plan checks the flags and returns the plan of a run of a variant.
func (f *planFlags) plan(cmd *cobra.Command, variantText string) (*selfplay.Plan, error) {
	config, err := f.config(cmd, variantText)
	if err != nil {
		return nil, usage(err)
	}
	if err := f.setResign(cmd, &config); err != nil {
		return nil, usage(err)
	}
	plan, err := selfplay.NewPlan(config)
	if err != nil {
		return nil, usage(err)
	}
	switch {
	case f.duration < 0:
		return nil, usage(fmt.Errorf("--for is %s, must be more than 0", f.duration))
	case f.duration > 0 && cmd.Flags().Changed("episodes"):
		return nil, usage(errors.New("--for and --episodes exclude each other"))
	case f.duration > 0:
		return plan.Cut(0, 0), nil
	case f.episodes < 1 || f.episodes > maxEpisodes:
		return nil, usage(fmt.Errorf("--episodes is %d, must be 1 to %d", f.episodes, int64(maxEpisodes)))
	case plan.Paired() && f.episodes%2 != 0:
		return nil, usage(fmt.Errorf("--episodes is %d, must be even: two different agents play pairs of games", f.episodes))
	}
	return plan.Cut(f.episodes, 0), nil
}

// setResign sets the resignation rule.
func (f *planFlags) setResign(cmd *cobra.Command, config *selfplay.Config) error {
	changed := cmd.Flags().Changed
	switch {
	case changed("resign") && f.resign.Score < 0:
		return fmt.Errorf("--resign is %d, must be 0 (never) or more", f.resign.Score)
	case f.resign.Score == 0 && (changed("resign-plies") || changed("resign-playon")):
		return errors.New("--resign-plies and --resign-playon need --resign, the score at which an agent resigns")
	case f.resign.Score == 0:
		return nil
	}
	config.Resign = f.resign
	return nil
}

func (f *planFlags) config(cmd *cobra.Command, variantText string) (config selfplay.Config, err error) {
	v, err := lookup(variantText)
	if err != nil {
		return config, err
	}
	commands, err := f.programs.commands()
	if err != nil {
		return config, err
	}
	config = selfplay.Config{Variant: v, MaxPlies: f.maxPlies, Seed: f.seed}
	if config.Agents[0], err = parseAgent(f.agent, v, commands); err != nil {
		return config, fmt.Errorf("--agent: %w", err)
	}
	config.Agents[1] = config.Agents[0]
	if f.vs != "" {
		if config.Agents[1], err = parseAgent(f.vs, v, commands); err != nil {
			return config, fmt.Errorf("--vs: %w", err)
		}
	}
	config.Opening, err = f.opening.opening(cmd, v, f.seed, openings.Start())
	return config, err
}

// warnTimed warns if the games of a run cannot be reproduced.
func (a *app) warnTimed(plan *selfplay.Plan) {
	for _, spec := range plan.Config().Agents {
		if a.warnTimedAgent(spec) {
			return
		}
	}
}

// warnTimedAgent warns if the games of an agent cannot be reproduced, and reports whether
// it has warned.
func (a *app) warnTimedAgent(spec agent.Spec) bool {
	if spec.Timed() {
		a.log.Warn("an agent has a time limit: the same settings will not reproduce the same games", "agent", spec.String())
	}
	return spec.Timed()
}

// defaultFolder returns the folder of a run without --out: runs/VARIANT-ID with the
// beginning of the run's id, so that runs with other settings have other folders. A run that
// is in a folder named for the digest of the rules and the seed stays there.
func defaultFolder(s *dataset.Settings) string {
	name, _, _ := strings.Cut(s.Variant, "{")
	name = filepath.Join("runs", strings.ReplaceAll(name, "/", "-"))
	digest := strings.TrimPrefix(s.Digest, "sha256:")
	older := name + "-" + digest[:8] + "-" + strconv.FormatUint(s.Seed, 10)
	if m, err := dataset.Load(older); err == nil && m.Run == s.Run() {
		return older
	}
	return name + "-" + s.Run()[:8]
}
