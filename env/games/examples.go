package games

// A small board of Tank Chess with one start square for each type of tank.
const smallTankChess = `tankchess/20x20{"layout":{"size":10,` +
	`"white":{"CLT":["a1"],"LT":["b1"],"MT":["c1","g1"],"HT":["d1"],"TD":["e1"],"HM":["f1"]},"obstacles":["e4","e5","g6","b7"]}}`

// examples returns the examples of a game's guide.
func examples(game string) []Example {
	switch game {
	case "trench":
		return []Example{{
			Name: "walk", Variant: "trench/standard", Move: "d1-f3", Also: []string{"d4-e4", "a4-c6"}, Barred: []string{"d1-d3"},
			Caption: "The start. Black moves a Sergeant two squares diagonally into the trench: `d1-f3`. `d4-e4` and `a4-c6` are legal too. `d1-d3` is not legal: a Black Soldier stands in the way." +
				" Lower-case letters in a text stand for White.",
		}, {
			Name: "shelter", Variant: "trench/standard", Position: "7g/8/8/3p1p2/8/1p1C4/8/G7 b 0-0 0 0", Move: "d3-f5xf5", Also: []string{"d3-b3xb3"}, Barred: []string{"d3-d5xd5"},
			Takes:   "f5",
			Caption: "Black's Captain stands on its own land. It crosses the trench and captures: `d3-f5xf5`. It may capture on its own land too: `d3-b3xb3`. The Soldier in the trench is safe from it: `d3-d5xd5` is not legal.",
		}, {
			Name: "charge", Variant: "trench/standard", Position: "7g/8/6s1/5p2/4L3/8/3p4/G7 b 0-0 0 0", Move: "e4-h7xf5xg6", Also: []string{"e4-f5xf5", "e4-g6xf5xg6"},
			Takes:   "f5 g6",
			Caption: "Black's Colonel charges from the trench over two pieces, lands behind them and scores 3 points: `e4-h7xf5xg6`. It may stop earlier: `e4-f5xf5` or `e4-g6xf5xg6`.",
		}}
	case "ntxuva":
		return []Example{{
			Name: "sow", Variant: "ntxuva/basic", Move: "0", Also: []string{"1", "2"},
			Caption: "The board after South's first move from house 0, written `0`. The dashed ring marks the first house, the full ring the last. The red numbers show where each of the five laps began. The last seed fell into the empty house 2, in the defence row, so nothing was captured. Other legal first moves are `1` and `2`.",
		}, {
			Name: "capture", Variant: "ntxuva/basic", Move: "5x4", Takes: "10 1",
			Caption: "The board after South's first move from house 5, written `5x4`, because it captured four seeds. The last seed fell into the empty attack house 7. South captured the two seeds in the facing house 10 and the two seeds in house 1 behind it.",
		}, {
			Name: "win", Variant: "ntxuva/basic", Position: "1,0,0,0,0,2,0,0,0,0,0,0 0,3,0,0,0,0,0,0,0,0,2,0 s 0 0", Move: "5x5", Takes: "10 1", Barred: []string{"0"},
			Ends:    "South won (wiped_out)",
			Caption: "The board after `5x5`: South captured the last five seeds of North and won. `0` was not legal, because house 5 held more than one seed.",
		}}
	case "tankchess":
		return []Example{{
			Name: "drive", Variant: smallTankChess, Position: "CLT@b1N,LT@e3N CLT@j10S,MT@c9S w 0 0", Move: "e3>f6/N", Also: []string{"e3>e2/N", "e3>e3/NE"}, Barred: []string{"e3>e4/N"},
			Caption: "White's Light Tank (speed 5) drives around the obstacles: turn right, step, turn left, step, step. The move names start, end and facing: `e3>f6/N`. It may also step back, `e3>e2/N`, or only turn, `e3>e3/NE`. An obstacle bars `e3>e4/N`.",
		}, {
			Name: "shot", Variant: smallTankChess, Position: "CLT@b1N,MT@c4N,MT@f5N CLT@j10S,MT@c9S w 0 0", Move: "f5>f6/N(c9)", Also: []string{"c4>c5/N"}, Barred: []string{"c4>c5/N(c9)"},
			Takes: "c9",
			Caption: "White's Medium Tank (power 2) goes one step and fires along its left front diagonal: `f5>f6/N(c9)`. The shell hits the side of Black's Medium Tank (armour 1). The tank on c4 may move, `c4>c5/N`, but not fire, `c4>c5/N(c9)`: it would hit the front (armour 2)." +
				" The crossed-out tank is a wreck.",
		}, {
			Name: "escape", Variant: smallTankChess, Position: "CLT@e8N,LT@c2N CLT@h2S,MT@g9S w 0 0", Move: "e8>off", Also: []string{"e8>e10/N"},
			Ends:    "White won (escaped)",
			Caption: "White's Command Tank drives off the board over Black's home edge and wins: `e8>off` takes three of its five steps. `e8>e10/N` would have stayed on the board.",
		}}
	case "tankbattle":
		return []Example{{
			Name: "moves", Variant: "tankbattle/standard", Position: "c3t6/11/7t3/11/11/7T3/11/11/3C7/11/11 w 0 0", Move: "h6xh9", Also: []string{"d3-f5", "h6-k6"}, Barred: []string{"h6-g6", "d3-d1"},
			Takes:   "h9",
			Caption: "White's tank captures: `h6xh9`. Also legal are `h6-k6` and, because a commander may enter the contaminated squares, `d3-f5`. A tank may not: `h6-g6` is not legal. The mine on d2 bars `d3-d1`.",
		}, {
			Name: "base", Variant: "tankbattle/standard", Position: "11/t1T8/7c3/11/11/7T3/11/11/3C6t/11/11 w 0 0", Move: "c10xa10", Also: []string{"c10-d11", "c10-c9"}, Barred: []string{"c10-c8"},
			Takes:   "a10",
			Caption: "White's tank began its move in Black's base. It may move inside, `c10-d11` or `c10-c9`, and capture there, `c10xa10`, but not leave: `c10-c8` is not legal.",
		}, {
			Name: "end", Variant: "tankbattle/standard", Position: "C10/3T7/11/3T7/7c3/11/11/11/4t6/7t3/11 w 0 0", Move: "d8-c9",
			Ends:    "White won (all_home)",
			Caption: "White's last piece enters Black's base, `d8-c9`, which ends the game. White has 3 points for the commander on Black's marked square and 2 for each tank: 7. Black has 2 for the tank on h2 and 1 for each other piece: 4. White wins.",
		}}
	}
	return nil
}
