package render_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/envtest"
	"github.com/sandtable-farm/sandtable/env/render"
)

// drawn is a state that only has a diagram.
type drawn struct {
	env.State
	diagram env.Diagram
}

func (s drawn) Diagram(d *env.Diagram) { *d = s.diagram }

// plain is a state without a diagram.
type plain struct{ env.State }

func (plain) AppendPosition(dst []byte) []byte { return append(dst, "k7 w"...) }

func empty(width, height int) env.Diagram {
	d := env.Diagram{Width: width, Height: height, Squares: true, Cells: make([]env.Cell, width*height)}
	for i := range d.Cells {
		d.Cells[i] = env.Cell{Owner: env.NoPlayer, Count: env.None}
	}
	return d
}

// sheet shows everything that a square can hold: each ground, pieces of every reach
// on both sides, facings, wrecks.
func sheet() drawn {
	d := empty(6, 6)
	for g := env.Plain; g <= env.SecondBase; g++ {
		d.Cells[int(g)].Ground = g
	}
	for i := range 5 {
		spokes := []uint8{0b01010101, 0b01010111, 0b01110111, 0b11110111, 0xff}[i]
		symbol := []string{"P", "S", "C", "L", "G"}[i]
		d.Cells[18+i] = env.Cell{Owner: env.First, Symbol: symbol, Spokes: spokes, Reach: int8(i + 1), Count: env.None}
		d.Cells[24+i] = env.Cell{Owner: env.Second, Symbol: symbol, Spokes: spokes>>4 | spokes<<4, Reach: int8(i + 1), Count: env.None, Ground: env.Trench}
	}
	for i := range 6 {
		d.Cells[30+i] = env.Cell{Owner: env.Player(i % 2), Symbol: []string{"HT", "CLT", "TD"}[i/2], Faced: true, Facing: env.Direction(i), Wreck: i == 5, Count: env.None}
	}
	d.Caption = []string{"Everything that a square can hold & <more>, in a caption so long that it has to be broken into several lines"}
	return drawn{diagram: d}
}

// houses is a board of houses with different numbers of seeds.
func houses() drawn {
	d := env.Diagram{Width: 6, Height: 4, Cells: make([]env.Cell, 24), Caption: []string{"South to move"}}
	counts := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 24, 30, 36, 48, 60, 96, 0, 1}
	for i := range d.Cells {
		d.Cells[i] = env.Cell{Ground: env.House, Label: string(rune('a' + i)), Owner: env.Player(i / 12), Count: counts[i]}
	}
	return drawn{diagram: d}
}

func svg(t *testing.T, s env.State, o render.Options) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := render.SVG(&out, s, o); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

var (
	move = []env.Event{{Kind: env.Captured, From: 18, To: 26, Victim: 0}, {Kind: env.Moved, From: 18, To: 33}}
	sow  = []env.Event{{Kind: env.Sown, From: 3, To: 7}, {Kind: env.Sown, From: 7, To: 9}, {Kind: env.Captured, To: 15}, {Kind: env.Captured, To: 21}}
)

func pictures() map[string]struct {
	state   env.State
	options render.Options
} {
	return map[string]struct {
		state   env.State
		options render.Options
	}{
		"sheet":        {sheet(), render.Options{}},
		"sheet-marked": {sheet(), render.Options{Last: move, View: env.Second, Width: 600}},
		"sheet-bare":   {sheet(), render.Options{Bare: true}},
		"houses":       {houses(), render.Options{Last: sow}},
	}
}

func TestPicturesAreAsTheyWere(t *testing.T) {
	for name, p := range pictures() {
		envtest.Golden(t, filepath.Join("testdata", name+".svg"), svg(t, p.state, p.options))
	}
	for name, s := range map[string]env.State{"sheet": sheet(), "houses": houses()} {
		envtest.Golden(t, filepath.Join("testdata", name+".txt"), []byte(render.Text(s)))
	}
}

