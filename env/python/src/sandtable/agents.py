"""Agents, and matches between them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from . import _lib
from .game import Game, load
from .state import State


class Agent:
    """An agent that an agent string such as ``"alphabeta:depth=4"`` or ``"mcts:sims=200"`` describes.

    Ctrl-C interrupts it within a second, however long it thinks.

    >>> import sandtable
    >>> game = sandtable.load("ntxuva/basic")
    >>> state = game.new_state()
    >>> with sandtable.Agent("alphabeta:depth=2", game) as agent:
    ...     state.apply(agent.choose(state))
    >>> state.plies
    1

    Args:
        agent: The agent string.
        game: The game, or a variant for ``load``.
        seed: The k-th choice depends on the seed, k and the state only.
        commands: Programs, each with its arguments, of agents ``exec:NAME`` by their names.
    """

    def __init__(
        self, agent: str, game: Game | str, seed: int = 0, *, commands: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        self.game = load(game)
        self.agent = agent
        options = {"agent": agent, "seed": seed, "commands": {k: list(v) for k, v in (commands or {}).items()}}
        self._handle = _lib.open("agent", self.game._handle.number, json.dumps(options).encode())

    def choose(self, state: State) -> int:
        """Returns the action that the agent plays in a state, which does not change."""
        return _lib.call("choose", self._handle.number, state._handle.number)

    def report(self) -> dict[str, Any]:
        """Returns what the agent found for its last choice.

        It is ``action``, ``move``, and what the agent reports out of ``value`` (-1 to 1, for the player to move),
        ``score``, ``nodes``, ``depth`` and ``visits`` (pairs of action and count).
        """
        text = _lib.read("report", self._handle.number)
        report: dict[str, Any] = json.loads(text) if text else {}
        return report

    def analyse(self, state: State, lines: int = 1) -> dict[str, Any]:
        """Searches the best lines of play.

        Returns:
            ``nodes``, ``depth`` and ``lines``, best first: each has ``value`` (-1 to 1, for the player to move),
            ``score``, ``depth``, ``actions`` and ``moves``. Agents that do not search raise ``ValueError``.
        """
        _lib.call("analyse", self._handle.number, state._handle.number, lines)
        return self.report()

    def close(self) -> None:
        """Frees the agent."""
        self._handle.close()

    def __enter__(self) -> Agent:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<sandtable.Agent {self.agent} for {self.game.variant}>"


@dataclass(frozen=True)
class MatchResult:
    """What a match found. Results are those of the first agent."""

    pairs: int
    """Pairs of games with one opening and swapped seats."""
    wins: int
    draws: int
    losses: int
    score: float
    """Mean points per game: 1 for a win, 0.5 for a draw."""
    elo: tuple[float, float, float]
    """Elo difference, and the limits of its 95 % interval; infinite if an agent won every game."""
    report: Mapping[str, Any]
    """The whole report, as ``sandtable arena --json`` prints it."""


def match(
    game: Game | str,
    agent_a: str,
    agent_b: str,
    *,
    pairs: int = 50,
    seed: int = 1,
    openings: str | None = None,
    max_plies: int | None = None,
) -> MatchResult:
    """Plays a match between two agents, in pairs of games with one opening and swapped seats.

    Args:
        game: The game, or a variant for ``load``.
        agent_a: Agent string of the first agent.
        agent_b: Agent string of the second agent.
        pairs: Number of pairs.
        seed: Determines the openings and the agents' random choices.
        openings: As for ``sandtable arena --openings``; None means the default.
        max_plies: Plies after which a game is drawn; None means the default.

    >>> import sandtable
    >>> sandtable.match("ntxuva/basic", "greedy", "random", pairs=20).score > 0.5
    True
    """
    loaded = load(game)
    options = {
        "agents": [agent_a, agent_b],
        "pairs": pairs,
        "seed": seed,
        "openings": openings or "",
        "max_plies": max_plies or 0,
    }
    handle = _lib.open("match", loaded._handle.number, json.dumps(options).encode())
    try:
        _lib.call("match_play", handle.number)
        report = json.loads(_lib.read("report", handle.number))["report"]
    finally:
        handle.close()
    games, elo = report["all"], report["elo"]
    infinite = math.copysign(math.inf, games["wins"] - games["losses"])
    low, estimate, high = (
        default if elo[name] is None else float(elo[name])
        for name, default in (("low", -math.inf), ("estimate", infinite), ("high", math.inf))
    )
    return MatchResult(
        pairs=report["pairs"], wins=games["wins"], draws=games["draws"], losses=games["losses"],
        score=games["score"]["estimate"], elo=(estimate, low, high), report=report,
    )  # fmt: skip
