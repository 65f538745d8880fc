package selfplay

// SetAgent makes another agent play for agent i of the plan.
func (p *Player) SetAgent(i int, agent Agent) { p.seat(i, agent) }
