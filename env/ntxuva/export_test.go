package ntxuva

import "github.com/sandtable-farm/sandtable/env"

// PackedGame and WideGame choose the kernel for a rule set that fits both.
func PackedGame(rules Rules) env.Game { return newPackedGame(rules) }

func WideGame(rules Rules) env.Game { return newWideGame(rules) }
