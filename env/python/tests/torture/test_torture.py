"""Misuse of the library is an error, never a crash or a hang."""

import ctypes
import gc
import json
import random
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import sandtable
from sandtable import _abi, _lib


@pytest.fixture(autouse=True)
def _no_hang() -> Iterator[None]:
    """Ends the process if a test takes minutes."""
    signal.alarm(300)
    yield
    signal.alarm(0)


def resident() -> int:
    """The memory of the process in kilobytes."""
    return int(
        next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS")).split()[1]
    )


def test_eight_threads_on_one_batch() -> None:
    batch = sandtable.Batch("ntxuva/basic", 64, autoreset="same_step")
    batch.reset(seed=1)
    unexpected: list[BaseException] = []

    def play() -> None:
        for _ in range(300):
            try:
                batch.step(batch.sample())
            except (sandtable.BusyError, sandtable.IllegalActionError):
                pass
            except BaseException as error:
                unexpected.append(error)

    threads = [threading.Thread(target=play) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not unexpected
    batch.step(batch.sample())


def test_stale_and_invented_handles() -> None:
    game = sandtable.load("ntxuva/basic")
    state = game.new_state()
    number = state._handle.number
    state._handle.close()
    state._handle.close()
    for handle in [number, 0, -1, 1, 1 << 62, -(1 << 63), number + (1 << 32)]:
        with pytest.raises(sandtable.ClosedError):
            _lib.call("status", handle)
        with pytest.raises(sandtable.ClosedError):
            _lib.call("close", handle)
    with pytest.raises(sandtable.ClosedError):
        state.apply(0)


def test_illegal_actions_change_nothing() -> None:
    state = sandtable.load("trench/standard").new_state()
    before = state.position()
    for action in [-1, 2560, 1 << 31, 1 << 40, -(1 << 63), 0]:
        with pytest.raises(sandtable.IllegalActionError):
            state.apply(action)
    assert state.position() == before
    batch = sandtable.Batch("trench/standard", 4)
    batch.reset(seed=1)
    before_bits = batch.bits.copy()
    with pytest.raises(sandtable.IllegalActionError):
        batch.step(np.full(4, -7))
    assert np.array_equal(batch.bits, before_bits)


def test_writing_into_every_array_makes_no_action_legal() -> None:
    batch = sandtable.Batch("trench/standard", 8, autoreset="same_step")
    batch.reset(seed=1)
    for name in ("obs", "bits", "mask", "reward", "legal_actions", "terminated", "final_obs"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(batch, name)[...] = 1
    for array in batch._handle._keep[0]:
        array.reshape(-1).view(np.uint8)[...] = 255
    with pytest.raises(sandtable.IllegalActionError):
        batch.step(np.zeros(8, np.int32))
    batch.reset(seed=1)
    batch.step(batch.sample())


def test_opening_and_closing_does_not_grow() -> None:
    game = sandtable.load("ntxuva/basic")

    def cycle(count: int) -> None:
        for _ in range(count):
            _lib.open("new_state", game._handle.number, None).close()

    cycle(20_000)
    gc.collect()
    before, live = resident(), _lib.lib.st_live()
    cycle(100_000)
    gc.collect()
    assert _lib.lib.st_live() == live
    assert resident() - before < 5_000


def test_random_arguments() -> None:
    """Lengths are wrong but never greater than the memory."""
    random.seed(1)
    game = sandtable.load("ntxuva/basic")
    batch = sandtable.Batch(game, 4)
    handles = [game._handle.number, game.new_state()._handle.number, batch._handle.number, 0, -1]
    memory = ctypes.create_string_buffer(1 << 16)
    options = [b"", b"{}", b"[", b'{"n":4}', b"\xff\xfe", b'{"agent":"random"}', json.dumps({"n": 1 << 62}).encode()]
    for name in sorted(_abi.FUNCTIONS):
        if name in ("st_close", "st_batch", "st_play"):
            continue  # their pointers to pointers cannot be random
        types = _abi.FUNCTIONS[name]
        for _ in range(100):
            arguments: list[object] = []
            for i, kind in enumerate(types):
                if kind is ctypes.c_void_p:
                    text = random.choice(options)
                    ctypes.memmove(memory, text, len(text))
                    arguments.append(random.choice([None, ctypes.addressof(memory), ctypes.addressof(memory) + 1]))
                elif i and types[i - 1] is ctypes.c_void_p:
                    arguments.append(random.choice([0, 1, 2, 7, 64, -1, -(1 << 63)]))
                elif i == 0:
                    arguments.append(random.choice(handles))
                else:
                    arguments.append(random.choice([0, 1, -1, 5, 1 << 31, -(1 << 63)]))
            result = getattr(_lib.lib, name)(*arguments)
            if result < 0:
                assert str(_lib.error(result))
                assert not isinstance(_lib.error(result), sandtable.IllegalActionError)
