package render_test

import (
	"fmt"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/render"
)

// A terminal shows the text.
func ExampleText() {
	variant, err := games.Lookup("ntxuva/4")
	if err != nil {
		panic(err)
	}
	state := env.NewState(variant.Game)
	fmt.Print(render.Text(state))
	// Output:
	//      3     2     1     0
	//   [  2] [  2] [  2] [  2]
	//      4     5     6     7
	//   [  2] [  2] [  2] [  2]
	//   -----------------------
	//   [  2] [  2] [  2] [  2]
	//      7     6     5     4
	//   [  2] [  2] [  2] [  2]
	//      0     1     2     3
	//
	// South to move
	// seeds: South 16, North 16
	// plies without a capture: 0 of 200
}

// A page shows the picture, seen by the second player.
func ExampleSVG() {
	variant, err := games.Lookup("ntxuva/basic")
	if err != nil {
		panic(err)
	}
	var page strings.Builder
	if err := render.SVG(&page, env.NewState(variant.Game), render.Options{View: env.Second, Width: 300}); err != nil {
		panic(err)
	}
	tag, _, _ := strings.Cut(page.String(), " viewBox")
	fmt.Println(tag)
	// Output: <svg xmlns="http://www.w3.org/2000/svg" width="300" height="325.53"
}
