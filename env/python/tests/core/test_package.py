"""The package: what its import does, its examples, its command, its self-test."""

from __future__ import annotations

import doctest
import importlib
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import sandtable
from sandtable import _platform

README = Path(__file__).resolve().parents[2] / "README.md"


def python(code):
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout


def test_import_does_not_load_the_library():
    code = "import sandtable; print('libsandtable' in open('/proc/self/maps').read())"
    assert python(code).strip() == "False"
    used = "import sandtable; sandtable.games(); print('libsandtable' in open('/proc/self/maps').read())"
    assert python(used).strip() == "True"


def test_import_needs_numpy_only():
    code = (
        "import sys\n"
        "for name in ('gymnasium', 'pettingzoo', 'torch', 'pyarrow'): sys.modules[name] = None\n"
        "import sandtable; sandtable.load('ntxuva/basic').new_state()"
    )
    python(code)


@pytest.mark.parametrize("name", ["game", "state", "batch", "agents", "gym"])
def test_docstring_examples(name):
    if name == "gym":
        pytest.importorskip("gymnasium")
    result = doctest.testmod(importlib.import_module(f"sandtable.{name}"))
    assert result.attempted > 0
    assert result.failed == 0


def test_readme_program():
    program = re.search(r"```python\n(.*?)```", README.read_text(), re.DOTALL)[1]
    names = {}
    exec(program, names)
    assert names["infos"]["action_mask"].shape == (64, 2560)


def test_selftest():
    done = subprocess.run([sys.executable, "-m", "sandtable.selftest"], check=True, capture_output=True, text=True)
    assert "all checks passed" in done.stdout


def test_musl_is_refused(monkeypatch):
    monkeypatch.setattr(sysconfig, "get_config_var", lambda name: "cpython-313-x86_64-linux-musl")
    with pytest.raises(sandtable.UnsupportedPlatformError, match="glibc"):
        _platform.check()


def test_command():
    done = subprocess.run(
        [sys.executable, "-m", "sandtable", "games", "--json"], check=True, capture_output=True, text=True
    )
    assert "trench/standard" in done.stdout
