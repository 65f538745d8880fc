"""Games and states."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys

import numpy as np
import pytest

import sandtable

GAMES = sandtable.games()


def played(game, seed, plies=40):
    generator = np.random.default_rng(seed)
    state = game.new_state()
    while not state.terminal and state.plies < plies:
        state.apply(generator.choice(state.legal_actions()))
    return state


def twins(state):
    return {
        "clone": state.clone(), "copy": copy.copy(state), "deepcopy": copy.deepcopy(state),
        "pickle": pickle.loads(pickle.dumps(state)), "snapshot": sandtable.State.restore(state.game, state.snapshot()),
    }  # fmt: skip


def line(state, plies=60):
    """Plays the last legal action of each position and returns all that can be seen."""
    seen = []
    while not state.terminal and len(seen) < plies:
        actions = state.legal_actions()
        seen.append((state.player, state.hash, actions.tolist(), state.observe().tobytes(), state.position()))
        state.apply(actions[-1])
    return [*seen, (state.result, state.reason, state.returns(), state.plies)]


@pytest.mark.parametrize("variant", GAMES)
def test_copies_continue_identically(variant):
    state = played(sandtable.load(variant), seed=1)
    copies = twins(state)
    expected = line(state)
    for name, twin in copies.items():
        assert line(twin) == expected, name


def test_pickle_to_another_process():
    game = sandtable.load("trench/standard", {"target_points": 9})
    state = played(game, seed=2)
    code = (
        "import pickle, sys\n"
        "state = pickle.load(sys.stdin.buffer)\n"
        "while not state.terminal: state.apply(state.legal_actions()[-1])\n"
        "print(state.position(), state.reason, state.plies)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(state), check=True, capture_output=True)
    while not state.terminal:
        state.apply(state.legal_actions()[-1])
    assert done.stdout.decode().split() == f"{state.position()} {state.reason} {state.plies}".split()


@pytest.mark.parametrize("variant", GAMES)
def test_views_of_a_state_agree(variant):
    game = sandtable.load(variant)
    spec = game.spec
    state = played(game, seed=3, plies=11)
    actions = state.legal_actions()
    assert actions.dtype == np.int32
    assert np.array_equal(np.flatnonzero(state.legal_mask()), actions)
    assert state.legal_mask().dtype == np.int8
    planes = state.observe()
    assert planes.shape == spec.observation_shape
    assert np.array_equal(planes, state.observe(state.player))
    assert not np.array_equal(planes, state.observe(1 - state.player))
    bits, scalars = state.observe_bits()
    assert (bits.shape, scalars.shape) == ((spec.bit_words,), (spec.scalars,))
    assert (planes.reshape(len(spec.planes), -1).max(axis=1) <= [plane.maximum for plane in spec.planes]).all()
    for action in actions[:5]:
        assert state.parse_action(state.action_text(action)) == action
    assert game.new_state(state.position()).position() == state.position()
    assert spec.action_cells.shape == (spec.actions, 2)
    assert len(state.points or (0, 0)) == 2
    assert (state.points is not None) == spec.has_score


@pytest.mark.parametrize("variant", ["trench/standard", "ntxuva/basic", "tankchess/16x16", "tankbattle/standard"])
def test_replay(variant):
    game = sandtable.load(variant)
    generator = np.random.default_rng(5)
    state, actions, seen = game.new_state(), [], []
    while not state.terminal and len(actions) < 300:
        bits, scalars = state.observe_bits()
        seen.append((state.player, state.observe(), bits, scalars, state.legal_mask()))
        actions.append(int(generator.choice(state.legal_actions())))
        state.apply(actions[-1])
    planes, packed = game.replay(actions), game.replay(actions, bits=True)
    for i, (player, obs, bits, scalars, mask) in enumerate(seen):
        assert planes["player"][i] == player
        assert np.array_equal(planes["obs"][i], obs)
        assert np.array_equal(packed["bits"][i], bits)
        assert np.array_equal(packed["scalars"][i], scalars)
        words = packed["mask"][i].view(np.uint8)
        assert np.array_equal(np.unpackbits(words, count=game.spec.actions, bitorder="little"), mask)
    with pytest.raises(sandtable.IllegalActionError):
        game.replay([*actions[:5], 10**6])


def test_symmetry():
    game = sandtable.load("ntxuva/basic")
    for variant in GAMES:
        game = sandtable.load(variant)
        state = game.new_state()
        for i, symmetry in enumerate(game.spec.symmetries):
            assert sorted(symmetry.squares) == list(range(game.spec.width * game.spec.height))
            images = state.image(i, state.legal_actions())
            assert len(set(images.tolist())) == len(images)


def test_illegal_action_leaves_the_state_unchanged():
    state = sandtable.load("trench/standard").new_state()
    before = state.snapshot()
    for action in (-1, 0, 2560, 1 << 31, 1 << 40):
        with pytest.raises(sandtable.IllegalActionError, match=str(action)):
            state.apply(action)
    assert state.snapshot() == before


def test_end_of_a_game():
    state = sandtable.load("ntxuva/4").new_state()
    generator = np.random.default_rng(0)
    while not state.terminal:
        assert (state.result, state.reason, state.returns()) == (None, None, (0.0, 0.0))
        state.apply(generator.choice(state.legal_actions()))
    assert state.player == -1
    assert state.reason in {end.reason for end in state.game.spec.ends}
    assert state.returns() == (2 * state.result - 1, 1 - 2 * state.result)
    assert len(state.legal_actions()) == 0
    assert not state.legal_mask().any()


def test_pictures():
    state = played(sandtable.load("tankchess/16x16"), seed=4)
    assert state._repr_svg_().startswith("<svg")
    assert 'width="300"' in state.svg(width=300)
    assert len(str(state).splitlines()) > 16
    picture = state.rgb_array(size=240)
    assert picture.shape[1:] == (240, 3)
    assert picture.dtype == np.uint8
    assert np.array_equal(picture, state.clone().rgb_array(size=240))
    assert not np.array_equal(picture, state.rgb_array(size=240, viewer=1))
    with pytest.raises(ValueError, match="size is 0"):
        state.rgb_array(size=0)


def test_bad_texts():
    state = sandtable.load("trench/standard").new_state()
    for call in (state.parse_action, state.set_position, state.game.new_state):
        with pytest.raises(ValueError, match="nonsense"):
            call("nonsense")


def test_load_in_every_form(tmp_path):
    rules = {"base": "trench/standard", "target_points": 20, "name": "short"}
    file = tmp_path / "short.json"
    file.write_text(json.dumps(rules))
    game = sandtable.load("trench/standard", {"target_points": 20})
    forms = (file, str(file), json.dumps(rules), "@" + str(file), 'trench/standard{"target_points":20}')
    for form in forms:
        assert sandtable.load(form) == game, form
    assert len({sandtable.load(form) for form in forms}) == 1
    assert sandtable.load(game) is game
    assert sandtable.load(game, {"target_points": 25}) == sandtable.load("trench/standard")
    assert pickle.loads(pickle.dumps(sandtable.load(file))) == game
    assert copy.deepcopy(game) is game


def test_bad_games(tmp_path):
    with pytest.raises(ValueError, match="trench/standrad"):
        sandtable.load("trench/standrad")
    with pytest.raises(ValueError, match="target_points"):
        sandtable.load("trench/standard", {"target_points": -1})
    with pytest.raises(ValueError, match=r"missing\.json"):
        sandtable.load(tmp_path / "missing.json")
    game = sandtable.load("trench/standard")
    other = sandtable.load("trench/general")
    with pytest.raises(ValueError, match="belongs to the rules"):
        sandtable.State.restore(other, game.new_state().snapshot())
    data = bytearray(game.new_state().snapshot())
    data[20] ^= 1
    with pytest.raises(ValueError, match="snapshot"):
        sandtable.State.restore(game, bytes(data))
