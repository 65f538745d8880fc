"""The games as a Stable-Baselines3 `VecEnv`, with the masks that MaskablePPO reads.

    from sb3_contrib import MaskablePPO
    from sandtable.sb3 import VecEnv

    envs = VecEnv("ntxuva/basic", 64, opponent="random")
    MaskablePPO("MlpPolicy", envs, n_steps=128).learn(200_000)

MaskablePPO keeps the masks of a rollout as float32: ``n_steps * num_envs * actions *
4`` bytes, which is 2.7 GB for 2048 steps of 64 games of ``tankchess/16x16``. Choose
``n_steps`` accordingly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv as BaseVecEnv

from .batch import Batch
from .game import Game, load
from .gym import observation_space, unpack_mask

__all__ = ["VecEnv"]


class VecEnv(BaseVecEnv):  # type: ignore[misc]
    """A batch of games in which one side, the learner, is played by the caller.

    A step is the learner's ply and the opponent's replies. The reward is the
    learner's: +1 for a win, -1 for a loss, 0 otherwise. An episode that ends is
    followed by the next one in the same step. Then ``infos[i]`` holds
    ``terminal_observation``, ``TimeLimit.truncated``, ``reason`` and ``episode`` (return
    ``r`` and length ``l`` in the learner's steps), from which Stable-Baselines3
    computes ``ep_rew_mean`` and ``ep_len_mean``.

    Args:
        variant: A variant such as ``"trench/standard"``, or a `Game`.
        overrides: Changes of rule parameters, as for `sandtable.load`.
        num_envs: The number of games.
        opponent: ``"random"`` or an agent string such as ``"alphabeta:depth=2"``.
        seed: The seed of the first ``reset``. None draws one from the system.
        scale: If true, observations are float32 planes divided by their maxima, so
            that they lie in [0, 1]. Otherwise they are the planes as uint8. Both have
            the shape `Spec.observation_shape`.
        options: The other options of `Batch`, such as ``seat``, ``max_plies``,
            ``starts`` and ``random_plies``.
    """

    def __init__(
        self,
        variant: str | Game,
        num_envs: int,
        *,
        overrides: Mapping[str, Any] | None = None,
        opponent: str = "random",
        seed: int | None = None,
        scale: bool = True,
        **options: Any,
    ) -> None:
        self.batch = Batch(
            load(variant, overrides),
            num_envs,
            outputs=("obs", "mask", "turns", "reward", "final_obs", "final_info"),
            opponent=opponent,
            autoreset="same_step",
            **options,
        )
        self.game = self.batch.game
        spec = self.game.spec
        maxima = np.array([max(1, plane.maximum) for plane in spec.planes], np.float32)
        self._maxima = maxima[:, None, None] if scale else None
        space = (
            spaces.Box(0.0, 1.0, spec.observation_shape, np.float32)
            if scale
            else observation_space(spec, "planes", None)
        )
        self._actions: NDArray[Any] = np.zeros(num_envs, np.int32)
        super().__init__(num_envs, space, spaces.Discrete(spec.actions))
        self.seed(seed)

    def _observation(self, planes: NDArray[np.uint8]) -> NDArray[Any]:
        """Returns a copy of planes as the observation space describes it."""
        return planes.copy() if self._maxima is None else planes / self._maxima

    def reset(self) -> NDArray[Any]:
        """Begins all games. A seed that `seed` has set applies once."""
        seed = self._seeds[0]
        if seed is None:
            self.batch.reset_slots(np.ones(self.num_envs, bool))
        else:
            self.batch.reset(seed)
        self._reset_seeds()
        self._reset_options()
        return self._observation(self.batch.obs)

    def step_async(self, actions: NDArray[Any]) -> None:
        """Stores the actions, integers of shape ``(num_envs,)``, for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[NDArray[Any], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Plays the stored actions and returns observations, rewards, dones and infos."""
        batch = self.batch
        batch.step(self._actions)
        dones = batch.terminated | batch.truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(dones).tolist():
            seat = int(batch.final_seat[i])
            infos[i] = {
                "terminal_observation": self._observation(batch.final_obs[i]),
                "TimeLimit.truncated": bool(batch.truncated[i]),
                "reason": self.game.spec.reasons[batch.final_reason[i]],
                "episode": {
                    "r": float(batch.final_return[i, seat]),
                    "l": int(batch.final_steps[i]),
                },
            }
        return self._observation(batch.obs), batch.learner_reward.copy(), dones, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns the legal actions of all games: bool, ``(num_envs, actions)``."""
        return unpack_mask(self.batch.mask, self.game.spec.actions).view(np.bool_)

    def close(self) -> None:
        """Releases the games."""
        self.batch.close()

    def has_attr(self, attr_name: str) -> bool:
        """Reports whether the games have the attribute; ``action_masks`` is one."""
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: int | Sequence[int] | None = None) -> list[Any]:
        """Returns the attribute, which all games share, once per index."""
        value = None if attr_name == "render_mode" else getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: int | Sequence[int] | None = None) -> None:
        """Sets an attribute for all games. A subset of them cannot differ."""
        if len(list(self._get_indices(indices))) != self.num_envs:
            raise ValueError(f"indices is {indices!r}, must be None: the games share their attributes")
        setattr(self, attr_name, value)

    def env_method(
        self, method_name: str, *args: Any, indices: int | Sequence[int] | None = None, **kwargs: Any
    ) -> list[Any]:
        """Calls a method of the batch and returns the rows of its result.

        ``env_method("action_masks")`` is what MaskablePPO calls.
        """
        rows = getattr(self, method_name)(*args, **kwargs)
        return [rows[i] for i in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: int | Sequence[int] | None = None) -> list[bool]:
        """Returns False for each game: there are no wrappers."""
        return [False for _ in self._get_indices(indices)]
