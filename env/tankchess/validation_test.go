package tankchess_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/tankchess"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// wantFaults demands that a patch of a variant is refused with all the faults.
func wantFaults(t *testing.T, name, patch string, want ...string) {
	t.Helper()
	_, err := variant.Load([]variant.Engine{tankchess.Engine()}, name+patch, nil)
	if err == nil {
		t.Errorf("%s%s is accepted", name, patch)
		return
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%s%s: %v, want %q", name, patch, err, w)
		}
	}
}

func TestFaultsOfParametersNameTheField(t *testing.T) {
	for patch, want := range map[string]string{
		`{"reverse":"never"}`:     `reverse is "never", must be one of alone, mixed`,
		`{"corner_exit":"open"}`:  `corner_exit is "open", must be one of diagonal_barred, barred`,
		`{"escape":"over"}`:       `escape is "over", must be one of off_board, never, last_rank`,
		`{"backward_escape":1}`:   "backward_escape must be true or false",
		`{"no_progress":0}`:       "no_progress is 0",
		`{"no_progress":1001}`:    "no_progress is 1001",
		`{"repetition":1}`:        "repetition is 1, must be ",
		`{"pace":1}`:              "pace is unknown",
		`{"layout":{"size":7}}`:   "layout.size is 7, must be 8 to 24",
		`{"layout":{"size":25}}`:  "layout.size is 25, must be 8 to 24",
		`{"pieces":{"CLT":null}}`: "pieces.CLT is missing; it is the Command Tank",
	} {
		wantFaults(t, "tankchess/16x16", patch, want)
	}
}

func TestFaultsOfPiecesNameTheField(t *testing.T) {
	for patch, want := range map[string]string{
		`"name":""`:                      `.name is "", must be plain ASCII and not empty`,
		`"name":"Tänk"`:                  `.name is "Tänk", must be plain ASCII`,
		`"name":"Light Tank"`:            `.name is "Light Tank", which is also the name of LT; names must differ`,
		`"order":200`:                    ".order is 200, which is also the order of LT; orders must differ",
		`"order":-1`:                     ".order is -1, must be 0 to 1000000",
		`"value":1001`:                   ".value is 1001, must be 0 to 1000",
		`"speed":0`:                      ".speed is 0, must be 1 to 7",
		`"speed":8`:                      ".speed is 8, must be 1 to 7",
		`"power":100`:                    ".power is 100, must be 0 to 99",
		`"armour":{"front":-1}`:          ".armour.front is -1, must be 0 to 99",
		`"armour":{"side":100}`:          ".armour.side is 100, must be 0 to 99",
		`"armour":{"rear":100}`:          ".armour.rear is 100, must be 0 to 99",
		`"armour":{"top":1}`:             ".armour.top is unknown",
		`"gun":{"arcs":[-4]}`:            ".gun.arcs is [-4], must be different numbers from −3 to 4",
		`"gun":{"arcs":[5]}`:             ".gun.arcs is [5], must be different numbers from −3 to 4",
		`"gun":{"arcs":[0,0]}`:           ".gun.arcs is [0 0], must be different numbers from −3 to 4 in ascending order",
		`"gun":{"arcs":[1,0]}`:           ".gun.arcs is [1 0], must be different numbers from −3 to 4 in ascending order",
		`"gun":{"least":24}`:             ".gun.least is 24, must be 0 to 23",
		`"gun":{"greatest":24}`:          ".gun.greatest is 24, must be 0 to 23",
		`"gun":{"least":3,"greatest":2}`: ".gun.greatest is 2, must be at least 3, the least range, or 0 for no limit",
		`"gun":{"indirect":true}`:        ".gun.greatest is 0, must be at least 1 for an indirect gun",
		`"amphibious":"yes"`:             ".amphibious must be true or false",
	} {
		wantFaults(t, "tankchess/16x16", `{"pieces":{"MT":{`+patch+`}}}`, "pieces.MT"+want)
	}
	for _, code := range []string{"", "lt", "2T", "ABCDE", "A-B", "A B"} {
		piece := `{"name":"New","order":9,"value":1,"speed":1,"armour":{"front":0,"side":0,"rear":0},"power":0,"gun":{"arcs":[],"least":0}}`
		wantFaults(t, "tankchess/16x16", fmt.Sprintf(`{"pieces":{%q:%s}}`, code, piece), "has an invalid code, must be 1 to 4 capital letters and digits")
	}
}

