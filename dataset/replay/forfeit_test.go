package replay_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/replay"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay"
)

// resigning plays a run in which games are resigned and played on.
func resigning(t testing.TB) *run {
	return play(t, "trench/standard", "greedy", "alphabeta:depth=1", 2000, func(p *selfplay.Config) {
		p.Resign = dataset.Resign{Score: 100, Plies: 1, PlayOn: .5}
	})
}

// the first episode of a run of which is says that it is one of those wanted.
func (r *run) the(t testing.TB, is func(*dataset.Episode) bool) *dataset.Episode {
	t.Helper()
	for _, ep := range r.episodes {
		if is(ep) {
			return ep
		}
	}
	t.Fatal("there is no such episode")
	return nil
}

func resigned(ep *dataset.Episode) bool { return ep.Reason == env.Resigned }

func playedOn(ep *dataset.Episode) bool { return ep.ResignPly != dataset.NoPly && !resigned(ep) }

// forfeit ends an episode before one of its plies by what the player to move did.
func forfeit(t testing.TB, r *run, ep *dataset.Episode, ply int, reason env.Reason) {
	t.Helper()
	replayer, err := replay.New(&r.settings)
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	for s, err := range replayer.Positions(ep) {
		if err != nil {
			t.Fatal(err)
		}
		if at == ply {
			scorer := s.(env.Scorer)
			ep.Points = [2]int{scorer.Points(env.First), scorer.Points(env.Second)}
			break
		}
		at++
	}
	mover := ep.Steps[ply].Player
	ep.Terminated, ep.Truncated, ep.Reason, ep.Result = true, false, reason, env.WinFor(mover.Opponent())
	ep.FinalHash, ep.Steps = ep.Steps[ply].Hash, ep.Steps[:ply]
}

func TestAForfeitIsALossOfThePlayerToMove(t *testing.T) {
	for _, limit := range []int{0, 2000} {
		sound := play(t, "trench/standard", "greedy", "random", limit)
		for _, reason := range []env.Reason{env.IllegalAction, env.Resigned, env.TimeForfeit, env.Crashed} {
			for _, ply := range []int{3, 10, 11} {
				r := sound.clone(t)
				forfeit(t, r, r.episodes[13], ply, reason)
				if _, err := verify(r.write(t)); err != nil {
					t.Errorf("%s before ply %d: %v", reason, ply, err)
				}
				r.episodes[13].Result = -r.episodes[13].Result
				wantFault(t, r.write(t), inEpisode("result"))
				r.episodes[13].Result = 0
				wantFault(t, r.write(t), inEpisode("result"))
			}
		}
	}
}

// inEpisode is a fault of episode 13, which is in the first shard.
func inEpisode(what string) dataset.Fault {
	return dataset.Fault{File: "episodes/00000000.parquet", Episode: 13, Ply: dataset.None, What: what}
}

func TestVerifyFindsAForfeitThatIsNone(t *testing.T) {
	sound := play(t, "trench/standard", "greedy", "random", 2000)
	r := sound.clone(t)
	r.episodes[13].Reason = env.Crashed // but the rules ended it
	wantFault(t, r.write(t), inEpisode("reason"))

	r = sound.clone(t)
	forfeit(t, r, r.episodes[13], 10, env.NoMove) // no rule ended it
	wantFault(t, r.write(t), inEpisode("terminated"))

	r = sound.clone(t)
	forfeit(t, r, r.episodes[13], 10, env.Resigned)
	r.episodes[13].ResignPly = 10 // but there is no resignation rule
	wantFault(t, r.write(t), inEpisode("resign_ply"))

	r = play(t, "trench/standard", "greedy", "random", 10)
	ep := r.episodes[13]
	loser := ep.Steps[8].Player
	ep.Terminated, ep.Truncated, ep.Reason, ep.Result = true, false, env.Crashed, env.WinFor(loser.Opponent()) // but the limit had cut it off
	wantFault(t, r.write(t), inEpisode("terminated"))
}

