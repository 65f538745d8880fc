"""Agents and matches."""

from __future__ import annotations

import os
import signal
import threading
import time

import pytest

import sandtable


def test_choose_is_reproducible():
    game = sandtable.load("trench/standard")
    state = game.new_state()
    for text in ("random", "greedy", "alphabeta:depth=2", "mcts:sims=50"):
        with sandtable.Agent(text, game, seed=7) as one, sandtable.Agent(text, game, seed=7) as two:
            chosen = [one.choose(state) for _ in range(3)]
            assert chosen == [two.choose(state) for _ in range(3)]
            assert set(chosen) <= set(state.legal_actions().tolist())
            assert one.report()["action"] == chosen[-1]
    assert state.plies == 0


def test_analyse():
    game = sandtable.load("ntxuva/basic")
    with sandtable.Agent("alphabeta:depth=3", game) as agent:
        lines = agent.analyse(game.new_state(), lines=3)["lines"]
        assert len(lines) == 3
        assert [line["value"] for line in lines] == sorted((line["value"] for line in lines), reverse=True)
    with sandtable.Agent("random", game) as agent, pytest.raises(ValueError, match="does not analyse"):
        agent.analyse(game.new_state())


def test_match():
    result = sandtable.match("ntxuva/basic", "alphabeta:depth=2", "random", pairs=20, seed=3)
    assert result.pairs == 20
    assert result.wins + result.draws + result.losses == 40
    assert result.score > 0.8
    assert result.elo[1] <= result.elo[0] <= result.elo[2]
    assert result == sandtable.match("ntxuva/basic", "alphabeta:depth=2", "random", pairs=20, seed=3)


@pytest.mark.parametrize("text", ["", "alphabta", "alphabeta:depth=0", "mcts:sims=x"])
def test_bad_agents(text):
    with pytest.raises(ValueError, match=r"agent|depth|sims"):
        sandtable.Agent(text, "trench/standard")


def test_agent_of_another_game():
    with (
        sandtable.Agent("random", "trench/standard") as agent,
        pytest.raises(ValueError, match="the state is one of ntxuva/basic"),
    ):
        agent.choose(sandtable.load("ntxuva/basic").new_state())


def test_interrupt():
    """Ctrl-C ends a search that would take very long."""
    # A shell that starts this process in the background makes it ignore the signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    game = sandtable.load("tankchess/20x20/zh")
    state = game.new_state()
    with sandtable.Agent("alphabeta:depth=30", game) as agent:
        timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        begin = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            agent.choose(state)
        assert time.monotonic() - begin < 60
        timer.join()
    signal.signal(signal.SIGINT, before)