func TestFaultsOfTheLayoutNameTheirPlace(t *testing.T) {
	for patch, want := range map[string]string{
		`"white":{"CLT":[]}`:                        "layout.white.CLT has 0 squares, must have exactly 1",
		`"white":{"CLT":["h1","a1"]}`:               "layout.white.CLT has 2 squares, must have exactly 1",
		`"white":{"ZZ":["a1"]}`:                     "layout.white.ZZ is not a piece; pieces are [CLT LT ALT MT HT]",
		`"white":{"LT":["f3","h1"]}`:                `layout.white.LT[1] is h1, which layout.white.CLT[0] already uses`,
		`"white":{"LT":["f3","z1"]}`:                `layout.white.LT[1] is "z1": square z1 is off the board`,
		`"white":{"LT":["f3","a17"]}`:               `layout.white.LT[1] is "a17": square a17 is off the board`,
		`"white":{"LT":["f3X"]}`:                    `layout.white.LT[0] is "f3X": direction "X" is not one of`,
		`"white":{"LT":["b5"]}`:                     `layout.white.LT[0] is "b5", on an obstacle`,
		`"white":{"LT":["a5"]}`:                     `layout.white.LT[0] is "a5", on a low obstacle`,
		`"white":{"LT":["c8"]}`:                     `layout.white.LT[0] is "c8", on water, which LT cannot enter`,
		`"white":{"LT":["a16","p1"]}`:               "layout.white puts Black's LT on a16, rotated from White's, where layout.white.LT[0] stands; give a black table",
		`"obstacles":["b5","b5"]`:                   "layout.obstacles[1] is b5, which layout.obstacles[0] already uses",
		`"obstacles":["q1"]`:                        `layout.obstacles[0] is "q1": square q1 is off the board`,
		`"obstacles":["b5N"]`:                       `layout.obstacles[0] is "b5N": must be only a square such as a1`,
		`"water":["b5"],"obstacles":["b5"]`:         "layout.water[0] is b5, which layout.obstacles[0] already uses",
		`"low":["c8"]`:                              "layout.low[0] is c8, which layout.water",
		`"hedges":["a5"]`:                           "layout.hedges[0] is a5, which layout.low[0] already uses",
		`"black":{"LT":["a1"]}`:                     "layout.black.CLT has 0 squares, must have exactly 1",
		`"black":{"CLT":["h1"]}`:                    "layout.black.CLT[0] is h1, which layout.white.CLT[0] already uses",
		`"obstacles":["a16"],"white":{"LT":["p1"]}`: "layout.white puts Black's LT on a16, rotated from White's, on an obstacle; give a black table",
	} {
		wantFaults(t, "tankchess/lakes", `{"layout":{`+patch+`}}`, want)
	}
}

func TestEveryFaultIsToldAtOnce(t *testing.T) {
	wantFaults(t, "tankchess/16x16", `{"reverse":"x","pieces":{"LT":{"speed":9,"power":-1}},"layout":{"white":{"MT":["z9","d3"]},"obstacles":["d3","d3"]}}`,
		"reverse is", "pieces.LT.speed is 9", "pieces.LT.power is -1", "layout.white.MT[0] is", `layout.white.MT[1] is "d3", on an obstacle`,
		"layout.obstacles[1] is d3")
}

func TestLimitsOfWhatFits(t *testing.T) {
	var squares []string
	for i := range 32 {
		squares = append(squares, fmt.Sprintf(`"%c%d"`, 'a'+i%16, 1+i/16))
	}
	army := `{"layout":{"obstacles":[],"white":{"CLT":["h3"],"MT":null,"HT":null,"LT":[` + strings.Join(squares, ",") + `]}}}`
	wantFaults(t, "tankchess/16x16", army, "layout needs 33 slots per side")
	wide := `{"pieces":{"LT":{"speed":7,"gun":{"arcs":[-3,-2,-1,0,1,2,3,4],"least":1,"greatest":10,"indirect":true}}}}`
	wantFaults(t, "tankchess/16x16", wide, "pieces need 32968 action planes (407 end states of the fastest type times 81 shots of the gun with the most, plus 1), must be at most 32768")
	fits := strings.Replace(wide, `"greatest":10`, `"greatest":9`, 1)
	if spec := load(t, "tankchess/16x16"+fits).Game.Spec(); len(spec.ActionPlanes) != 407*73+1 {
		t.Errorf("%d action planes", len(spec.ActionPlanes))
	}
	var types []string
	for i := range 97 {
		types = append(types, fmt.Sprintf(`"T%d":{"name":"Type %d","order":%d,"value":1,"speed":1,"armour":{"front":0,"side":0,"rear":0},"power":0,"gun":{"arcs":[],"least":0}}`, i, i, 1000+i))
	}
	wantFaults(t, "tankchess/16x16", `{"pieces":{`+strings.Join(types, ",")+`}}`, "pieces has 101 types, must have at most 100")
}

