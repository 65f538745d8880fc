"""The benchmark runs, and says what is missing."""

from __future__ import annotations

import json
import sys

import pytest

from sandtable import bench

QUICK = ["--variant", "ntxuva/basic", "--rounds", "2", "--seconds", "0.02", "--go", ""]


@pytest.fixture(autouse=True)
def no_command(monkeypatch):
    monkeypatch.setattr(bench, "installed_command", lambda: None)
    monkeypatch.delattr("os.sched_setaffinity", raising=False)


def test_every_subject_has_a_median_and_a_spread(capsys):
    assert bench.main([*QUICK, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["subject"].split()[0] for row in rows] == ["Batch", "VecEnv", "State", "PettingZoo"]
    for row in rows:
        assert 0 < row["slowest"] <= row["median"] <= row["fastest"]


def test_figures_are_printed(capsys):
    assert bench.main(QUICK) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    assert all("/s" in line for line in lines)


@pytest.mark.parametrize(
    ("name", "module", "install"),
    [
        ("envpool", "envpool", "pip install envpool==1.2.5"),
        ("pgx", "jax", "pip install jax"),
        ("openspiel", "pyspiel", "pip install open_spiel"),
        ("pettingzoo", "pettingzoo.classic.chess_v6", "pip install 'pettingzoo[classic]'"),
    ],
)
def test_a_missing_competitor_is_an_error(monkeypatch, capsys, name, module, install):
    monkeypatch.setitem(sys.modules, module, None)
    assert bench.main([*QUICK, "--against", name]) == 2
    assert install in capsys.readouterr().err


def test_unknown_competitors_are_errors(capsys):
    with pytest.raises(SystemExit) as stop:
        bench.main([*QUICK, "--against", "chess"])
    assert stop.value.code == 2
    assert "must be one of envpool, pettingzoo, pgx, openspiel" in capsys.readouterr().err
