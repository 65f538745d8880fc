"""The PettingZoo environment against PettingZoo's own tests and against `sandtable.State`."""

import copy
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, performance_benchmark, seed_test
from pettingzoo.test.render_test import render_test
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

import sandtable
from sandtable.pettingzoo import env

VARIANTS = ["trench/standard", "ntxuva/basic", "tankbattle/standard", "tankchess/16x16"]

# What api_test reports about PettingZoo's own classic games as well.
KNOWN_WARNINGS = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
    "Action mask numpy array is all zeros",
)


def play(game, plies, rng):
    """Plays random legal actions, and returns what ``last`` reported before each."""
    seen = []
    for _ in game.agent_iter(plies):
        observation, reward, terminated, truncated, info = game.last()
        seen.append((game.agent_selection, observation, reward, terminated, truncated, dict(info)))
        legal = np.flatnonzero(observation["action_mask"])
        game.step(None if terminated or truncated else rng.choice(legal))
    return seen


def assert_same(left, right):
    assert len(left) == len(right)
    for (agent, observation, *rest), (other_agent, other, *other_rest) in zip(left, right, strict=True):
        assert (agent, rest) == (other_agent, other_rest)
        np.testing.assert_array_equal(observation["observation"], other["observation"])
        np.testing.assert_array_equal(observation["action_mask"], other["action_mask"])


@pytest.mark.parametrize("variant", VARIANTS)
def test_api(variant):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(env(variant), num_cycles=200)
    unknown = {str(w.message) for w in caught if not str(w.message).startswith(KNOWN_WARNINGS)}
    assert not unknown


@pytest.mark.parametrize("variant", VARIANTS)
def test_seed(variant):
    seed_test(lambda: env(variant, random_plies=6), num_cycles=100)


def test_calls_before_reset_are_errors():
    game = env("ntxuva/basic")
    for call in (game.last, game.state, lambda: game.step(0), lambda: next(iter(game.agent_iter()))):
        with pytest.raises(AttributeError, match=r"has no value before reset\(\)"):
            call()
    with pytest.raises(AttributeError, match="has no attribute 'no_such_thing'"):
        _ = game.no_such_thing


def test_seeds_determine_openings():
    def opening(seed):
        game = env("trench/standard", random_plies=6)
        game.reset(seed=seed)
        return game.state().tobytes()

    assert opening(1) == opening(1)
    assert len({opening(seed) for seed in range(5)}) == 5


def test_render(capsys):
    render_test(lambda render_mode: env("trench/standard", render_mode=render_mode))
    game = env("ntxuva/basic", render_mode="human")
    game.reset()
    capsys.readouterr()
    assert game.render() is None
    assert capsys.readouterr().out == str(sandtable.load("ntxuva/basic").new_state()) + "\n"


def test_performance_benchmark(capsys):
    performance_benchmark(env("trench/standard"))
    assert "turns per second" in capsys.readouterr().out


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_equals_the_state(variant):
    game, state, rng = env(variant), sandtable.load(variant).new_state(), np.random.default_rng(3)
    game.reset()
    while not state.terminal:
        assert game.agent_selection == f"player_{state.player}"
        for player in (0, 1):
            observation = game.observe(f"player_{player}")
            np.testing.assert_array_equal(observation["observation"], state.observe(player))
            mask = state.legal_mask() if player == state.player else np.zeros_like(state.legal_mask())
            np.testing.assert_array_equal(observation["action_mask"], mask)
        assert set(game.rewards.values()) == {0.0}
        action = int(rng.choice(state.legal_actions()))
        game.step(action)
        state.apply(action)
    assert game.rewards == dict(zip(game.agents, state.returns(), strict=True))
    assert game.terminations == {"player_0": True, "player_1": True}
    assert game.infos["player_0"] == {"reason": state.reason}
    assert not game.observe("player_0")["action_mask"].any()
    game.step(None)
    game.step(None)
    assert game.agents == []


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))])
@pytest.mark.parametrize("wrapper", [lambda game: game, OrderEnforcingWrapper])
def test_copies_continue_identically(wrapper, duplicate):
    game = wrapper(env("ntxuva/basic", random_plies=4))
    game.reset(seed=7)
    play(game, 20, np.random.default_rng(1))
    other = duplicate(game)
    assert_same(play(game, 2000, np.random.default_rng(2)), play(other, 2000, np.random.default_rng(2)))
    game.reset()
    other.reset()
    np.testing.assert_array_equal(game.state(), other.state())


def test_copies_are_independent():
    game = env("trench/standard")
    game.reset()
    before = game.state()
    play(copy.deepcopy(game), 10, np.random.default_rng(1))
    np.testing.assert_array_equal(game.state(), before)


def test_a_pickle_continues_in_another_process(tmp_path):
    game = env("tankbattle/standard")
    game.reset()
    play(game, 30, np.random.default_rng(1))
    path = tmp_path / "game"
    path.write_bytes(pickle.dumps(game))
    script = "import pickle, sys; print(pickle.load(open(sys.argv[1], 'rb')).state().tobytes().hex())"
    output = subprocess.run(
        [sys.executable, "-c", script, str(path)], check=True, capture_output=True, text=True
    ).stdout
    assert output.strip() == game.state().tobytes().hex()


def first_illegal(game):
    return int(np.flatnonzero(game.last()[0]["action_mask"] == 0)[0])


def test_an_illegal_action_loses():
    game = env("trench/standard")
    game.reset()
    game.step(first_illegal(game))
    assert game.rewards == {"player_0": -1.0, "player_1": 1.0}
    assert all(game.terminations.values())
    assert game.infos["player_1"] == {"reason": "illegal_action"}
    game.step(None)
    game.step(None)
    assert game.agents == []


def test_an_illegal_action_raises():
    game = env("trench/standard", illegal="error")
    game.reset()
    before = game.state()
    with pytest.raises(sandtable.IllegalActionError):
        game.step(first_illegal(game))
    np.testing.assert_array_equal(game.state(), before)
    assert not any(game.terminations.values())


def test_max_plies_truncates():
    game = env("trench/standard", max_plies=10, random_plies=4)
    game.reset(seed=1)
    seen = play(game, 100, np.random.default_rng(1))
    # Six plies follow the random ones, and each agent takes one step after the end.
    assert len(seen) == 8
    assert [truncated for _, _, _, _, truncated, _ in seen] == [False] * 6 + [True] * 2
    assert seen[-1][5] == {"reason": "max_plies"}


def test_a_game_begins_in_a_position():
    state = sandtable.load("ntxuva/basic").new_state()
    for _ in range(5):
        state.apply(int(state.legal_actions()[0]))
    game = env("ntxuva/basic", starts=[state.position()])
    game.reset(seed=1)
    np.testing.assert_array_equal(game.state(), state.observe(0))
    game = env("ntxuva/basic")
    game.reset(options={"position": state.position()})
    np.testing.assert_array_equal(game.state(), state.observe(0))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"render_mode": "window"}, "render_mode is 'window', must be \"ansi\""),
        ({"illegal": "pass"}, 'illegal is \'pass\', must be "loses" or "error"'),
        ({"max_plies": 0}, "max_plies is 0, must be positive"),
        ({"max_plies": 4, "random_plies": 4}, "random_plies is 4, must be 0 to 3"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        env("ntxuva/basic", **options)
