from __future__ import annotations

import pickle
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import sandtable
from sandtable.data import KataGo, Loader, Newest, Rows, load_dataset, replay, unpack


def equal(a: Rows, b: Rows) -> bool:
    pairs = zip(a.arrays().values(), b.arrays().values(), strict=True)
    return all(np.array_equal(x, y, equal_nan=x.dtype.kind == "f") for x, y in pairs)


def test_an_epoch_has_every_position_with_its_observation_and_targets(searched: Path) -> None:
    pytest.importorskip("pyarrow")
    episodes = {e["episode"]: e for e in load_dataset(searched).to_pylist()}
    steps = {(s["episode"], s["ply"]): s for s in load_dataset(searched, "steps").to_pylist()}
    seen = set()
    loader = Loader(searched, batch=100, epochs=1, shuffle=300, openings=True, keep_truncated=True)
    games = {n: replay(loader.game, e["actions"], e["start"]) for n, e in episodes.items()}
    for rows in loader:
        assert len(rows) <= 100
        planes = unpack(loader.game.spec, rows.bits, rows.scalars)
        for i in range(len(rows)):
            key = (int(rows.episode[i]), int(rows.ply[i]))
            seen.add(key)
            step, episode = steps[key], episodes[key[0]]
            assert np.array_equal(planes[i], games[key[0]]["obs"][key[1]])
            legal = slice(rows.legal_offsets[i], rows.legal_offsets[i + 1])
            assert len(rows.legal_actions[legal]) == step["legal_count"]
            policy = dict(zip(rows.legal_actions[legal].tolist(), rows.policy[legal].tolist(), strict=True))
            want = {}
            if step["source"] == "agent" and not step["fast"]:
                if step["visit_actions"]:
                    total = sum(step["visit_counts"])
                    want = {a: n / total for a, n in zip(step["visit_actions"], step["visit_counts"], strict=True) if n}
                else:
                    want = {step["action"]: 1.0}
            assert {a: p for a, p in policy.items() if p} == pytest.approx(want)
            assert rows.policy_weight[i] == bool(want)
            value = (episode["result"] or 0) * (1 - 2 * step["player"])
            assert (rows.value[i], rows.wdl[i], rows.value_weight[i]) == (value, 1 - value, not episode["truncated"])
    assert seen == set(steps)


def test_the_stream_does_not_depend_on_threads_and_resumes(trench: Path) -> None:
    def loader(threads: int) -> Loader:
        return Loader(trench, batch=256, shuffle=1000, symmetry=True, window=Newest(8), seed=3, threads=threads)

    one, other = loader(1), loader(3)
    batches, states = [], []
    for _ in range(6):
        states.append(one.save())
        batches.append(one.next())
        assert equal(batches[-1], other.next())
    assert {n for b in batches for n in b.episode.tolist()} <= set(range(4, 12))
    assert any(b.symmetry.any() for b in batches)
    for state, want in zip(states, batches, strict=True):
        other.restore(state)
        assert equal(other.next(), want)
    again = pickle.loads(pickle.dumps(other))
    assert equal(again.next(), other.next())


def test_new_episodes_and_weights(play: Callable[..., Path], tmp_path: Path) -> None:
    folder = play("ntxuva/basic", "random", 20, folder=tmp_path / "set")
    window = KataGo(10**6)
    with Loader(
        folder, batch=64, shuffle=64, positions=1, window=window, correction=1.0, keep_truncated=True
    ) as loader:
        sets, numbers = loader.episodes()
        assert sets.tolist() == [0] * 20
        assert numbers.tolist() == list(range(20))
        loader.set_weights(numbers % 2)
        rows = loader.next()
        assert (rows.episode % 2 == 1).all()
        assert rows.weight == pytest.approx(1)
        assert loader.refresh() == 20
        with pytest.raises(ValueError, match="3 weights, must be 20"):
            loader.set_weights([1, 2, 3])
        with pytest.raises(ValueError, match="option correction is 1, must be 0"):
            Loader(folder, seed=5).restore(loader.save())
    with pytest.raises(sandtable.ClosedError):
        loader.next()


def test_bad_arguments_are_named(searched: Path, trench: Path, tmp_path: Path) -> None:
    for message, folders, options in [
        ("is not a data set", tmp_path, {}),
        ("has the rules of trench/standard", [searched, trench], {}),
        ("shuffle is 0", searched, {"shuffle": 0}),
        ("positions is 0", searched, {"positions": 0}),
        ("epochs is 0", searched, {"epochs": 0}),
        ("rank is 2", searched, {"rank": 2, "world": 2}),
        ("window is 3", searched, {"window": 3}),
    ]:
        with pytest.raises(ValueError, match=message):
            Loader(folders, **options)
    with pytest.raises(ValueError, match="a batch of 70000 rows"):
        Loader(searched, batch=70_000).next()


def test_a_damaged_file_is_named(play: Callable[..., Path]) -> None:
    folder = play("ntxuva/basic", "random", 4)
    file = next((folder / "steps").iterdir())
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(ValueError, match=file.name):
        Loader(folder).next()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_loaders_that_are_closed_leave_no_threads_and_no_memory(searched: Path) -> None:
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4

    for i in range(60):
        with Loader(searched, batch=64, shuffle=1000) as loader:
            assert loader.next() is not None
        if i == 20:
            before = resident()
    assert resident() - before < 60_000


def test_eight_threads_on_one_loader_and_a_closed_one(searched: Path) -> None:
    loader = Loader(searched, batch=64, shuffle=1000)
    unexpected: list[BaseException] = []

    def draw() -> None:
        for _ in range(50):
            try:
                loader.next()
            except (sandtable.BusyError, ValueError):  # another thread has prepared a batch of other sizes
                pass
            except BaseException as error:
                unexpected.append(error)

    threads = [threading.Thread(target=draw) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not unexpected
    assert loader.next() is not None
    loader.close()
    loader.close()
    for call in (loader.next, loader.save, loader.refresh, loader.episodes, lambda: loader.restore(b"{}")):
        with pytest.raises(sandtable.ClosedError):
            call()
