"""The games as PettingZoo AEC environments.

    from sandtable.pettingzoo import env

    game = env("trench/standard")
    game.reset(seed=1)
    for agent in game.agent_iter():
        observation, reward, terminated, truncated, info = game.last()
        over = terminated or truncated
        mask = observation["action_mask"]
        game.step(None if over else game.action_space(agent).sample(mask))

The agents are ``player_0``, which moves first, and ``player_1``. They need not
alternate: in some variants a player moves several times in a row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray
from pettingzoo import AECEnv

from .errors import IllegalActionError
from .game import Game, load
from .gym import observation_space
from .state import State

__all__ = ["env", "raw_env"]

Observation: TypeAlias = dict[str, NDArray[Any]]

AGENTS = ("player_0", "player_1")
GAME_ATTRIBUTES = ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "_state", "_over")
RENDER_MODES = ["ansi", "rgb_array", "human"]


class raw_env(AECEnv[str, Observation, int]):  # type: ignore[misc]
    """A game of two agents, played one ply per step.

    An observation is a dictionary. ``observation`` holds the planes of the board as
    the agent sees it: uint8, shape `Spec.observation_shape`. ``action_mask`` is int8
    of shape ``(actions,)``: 1 for a legal action of the agent to move, 0 for all
    actions of the other agent and after the end. The rewards are 0 until the last
    ply, then +1 for the winner and -1 for the loser, or 0 each for a draw. Once the
    game is over, the ``infos`` hold the ``reason``.

    Copies (`copy.deepcopy`) and pickles hold the position and the history of the
    game, and both continue as the original does.

    Args:
        variant: A variant such as ``"trench/standard"``, or a `Game`.
        overrides: Changes of rule parameters, as for `sandtable.load`.
        render_mode: ``"ansi"`` returns a diagram, ``"rgb_array"`` returns a picture
            (uint8, ``(height, width, 3)``), ``"human"`` prints the diagram.
        max_plies: The number of plies after which the game is truncated.
        starts: Position texts, one of which is drawn by ``reset``. Empty means the
            start position of the rules.
        random_plies: The number of uniformly random plies that ``reset`` plays.
        illegal: ``"loses"`` ends the game after an illegal action as a loss of the
            agent; ``"error"`` raises `IllegalActionError` and changes nothing.
    """

    def __init__(
        self,
        variant: str | Game = "trench/standard",
        *,
        overrides: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
        max_plies: int = 2000,
        starts: Sequence[str] = (),
        random_plies: int = 0,
        illegal: str = "loses",
    ) -> None:
        super().__init__()
        self.game = load(variant, overrides)
        spec = self.game.spec
        self.metadata: dict[str, Any] = {
            "name": f"sandtable_{self.game.variant.partition('/')[0]}_v0",
            "render_modes": RENDER_MODES,
            "render_fps": 2,
            "is_parallelizable": False,
        }
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f'render_mode is {render_mode!r}, must be "ansi", "rgb_array", "human" or None')
        if illegal not in ("loses", "error"):
            raise ValueError(f'illegal is {illegal!r}, must be "loses" or "error"')
        if max_plies < 1:
            raise ValueError(f"max_plies is {max_plies}, must be positive")
        if not 0 <= random_plies < max_plies:
            raise ValueError(f"random_plies is {random_plies}, must be 0 to {max_plies - 1}, less than max_plies")
        self.render_mode = render_mode
        self.max_plies = max_plies
        self.starts = tuple(starts)
        self.random_plies = random_plies
        self.illegal = illegal

        self.state_space = observation_space(spec, "planes", None)
        self.possible_agents = list(AGENTS)
        self.observation_spaces: dict[str, spaces.Space[Observation]] = {
            agent: observation_space(spec, "planes", "obs") for agent in AGENTS
        }
        self.action_spaces: dict[str, spaces.Space[Any]] = {agent: spaces.Discrete(spec.actions) for agent in AGENTS}
        self._actions = spec.actions
        self._np_random, _ = seeding.np_random()

    def __getattr__(self, name: str) -> Any:
        # It is called for attributes that do not exist, which are those of a game before it begins.
        if name in GAME_ATTRIBUTES:
            raise AttributeError(f"{name} has no value before reset()")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def observation_space(self, agent: str) -> spaces.Space[Observation]:
        """Returns the space of the agent's observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the space of the agent's actions, always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game.

        The seed determines the start position and the random plies. With
        ``options={"position": text}`` the game begins in that position.
        """
        if seed is not None:
            self._np_random, _ = seeding.np_random(seed)
        self._state = self._open(options.get("position") if options else None)
        self._over = False
        self._first_ply = self._state.plies - self.random_plies
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self._state.player]
        self._skip_agent_selection = None

    def _open(self, position: str | None) -> State:
        """Returns a state in which an agent is to move."""
        while True:
            start = position
            if start is None and self.starts:
                start = self.starts[self._np_random.integers(len(self.starts))]
            state = self.game.new_state(start)
            if state.terminal:
                raise ValueError(f"start position is {start!r}, must be one in which the game is not over")
            for _ in range(self.random_plies):
                if state.terminal:
                    break
                state.apply(int(self._np_random.choice(state.legal_actions())))
            if not state.terminal:
                return state

    def observe(self, agent: str) -> Observation:
        """Returns the agent's view of the board and its legal actions."""
        player = AGENTS.index(agent)
        mask = np.zeros(self._actions, np.int8)
        if self._state.player == player and not self._over:
            mask[self._state.legal_actions()] = 1
        return {"observation": self._state.observe(player), "action_mask": mask}

    def state(self) -> NDArray[np.uint8]:
        """Returns the board as ``player_0`` sees it."""
        return self._state.observe(0)

    def step(self, action: int | None) -> None:
        """Plays the action of ``agent_selection``, None if the game is over for it."""
        agent = self.agent_selection
        if self._over or action is None:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        try:
            self._state.apply(int(action))
        except IllegalActionError:
            if self.illegal == "error":
                raise
            mover = 1 - 2 * AGENTS.index(agent)
            self._end(self.terminations, (-mover, mover), "illegal_action")
            return
        if self._state.terminal:
            self._end(self.terminations, self._state.returns(), self._state.reason)
            return
        self.agent_selection = AGENTS[self._state.player]
        if self._state.plies - self._first_ply >= self.max_plies:
            self._end(self.truncations, (0.0, 0.0), "max_plies")

    def _end(self, flags: dict[str, bool], returns: Sequence[float], reason: str | None) -> None:
        """Ends the game for both agents."""
        self._over = True
        for agent, reward in zip(AGENTS, returns, strict=True):
            flags[agent] = True
            self.rewards[agent] = float(reward)
            self.infos[agent] = {"reason": reason}
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> str | NDArray[np.uint8] | None:
        """Shows the board as ``render_mode`` says."""
        if self.render_mode == "rgb_array":
            return self._state.rgb_array()
        if self.render_mode == "ansi":
            return str(self._state)
        if self.render_mode == "human":
            print(self._state)
        return None

    def close(self) -> None:
        """Does nothing: a game holds no resources that need to be released."""


def env(variant: str | Game = "trench/standard", **options: Any) -> raw_env:
    """Returns a game. The options are those of `raw_env`."""
    return raw_env(variant, **options)
