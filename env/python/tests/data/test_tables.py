from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sandtable.data import DataSet, card, load_dataset, to_minari


def test_a_data_set_describes_itself(trench: Path) -> None:
    data = DataSet(trench)
    assert (data.variant, data.episodes, data.complete) == ("trench/standard", 12, True)
    assert data.game.digest == data.digest
    assert [file.name for file in data.files("episodes")] == [file.name for file in data.files("steps")]
    with pytest.raises(ValueError, match=r"no manifest\.json"):
        DataSet(trench / "steps")


@pytest.mark.parametrize("frame", ["pyarrow", "polars"])
def test_tables(trench: Path, frame: str) -> None:
    pytest.importorskip(frame)
    data = DataSet(trench)
    episodes = load_dataset(trench, frame=frame)
    steps = load_dataset([trench, trench], "steps", columns=["ply"], frame=frame)
    assert len(episodes) == 12
    assert len(steps) == 2 * data.plies
    assert len(steps.columns) == 1
    lists = episodes["actions"]
    assert sum(map(len, lists.to_list() if frame == "polars" else lists.to_pylist())) == data.plies
    with pytest.raises(ValueError, match="table is 'games'"):
        load_dataset(trench, "games", frame=frame)


def test_a_card_states_what_the_data_set_has(trench: Path) -> None:
    pytest.importorskip("pyarrow")
    text = card(trench, license="cc-by-4.0")
    results = load_dataset(trench)["result"].to_pylist()
    front, body = text.split("---\n")[1:3]
    assert "license: cc-by-4.0\n" in front
    assert "data_files: steps/*.parquet\n" in front
    assert "12 games with" in body
    assert f"| won by the first player | {results.count(1)} (" in body
    assert f"`{DataSet(trench).digest}`" in body


@pytest.mark.filterwarnings("ignore::UserWarning")  # Minari's, about metadata that tests lack
def test_to_minari(trench: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("minari")
    pytest.importorskip("h5py")
    pytest.importorskip("PIL")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    written = to_minari(trench, "trench/greedy-v0", episodes=3, author="tests", algorithm_name="greedy")
    rows = load_dataset(trench).slice(0, 3).to_pylist()
    assert written.total_episodes == 3
    for episode, row in zip(written.iterate_episodes(), rows, strict=True):
        assert episode.actions.tolist() == row["actions"]
        assert len(episode.observations) == len(row["actions"]) + 1
        mover = 1 - 2 * int(episode.infos["player"][-2])
        assert episode.rewards[-1] == (row["result"] or 0) * mover
        assert not np.any(episode.rewards[:-1])
        assert bool(episode.terminations[-1]) == row["terminated"]
