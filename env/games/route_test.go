package games_test

import (
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
)

// routeOf returns the names of the squares or houses of a route.
func routeOf(t *testing.T, variant, position, move string) (names []string) {
	t.Helper()
	v, err := games.Lookup(variant)
	if err != nil {
		t.Fatal(err)
	}
	s := env.NewState(v.Game)
	if position != "" {
		if err := s.SetPosition(position); err != nil {
			t.Fatal(err)
		}
	}
	action, err := s.ParseAction(move)
	if err != nil {
		t.Fatal(err)
	}
	var d env.Diagram
	s.(env.Diagrammer).Diagram(&d)
	for _, square := range s.(env.Router).Route(action, nil) {
		if d.Squares {
			names = append(names, string(env.AppendSquare(nil, int(square), d.Width)))
		} else {
			names = append(names, d.Cells[square].Label)
		}
	}
	return names
}

func TestRoutes(t *testing.T) {
	const lake = `tankchess/16x16{"layout":{"obstacles":["a5"],"water":["e4"]}}`
	for _, c := range []struct {
		variant, position, move string
		want                    []string
	}{
		{"ntxuva/basic", "", "0", []string{"0", "2", "5", "8", "11", "2"}},
		{"ntxuva/mpale", "", "0", []string{"0", "2", "5", "8", "11", "14", "1", "5"}},
		{"tankchess/16x16", "", "h1>h2/N", []string{"h1", "h2"}},
		{"tankchess/16x16", "", "h1>h1/NE", []string{"h1"}},
		{lake, "CLT@h1N,LT@e3N CLT@h16S w 0 0", "e3>f6/N", []string{"e3", "f4", "f5", "f6"}},
		{lake, "CLT@h1N,LT@e3N CLT@h16S w 0 0", "e3>e2/N", []string{"e3", "e2"}},
		{lake, "CLT@e14N CLT@h16S w 0 0", "e14>off", []string{"e14", "e15", "e16"}},
		{"tankchess/16x16/zh", "", "c1>c2/N", []string{"c1", "c2"}},
	} {
		if got := routeOf(t, c.variant, c.position, c.move); !slices.Equal(got, c.want) {
			t.Errorf("%s %s %s: got %v, want %v", c.variant, c.position, c.move, got, c.want)
		}
	}
}

// Each step of a route of Tank Chess goes to a neighbouring square that is free.
func TestRoutesAreDriven(t *testing.T) {
	v, err := games.Lookup("tankchess/20x20")
	if err != nil {
		t.Fatal(err)
	}
	s, r := env.NewState(v.Game), env.NewRand(7)
	for s.Player() != env.NoPlayer {
		var d env.Diagram
		s.(env.Diagrammer).Diagram(&d)
		legal := s.Legal(nil)
		action := legal[r.IntN(len(legal))]
		route := s.(env.Router).Route(action, nil)
		events := s.(env.Tracer).Trace(action, nil)
		if e := events[0]; route[0] != e.From || e.Kind == env.Moved && route[len(route)-1] != e.To {
			t.Fatalf("route %v of %+v", route, e)
		}
		for i, to := range route[1:] {
			x, y := int(to)%d.Width-int(route[i])%d.Width, int(to)/d.Width-int(route[i])/d.Width
			free := d.Cells[to].Symbol == "" || to == route[0]
			if x*x > 1 || y*y > 1 || !free || d.Cells[to].Ground != env.Plain {
				t.Fatalf("step %d of route %v", i, route)
			}
		}
	}
}