func TestPicturesAreWellFormedAndSelfContained(t *testing.T) {
	for name, p := range pictures() {
		data := svg(t, p.state, p.options)
		dec := xml.NewDecoder(bytes.NewReader(data))
		defined, used := map[string]bool{}, map[string]bool{}
		for {
			token, err := dec.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			start, ok := token.(xml.StartElement)
			if !ok {
				continue
			}
			switch start.Name.Local {
			case "image", "script", "style", "use", "a", "foreignObject":
				t.Errorf("%s: has a %s", name, start.Name.Local)
			}
			for _, attr := range start.Attr {
				if attr.Name.Local == "id" {
					defined[attr.Value] = true
				}
				if id, ok := strings.CutPrefix(attr.Value, "url(#"); ok {
					used[strings.TrimSuffix(id, ")")] = true
				}
				if strings.Contains(attr.Value, "NaN") || strings.Contains(attr.Value, "Inf") {
					t.Errorf("%s: %s is %s", name, attr.Name.Local, attr.Value)
				}
			}
		}
		for id := range used {
			if !defined[id] {
				t.Errorf("%s: %s is used and not defined", name, id)
			}
		}
		if !bytes.Equal(data, svg(t, p.state, p.options)) {
			t.Errorf("%s: drawn twice it differs", name)
		}
	}
}

// The grounds must differ in a photocopy, too.
func TestGroundsDifferWithoutColour(t *testing.T) {
	fills := map[string]env.Ground{}
	for g := env.Plain; g <= env.SecondBase; g++ {
		d := empty(1, 1)
		d.Cells[0].Ground = g
		text := string(svg(t, drawn{diagram: d}, render.Options{Bare: true}))
		text = strings.ReplaceAll(text, "ground"+string(rune('0'+g)), "ground")
		if other, taken := fills[text]; taken && g != env.Plain && other != env.Plain {
			t.Errorf("grounds %d and %d look alike", other, g)
		}
		fills[text] = g
	}
}

func TestThePlayersDifferInShape(t *testing.T) {
	one := func(p env.Player) string {
		d := empty(1, 1)
		d.Cells[0] = env.Cell{Owner: p, Symbol: "S", Spokes: 0x55, Reach: 1, Count: env.None}
		text := string(svg(t, drawn{diagram: d}, render.Options{Bare: true}))
		_, path, _ := strings.Cut(text, `<path d="`)
		path, _, _ = strings.Cut(path, `"`)
		return path
	}
	if one(env.First) == one(env.Second) {
		t.Error("both players' pieces have one outline")
	}
}

func TestTurningTwiceIsNoTurning(t *testing.T) {
	d := sheet().diagram
	turned := empty(d.Width, d.Height)
	turned.Caption = d.Caption
	for i, c := range d.Cells {
		c.Spokes = c.Spokes<<4 | c.Spokes>>4
		c.Facing = c.Facing.Turned(4)
		turned.Cells[len(d.Cells)-1-i] = c
	}
	a := svg(t, sheet(), render.Options{Bare: true})
	b := svg(t, drawn{diagram: turned}, render.Options{Bare: true, View: env.Second})
	count := func(data []byte) map[string]int {
		lines := map[string]int{}
		for line := range strings.Lines(string(data)) {
			lines[line]++
		}
		return lines
	}
	ca, cb := count(a), count(b)
	for line, n := range ca {
		if cb[line] != n {
			t.Fatalf("only one of the pictures has %s", line)
		}
	}
}

func TestAStateWithoutAPictureHasItsText(t *testing.T) {
	if text := render.Text(plain{}); text != "k7 w\n" {
		t.Errorf("text is %q", text)
	}
	if err := render.SVG(io.Discard, plain{}, render.Options{}); err == nil {
		t.Error("a picture of nothing")
	}
}

type broken struct{}

var errFull = errors.New("disk full")

func (broken) Write([]byte) (int, error) { return 0, errFull }

func TestAFailingWriterIsReported(t *testing.T) {
	if err := render.SVG(broken{}, sheet(), render.Options{}); !errors.Is(err, errFull) {
		t.Errorf("error is %v", err)
	}
}
