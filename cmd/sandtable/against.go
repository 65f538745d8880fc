package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dataset/balance"
)

// againstFlags are the flags that give results of external games.
type againstFlags struct{ counts, name string }

const againstFlag, againstNameFlag = "against", "against-name"

func (f *againstFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.counts, againstFlag, "", "external results to compare with, as `WON,DRAWN,LOST`: games won by the first player, drawn, and won by the second player")
	cmd.Flags().StringVar(&f.name, againstNameFlag, "others", "name of the external games in the report")
}

// results returns the results that the flags give, or nil if the flags are not used.
func (f *againstFlags) results(cmd *cobra.Command) (*balance.Results, error) {
	given := cmd.Flags().Changed(againstFlag)
	switch {
	case !given && cmd.Flags().Changed(againstNameFlag):
		return nil, fmt.Errorf("--%s names the games of --%s, which is missing", againstNameFlag, againstFlag)
	case !given:
		return nil, nil
	case cmd.Flags().Changed(handicapFlag):
		return nil, fmt.Errorf("--%s is for data sets, not for --%s", againstFlag, handicapFlag)
	case strings.TrimSpace(f.name) == "":
		return nil, errors.New("--against-name is empty, must name the games")
	}
	parts := strings.Split(f.counts, ",")
	if len(parts) != 3 {
		return nil, fmt.Errorf("--%s is %q, must be three counts such as 120,30,95: won by the first player, drawn, won by the second", againstFlag, f.counts)
	}
	r := &balance.Results{Name: f.name}
	for i, n := range []*int64{&r.Wins, &r.Draws, &r.Losses} {
		var err error
		if *n, err = strconv.ParseInt(strings.TrimSpace(parts[i]), 10, 64); err != nil {
			return nil, fmt.Errorf("--%s is %q: %q is not a count", againstFlag, f.counts, parts[i])
		}
	}
	return r, nil
}
