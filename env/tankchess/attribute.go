package tankchess

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// A sideAttribute is an attribute that can differ between the sides.
type sideAttribute struct {
	name  string                // as in env.PieceType, or armour for all faces
	parts func(p *Piece) []*int // the fields that change
	least int
	most  int
	title func(p *Piece) string // continues the name of the type
}

func sideAttributes() []sideAttribute {
	one := func(name string, least, most int, part func(p *Piece) *int) sideAttribute {
		return sideAttribute{name, func(p *Piece) []*int { return []*int{part(p)} }, least, most,
			func(p *Piece) string { return fmt.Sprintf("%s %d", strings.ReplaceAll(name, "_", " "), *part(p)) }}
	}
	return []sideAttribute{
		one("speed", 1, maxSpeed, func(p *Piece) *int { return &p.Speed }),
		{"armour", func(p *Piece) []*int { return []*int{&p.Armour.Front, &p.Armour.Side, &p.Armour.Rear} }, 0, maxArmour,
			func(p *Piece) string {
				return fmt.Sprintf("armour %d/%d/%d", p.Armour.Front, p.Armour.Side, p.Armour.Rear)
			}},
		one("armour_front", 0, maxArmour, func(p *Piece) *int { return &p.Armour.Front }),
		one("armour_side", 0, maxArmour, func(p *Piece) *int { return &p.Armour.Side }),
		one("armour_rear", 0, maxArmour, func(p *Piece) *int { return &p.Armour.Rear }),
		one("power", 0, maxArmour, func(p *Piece) *int { return &p.Power }),
	}
}

// WithAttribute implements variant.Attributer. The player's pieces get their own type:
// a copy with another code and name, ordered next to the original.
func (r *Rules) WithAttribute(player env.Player, symbol, attribute string, by int) (variant.RuleSet, error) {
	piece, known := r.Pieces[symbol]
	all := sideAttributes()
	i := slices.IndexFunc(all, func(c sideAttribute) bool { return c.name == attribute })
	switch {
	case !known:
		return nil, fmt.Errorf("%q is not a piece; pieces are %v", symbol, r.codes())
	case symbol == commandCode:
		return nil, fmt.Errorf("%s must be the same type for both sides, so its attributes cannot be changed for one", piece.Name)
	case i < 0:
		var names []string
		for _, c := range all {
			names = append(names, c.name)
		}
		return nil, fmt.Errorf("attribute %q cannot differ between the sides, must be one of %s", attribute, strings.Join(names, ", "))
	}
	for _, part := range all[i].parts(&piece) {
		if by < -math.MaxInt16 || by > math.MaxInt16 || *part+by < all[i].least || *part+by > all[i].most {
			return nil, fmt.Errorf("%s of %s is %d and cannot be changed by %+d, must stay within %d to %d", attribute, symbol, *part, by, all[i].least, all[i].most)
		}
		*part += by
	}
	piece.Name += ", " + all[i].title(&piece)
	piece.Gun.Arcs = slices.Clone(piece.Gun.Arcs)
	return r.withOwnType(player, symbol, piece)
}

// withOwnType returns the rules with one player's pieces of a type changed to another
// type.
func (r *Rules) withOwnType(player env.Player, code string, piece Piece) (*Rules, error) {
	taken := func(order int) bool {
		return slices.ContainsFunc(slices.Collect(maps.Values(r.Pieces)), func(p Piece) bool { return p.Order == order })
	}
	for taken(piece.Order) {
		piece.Order++
	}
	fresh := r.freeCode(code)
	if fresh == "" || piece.Order > maxOrder {
		return nil, fmt.Errorf("another type beside %s is not possible: no code or no order is free", code)
	}
	out := *r
	out.Pieces = maps.Clone(r.Pieces)
	out.Pieces[fresh] = piece
	white, black := maps.Clone(r.Layout.White), maps.Clone(r.Layout.Black)
	if black == nil {
		black = r.Layout.turnedTable()
	}
	table := white
	if player == env.Second {
		table = black
	}
	squares, has := table[code]
	if !has {
		return nil, fmt.Errorf("%s has no %s", playerNames[player], code)
	}
	delete(table, code)
	table[fresh] = squares
	out.Layout.White, out.Layout.Black = white, black
	return &out, nil
}

// freeCode returns an unused code that begins like the given one, or "".
func (r *Rules) freeCode(code string) string {
	code = code[:min(len(code), maxCode-1)]
	for _, suffix := range "23456789ABCDEFGHIJKLMNOPQRSTUVWXYZ" {
		if _, taken := r.Pieces[code+string(suffix)]; !taken {
			return code + string(suffix)
		}
	}
	return ""
}

// turnedTable returns White's table rotated by 180°, which is Black's by default.
func (l *Layout) turnedTable() map[string]variant.Squares {
	table := map[string]variant.Squares{}
	for code, squares := range l.White {
		table[code] = variant.Squares{}
		for _, text := range squares {
			square, facing, err := env.ParseSquare(text, l.Size, l.Size)
			if err != nil {
				panic(fmt.Sprintf("tankchess: layout of a valid rule set: %v", err))
			}
			text = string(env.AppendSquare(nil, l.Size*l.Size-1-square, l.Size))
			if d, err := env.ParseDirection(facing); err == nil {
				text += d.Turned(4).String()
			}
			table[code] = append(table[code], text)
		}
	}
	return table
}
