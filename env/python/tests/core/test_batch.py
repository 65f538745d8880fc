"""Batches: the same outputs as Go's, states that are saved and loaded, arguments."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest

import sandtable
from sandtable.batch import _NAMES

ROOT = Path(__file__).resolve().parents[4]


def outputs(batch):
    arrays = {name: getattr(batch, name) for name in _NAMES}
    return {name: array for name, array in arrays.items() if array is not None}


def assert_equal(one, other):
    a, b = outputs(one), outputs(other)
    assert a.keys() == b.keys()
    for name in a:
        assert np.array_equal(a[name], b[name]), name


def test_equals_go():
    """Plays over 200,000 steps in Go and in Python and compares every output of every step."""
    done = subprocess.run(
        ["go", "run", "./env/python/tests/core/digests"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    runs = [json.loads(line) for line in done.stdout.splitlines()]
    assert {run["variant"] for run in runs} == set(sandtable.games())
    assert sum(run["n"] * run["steps"] for run in runs) >= 200_000
    for run in runs:
        assert play(run) == run["digest"], run


def play(run):
    batch = sandtable.Batch(
        run["variant"], run["n"], autoreset=run["autoreset"], max_plies=run["max_plies"],
        random_plies=run["random_plies"], opponent="random" if run["opponent"] else None, threads=1,
    )  # fmt: skip
    with batch:
        digest = 0

        def add():
            summed = zlib.crc32(np.uint32(digest).tobytes())
            for array in outputs(batch).values():
                summed = zlib.crc32(array, summed)
            return summed

        batch.reset(run["seed"])
        for _ in range(run["steps"]):
            digest = add()
            ended = batch.terminated | batch.truncated
            if run["autoreset"] == "disabled" and ended.any():
                batch.reset_slots(ended)
            batch.step(batch.sample())
        return add()


def running(variant="trench/standard", n=16, **options):
    batch = sandtable.Batch(variant, n, opponent="random", max_plies=40, **options)
    batch.reset(3)
    for _ in range(25):
        batch.step(batch.sample())
    return batch


def go_on(batch, steps=60):
    for _ in range(steps):
        batch.step(batch.sample())
    return batch


def saved(batch):
    twin = sandtable.Batch(batch.game, batch.n, opponent="random", max_plies=40)
    twin.load(batch.save())
    return twin


@pytest.mark.parametrize(
    "twin", [saved, copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))], ids=["save", "deepcopy", "pickle"]
)
def test_copies_continue_identically(twin):
    batch = running()
    other = twin(batch)
    for _ in range(60):
        actions = batch.sample()
        assert np.array_equal(actions, other.sample())
        batch.step(actions)
        other.step(actions)
    # The outputs on an episode that ended before the copy was made are not part of the state.
    for name in ("obs", "mask", "legal_actions", "reward", "terminated", "truncated", "to_move", "viewer"):
        assert np.array_equal(getattr(batch, name), getattr(other, name)), name


def test_pickle_to_another_process():
    batch = running("ntxuva/basic")
    code = (
        "import pickle, sys, numpy as np\n"
        "batch = pickle.load(sys.stdin.buffer)\n"
        "for _ in range(60): batch.step(batch.sample())\n"
        "sys.stdout.buffer.write(batch.save())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(batch), check=True, capture_output=True)
    assert done.stdout == go_on(batch).save()


def test_slots():
    batch = running()
    data = batch.save_slot(2)
    position = batch.state(2).position()
    batch.load_slot(5, data)
    assert batch.state(5).position() == position
    start = batch.game.spec.start
    batch = running(seat="first")
    batch.set(0, start)
    assert batch.state(0).position() == start


def test_first_slot():
    whole = running(n=16)
    for first in (0, 8):
        part = running(n=8, first_slot=first)
        for name, array in outputs(part).items():
            if name not in ("legal_offsets", "legal_actions"):
                assert np.array_equal(array, getattr(whole, name)[first : first + 8]), name


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_do_not_change_results(threads):
    assert_equal(running(n=64, threads=threads), running(n=64))


def test_send_and_recv():
    one, two = running(), running()
    for _ in range(20):
        actions = one.sample()
        two.send(actions)
        one.step(actions)
        two.recv()
        assert_equal(one, two)
    two.send(one.sample())
    with pytest.raises(sandtable.BusyError):
        two.step(one.sample())
    two.recv()


def test_outputs():
    batch = sandtable.Batch("ntxuva/basic", 2, outputs=["bits", "mask"])
    assert batch.obs is None
    assert batch.bits.dtype == np.uint64
    assert batch.learner_reward is None
    with pytest.raises(ValueError, match="read-only"):
        batch.bits[0] = 0


def test_mask_agrees_with_list():
    batch = running("tankchess/16x16", n=4)
    for i in range(4):
        row = np.unpackbits(batch.mask[i].view(np.uint8), bitorder="little")
        listed = batch.legal_actions[batch.legal_offsets[i] : batch.legal_offsets[i + 1]]
        assert np.array_equal(np.flatnonzero(row), listed)


@pytest.mark.parametrize("kind", [np.int64, np.int32, np.uint8, list])
def test_actions_of_any_integer_type(kind):
    one, two = running("ntxuva/basic"), running("ntxuva/basic")
    actions = one.sample()
    one.step(actions)
    two.step(actions.tolist() if kind is list else actions.astype(kind))
    assert_equal(one, two)


def test_bad_actions():
    batch = running()
    before = batch.save()
    for actions, error in (
        (np.zeros(3, np.int32), ValueError),
        (np.full(16, 1 << 33), ValueError),
        (np.zeros(16), TypeError),
        (np.full(16, -1), sandtable.IllegalActionError),
        (np.full(16, 2560), sandtable.IllegalActionError),
    ):
        with pytest.raises(error):
            batch.step(actions)
    assert batch.save() == before


def test_many_illegal_actions_lose():
    batch = running(illegal="loses", autoreset="same_step")
    batch.step(np.full(16, -1))
    assert batch.terminated.all()
    assert (batch.learner_reward == -1).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n": 0}, "n is 0"),
        ({"n": 1 << 40}, "n is"),
        ({"autoreset": "never"}, "never"),
        ({"outputs": ["observations"]}, "observations"),
        ({"outputs": []}, "outputs"),
        ({"opponent": "grandmaster"}, "grandmaster"),
        ({"seat": "first"}, "Opponent"),
        ({"starts": ["x"]}, r"Starts\[0\]"),
        ({"random_plies": -1}, "RandomPlies"),
        ({"threads": -1}, "Goroutines"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_bad_options(options, message):
    with pytest.raises(ValueError, match=message):
        sandtable.Batch("trench/standard", **{"n": 4, **options})


def test_use_before_reset_and_after_close():
    batch = sandtable.Batch("ntxuva/basic", 2)
    with pytest.raises(ValueError, match="Reset"):
        batch.step([0, 0])
    batch.reset(1)
    batch.close()
    batch.close()
    with pytest.raises(sandtable.ClosedError):
        batch.step([0, 0])
