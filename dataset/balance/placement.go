package balance

import "github.com/sandtable-farm/sandtable/dataset/stats"

// Placement is where the pieces of both players stand, kill and die, in the frame of the
// owner: the first square is the left end of the owner's first row, and rows follow
// towards the enemy.
type Placement struct {
	Width  int        `json:"width"`
	Height int        `json:"height"`
	Types  []TypeMaps `json:"types"`
}

// TypeMaps are the maps of a type.
type TypeMaps struct {
	Type string `json:"type"`
	// Presence is how often a player has a piece of the type on a square, at the plies of
	// sampled games after the opening.
	Presence Map `json:"presence"`
	Kills    Map `json:"kills"`  // share of its victims by square, in its owner's frame
	Deaths   Map `json:"deaths"` // share of its losses by square
}

// A Map holds the interval of a share for each square, row by row. It is empty without
// observations.
type Map struct {
	N        int64     `json:"n,string"` // positions of both players, kills, losses
	Estimate []float64 `json:"estimate"`
	Low      []float64 `json:"low"`
	High     []float64 `json:"high"`
	Level    float64   `json:"level"`
	Method   string    `json:"method"`
}

func (s *sums) placement(b *board) *Placement {
	p := &Placement{Width: b.spec.Width, Height: b.spec.Height, Types: []TypeMaps{}}
	for t := range s.types {
		p.Types = append(p.Types, TypeMaps{
			Type: b.spec.Pieces[t].Name, Presence: heat(s.types[t].standAt), Kills: heat(s.types[t].killAt), Deaths: heat(s.types[t].deathAt),
		})
	}
	return p
}

// heat returns the map of clusters by square.
func heat(squares []stats.Clusters) Map {
	m := Map{Estimate: []float64{}, Low: []float64{}, High: []float64{}, Level: stats.Level}
	for i := range squares {
		share := squares[i].ExactInterval(stats.Level)
		if m.N, m.Method = share.N, share.Method; m.N == 0 {
			break
		}
		m.Estimate, m.Low, m.High = append(m.Estimate, share.Estimate), append(m.Low, share.Low), append(m.High, share.High)
	}
	return m
}
