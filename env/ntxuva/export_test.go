package ntxuva

import "github.com/sandtable-farm/sandtable/env"

// PackedGame and WideGame choose the kernel for a rule set that fits both.
func PackedGame(rules Rules) env.Game { return newGameWith(rules, true) }

func WideGame(rules Rules) env.Game { return newGameWith(rules, false) }
