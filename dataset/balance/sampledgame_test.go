package balance

import "testing"

func TestPhasesAreCutByThePiecesOfBothSides(t *testing.T) {
	b := &board{full: [2]int64{6, 3}} // nine pieces: phases end at six and at three
	for left, want := range []phase{late, late, late, late, middle, middle, middle, early, early, early} {
		if got := b.phase(int64(left)); got != want {
			t.Errorf("with %d of 9 pieces left the phase is %d, want %d", left, got, want)
		}
	}
}

func TestProblemsAreShownByTheirCodes(t *testing.T) {
	for want, p := range map[string]Problem{
		"": {}, "collinear": {Code: Collinear}, "agent_decides greedy": {Code: AgentDecides, Agent: "greedy"},
		"unit Soldier: too_few_clusters, 60 needed": {Code: TooFewClusters, Unit: "Soldier", Clusters: 60},
	} {
		if got := p.String(); got != want {
			t.Errorf("%+v is shown as %q, want %q", p, got, want)
		}
	}
}

// Fifty openings are enough to be the clusters; fewer leave them to games and pairs.
func TestClustersAreOpeningsIfThereAreEnough(t *testing.T) {
	for openings, want := range map[int]string{EnoughClusters - 1: "games or pairs", EnoughClusters: "openings"} {
		v := &valuer{}
		for i := range 120 {
			v.rows = append(v.rows, row{game: int64(i), group: int64(i), opening: uint64(i % openings)})
		}
		v.cluster()
		if last := v.ids[len(v.ids)-1]; v.clusters != want || v.openings != int64(openings) || (want == "openings") != (last == int64(openings)-1) {
			t.Errorf("with %d openings the clusters are %s, the last is %d", openings, v.clusters, last)
		}
	}
}
