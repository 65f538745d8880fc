package games

import (
	"fmt"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
)

// PieceLine explains a piece type in one line, from the attributes in the Spec: how it
// moves, what it captures or destroys and what it is worth. Directions are those of the
// first player.
func PieceLine(spec *env.Spec, piece env.PieceType) string {
	a := attributesOf(piece)
	var facts []string
	add := func(format string, args ...any) { facts = append(facts, fmt.Sprintf(format, args...)) }
	if speed, is := a["speed"]; is {
		add("%s per move", counted(speed, "step"))
		add("armour %d in front, %d at the side, %d at the rear", a["armour_front"], a["armour_side"], a["armour_rear"])
		facts = append(facts, gunFacts(a)...)
		if a["amphibious"] == 1 {
			add("may enter water")
		}
		add("worth %d", a["value"])
	}
	if longest, is := a["longest_move"]; is {
		add("moves %s %s", upTo(longest), directions(a))
	}
	if white, is := a["longest_move_of_white"]; is {
		add("%s moves %s", spec.Players[env.Second]+"'s", upTo(white))
	}
	if points, is := a["points"]; is {
		add("%s when captured", counted(points, "point"))
	}
	if contaminated, is := a["enters_contaminated"]; is {
		add("%s enter contaminated squares", [2]string{"may not", "may"}[contaminated&1])
		if home, is := a["points_home"]; is {
			add("%s on the start square of the enemy commander", counted(home, "point"))
		}
		add("%d in the enemy base", a["points_in_base"])
		add("%d elsewhere", a["points_elsewhere"])
	}
	if seeds, is := a["seeds"]; is {
		add("%s at the start", counted(seeds, "seed"))
	}
	if len(facts) == 0 {
		facts = []string{Attributes(piece)}
	}
	return fmt.Sprintf("%s (%s): %s.", piece.Name, piece.Symbol, strings.Join(facts, ", "))
}

func attributesOf(piece env.PieceType) map[string]int {
	m := map[string]int{}
	for _, attribute := range piece.Attributes {
		m[attribute.Name] = attribute.Value
	}
	return m
}

// gunFacts describes a gun.
func gunFacts(a map[string]int) []string {
	names := [...]string{"back left", "left", "front left", "ahead", "front right", "right", "back right", "back"}
	var arcs []string
	for i, name := range names {
		if a[fmt.Sprintf("arc_%d", i-3)] == 1 {
			arcs = append(arcs, name)
		}
	}
	if len(arcs) == 0 || a["power"] == 0 {
		return []string{"unarmed"}
	}
	over := ""
	if a["indirect"] == 1 {
		over = " over anything"
	}
	reach := fmt.Sprintf("at %d squares or more", max(1, a["least_range"]))
	if a["greatest_range"] > 0 {
		reach = fmt.Sprintf("at %d to %d squares", max(1, a["least_range"]), a["greatest_range"])
	}
	return []string{fmt.Sprintf("fires %s%s %s with power %d", listed(arcs, "or"), over, reach, a["power"])}
}

// directions names the directions of a piece. A piece without such attributes moves in all.
func directions(a map[string]int) string {
	var can, cannot []string
	for d := env.N; d <= env.NW; d++ {
		if has, is := a["direction_"+d.String()]; is && has == 0 {
			cannot = append(cannot, d.String())
		} else {
			can = append(can, d.String())
		}
	}
	switch {
	case len(cannot) == 0:
		return "in all directions"
	case len(cannot) == 1:
		return "in all directions except " + cannot[0]
	}
	return listed(can, "or")
}

func upTo(n int) string {
	if n == 1 {
		return "1 square"
	}
	return fmt.Sprintf("1 to %d squares", n)
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// listed joins words: "N, E or S".
func listed(words []string, last string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	n := len(words) - 1
	return strings.Join(words[:n], ", ") + " " + last + " " + words[n]
}
