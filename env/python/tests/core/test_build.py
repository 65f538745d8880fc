"""The build hook: what it says when a build cannot succeed, and what it puts into an sdist."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parents[2]


@pytest.fixture
def hook():
    spec = importlib.util.spec_from_file_location("hatch_build", HERE / "hatch_build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def fake_go(folder, script, monkeypatch):
    go = folder / "go"
    go.write_text(f"#!/bin/sh\n{script}\n")
    go.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))


def test_go_is_missing(hook, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(hook.BuildError, match=r"needs Go 1\.\d+ or newer, and there is no `go` on the PATH"):
        hook.build_command(tmp_path / "x")


@pytest.mark.parametrize(
    "script",
    ["echo go1.19.3", "echo 'go: go.mod requires go >= 1.26 (running go 1.21.0; GOTOOLCHAIN=local)' >&2; exit 1"],
)
def test_go_is_too_old(hook, tmp_path, monkeypatch, script):
    fake_go(tmp_path, script, monkeypatch)
    with pytest.raises(hook.BuildError, match=r"needs Go 1\.\d+ or newer, and this machine has: go"):
        hook.build_command(tmp_path / "x")


def test_compiler_is_missing(hook, tmp_path, monkeypatch):
    fake_go(tmp_path, 'if [ "$2" = CC ]; then echo gcc; else echo go1.99.0; fi', monkeypatch)
    with pytest.raises(hook.BuildError, match="needs a C compiler, and there is no `gcc` on the PATH"):
        hook.build_library(tmp_path / "x")


@pytest.mark.parametrize("zig", ["x86_64", "riscv64-linux-gnu.2.17", "x86_64-linux-musl"])
def test_bad_target(hook, tmp_path, monkeypatch, zig):
    monkeypatch.setenv("SANDTABLE_ZIG", zig)
    with pytest.raises(hook.BuildError, match=f"SANDTABLE_ZIG is '{zig}', must be"):
        hook.build_command(tmp_path / "x")


def test_sources_are_missing(hook, tmp_path, monkeypatch):
    monkeypatch.setattr(hook, "HERE", tmp_path / "a" / "b")
    with pytest.raises(hook.BuildError, match="install from a checkout of the whole repository or from the sdist"):
        hook.module_root()


def test_sdist_has_the_go_sources(hook):
    places = set(hook.go_sources().values())
    assert {
        "go/go.mod",
        "go/go.sum",
        "go/cmd/libsandtable/exports.go",
        "go/cmd/libsandtable/library/state.go",
        "go/cmd/sandtable/main.go",
    } <= places
    assert not any("_test.go" in place or "/testdata/" in place for place in places)
