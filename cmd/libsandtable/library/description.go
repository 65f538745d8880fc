package library

import (
	"encoding/json"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// description is all that is known about a game before it is played. Squares and planes
// are in the mover's frame unless the name of a field says otherwise.
type description struct {
	Variant     string          `json:"variant"`
	Game        string          `json:"game"`  // the engine: "trench"
	Title       string          `json:"title"` // "Trench"
	Digest      string          `json:"digest"`
	Version     int             `json:"version"` // behaviour version of the engine
	Description string          `json:"description"`
	Source      string          `json:"source"`
	Rules       json.RawMessage `json:"rules"` // the complete rule set
	Players     [2]string       `json:"players"`
	Width       int             `json:"width"`
	Height      int             `json:"height"`
	Start       string          `json:"start"` // position text
	HasScore    bool            `json:"has_score"`

	Actions      int      `json:"actions"`
	Encoding     string   `json:"encoding"`
	MaxLegal     int      `json:"max_legal"`
	ListSize     int      `json:"list_size"`  // length of a buffer for a list of legal actions
	MaskWords    int      `json:"mask_words"` // of 64 bits
	ActionPlanes []string `json:"action_planes"`
	ActionCells  [][2]int `json:"action_cells"` // plane and square of each action
	Factors      []factor `json:"action_factors"`
	SlotPlanes   []int16  `json:"slot_planes"` // by number of the first factor; empty if that has squares

	Planes           []plane `json:"planes"`
	ObservationShape [3]int  `json:"observation_shape"` // planes, height, width
	BitWords         int     `json:"bit_words"`
	PlaneWords       int     `json:"plane_words"`
	Scalars          int     `json:"scalars"`

	Pieces     []piece    `json:"pieces"`
	Ends       []ending   `json:"ends"`
	Reasons    []string   `json:"reasons"` // of all games, by code
	Features   []string   `json:"features"`
	Symmetries []symmetry `json:"symmetries"`
}

type plane struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Maximum     int    `json:"maximum"`
	Uniform     bool   `json:"uniform"`
}

type factor struct {
	Name        string  `json:"name"`
	Description string  `json:"description"`
	Size        int     `json:"size"`
	Squares     []int16 `json:"squares"` // by number; empty if the numbers are not squares
}

type piece struct {
	Name       string         `json:"name"`
	Symbol     string         `json:"symbol"`
	Count      [2]int         `json:"count"`
	MaxCount   int            `json:"max_count"`
	Turns      bool           `json:"turns"`
	Attributes map[string]int `json:"attributes"`
}

type ending struct {
	Reason      string `json:"reason"`
	Code        int    `json:"code"`
	Description string `json:"description"`
	HouseRule   bool   `json:"house_rule"`
}

type symmetry struct {
	Name    string  `json:"name"`
	Squares []int16 `json:"squares"`
	Planes  []int16 `json:"planes"`
}

func describe(v *variant.Variant) *description {
	spec := v.Game.Spec()
	d := &description{
		Variant: v.Name, Game: spec.Game, Digest: v.Digest, Version: spec.Version, Description: spec.Description, Source: spec.Source,
		Rules: json.RawMessage(v.Rules), Players: spec.Players, Width: spec.Width, Height: spec.Height, Start: spec.StartText,
		Actions: spec.Actions, Encoding: spec.Encoding, MaxLegal: spec.MaxLegal, ListSize: spec.ActionListsSize(1), MaskWords: spec.MaskWords(),
		ActionPlanes: list(spec.ActionPlanes), ObservationShape: [3]int{len(spec.Planes), spec.Height, spec.Width},
		BitWords: spec.ObservationBitWords(), PlaneWords: spec.PlaneWords(), Scalars: spec.ObservationScalars(),
		Reasons: reasons(), Features: list(spec.Features), SlotPlanes: append([]int16{}, spec.SlotPlanes...), Symmetries: []symmetry{},
	}
	_, d.HasScore = env.NewState(v.Game).(env.Scorer)
	for _, engine := range games.Engines() {
		if engine.Name == spec.Game {
			d.Title = engine.Title
		}
	}
	for _, cell := range spec.ActionCells {
		d.ActionCells = append(d.ActionCells, [2]int{int(cell.Plane), int(cell.Square)})
	}
	for _, f := range spec.ActionFactors {
		d.Factors = append(d.Factors, factor{f.Name, f.Description, f.Size, append([]int16{}, f.Squares...)})
	}
	for _, p := range spec.Planes {
		d.Planes = append(d.Planes, plane{p.Name, p.Description, int(p.Max), p.Uniform})
	}
	for _, p := range spec.Pieces {
		attributes := map[string]int{}
		for _, a := range p.Attributes {
			attributes[a.Name] = a.Value
		}
		d.Pieces = append(d.Pieces, piece{p.Name, p.Symbol, p.Count, p.MaxCount, p.Turns, attributes})
	}
	for _, end := range spec.Ends {
		d.Ends = append(d.Ends, ending{end.Reason.String(), int(end.Reason), end.Description, end.HouseRule})
	}
	for _, s := range symmetriesOf(v.Game) {
		d.Symmetries = append(d.Symmetries, symmetry{s.Name, s.Squares, s.Planes})
	}
	return d
}

// list returns an empty list instead of nil, which JSON would write as null.
func list(names []string) []string { return append([]string{}, names...) }

// reasons lists the names of all reasons by their codes.
func reasons() []string {
	var names []string
	for r := env.NoReason; !strings.HasPrefix(r.String(), "Reason("); r++ {
		names = append(names, r.String())
	}
	return names
}

func symmetriesOf(g env.Game) []env.Symmetry {
	if s, ok := g.(env.Symmetric); ok {
		return s.Symmetries()
	}
	return nil
}
