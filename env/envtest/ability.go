package envtest

import (
	"fmt"
	"math"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// checkFeatures demands that every feature is written, and has the opposite sign
// for the other viewer.
func checkFeatures(s *Subject) error {
	a, b := make([]int32, len(s.spec.Features)), make([]int32, len(s.spec.Features))
	return walkAs(s, 1, func(at spot, f env.Features) error {
		for i := range a {
			a[i], b[i] = 1<<30, 1<<29
		}
		f.Features(a, env.First)
		f.Features(b, env.Second)
		for i, x := range a {
			if x != -b[i] {
				return fmt.Errorf("feature %s is %d for one player and %d for the other, must have opposite signs", s.spec.Features[i], x, b[i])
			}
		}
		return nil
	})
}

// checkSampler demands that every legal action is drawn equally often. A correct
// sampler passes the chi-squared bound with a wide margin, and the fixed seed makes
// the result reproducible.
func checkSampler(s *Subject) error {
	const perAction = 60
	return walkAs(s, 29, func(at spot, sampler env.Sampler) error {
		r := env.NewRand(4)
		if len(at.legal) == 0 {
			if a := sampler.Sample(r); a != env.NoAction {
				return fmt.Errorf("the game is over and action %d is drawn", a)
			}
			return nil
		}
		counts := make([]int, len(at.legal))
		for range perAction * len(at.legal) {
			a := sampler.Sample(r)
			i, legal := slices.BinarySearch(at.legal, a)
			if !legal {
				return fmt.Errorf("action %d is drawn and not legal", a)
			}
			counts[i]++
		}
		chi := 0.0
		for _, n := range counts {
			chi += float64((n-perAction)*(n-perAction)) / perAction
		}
		free := float64(len(counts) - 1)
		if bound := free + 7*math.Sqrt(2*free) + 20; chi > bound {
			return fmt.Errorf("drawing %d times for each action gives %v: chi-squared is %.1f, must stay below %.1f", perAction, counts, chi, bound)
		}
		return nil
	})
}

// checkSymmetries plays each corpus game from the start together with its image
// and demands in every position that the legal actions and the observation of
// the one are the images of the other's. The start itself must be symmetric.
func checkSymmetries(s *Subject) error {
	symmetric, ok := s.game.(env.Symmetric)
	if !ok {
		return nil
	}
	for _, sym := range symmetric.Symmetries() {
		if err := s.symmetryFault(sym); err != nil {
			return fmt.Errorf("symmetry %q: %w", sym.Name, err)
		}
	}
	return nil
}

func (s *Subject) symmetryFault(sym env.Symmetry) error {
	if sym.Name == "" || sym.Action == nil || !permutes(sym.Squares, s.spec.Width*s.spec.Height) || !permutes(sym.Planes, len(s.spec.Planes)) {
		return fmt.Errorf("squares and planes must be permutations, and it must have a name and map actions")
	}
	image := env.NewState(s.game)
	return s.walk(1, func(at spot) error {
		if s.lines[at.line].start != s.spec.StartText {
			return nil
		}
		if at.ply == 0 {
			image.Reset()
		}
		if err := s.imageFault(sym, at.state, image); err != nil {
			return fmt.Errorf("the image is %q: %w", env.PositionText(image), err)
		}
		if at.next != env.NoAction {
			image.Apply(sym.Action(at.state, at.next))
		}
		return nil
	})
}

// imageFault reports where image is not the image of state.
func (s *Subject) imageFault(sym env.Symmetry, state, image env.State) error {
	if state.Player() != image.Player() {
		return fmt.Errorf("players to move are %d and %d", state.Player(), image.Player())
	}
	legal := state.Legal(nil)
	for i, a := range legal {
		legal[i] = sym.Action(state, a)
	}
	slices.Sort(legal)
	if got := image.Legal(nil); !slices.Equal(legal, got) {
		return fmt.Errorf("legal actions are %v, must be %v", got, legal)
	}
	squares := s.spec.Width * s.spec.Height
	for viewer := env.First; viewer <= env.Second; viewer++ {
		seen, got := s.observe(state, viewer), s.observe(image, viewer)
		for p := range s.spec.Planes {
			for i := range squares {
				to := int(sym.Planes[p])*squares + int(sym.Squares[i])
				if seen[p*squares+i] != got[to] {
					return fmt.Errorf("viewer %d: element %d of plane %s is not at its image", viewer, i, s.spec.Planes[p].Name)
				}
			}
		}
	}
	return nil
}

func permutes(list []int16, n int) bool {
	taken := make([]bool, n)
	for _, to := range list {
		if to < 0 || int(to) >= n || taken[to] {
			return false
		}
		taken[to] = true
	}
	return len(list) == n
}
