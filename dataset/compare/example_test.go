package compare_test

import (
	"context"
	"fmt"
	"log"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay"
)

// Two variants are compared by self-play of one agent. Most programs play a plan with
// package workers/experiment; here each data set is played in memory.
func Example() {
	plan := &compare.Plan{
		Budgets: []compare.Budget{{Agent: "greedy"}}, Games: 200, OpeningPlies: 4, MaxPlies: 200, Seed: 1, Power: 0.8,
	}
	for _, name := range []string{"ntxuva/4", "ntxuva/8"} {
		v, err := games.Lookup(name)
		if err != nil {
			log.Fatal(err)
		}
		plan.Variants = append(plan.Variants, compare.Variant{Name: v.Name, Digest: v.Digest, Rules: v.Rules})
	}
	var played [][]compare.Played
	for i := range plan.Variants {
		m, err := compare.Measure(context.Background(), selfPlay(plan, i), plan.Games)
		if err != nil {
			log.Fatal(err)
		}
		played = append(played, []compare.Played{{SelfPlay: m}})
	}
	report, err := compare.Compare(plan, 0, played)
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range report.Against.Comparisons {
		fmt.Printf("%s: %.2f against %.2f %s\n", c.Metric, c.Estimate.Estimate, c.Baseline.Estimate, c.Verdict)
	}
	short, err := compare.ParseExpectation("ntxuva/4:length<50")
	if err != nil {
		log.Fatal(err)
	}
	passed, err := report.Expect(short)
	fmt.Println(short, passed, err)
	// Output:
	// first_score: 0.51 against 0.51 undecided
	// draws: 0.01 against 0.03 undecided
	// length: 66.49 against 27.96 differs
	// ntxuva/4:length<50 true <nil>
}

// selfPlay plays the games of a variant of a plan with its first budget.
func selfPlay(plan *compare.Plan, variant int) balance.Source {
	v, agent := plan.Variants[variant], plan.Budgets[0].Agent
	settings := &dataset.Settings{
		Variant: v.Name, Digest: v.Digest, Rules: v.Rules, Agents: [2]string{agent, agent}, OpeningPlies: plan.OpeningPlies, MaxPlies: plan.MaxPlies,
		Seed: plan.Seed + uint64(variant), Starts: []string{}, JobEpisodes: 1,
	}
	games, err := selfplay.Open(settings, nil)
	if err != nil {
		log.Fatal(err)
	}
	return balance.Source{Name: v.Name, Settings: settings, Count: plan.Games, Episodes: func(yield func(*dataset.Episode, error) bool) {
		more := true
		err := selfplay.PlayAll(context.Background(), games, settings.Run(), 0, plan.Games, 1, func(ep *dataset.Episode) error {
			more = more && yield(ep, nil)
			return nil
		})
		if err != nil && more {
			yield(nil, err)
		}
	}}
}

func ExampleParseExpectation() {
	e, err := compare.ParseExpectation("trench/equal-turns:first_score >= 0.45")
	fmt.Println(e, err)
	_, err = compare.ParseExpectation("draws<20")
	fmt.Println(err)
	// Output:
	// trench/equal-turns:first_score>=0.45 <nil>
	// expectation "draws<20": 20 is not a possible value of draws (share of games), must be 0 to 1
}
