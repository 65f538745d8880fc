package handicap

// FewGames is the number of games of a seat, or of openings, below which a report has a
// note.
const FewGames = 50

// A NoteKind is the kind of a note.
type NoteKind string

const (
	MissingGames  NoteKind = "missing_games"  // planned games are missing
	CutOffGames   NoteKind = "cut_off"        // games reached the ply limit
	FailedGames   NoteKind = "failed"         // games were lost by a program that failed
	FewSeatGames  NoteKind = "few_seat_games" // a seat has few games with a result
	RepeatedGames NoteKind = "repeated_games" // fewer than 99 % of the games are distinct
	DecidedEarly  NoteKind = "decided_early"  // games ended within two plies of the agents' taking over
	FewOpenings   NoteKind = "few_openings"   // games start from few positions
	Helped        NoteKind = "helped"         // removing a piece helped
	OtherAgents   NoteKind = "other_agents"   // other agents played the control
	OtherOpenings NoteKind = "other_openings" // the control's games start differently
)

// A Note is a fact about the games that limits the conclusions. Cases are the handicaps
// that it is about; empty for a note about the control.
type Note struct {
	Kind  NoteKind
	Cases []Case
}

// A Case is a handicap that a note is about. The note concerns Count of its Of games; both
// are 0 for a note that counts no games.
type Case struct {
	Handicap  int // index in Report.Handicaps
	Count, Of int64
}

// notes returns the notes of a report.
func (a *analysis) notes(r *Report) []Note {
	var list []Note
	all := func(kind NoteKind, of func(m *Measures) (count, total int64, applies bool)) {
		var cases []Case
		for i := range a.Played {
			if count, total, applies := of(a.Played[i].Measures); applies {
				cases = append(cases, Case{i, count, total})
			}
		}
		if len(cases) > 0 {
			list = append(list, Note{kind, cases})
		}
	}
	all(MissingGames, func(m *Measures) (int64, int64, bool) { return m.missing, m.missing + m.episodes, m.missing > 0 })
	all(CutOffGames, func(m *Measures) (int64, int64, bool) { return m.truncated, m.episodes, m.truncated > 0 })
	all(FailedGames, func(m *Measures) (int64, int64, bool) { return m.failed, m.episodes, m.failed > 0 })
	all(FewSeatGames, func(m *Measures) (int64, int64, bool) {
		few := min(m.seats[0].games(), m.seats[1].games())
		return few, m.decided(), few < FewGames && m.enough()
	})
	all(RepeatedGames, func(m *Measures) (int64, int64, bool) { return m.distinct, m.episodes, 100*m.distinct < 99*m.episodes })
	all(DecidedEarly, func(m *Measures) (int64, int64, bool) { return m.early, m.episodes, 100*m.early > m.episodes })
	all(FewOpenings, func(m *Measures) (int64, int64, bool) {
		return m.openings, m.episodes, m.openings < FewGames && m.episodes >= FewGames
	})
	var helped []Case
	for i := range r.Handicaps {
		if e := &r.Handicaps[i]; e.Attribute == "" && e.Adjusted <= significant && e.Loss.Estimate < 0 {
			helped = append(helped, Case{Handicap: i})
		}
	}
	if len(helped) > 0 {
		list = append(list, Note{Helped, helped})
	}
	if c := r.Control; c != nil && !c.SameAgent {
		list = append(list, Note{Kind: OtherAgents})
	}
	if c := r.Control; c != nil && !c.SameOpenings {
		list = append(list, Note{Kind: OtherOpenings})
	}
	return list
}
