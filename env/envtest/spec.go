package envtest

import (
	"errors"
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
)

func checkSpec(s *Subject) error {
	spec, state := s.spec, env.NewState(s.game)
	switch {
	case spec.Game == "" || spec.Name == "" || spec.Source == "":
		return fmt.Errorf("game %q, name %q and source %q must all be given", spec.Game, spec.Name, spec.Source)
	case spec.Version < 1:
		return fmt.Errorf("version is %d, must be 1 or more", spec.Version)
	case spec.Players[0] == "" || spec.Players[0] == spec.Players[1]:
		return fmt.Errorf("players are called %q", spec.Players)
	case spec.Width < 1 || spec.Height < 1:
		return fmt.Errorf("board is %d×%d", spec.Width, spec.Height)
	case spec.MaxLegal < 1 || spec.MaxLegal > spec.Actions:
		return fmt.Errorf("max legal is %d, must be 1 to the %d actions", spec.MaxLegal, spec.Actions)
	case spec.StartText != env.PositionText(state):
		return fmt.Errorf("start text is %q, the start position writes %q", spec.StartText, env.PositionText(state))
	case state.Player() != env.First:
		return fmt.Errorf("player %d begins, must be %d", state.Player(), env.First)
	}
	_, has := state.(env.Features)
	if has != (len(spec.Features) > 0) {
		return fmt.Errorf("Spec.Features is %q, and a state implements env.Features: %t", spec.Features, has)
	}
	return errors.Join(
		checkSpecActions(spec),
		checkSpecFactors(spec),
		checkSpecPlanes(spec),
		checkSpecPieces(spec, state),
		checkSpecEnds(spec),
		distinct("feature", spec.Features),
	)
}

func checkSpecActions(spec *env.Spec) error {
	if len(spec.ActionCells) != spec.Actions {
		return fmt.Errorf("%d action cells for %d actions", len(spec.ActionCells), spec.Actions)
	}
	used := make([]bool, len(spec.ActionPlanes))
	for a, cell := range spec.ActionCells {
		if int(cell.Plane) < 0 || int(cell.Plane) >= len(used) || int(cell.Square) < 0 || int(cell.Square) >= spec.Width*spec.Height {
			return fmt.Errorf("action %d lies at %+v, outside of %d planes of %d×%d", a, cell, len(used), spec.Width, spec.Height)
		}
		used[cell.Plane] = true
	}
	for p, is := range used {
		if !is {
			return fmt.Errorf("no action lies in action plane %d, %s", p, spec.ActionPlanes[p])
		}
	}
	return distinct("action plane", spec.ActionPlanes)
}

// checkSpecFactors demands that the tuples of factors number the actions, and that the
// first factor says where the acting piece or house is.
func checkSpecFactors(spec *env.Spec) error {
	if len(spec.ActionFactors) == 0 {
		return errors.New("no action factors")
	}
	var names []string
	for i, f := range spec.ActionFactors {
		names = append(names, f.Name)
		switch {
		case f.Size < 1 || f.Description == "":
			return fmt.Errorf("factor %s has size %d and description %q", f.Name, f.Size, f.Description)
		case f.Squares != nil && len(f.Squares) != f.Size:
			return fmt.Errorf("factor %s has %d squares for %d numbers", f.Name, len(f.Squares), f.Size)
		case i == 0 && (f.Squares == nil) == (spec.SlotPlanes == nil):
			return errors.New("either the first factor must have squares, or there must be slot planes")
		}
	}
	first := spec.ActionFactors[0]
	if spec.SlotPlanes != nil && len(spec.SlotPlanes) != first.Size {
		return fmt.Errorf("%d slot planes for the %d numbers of factor %s", len(spec.SlotPlanes), first.Size, first.Name)
	}
	if n := spec.Factored(); n > spec.Actions {
		return fmt.Errorf("factors number %d actions, there are %d", n, spec.Actions)
	}
	planes := map[int16]bool{}
	for slot, p := range spec.SlotPlanes {
		if p < 0 || int(p) >= len(spec.Planes) || planes[p] || spec.Planes[p].Uniform || spec.Planes[p].Max != 1 {
			return fmt.Errorf("slot %d has plane %d, must be another plane of zeros and ones", slot, p)
		}
		planes[p] = true
	}
	return errors.Join(distinct("factor", names), checkTuples(spec))
}

// checkTuples demands that each action below Factored has its own tuple, and that
// tuples agree with the squares of the action cells.
func checkTuples(spec *env.Spec) error {
	var tuple []int
	for a := range spec.Actions {
		tuple = spec.Factors(tuple[:0], env.Action(a))
		if a >= spec.Factored() {
			if len(tuple) > 0 {
				return fmt.Errorf("action %d has factors %v, and only %d actions have any", a, tuple, spec.Factored())
			}
			continue
		}
		back := 0
		for i, f := range spec.ActionFactors {
			if tuple[i] < 0 || tuple[i] >= f.Size {
				return fmt.Errorf("action %d has factors %v, number %d must be 0 to %d", a, tuple, i, f.Size-1)
			}
			back = back*f.Size + tuple[i]
		}
		if back != a {
			return fmt.Errorf("action %d has factors %v, which are those of action %d", a, tuple, back)
		}
		if squares := spec.ActionFactors[0].Squares; squares != nil && squares[tuple[0]] != spec.ActionCells[a].Square {
			return fmt.Errorf("action %d begins on square %d, and its cell lies on %d", a, squares[tuple[0]], spec.ActionCells[a].Square)
		}
	}
	return nil
}

func checkSpecPlanes(spec *env.Spec) error {
	var names []string
	for i, plane := range spec.Planes {
		if plane.Max < 1 || plane.Description == "" {
			return fmt.Errorf("plane %d, %q, has maximum %d and description %q", i, plane.Name, plane.Max, plane.Description)
		}
		names = append(names, plane.Name)
	}
	if len(names) == 0 {
		return errors.New("no observation planes")
	}
	return distinct("plane", names)
}

func checkSpecPieces(spec *env.Spec, start env.State) error {
	var names, symbols []string
	counts := make([][2]int, len(spec.Pieces))
	for _, p := range pieces(start) {
		counts[p.Type][p.Owner]++
	}
	for i, piece := range spec.Pieces {
		names, symbols = append(names, piece.Name), append(symbols, piece.Symbol)
		if _, lists := start.(env.PieceLister); lists && counts[i] != piece.Count {
			return fmt.Errorf("piece %s: counts are %v, but the start position has %v", piece.Name, piece.Count, counts[i])
		}
		var attributes []string
		for _, a := range piece.Attributes {
			attributes = append(attributes, a.Name)
		}
		if err := distinct("attribute of "+piece.Name, attributes); err != nil {
			return err
		}
	}
	return errors.Join(distinct("piece", names), distinct("symbol", symbols))
}

func checkSpecEnds(spec *env.Spec) error {
	var names []string
	for _, end := range spec.Ends {
		if end.Reason == env.NoReason || end.Description == "" {
			return fmt.Errorf("end %v is described as %q", end.Reason, end.Description)
		}
		names = append(names, end.Reason.String())
	}
	if len(names) == 0 {
		return errors.New("no ends")
	}
	return distinct("end", names)
}

// distinct demands names that are not empty and not equal.
func distinct(what string, names []string) error {
	seen := map[string]bool{}
	for i, name := range names {
		if name == "" || seen[name] {
			return fmt.Errorf("%s %d has the name %q, which is empty or taken", what, i, name)
		}
		seen[name] = true
	}
	return nil
}
