package handicap_test

import (
	"context"
	"fmt"
	"log"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/handicap"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
)

// The loss from one missing Soldier, from 400 games. The players have the handicap in
// turn, and the handicapped side wins 3 of 10 games.
func Example() {
	v, err := games.Lookup("trench/standard")
	if err != nil {
		log.Fatal(err)
	}
	inTurn := func(episode int64) env.Player { return env.Player(episode & 1) }
	settings := &dataset.Settings{Variant: v.Name, Digest: v.Digest, Rules: v.Rules, Agents: [2]string{"greedy", "greedy"}}
	source := balance.Source{Name: "runs/mine", Settings: settings, Count: 400, Episodes: func(yield func(*dataset.Episode, error) bool) {
		for i := range int64(400) {
			winner := inTurn(i)
			if i/2%10 >= 3 {
				winner = winner.Opponent()
			}
			ep := &dataset.Episode{Number: i, Start: fmt.Sprint(i), Steps: append([]dataset.Step{{Hash: uint64(i)}}, make([]dataset.Step, 39)...), Terminated: true, Reason: env.Points, Result: env.WinFor(winner)}
			if !yield(ep, nil) {
				return
			}
		}
	}}
	m, err := handicap.Measure(context.Background(), handicap.Games{Source: source, Handicapped: inTurn})
	if err != nil {
		log.Fatal(err)
	}
	soldier := handicap.Played{Handicap: handicap.Handicap{Type: "Soldier"}, Measures: m}
	report, err := handicap.Analyze(&handicap.Experiment{Variant: v, Agent: "greedy", Played: []handicap.Played{soldier}})
	if err != nil {
		log.Fatal(err)
	}
	e := report.Handicaps[0]
	fmt.Printf("%s: score %.3f, loss %.3f (%.3f to %.3f), %+.0f Elo\n", soldier.Handicap, e.Score.Estimate, e.Loss.Estimate, e.Loss.Low, e.Loss.High, e.Elo.Estimate)
	for _, n := range report.Notes {
		fmt.Println("note:", n.Kind)
	}
	// Output:
	// Soldier removed: score 0.300, loss 0.200 (0.153 to 0.242), +147 Elo
}

func ExampleParseChange() {
	for _, text := range []string{"removed", "speed+1", "faster"} {
		change, err := handicap.ParseChange(text)
		fmt.Printf("%q %+d %v\n", change.Attribute, change.By, err)
	}
	// Output:
	// "" +0 <nil>
	// "speed" +1 <nil>
	// "" +0 change "faster" is unknown, must be removed, last or an attribute and a number, such as speed+1 or armour-1
}

func ExampleForesee() {
	d := handicap.Foresee(500, 5)
	fmt.Printf("500 pairs for each of 5 handicaps find a loss of %.3f with a probability of %.1f\n", d.Loss, d.Power)
	// Output: 500 pairs for each of 5 handicaps find a loss of 0.054 with a probability of 0.8
}
