package env

// A Forfeiter is a player of any kind, such as an agent or the opponent in a batch,
// that reports why it gave up a game.
type Forfeiter interface {
	// Forfeit returns why the last choice was NoAction, as a reason for which
	// Reason.Forfeit is true, and what happened, in words for people.
	Forfeit() (reason Reason, detail string)
}

// ForfeitOf returns why a player that chose NoAction loses, and what happened, in
// words for people. A player that is not a Forfeiter, or gives a reason of the rules,
// loses by IllegalAction: NoAction is not a legal choice.
func ForfeitOf(player any) (reason Reason, detail string) {
	if f, ok := player.(Forfeiter); ok {
		if reason, detail = f.Forfeit(); reason.Forfeit() {
			return reason, detail
		}
	}
	return IllegalAction, detail
}
