package vec

import "github.com/sandtable-farm/sandtable/env"

// A Policy plays the opponent's seat.
type Policy interface {
	// Choose returns one of the legal actions of s, which it must not change.
	// legal is the caller's and lists them in ascending order, never empty. r is
	// the slot's generator. A choice that depends on these alone, and not on
	// earlier ones, makes batches reproducible for any number of goroutines.
	// env.NoAction gives the game up: the opponent loses, for the reason that it
	// tells as a Forfeiter.
	Choose(s env.State, legal []env.Action, r *env.Rand) env.Action
	// Clone returns a policy that chooses alike and shares no memory that Choose
	// writes to. New makes one for each further goroutine.
	Clone() (Policy, error)
}

// A Forfeiter is a Policy that says why it gives up.
type Forfeiter interface {
	// Forfeit returns why the last call of Choose returned env.NoAction: a reason
	// that is a Forfeit, and what happened in words for people.
	Forfeit() (reason env.Reason, detail string)
}

// Random is the Policy that chooses uniformly.
type Random struct{}

// Choose implements Policy.
func (Random) Choose(_ env.State, legal []env.Action, r *env.Rand) env.Action {
	return legal[r.IntN(len(legal))]
}

// Clone implements Policy.
func (p Random) Clone() (Policy, error) { return p, nil }