func TestTheGreatestAndLeastValuesAreAccepted(t *testing.T) {
	for _, patch := range []string{
		`"order":1000000`, `"order":0`, `"value":1000`, `"value":0`, `"speed":7`, `"speed":1`, `"power":99`, `"power":0`,
		`"armour":{"front":99,"side":99,"rear":99}`, `"armour":{"front":0,"side":0,"rear":0}`, `"name":" ~"`,
		`"gun":{"arcs":[-3,4],"least":23,"greatest":23}`, `"gun":{"least":0}`, `"gun":{"least":1,"greatest":1,"indirect":true}`,
	} {
		load(t, `tankchess/16x16{"pieces":{"MT":{`+patch+`}}}`)
	}
	const empty = `"white":{"CLT":["c1"],"LT":["a1"],"MT":null,"HT":null},"obstacles":[]`
	load(t, `tankchess/16x16{"layout":{"size":8,`+empty+`}}`)
	load(t, `tankchess/16x16{"layout":{"size":24,`+empty+`}}`)
	var squares, types []string
	for i := range 31 {
		squares = append(squares, fmt.Sprintf(`"%c%d"`, 'a'+i%16, 1+i/16))
	}
	slots := load(t, `tankchess/16x16{"layout":{"obstacles":[],"white":{"CLT":["h3"],"MT":null,"HT":null,"LT":[`+strings.Join(squares, ",")+`]}}}`)
	if text := slots.Game.Spec().StartText; strings.Count(text, "@") != 64 {
		t.Errorf("not 32 slots per side: %s", text)
	}
	for i := range 96 {
		types = append(types, fmt.Sprintf(`"T%d":{"name":"Type %d","order":%d,"value":1,"speed":1,"armour":{"front":0,"side":0,"rear":0},"power":0,"gun":{"arcs":[],"least":0}}`, i, i, 1000+i))
	}
	if n := len(load(t, `tankchess/16x16{"pieces":{`+strings.Join(types, ",")+`}}`).Game.Spec().Pieces); n != 100 {
		t.Errorf("%d types", n)
	}
}

func TestAGameThatIsOverBeforeItBeginsIsAFault(t *testing.T) {
	layout := `{"layout":{"obstacles":[],"black":{"CLT":["b1"]}}}`
	wantFaults(t, "tankchess/16x16/zh", layout, "layout puts Black's Command Tank on White's home rank")
	load(t, "tankchess/16x16"+layout)
}

func TestNewRefusesFaultyRules(t *testing.T) {
	if _, err := tankchess.New(tankchess.Rules{}); err == nil || !strings.Contains(err.Error(), "pieces.CLT is missing") {
		t.Errorf("%v", err)
	}
	rules := rulesOf(t, load(t, "tankchess/lakes"))
	g, err := tankchess.New(rules)
	if err != nil {
		t.Fatal(err)
	}
	if text := g.Spec().StartText; text != load(t, "tankchess/lakes").Game.Spec().StartText {
		t.Errorf("New makes a game that starts with %s", text)
	}
}

func TestCustomPiecesAndBoardsPlay(t *testing.T) {
	for _, patch := range []string{
		`{"layout":{"size":8,"white":{"CLT":["c1NE"],"LT":["a2","g2W"],"MT":null,"HT":null},"obstacles":["a4"],"low":["h4"]}}`,
		`{"layout":{"size":24,"obstacles":["l12"],"water":["m4"]},"pieces":{"LT":{"speed":7,"gun":{"greatest":23}}}}`,
		`{"reverse":"mixed","pieces":{"CLT":{"order":900,"speed":7},"HT":{"gun":{"arcs":[-3,4],"least":0}}}}`,
		`{"pieces":{"LT":{"gun":{"arcs":[-2,2],"least":2,"greatest":4,"indirect":true}},"MT":{"gun":{"arcs":[]}}}}`,
	} {
		walkGames(t, "tankchess/16x16"+patch, 1, func(s env.State) {
			for _, a := range s.Legal(nil) {
				if back, err := s.ParseAction(env.ActionText(s, a)); err != nil || back != a {
					t.Fatalf("%s: action %d, %s: %d %v", patch, a, env.ActionText(s, a), back, err)
				}
			}
		})
	}
}
