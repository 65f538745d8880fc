"""The games as the OpenSpiel game ``sandtable``, registered by the import of this module.

    import pyspiel
    import sandtable.openspiel

    game = pyspiel.load_game("sandtable", {"variant": "trench/standard"})
    state = game.new_initial_state()

OpenSpiel's Python algorithms work: `open_spiel.python.algorithms.mcts`, ``minimax``,
``exploitability`` and the tabular ones on small variants. The C++ ``pyspiel.MCTSBot``
crashes on every game that is implemented in Python, this one included.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from .game import Game, load
from .state import State

__all__ = ["OpenSpielGame", "OpenSpielState", "load_game"]

GAME_TYPE = pyspiel.GameType(
    short_name="sandtable",
    long_name="Sandtable",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"variant": "trench/standard", "overrides": "", "max_plies": 2000},
)


def load_game(variant: str, *, max_plies: int = 2000, **overrides: Any) -> pyspiel.Game:
    """Returns the OpenSpiel game of a variant, with rule parameters that differ from it.

    >>> load_game("ntxuva/basic", columns=2).num_distinct_actions()
    4
    """
    parameters = {"variant": variant, "max_plies": max_plies}
    if overrides:
        # In OpenSpiel's notation of a game, commas, parentheses and equals signs have a meaning.
        parameters["overrides"] = ";".join(f"{k}:{json.dumps(v)}" for k, v in overrides.items())
    return pyspiel.load_game("sandtable", parameters)


def parse_overrides(text: str) -> dict[str, Any]:
    """Returns the rule parameters of a text such as ``columns:2;singles:"always"``."""
    overrides = {}
    for part in filter(None, text.split(";")):
        name, _, value = part.partition(":")
        try:
            overrides[name] = json.loads(value)
        except json.JSONDecodeError:
            raise ValueError(f"overrides has {part!r}, must be NAME:VALUE with a JSON value") from None
    return overrides


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]
    """A variant. Its parameters are those of `load_game`.

    A game that has not ended after ``max_plies`` plies is drawn, since OpenSpiel needs a
    bound on the length of a game.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = params or {}
        variant = params.get("variant", "trench/standard")
        self.max_plies: int = params.get("max_plies", 2000)
        self.game: Game = load(variant, parse_overrides(params.get("overrides", "")) or None)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.game.spec.actions,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.max_plies,
        )
        super().__init__(GAME_TYPE, info, params)

    def new_initial_state(self) -> OpenSpielState:
        """Returns the start position."""
        return OpenSpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> Any:
        """Returns an observer of the planes, or of the history if perfect recall is asked for."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return PlanesObserver(self.game, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class OpenSpielState(pyspiel.State):  # type: ignore[misc]
    """A position with the history of its game.

    The attribute ``position`` is the `sandtable.State`. ``clone`` copies it, since OpenSpiel copies
    the attributes of a Python state deeply.
    """

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self.position: State = game.game.new_state()
        self._plies_left = game.max_plies

    def current_player(self) -> int:
        """Returns the player to move, or `pyspiel.PlayerId.TERMINAL`."""
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else self.position.player

    def _legal_actions(self, player: int) -> list[int]:
        if player != self.position.player:
            return []
        actions: list[int] = self.position.legal_actions().tolist()
        return actions

    def _apply_action(self, action: int) -> None:
        self.position.apply(action)
        self._plies_left -= 1

    def _action_to_string(self, player: int, action: int) -> str:
        return self.position.action_text(action)

    def is_terminal(self) -> bool:
        """Returns True if the game is over."""
        return self._plies_left <= 0 or self.position.terminal

    def returns(self) -> list[float]:
        """Returns +1 for the winner and -1 for the loser, else zeros."""
        return list(self.position.returns()) if self.position.terminal else [0.0, 0.0]

    def __str__(self) -> str:
        return str(self.position)


class PlanesObserver:
    """The planes of the board as a player sees them, divided by their maxima.

    ``tensor`` is float32 and flat, ``dict["observation"]`` has the shape
    `Spec.observation_shape`.
    """

    def __init__(self, game: Game, params: dict[str, Any] | None) -> None:
        if params:
            raise ValueError(f"observation parameters are {params}, must be empty")
        shape = game.spec.observation_shape
        maxima = [max(1, plane.maximum) for plane in game.spec.planes]
        self._maxima = np.array(maxima, np.float32)[:, None, None]
        self.tensor: NDArray[np.float32] = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Fills ``tensor`` with the state as the player sees it."""
        np.divide(state.position.observe(player), self._maxima, out=self.dict["observation"])

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Returns the diagram of the board, which is the same for both players."""
        return str(state.position)


pyspiel.register_game(GAME_TYPE, OpenSpielGame)
