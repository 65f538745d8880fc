"""A game against an opponent as a `dm_env.Environment`.

from sandtable.dm import Environment

game = Environment("ntxuva/basic", opponent="random", seed=1)
step = game.reset()
while not step.last():
    step = game.step(step.observation["action_mask"].argmax())
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

import dm_env
import numpy as np
from dm_env import specs
from numpy.typing import NDArray

from .batch import Batch
from .game import Game, load

__all__ = ["Environment"]


class Environment(dm_env.Environment):  # type: ignore[misc]
    """One game; a step is the learner's ply and the replies to it.

    An observation is a dictionary of ``observation``, the planes of the board as the learner
    sees it (uint8, `Spec.observation_shape`), and ``action_mask`` (int8, ``(actions,)``). The
    reward is +1 for a win and -1 for a loss. The discount is 0 at the end of a game, and 1
    if ``max_plies`` cut it off. A step after the last one begins the next game.

    Args:
        variant: A variant such as ``"trench/standard"``, or a `Game`.
        overrides: Changes of rule parameters, as for `sandtable.load`.
        opponent: ``"random"`` or an agent string such as ``"alphabeta:depth=2"``.
        seed: The seed of the games. None draws one from the system.
        options: The other options of `Batch`, such as ``seat``, ``max_plies``,
            ``starts`` and ``random_plies``.
    """

    def __init__(
        self,
        variant: str | Game = "trench/standard",
        *,
        overrides: Mapping[str, Any] | None = None,
        opponent: str = "random",
        seed: int | None = None,
        **options: Any,
    ) -> None:
        self._batch = Batch(
            load(variant, overrides),
            1,
            outputs=("obs", "mask", "turns", "reward"),
            opponent=opponent,
            autoreset="disabled",
            **options,
        )
        self.game = self._batch.game
        self._batch.reset(secrets.randbits(63) if seed is None else seed)
        self._over = True

    def reset(self) -> dm_env.TimeStep:
        """Begins a game."""
        self._batch.reset_slots(np.ones(1, bool))
        self._over = False
        return dm_env.restart(self._observe())

    def step(self, action: int) -> dm_env.TimeStep:
        """Plays a legal action of the learner. The action is ignored if the game is over."""
        if self._over:
            return self.reset()
        batch = self._batch
        batch.step([action])
        reward = float(batch.learner_reward[0])
        self._over = bool(batch.terminated[0] or batch.truncated[0])
        if batch.terminated[0]:
            return dm_env.termination(reward, self._observe())
        if batch.truncated[0]:
            return dm_env.truncation(reward, self._observe())
        return dm_env.transition(reward, self._observe())

    def _observe(self) -> dict[str, NDArray[Any]]:
        mask = self._batch.mask[0].view(np.uint8)
        actions = self.game.spec.actions
        return {
            "observation": self._batch.obs[0].copy(),
            "action_mask": np.unpackbits(mask, count=actions, bitorder="little").view(np.int8),
        }

    def observation_spec(self) -> dict[str, specs.Array]:
        """Returns the shapes, types and ranges of an observation."""
        spec = self.game.spec
        maxima = np.array([plane.maximum for plane in spec.planes], np.uint8)
        return {
            "observation": specs.BoundedArray(
                spec.observation_shape, np.uint8, 0, maxima[:, None, None], "observation"
            ),
            "action_mask": specs.BoundedArray((spec.actions,), np.int8, 0, 1, "action_mask"),
        }

    def action_spec(self) -> specs.DiscreteArray:
        """Returns the range of the actions. Only those of ``action_mask`` are legal."""
        return specs.DiscreteArray(self.game.spec.actions, name="action")

    def close(self) -> None:
        """Releases the game."""
        self._batch.close()
