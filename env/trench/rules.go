package trench

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// Rules is a rule set of Trench. Every field is a parameter of the game. Its help
// tag explains it, here and on the page of the game.
type Rules struct {
	variant.Header
	TargetPoints int              `json:"target_points" help:"captured points that win; 0 means off"`
	EqualTurns   bool             `json:"equal_turns" help:"White has one more move after Black reaches the target; then points are counted"`
	GeneralWins  bool             `json:"general_wins" help:"capturing the General wins"`
	MovesEach    int              `json:"moves_each" help:"moves of each side after which points are counted; 0 means off"`
	NoProgress   int              `json:"no_progress" help:"consecutive plies without a capture after which points are counted; 0 means off"`
	Repetition   int              `json:"repetition" help:"occurrences of a position that draw the game; 0 means off"`
	Pieces       map[string]Piece `json:"pieces" help:"the five ranks by letter: G, L, C, S, P"`
	White        map[string]Apart `json:"white,omitempty" help:"per-rank overrides for White, by letter, as {\"P\": {\"longest_move\": 2}}; a house rule for handicaps"`
	Start        string           `json:"start" help:"board of the start position: rank 8 first, capitals for Black, digits for empty squares; both armies must be complete"`
}

// Piece holds the parameters of a rank.
type Piece struct {
	Name        string     `json:"name" help:"name of the rank"`
	LongestMove int        `json:"longest_move" help:"longest move in squares"`
	Points      int        `json:"points" help:"points for its capture"`
	Directions  Directions `json:"directions" help:"directions in which it moves, as Black sees the board, as a list of N, NE, E, SE, S, SW, W, NW; White moves in the opposite directions"`
}

// Apart holds the parameters of a rank that differ for White.
type Apart struct {
	LongestMove int `json:"longest_move" help:"longest move of White's pieces in squares"`
}

// longestMove returns how far a player's pieces of a rank may go.
func (r *Rules) longestMove(p env.Player, rank int) int {
	letter := letters[rank : rank+1]
	if apart, is := r.White[letter]; is && p == env.Second {
		return apart.LongestMove
	}
	return r.Pieces[letter].LongestMove
}

// Directions is a set of directions as Black sees the board, bit d for env.Direction
// d. White moves in the opposite directions. Its JSON is a list of names, clockwise
// from N.
type Directions uint8

// Has reports whether d is in the set.
func (s Directions) Has(d env.Direction) bool { return s>>d&1 != 0 }

// mirrored reflects the set over the a1–h8 diagonal.
func (s Directions) mirrored() Directions {
	var out Directions
	for d := env.N; d <= env.NW; d++ {
		if s.Has(d) {
			out |= 1 << engine.RisingDiagonal.Direction(d)
		}
	}
	return out
}

// MarshalJSON writes the names clockwise from N.
func (s Directions) MarshalJSON() ([]byte, error) {
	names := []string{}
	for d := env.N; d <= env.NW; d++ {
		if s.Has(d) {
			names = append(names, d.String())
		}
	}
	return json.Marshal(names)
}

// UnmarshalJSON reads names in any order. Unknown and repeated names are errors.
func (s *Directions) UnmarshalJSON(data []byte) error {
	var names []string
	if err := json.Unmarshal(data, &names); err != nil || names == nil {
		return fmt.Errorf("must be a list of directions such as [\"N\",\"NE\"]")
	}
	var set Directions
	for _, name := range names {
		d, err := env.ParseDirection(name)
		if err != nil {
			return fmt.Errorf("must be a list of directions: %w", err)
		}
		if set.Has(d) {
			return fmt.Errorf("names %s twice", name)
		}
		set |= 1 << d
	}
	*s = set
	return nil
}

// Limits of the parameters.
const (
	maxLongestMove = 7
	maxPiecePoints = 1000
	maxTarget      = armySize * maxPiecePoints
	maxMovesEach   = 10_000
)

// Engine returns the entry of Trench in the table of games.
func Engine() variant.Engine { return engine.Register(about, newGame) }

// New returns the game of a rule set. Its error is that of Rules.Validate.
func New(rules Rules) (*Game, error) { return engine.New(about.Name, rules, newGame) }

// Validate returns every fault of the rule set, each naming its field.
func (r *Rules) Validate() error {
	var faults variant.Faults
	faults.OneOf("game", r.Game, about.Name)
	faults.Range("target_points", r.TargetPoints, 0, maxTarget)
	faults.Range("moves_each", r.MovesEach, 0, maxMovesEach)
	faults.RepetitionAndProgress(r.Repetition, r.NoProgress)
	for _, letter := range slices.Sorted(maps.Keys(r.Pieces)) {
		if len(letter) != 1 || !strings.Contains(letters, letter) {
			faults.Add("pieces."+letter, "is unknown; the ranks are G, L, C, S, P")
		}
	}
	for rank := range ranks {
		r.validatePiece(&faults, letters[rank:rank+1])
	}
	r.validateWhite(&faults)
	before := faults.Err()
	if _, err := parseStart(r.Start); err != nil {
		faults.Add("start", "%v", err)
	} else if before == nil && newGame(*r).start.Reason != env.NoReason {
		faults.Add("start", "is %q, which leaves Black without a legal move", r.Start)
	}
	return faults.Err()
}

func (r *Rules) validatePiece(faults *variant.Faults, letter string) {
	field := "pieces." + letter
	piece, given := r.Pieces[letter]
	if !given {
		faults.Add(field, "is missing")
		return
	}
	if piece.Name == "" || strings.ContainsFunc(piece.Name, func(c rune) bool { return c < ' ' || c > '~' }) {
		faults.Add(field+".name", "is %q, must be plain ASCII and not empty", piece.Name)
	}
	faults.Range(field+".longest_move", piece.LongestMove, 1, maxLongestMove)
	faults.Range(field+".points", piece.Points, 0, maxPiecePoints)
	if piece.Directions == 0 {
		faults.Add(field+".directions", "is empty, must name at least one of N, NE, E, SE, S, SW, W, NW")
	}
}

// validateWhite demands that every override differs, so that each game has exactly one
// rule set.
func (r *Rules) validateWhite(faults *variant.Faults) {
	for _, letter := range slices.Sorted(maps.Keys(r.White)) {
		field, apart := "white."+letter, r.White[letter]
		black, known := r.Pieces[letter]
		switch {
		case !known:
			faults.Add(field, "is unknown; the ranks are G, L, C, S, P")
		case apart.LongestMove == black.LongestMove:
			faults.Add(field+".longest_move", "is %d as for Black; leave it out", apart.LongestMove)
		default:
			faults.Range(field+".longest_move", apart.LongestMove, 1, maxLongestMove)
		}
	}
}

// parseStart reads a board field that holds two whole armies.
func parseStart(text string) (board, error) {
	b, err := parseBoard(text)
	if err != nil {
		return b, err
	}
	counts := b.counts()
	for owner := range 2 {
		for rank, want := range armyCounts {
			if got := counts[owner][rank]; got != want {
				return b, fmt.Errorf("has %d %c for %s, must have %d", got, pieceLetter(owner, rank), playerNames[owner], want)
			}
		}
	}
	return b, nil
}
