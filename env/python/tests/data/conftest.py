"""Data sets for the tests, played by the installed command."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest


def _command() -> list[str]:
    given = os.environ.get("SANDTABLE_COMMAND")
    return [given] if given else [sys.executable, "-m", "sandtable"]


@pytest.fixture(scope="session")
def play(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Returns a function that plays a data set and returns its folder."""

    def play(variant: str, agent: str, episodes: int, folder: Path | None = None) -> Path:
        folder = folder or tmp_path_factory.mktemp("data") / "set"
        arguments = [variant, "--agent", agent, "--episodes", str(episodes), "--out", str(folder), "--listen", "off"]
        subprocess.run([*_command(), "farm", *arguments], check=True, capture_output=True)
        return folder

    return play


@pytest.fixture(scope="session")
def searched(play: Callable[..., Path]) -> Path:
    """A data set with visits and with fast searches."""
    return play("ntxuva/basic", "mcts:sims=16,fast-sims=4", 24)


@pytest.fixture(scope="session")
def trench(play: Callable[..., Path]) -> Path:
    """A data set of Trench, which has points and a symmetry."""
    return play("trench/standard", "greedy", 12)
