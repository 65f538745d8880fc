package experiment_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/record"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/experiment"
	"github.com/sandtable-farm/sandtable/workers/natsq"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// config is a farm with a server of its own.
func config(t testing.TB, players int) workers.Config {
	return workers.Config{
		Open:    natsq.Embedded(natsq.ServerOptions{Dir: filepath.Join(t.TempDir(), "nats")}, natsq.Options{}),
		Workers: players,
		Tuning:  quick(),
	}
}

// quick makes the roles look at each other often.
func quick() workers.Tuning {
	return workers.Tuning{Tick: 10 * time.Millisecond, Scout: 10 * time.Millisecond, Rest: time.Millisecond, RestMost: 10 * time.Millisecond}
}

// newFarm opens a farm that the test's end closes.
func newFarm(t testing.TB, cfg workers.Config) *workers.Farm {
	t.Helper()
	farm := workers.New(cfg)
	t.Cleanup(func() {
		if err := farm.Close(); err != nil {
			t.Error(err)
		}
	})
	return farm
}

func plan(t testing.TB, variant, first, second string, seed uint64) *selfplay.Plan {
	t.Helper()
	v, err := games.Lookup(variant)
	if err != nil {
		t.Fatal(err)
	}
	c := selfplay.Config{Variant: v, Opening: selfplay.Opening{Plies: 4}, MaxPlies: 300, Seed: seed}
	for i, text := range []string{first, second} {
		if c.Agents[i], err = agent.Parse(text, v, nil); err != nil {
			t.Fatal(err)
		}
	}
	p, err := selfplay.NewPlan(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// arms are three: of a fast agent, of a slower one, and of pairs.
func arms(t testing.TB) []experiment.Arm {
	dir := t.TempDir()
	return []experiment.Arm{
		{Dir: filepath.Join(dir, "a"), Plan: plan(t, "trench/standard", "random", "random", 1), Episodes: 300},
		{Dir: filepath.Join(dir, "b"), Plan: plan(t, "ntxuva/4", "alphabeta:nodes=100", "alphabeta:nodes=100", 2), Episodes: 25},
		{Dir: filepath.Join(dir, "c"), Plan: plan(t, "ntxuva/4", "greedy", "random", 3), Episodes: 130},
	}
}

// wantArm checks that the folder of an arm holds what was asked for, and less than a
// job more.
func wantArm(t *testing.T, arm experiment.Arm) {
	t.Helper()
	settings := experiment.Settings(arm.Plan)
	if over := wantFirst(t, arm.Dir, arm.Plan, &settings) - arm.Episodes; over < 0 || over >= settings.JobEpisodes {
		t.Errorf("%s holds %d episodes more than %d, in jobs of %d", arm.Dir, over, arm.Episodes, settings.JobEpisodes)
	}
}

// wantFirst checks that a folder holds the first episodes of a plan, each once, as a
// bare loop plays them, and returns how many they are.
func wantFirst(t *testing.T, dir string, p *selfplay.Plan, settings *dataset.Settings) int64 {
	t.Helper()
	reader, err := parquetio.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var want, got dataset.Digest
	episodes := reader.Manifest().Episodes()
	err = selfplay.PlayAll(t.Context(), p, settings.Run(), 0, episodes, 2, func(ep *dataset.Episode) error {
		want.Add(ep)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for ep, err := range reader.Episodes() {
		if err != nil {
			t.Fatal(err)
		}
		got.Add(ep)
	}
	if got.String() != want.String() {
		t.Errorf("%s holds %s, a bare loop plays %s", dir, got.String(), want.String())
	}
	return episodes
}

func TestArmsSideBySideHoldWhatEachHoldsAlone(t *testing.T) {
	for _, players := range []int{1, 4} {
		all := arms(t)
		var last workers.Status
		farm := newFarm(t, config(t, players))
		err := experiment.Play(t.Context(), farm, all, func(s workers.Status) {
			if s.Collected < last.Collected || s.CollectedPlies < last.CollectedPlies {
				t.Errorf("%+v after %+v", s, last)
			}
			last = s
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, arm := range all {
			wantArm(t, arm)
		}
		if last.Total != 455 || last.Remaining != 455 || last.Collected < 455 || last.CollectedPlies < last.Collected {
			t.Errorf("last status is %+v", last)
		}
	}
}

func TestMoreEpisodesOfTheSameArmsGoOn(t *testing.T) {
	all := arms(t)
	farm := newFarm(t, config(t, 2))
	for _, share := range []int64{3, 2, 1} {
		look := make([]experiment.Arm, len(all))
		for i, arm := range all {
			look[i] = arm
			look[i].Episodes = arm.Episodes / share &^ 1
		}
		if err := experiment.Play(t.Context(), farm, look, nil); err != nil {
			t.Fatal(err)
		}
		for _, arm := range look {
			wantArm(t, arm)
		}
	}
}

func TestArmsThatAreThereNeedNoQueue(t *testing.T) {
	all := arms(t)
	if err := experiment.Play(t.Context(), newFarm(t, config(t, 2)), all, nil); err != nil {
		t.Fatal(err)
	}
	farm := newFarm(t, workers.Config{Open: func(context.Context) (queue.Queue, error) {
		return nil, errors.New("nothing is left to do")
	}})
	if err := experiment.Play(t.Context(), farm, all, nil); err != nil {
		t.Error(err)
	}
	if err := experiment.Play(t.Context(), farm, nil, nil); err != nil {
		t.Error(err)
	}
}

func TestAnExperimentCutShortGoesOnToTheSameData(t *testing.T) {
	all, cfg := arms(t), config(t, 2)
	for stop := range 4 {
		ctx, cancel := context.WithCancel(t.Context())
		farm := workers.New(cfg)
		err := experiment.Play(ctx, farm, all, func(s workers.Status) {
			if stop < 3 && s.Collected > 10 {
				cancel()
			}
		})
		cancel()
		if err := farm.Close(); err != nil {
			t.Fatal(err)
		}
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), "\n") {
			t.Fatalf("error is %v", err)
		}
	}
	for _, arm := range all {
		wantArm(t, arm)
	}
}

func TestArmsThatCannotBePlayedLeaveNothingBehind(t *testing.T) {
	for want, change := range map[string]func(all []experiment.Arm){
		"must be 1 or more":  func(all []experiment.Arm) { all[0].Episodes = 0 },
		"must be even":       func(all []experiment.Arm) { all[2].Episodes = 7 },
		"folder of two runs": func(all []experiment.Arm) { all[1].Dir = all[0].Dir },
		"are the same games": func(all []experiment.Arm) { all[1].Plan = all[0].Plan },
		"has no command":     func(all []experiment.Arm) { all[2].Plan = plan(t, "ntxuva/4", "exec:mine", "random", 3) },
	} {
		all := arms(t)
		change(all)
		if err := experiment.Play(t.Context(), newFarm(t, config(t, 2)), all, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %q", err, want)
		}
		for _, arm := range all {
			if _, err := os.Stat(arm.Dir); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: %s is left behind", want, arm.Dir)
			}
		}
	}
}

func TestTheFolderOfAnotherRunIsRefused(t *testing.T) {
	all := arms(t)
	farm := newFarm(t, config(t, 2))
	if err := experiment.Play(t.Context(), farm, all, nil); err != nil {
		t.Fatal(err)
	}
	all[1].Plan = plan(t, "ntxuva/4", "alphabeta:nodes=100", "alphabeta:nodes=100", 99)
	if err := experiment.Play(t.Context(), farm, all, nil); !errors.Is(err, dataset.ErrSettings) || !strings.Contains(err.Error(), "seed is") {
		t.Errorf("error is %v", err)
	}
}

func TestWorkersOnOtherMachinesHelpAnExperiment(t *testing.T) {
	server, err := natsq.StartServer(t.Context(), natsq.ServerOptions{Dir: t.TempDir(), Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	remote := natsq.Remote(natsq.Options{URL: server.URL()})
	queue, err := remote(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	worked := make(chan error, 1)
	go func() {
		worked <- workers.Work(ctx, workers.WorkerConfig{Queue: queue, Workers: 2, Tuning: quick()})
	}()
	cfg := config(t, 1)
	cfg.Open = remote
	all := arms(t)
	farm := newFarm(t, cfg)
	if err := experiment.Play(t.Context(), farm, all, nil); err != nil {
		t.Fatal(err)
	}
	r := recording(t, "greedy", "random", 400)
	var seen []int64
	r.Each = until(99, &seen)
	if err := farm.Record(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	for _, arm := range all {
		wantArm(t, arm)
	}
	settings := record.Settings(r.Plan)
	if n := wantFirst(t, r.Dir, r.Plan, &settings); n < 100 || len(seen) != 100 {
		t.Errorf("%d episodes are recorded, %d were handed out", n, len(seen))
	}
	// Nothing is left for a collector that nobody will start.
	for _, s := range []dataset.Settings{settings, experiment.Settings(all[0].Plan), experiment.Settings(all[1].Plan), experiment.Settings(all[2].Plan)} {
		queued, err := queue.Queued(t.Context(), s.Run())
		if err != nil || len(queued.Jobs) > 0 || queued.Messages > 0 {
			t.Errorf("%s: %+v, %v", s.Variant, queued, err)
		}
	}
	stop()
	if err := errors.Join(<-worked, queue.Close()); err != nil {
		t.Error(err)
	}
}

func TestTwoFarmsOnOneFolderAreRefused(t *testing.T) {
	all := arms(t)
	second := make(chan error, 1)
	told := false
	err := experiment.Play(t.Context(), newFarm(t, config(t, 2)), all, func(s workers.Status) {
		if !told {
			told = true
			second <- experiment.Play(t.Context(), newFarm(t, config(t, 1)), all[2:], nil)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-second; !errors.Is(err, dataset.ErrLocked) {
		t.Errorf("the second farm ends with %v", err)
	}
}

func ExamplePlay() {
	dir, err := os.MkdirTemp("", "experiment")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	farm := workers.New(workers.Config{
		Open: natsq.Embedded(natsq.ServerOptions{Dir: filepath.Join(dir, "nats")}, natsq.Options{}),
	})
	defer farm.Close()
	var arms []experiment.Arm
	for i, name := range []string{"ntxuva/4", "ntxuva/8"} {
		v, err := games.Lookup(name)
		if err != nil {
			fmt.Println(err)
			return
		}
		random, err := agent.Parse("random", v, nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		plan, err := selfplay.NewPlan(selfplay.Config{Variant: v, Agents: [2]agent.Spec{random, random}, MaxPlies: 300, Seed: uint64(i)})
		if err != nil {
			fmt.Println(err)
			return
		}
		arms = append(arms, experiment.Arm{
			Dir:      filepath.Join(dir, fmt.Sprint(i)),
			Plan:     plan,
			Episodes: 256,
		})
	}
	err = experiment.Play(context.Background(), farm, arms, nil)
	for _, arm := range arms {
		if m, err := dataset.Load(arm.Dir); err == nil {
			fmt.Println(m.Settings.Variant, m.Episodes())
		}
	}
	fmt.Println(err)
	// Output:
	// ntxuva/4 256
	// ntxuva/8 256
	// <nil>
}

// What waits to be written of several arms would keep workers from playing on if each
// were to wait for a shard of its own of the usual size.
func TestManyArmsDoNotBlockTheQueue(t *testing.T) {
	const shard = 3 << 20
	dir := t.TempDir()
	var all []experiment.Arm
	for seed := range uint64(10) {
		all = append(all, experiment.Arm{
			Dir: filepath.Join(dir, fmt.Sprint(seed)), Plan: plan(t, "trench/standard", "random", "random", seed), Episodes: 1280,
		})
	}
	cfg := workers.Config{
		Open:   natsq.Embedded(natsq.ServerOptions{Dir: filepath.Join(dir, "nats")}, natsq.Options{ResultBytes: 3 * shard}),
		Tuning: quick(),
	}
	cfg.Tuning.ShardBytes, cfg.Tuning.ShardAfter, cfg.Tuning.Window = shard, time.Hour, 1
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	if err := experiment.Play(ctx, newFarm(t, cfg), all, nil); err != nil {
		t.Fatal(err)
	}
}
