"""The notebook runs without a window."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

NOTEBOOK = Path(__file__).parents[2] / "examples" / "notebook.py"


def test_the_notebook_writes_its_boards(tmp_path):
    result = subprocess.run([sys.executable, str(NOTEBOOK), "--out", str(tmp_path)], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert "plies on average" in result.stdout
    start, middle = ((tmp_path / name).read_text() for name in ("start.svg", "middle.svg"))
    assert start.startswith("<svg")
    assert start != middle