// TestVerifyProvesTheResignationRule changes what a run says of it.
func TestVerifyProvesTheResignationRule(t *testing.T) {
	sound := resigning(t)
	for _, c := range []struct {
		name   string
		of     func(*dataset.Episode) bool
		change func(r *run, ep *dataset.Episode)
		what   string
	}{
		{"the rule is said to hold later", playedOn, func(_ *run, ep *dataset.Episode) { ep.ResignPly++ }, "resign_ply"},
		{"the rule is said never to hold", playedOn, func(_ *run, ep *dataset.Episode) { ep.ResignPly = dataset.NoPly }, "resign_ply"},
		{"the rule is said never to hold in a resigned game", resigned, func(_ *run, ep *dataset.Episode) { ep.ResignPly = dataset.NoPly }, "resign_ply"},
		{"the rule ended the game, not a crash", resigned, func(_ *run, ep *dataset.Episode) { ep.Reason = env.Crashed }, "reason"},
		{"the rule did not hold yet", playedOn, func(r *run, ep *dataset.Episode) {
			ep.ResignPly--
			forfeit(t, r, ep, ep.ResignPly, env.Resigned)
		}, "resign_ply"},
	} {
		r := sound.clone(t)
		ep := r.the(t, c.of)
		c.change(r, ep)
		shard, err := r.manifest(t).ShardOf(ep.Number)
		if err != nil {
			t.Fatal(err)
		}
		t.Log(c.name)
		wantFault(t, r.write(t), dataset.Fault{File: shard.Episodes.Name, Episode: ep.Number, Ply: dataset.None, What: c.what})
	}

	// A game that should have been resigned and went on.
	r := sound.clone(t)
	r.settings.Resign.PlayOn = 0
	r.rename()
	ep := r.the(t, playedOn)
	shard, err := r.manifest(t).ShardOf(ep.Number)
	if err != nil {
		t.Fatal(err)
	}
	wantFault(t, r.write(t), dataset.Fault{File: shard.Steps.Name, Episode: ep.Number, Ply: ep.ResignPly, What: "action"})

	// A game that should have been played on and was not.
	r = sound.clone(t)
	r.settings.Resign.PlayOn = 1
	r.rename()
	if _, err := verify(r.write(t)); err != nil {
		t.Errorf("giving up is free to every agent, but: %v", err)
	}
}

// manifest returns the manifest of the run as write writes it.
func (r *run) manifest(t testing.TB) *dataset.Manifest {
	t.Helper()
	m, err := dataset.Load(r.write(t))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// rename makes the episodes ones of the run with the settings.
func (r *run) rename() {
	for _, ep := range r.episodes {
		ep.Run = r.settings.Run()
	}
}

func TestTextTellsOfAForfeit(t *testing.T) {
	r := resigning(t)
	ep := r.the(t, resigned)
	var text strings.Builder
	if err := replay.Text(&text, &r.settings, ep, false); err != nil {
		t.Fatal(err)
	}
	end := "result: " + ep.Result.String() + ", reason: resigned"
	for _, want := range []string{"[Result \"" + ep.Result.String() + "\"]\n", "[Reason \"resigned\"]\n", fmt.Sprintf("[ResignPly \"%d\"]\n", ep.Plies()), end} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("text lacks %q:\n%s", want, text.String())
		}
	}
}

func TestTextTellsOfAPlayoutCap(t *testing.T) {
	r := play(t, "trench/standard", "greedy", "greedy", 30)
	const capped = "shortened by a playout cap"
	for _, fast := range []bool{false, true} {
		s := &r.episodes[0].Steps[5].Search
		s.Has, s.Fast = s.Has|dataset.HasFast, fast
		var text strings.Builder
		if err := replay.Text(&text, &r.settings, r.episodes[0], true); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(text.String(), capped) == 1; got != fast {
			t.Errorf("fast is %t, but the text says so: %t", fast, got)
		}
	}
}

// A field of the search statistics counts only if its bit is set.
func TestSearchFieldsWithoutTheirBitAreNotChecked(t *testing.T) {
	r := play(t, "ntxuva/basic", "random", "random", 4)
	replayer, err := replay.New(&r.settings)
	if err != nil {
		t.Fatal(err)
	}
	all := dataset.HasValue | dataset.HasNodes | dataset.HasDepth
	for bit, wrong := range map[dataset.SearchField]dataset.Search{
		dataset.HasValue: {Value: 1.5}, dataset.HasNodes: {Nodes: -1}, dataset.HasDepth: {Depth: -1},
	} {
		last := r.episodes[0].Plies() - 1
		s := &r.episodes[0].Steps[last].Search
		*s = wrong
		s.Has = all &^ bit
		if err := replayer.Check(r.episodes[0]); err != nil {
			t.Errorf("without bit %d: %v", bit, err)
		}
		s.Has = bit
		var fault *dataset.Fault
		if err := replayer.Check(r.episodes[0]); !errors.As(err, &fault) || fault.Ply != last {
			t.Errorf("with bit %d alone: %v", bit, err)
		}
	}
}
