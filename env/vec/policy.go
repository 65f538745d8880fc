package vec

import "github.com/sandtable-farm/sandtable/env"

// A Policy plays the opponent's seat.
type Policy interface {
	// Choose returns one of the legal actions of s. It must not change s. legal
	// lists these actions in ascending order; it is never empty and belongs to the
	// caller. r is the slot's random generator. Batches are reproducible for any
	// number of goroutines if the choice depends only on these arguments, and not
	// on earlier calls.
	//
	// The opponent may return env.NoAction to give up. It then loses, for the
	// reason that it returns as an env.Forfeiter.
	Choose(s env.State, legal []env.Action, r *env.Rand) env.Action
	// Clone returns a policy that makes the same choices and shares no memory to
	// which Choose writes. New calls it once for each goroutine after the first.
	Clone() (Policy, error)
}

// Random is a Policy that chooses uniformly among the legal actions.
type Random struct{}

// Choose implements Policy.
func (Random) Choose(_ env.State, legal []env.Action, r *env.Rand) env.Action {
	return legal[r.IntN(len(legal))]
}

// Clone implements Policy.
func (p Random) Clone() (Policy, error) { return p, nil }
