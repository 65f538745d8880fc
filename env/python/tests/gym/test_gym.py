"""Gymnasium's checks, and VecEnv against SyncVectorEnv of single environments."""

from __future__ import annotations

import copy
import pickle
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import sandtable
from sandtable.gym import Env, VecEnv

IDS = ("Sandtable/Trench-v0", "Sandtable/Ntxuva-v0", "Sandtable/TankChess-v0", "Sandtable/TankBattle-v0")
MODES = tuple(AutoresetMode)


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("arguments", [{}, {"mask": "obs"}, {"obs": "bits", "mask": None}], ids=str)
def test_check_env(name, arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Gymnasium suggests the range -1 to 1 for Box actions only, so a Discrete space gives no warning.
        check_env(gymnasium.make(name, **arguments).unwrapped)


@pytest.mark.parametrize("name", IDS)
def test_make_vec_without_warnings(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        envs = gymnasium.make_vec(name, num_envs=8)
    assert isinstance(envs, VecEnv)
    observations, infos = envs.reset(seed=1)
    assert observations in envs.observation_space
    assert infos["action_mask"].dtype == np.int8
    assert infos["action_mask"].shape == (8, envs.single_action_space.n)
    envs.close()
    envs.close()


def test_variant_and_overrides_by_argument():
    env = gymnasium.make("Sandtable/Trench-v0", variant="trench/general", overrides={"target_points": 20})
    assert env.unwrapped.game == sandtable.load('trench/general{"target_points":20}')
    assert env.unwrapped.game != sandtable.load("trench/general")


def assert_same(one, other, where=""):
    """Compares what two environments returned: numbers, arrays and dicts of them."""
    if isinstance(one, dict):
        assert set(one) == set(other), where
        for key in one:
            # Rows of a final observation or of a final value count only where the mask beside it is true.
            if not key.startswith("_") and "_" + key in one:
                rows = np.flatnonzero(one["_" + key])
                assert_same(one["_" + key], other["_" + key], f"{where}/_{key}")
                if isinstance(other[key], dict):
                    assert_same(one[key], other[key], f"{where}/{key}")
                    continue
                for i in rows:
                    # SyncVectorEnv returns an array of dicts, and VecEnv a dict of arrays.
                    row = (
                        {name: array[i] for name, array in one[key].items()}
                        if isinstance(one[key], dict)
                        else one[key][i]
                    )
                    assert_same(row, other[key][i], f"{where}/{key}[{i}]")
            elif not key.startswith("_"):
                assert_same(one[key], other[key], f"{where}/{key}")
        return
    assert np.array_equal(one, other), where


def choose(masks, generator):
    """Draws a legal action for each row, and any action where there is none."""
    return np.array([generator.choice(np.flatnonzero(row)) if row.any() else 0 for row in masks])


@pytest.mark.parametrize("mode", MODES, ids=lambda m: m.name)
@pytest.mark.parametrize(
    "arguments",
    [
        {"variant": "ntxuva/basic", "opponent": "random"},
        {"variant": "ntxuva/basic", "opponent": "greedy", "random_plies": 4, "seat": "second"},
        {"variant": "ntxuva/4", "opponent": "random", "mask": "obs", "max_plies": 12},
        {"variant": "ntxuva/4", "opponent": "random", "obs": "bits", "mask": "info"},
        {"variant": "trench/standard", "opponent": "random", "max_plies": 30},
    ],
    ids=lambda a: ",".join(map(str, a.values())),
)
def test_equals_sync_vector_env(mode, arguments):
    n, steps = 5, 150
    ours = VecEnv(num_envs=n, autoreset=mode, illegal="loses", **arguments)
    theirs = SyncVectorEnv([lambda i=i: Env(first_slot=i, **arguments) for i in range(n)], autoreset_mode=mode)
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    assert ours.metadata == theirs.metadata
    for seed in (1, 7):
        ended = 0
        generator = np.random.default_rng(seed)
        ours_first, theirs_first = ours.reset(seed=seed), theirs.reset(seed=[seed] * n)
        assert_same(ours_first[0], theirs_first[0])
        assert_same(ours_first[1], theirs_first[1])
        for step in range(steps):
            actions = choose(ours.action_masks(), generator)
            a, b = ours.step(actions), theirs.step(actions)
            for name, x, y in zip(("obs", "reward", "terminated", "truncated"), a, b, strict=False):
                if isinstance(x, dict):
                    for key in x:
                        assert np.array_equal(x[key], y[key]), (name, key, step)
                else:
                    assert np.array_equal(x, y), (name, step)
                    assert x.dtype == y.dtype, name
            assert_same(a[4], b[4])
            done = a[2] | a[3]
            ended += done.sum()
            if mode is AutoresetMode.DISABLED and done.any():
                x, y = (envs.reset(options={"reset_mask": done.copy()}) for envs in (ours, theirs))
                assert_same(x[0], y[0])
                assert_same({"action_mask": x[1]["action_mask"][done]} if x[1] else {},
                            {"action_mask": y[1]["action_mask"][done]} if y[1] else {})  # fmt: skip
        assert ended > n
    ours.close()
    theirs.close()


def test_illegal_action_loses_or_raises():
    env = Env("trench/standard")
    _, info = env.reset(seed=3)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    _, reward, terminated, truncated, info = env.step(illegal)
    assert (reward, terminated, truncated, info["reason"]) == (-1.0, True, False, "illegal_action")
    strict = Env("trench/standard", illegal="error")
    strict.reset(seed=3)
    with pytest.raises(sandtable.IllegalActionError, match=str(illegal)):
        strict.step(illegal)


def test_masks_fit_spaces():
    env = Env("tankchess/16x16")
    _, info = env.reset(seed=1)
    action = env.action_space.sample(info["action_mask"])
    assert info["action_mask"][action] == 1
    assert env.action_masks().dtype == np.bool_
    assert np.array_equal(env.action_masks(), info["action_mask"])


def test_views_without_copy():
    envs = VecEnv("trench/standard", 4, copy=False)
    first, _ = envs.reset(seed=1)
    second, *_ = envs.step(envs.batch.sample())
    assert np.shares_memory(first, second)
    with pytest.raises(ValueError, match="read-only"):
        second[:] = 0


def test_reset_position_and_render():
    env = gymnasium.make("Sandtable/Trench-v0", render_mode="ansi", seat="first").unwrapped
    env.reset(seed=1)
    start = env.render()
    position = sandtable.load("trench/standard").spec.start
    env.reset(options={"position": position})
    assert env.render() == start


@pytest.mark.parametrize(
    "copies", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["deepcopy", "pickle"]
)
def test_copies_continue_identically(copies):
    env = Env("ntxuva/basic")
    env.reset(seed=5)
    for _ in range(3):
        env.step(np.flatnonzero(env.action_masks())[0])
    twin = copies(env)
    for _ in range(200):
        action = np.flatnonzero(env.action_masks())[-1]
        a, b = env.step(action), twin.step(action)
        assert_same({"obs": a[0], **a[4]}, {"obs": b[0], **b[4]})
        assert a[1:4] == b[1:4]
        if a[2] or a[3]:
            assert np.array_equal(env.reset()[0], twin.reset()[0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"opponent": None}, "opponent is None"),
        ({"opponent": "gredy"}, "gredy"),
        ({"obs": "plane"}, 'must be "planes" or "bits"'),
        ({"mask": "infos"}, 'must be "info", "obs" or None'),
        ({"render_mode": "human"}, "render_mode is 'human'"),
        ({"seat": "third"}, "third"),
        ({"variant": "trench/standrd"}, "standrd"),
    ],
)
def test_bad_arguments(arguments, message):
    with pytest.raises(ValueError, match=message):
        Env(**arguments)
    with pytest.raises(ValueError, match=message):
        VecEnv(num_envs=2, **arguments)


def test_bad_autoreset():
    with pytest.raises(ValueError, match="autoreset is 'next'"):
        VecEnv("ntxuva/basic", 2, autoreset="next")
