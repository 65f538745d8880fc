package report

import "github.com/sandtable-farm/sandtable/dataset/balance"

// BalanceJSON returns a report on balance for encoding as JSON: its numbers, and the
// sentences of [Balance] under the keys answer, problem, assumptions and notes.
func BalanceJSON(r *balance.Report) any {
	seats := seatsJSON{Seats: r.Seats, Answer: seatAnswer(r.Seats, r.Players)}
	if r.Seats.Against != nil {
		seats.Against = &againstJSON{r.Seats.Against, againstAnswer(r.Seats, r.Players), againstAssumptions(r.Seats.Against.Name)}
	}
	values := valuesJSON{Values: r.Values, Answer: valuesAnswer(r.Values), Phases: []phaseJSON{}}
	for i := range r.Values.Phases {
		values.Phases = append(values.Phases, newPhaseJSON(&r.Values.Phases[i]))
	}
	return &balanceJSON{
		Report: r, Seats: seats, Values: values, Activity: activityJSON{r.Activity, activityAnswer(r.Activity)}, Notes: balanceNotes(&r.Data),
	}
}

// The fields of these types replace those of the embedded types with the same key.
type (
	balanceJSON struct {
		*balance.Report
		Seats    seatsJSON    `json:"seats"`
		Values   valuesJSON   `json:"values"`
		Activity activityJSON `json:"activity"`
		Notes    []string     `json:"notes"`
	}
	seatsJSON struct {
		*balance.Seats
		Answer  string       `json:"answer"`
		Against *againstJSON `json:"against"`
	}
	againstJSON struct {
		*balance.Against
		Answer      string   `json:"answer"`
		Assumptions []string `json:"assumptions"`
	}
	valuesJSON struct {
		*balance.Values
		Phases []phaseJSON `json:"phases"`
		Answer string      `json:"answer"`
	}
	phaseJSON struct {
		*balance.PhaseValues
		Types  []typeJSON `json:"types"`
		Turn   *typeJSON  `json:"turn"`
		Agents []typeJSON `json:"agents"`
		Answer string     `json:"answer"`
	}
	typeJSON struct {
		*balance.TypeValue
		Problem string `json:"problem"`
	}
	activityJSON struct {
		*balance.Activity
		Answer string `json:"answer"`
	}
)

func newPhaseJSON(v *balance.PhaseValues) phaseJSON {
	column := func(t *balance.TypeValue) typeJSON { return typeJSON{t, problemText(t.Problem)} }
	columns := func(list []balance.TypeValue) []typeJSON {
		all := []typeJSON{}
		for i := range list {
			all = append(all, column(&list[i]))
		}
		return all
	}
	p := phaseJSON{PhaseValues: v, Types: columns(v.Types), Agents: columns(v.Agents), Answer: phaseAnswer(v.Problem)}
	if v.Turn != nil {
		turn := column(v.Turn)
		p.Turn = &turn
	}
	return p
}
