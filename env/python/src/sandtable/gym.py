"""Gymnasium environments: a learner plays one seat, and an agent plays the other.

The import of this module registers ``Sandtable/Trench-v0``, ``Sandtable/Ntxuva-v0``, ``Sandtable/TankChess-v0`` and
``Sandtable/TankBattle-v0``. ``gymnasium.make("sandtable.gym:Sandtable/Trench-v0")`` imports it by itself.

>>> import gymnasium, sandtable.gym
>>> env = gymnasium.make("Sandtable/Trench-v0", opponent="random")
>>> observation, info = env.reset(seed=1)
>>> action = env.action_space.sample(info["action_mask"])
>>> observation, reward, terminated, truncated, info = env.step(action)
>>> envs = gymnasium.make_vec("Sandtable/Trench-v0", num_envs=64)
>>> observations, infos = envs.reset(seed=1)
>>> observations.shape
(64, 18, 8, 8)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, SupportsInt

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from .batch import Batch
from .game import Game, load
from .spec import Spec

__all__ = ["Env", "VecEnv"]

DEFAULTS = {
    "Sandtable/Trench-v0": "trench/standard",
    "Sandtable/Ntxuva-v0": "ntxuva/basic",
    "Sandtable/TankChess-v0": "tankchess/16x16",
    "Sandtable/TankBattle-v0": "tankbattle/standard",
}
"""The registered ids, each with its default variant."""

RENDER_MODES = ["ansi", "rgb_array"]

AUTORESET = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "disabled",
}


def observation_space(spec: Spec, obs: str, mask: str | None) -> spaces.Space[Any]:
    """Returns the space of one observation."""
    parts: dict[str, spaces.Space[Any]] = {}
    if obs == "planes":
        high = np.array([plane.maximum for plane in spec.planes], np.uint8)[:, None, None]
        high = np.broadcast_to(high, spec.observation_shape)
        parts["observation"] = spaces.Box(np.zeros_like(high), high, dtype=np.uint8)
    elif obs == "bits":
        parts["bits"] = spaces.Box(0, 255, (8 * spec.bit_words,), np.uint8)
        parts["scalars"] = spaces.Box(0, 255, (spec.scalars,), np.uint8)
    else:
        raise ValueError(f'obs is {obs!r}, must be "planes" or "bits"')
    if mask == "obs":
        parts["action_mask"] = spaces.Box(0, 1, (spec.actions,), np.int8)
    elif mask not in ("info", None):
        raise ValueError(f'mask is {mask!r}, must be "info", "obs" or None')
    return parts["observation"] if list(parts) == ["observation"] else spaces.Dict(parts)


def unpack_mask(words: NDArray[np.uint64], actions: int) -> NDArray[np.int8]:
    """Returns the mask of packed words ``(..., words)`` as int8 ``(..., actions)``."""
    return np.unpackbits(words.view(np.uint8), axis=-1, count=actions, bitorder="little").view(np.int8)


def make_batch(game: Game, n: int, obs: str, **options: Any) -> Batch:
    if options["opponent"] is None:
        raise ValueError(
            "opponent is None, must be an agent string such as 'random'; "
            "to play both seats, use sandtable.Batch or sandtable.pettingzoo"
        )
    outputs = ["obs" if obs == "planes" else "bits", "mask", "turns", "reward", "final_obs", "final_info"]
    return Batch(game, n, outputs=outputs, **options)


def observe(batch: Batch, obs: str, mask: NDArray[np.int8] | None, final: bool = False) -> Any:
    """Returns the observations of a batch as views: an array, or a dict of arrays if there are several."""
    if obs == "planes":
        planes = batch.final_obs if final else batch.obs
        return planes if mask is None else {"observation": planes, "action_mask": mask}
    bits, scalars = (batch.final_bits, batch.final_scalars) if final else (batch.bits, batch.scalars)
    packed = {"bits": bits.view(np.uint8), "scalars": scalars}
    return packed if mask is None else {**packed, "action_mask": mask}


def copied(observation: Any) -> Any:
    if isinstance(observation, dict):
        return {name: array.copy() for name, array in observation.items()}
    return observation.copy()


class Env(gymnasium.Env[Any, np.int64]):
    """One game against an opponent.

    A step is the learner's ply and the replies to it. The observation is always the learner's view. The reward is
    +1 or -1 at the end of a won or lost game, and 0 otherwise.

    Args:
        variant: A variant such as ``"trench/standard"``, or a ``Game``.
        overrides: Changes of rule parameters, as for ``sandtable.load``.
        opponent: Agent string of the opponent.
        seat: The learner's seat: ``"first"``, ``"second"`` or ``"random"`` (drawn for each episode).
        max_plies: Plies of both players after which an episode is truncated.
        random_plies: Uniformly random plies before an episode begins.
        starts: Position texts; an episode begins in one of them. Empty means the start position of the game.
        obs: ``"planes"`` for uint8 ``(P, H, W)``, or ``"bits"`` for a dict of the packed observation: ``bits``, uint8
            ``(8 W,)``, the bytes of the words, and ``scalars``, uint8 ``(S,)``.
        mask: Where the mask of legal actions is, int8 ``(A,)``: ``"info"`` for ``info["action_mask"]``, ``"obs"`` for
            a dict observation with ``observation`` and ``action_mask``, or None. ``action_masks()`` works in each case.
        illegal: What an illegal action does: ``"loses"`` ends the game as a loss, ``"error"`` raises
            ``IllegalActionError``.
        render_mode: ``"ansi"`` for a text diagram, ``"rgb_array"`` for a picture, or None.
        first_slot: Number of the random stream; environments with different numbers and one seed play different games.

    ``reset(seed=s)`` begins a reproducible sequence of episodes; ``reset()`` begins the next one of the sequence.
    ``reset(options={"position": text})`` begins the episode in a position.

    At the end of an episode, ``info`` has ``reason`` (``"none"`` if it was truncated), ``plies`` and ``seat``.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": RENDER_MODES, "render_fps": 4}  # type: ignore[misc]

    def __init__(
        self,
        variant: str | Game = "trench/standard",
        *,
        overrides: Mapping[str, Any] | None = None,
        opponent: str = "random",
        seat: str = "random",
        max_plies: int = 2000,
        random_plies: int = 0,
        starts: Sequence[str] = (),
        obs: Literal["planes", "bits"] = "planes",
        mask: Literal["info", "obs"] | None = "info",
        illegal: Literal["loses", "error"] = "loses",
        render_mode: Literal["ansi", "rgb_array"] | None = None,
        first_slot: int = 0,
    ) -> None:
        self.game = load(variant, overrides)
        self.observation_space = observation_space(self.game.spec, obs, mask)
        self.action_space = spaces.Discrete(self.game.spec.actions)
        self.render_mode = check_render_mode(render_mode)
        self._obs, self._mask = obs, mask
        self.batch = make_batch(
            self.game, 1, obs, opponent=opponent, seat=seat, autoreset="disabled", max_plies=max_plies,
            random_plies=random_plies, starts=starts, illegal=illegal, threads=1, first_slot=first_slot,
        )  # fmt: skip
        self._actions = np.zeros(1, np.int32)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        begin(self.batch, seed, self.np_random, np.ones(1, np.bool_))
        position = (options or {}).get("position")
        if position is not None:
            self.batch.set(0, position)
        return self._observe(), self._info()

    def step(self, action: SupportsInt) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self._actions[0] = action
        batch = self.batch
        batch.step(self._actions)
        terminated, truncated = bool(batch.terminated[0]), bool(batch.truncated[0])
        info = self._info()
        if terminated or truncated:
            info["reason"] = self.game.spec.reasons[batch.final_reason[0]]
            info["plies"] = int(batch.final_plies[0])
            info["seat"] = int(batch.final_seat[0])
        return self._observe(), float(batch.learner_reward[0]), terminated, truncated, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns the legal actions as bool ``(A,)``, for sb3-contrib's MaskablePPO."""
        return unpack_mask(self.batch.mask[0], self.game.spec.actions).view(np.bool_)

    def render(self) -> Any:
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode; give one to gymnasium.make")
            return None
        return picture(self.batch, 0, self.render_mode)

    def close(self) -> None:
        self.batch.close()

    def _observe(self) -> Any:
        mask = unpack_mask(self.batch.mask, self.game.spec.actions) if self._mask == "obs" else None
        observation = observe(self.batch, self._obs, mask)
        if isinstance(observation, dict):
            return {name: array[0].copy() for name, array in observation.items()}
        return observation[0].copy()

    def _info(self) -> dict[str, Any]:
        if self._mask != "info":
            return {}
        return {"action_mask": unpack_mask(self.batch.mask[0], self.game.spec.actions)}


class VecEnv(VectorEnv[Any, NDArray[np.int64], Any]):
    """Many games against an opponent, stepped together.

    It behaves as a ``SyncVectorEnv`` of ``Env`` with ``first_slot`` 0 to n - 1 and the same seed. The arguments are
    those of ``Env``, and:

    Args:
        num_envs: Number of environments n.
        autoreset: ``"next_step"``, ``"same_step"``, ``"disabled"`` or an ``AutoresetMode``: when an environment whose
            episode has ended begins the next one.
        illegal: ``"error"``, the default, leaves the whole batch unchanged; ``"loses"`` ends the episode.
        copy: Whether the returned observations are copies. With False they are read-only views that the next call
            overwrites.
        threads: Number of threads of Go; 0 means that the batch measures whether several are faster.

    Under ``"same_step"``, ``infos["final_obs"]`` is an array ``[n, ...]`` (or a dict of arrays) whose rows count where
    ``infos["_final_obs"]`` is true, and ``infos["final_info"]`` holds what ``Env`` returns at the end of an episode.

    ``batch`` is the ``Batch`` below, with all that Gymnasium has no place for: ``envs.batch.sample()`` draws a legal
    action for each environment.
    """

    def __init__(
        self,
        variant: str | Game = "trench/standard",
        num_envs: int = 1,
        *,
        overrides: Mapping[str, Any] | None = None,
        opponent: str = "random",
        seat: str = "random",
        autoreset: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        max_plies: int = 2000,
        random_plies: int = 0,
        starts: Sequence[str] = (),
        obs: Literal["planes", "bits"] = "planes",
        mask: Literal["info", "obs"] | None = "info",
        illegal: Literal["loses", "error"] = "error",
        copy: bool = True,
        threads: int = 0,
        render_mode: Literal["ansi", "rgb_array"] | None = None,
        first_slot: int = 0,
    ) -> None:
        self.game = load(variant, overrides)
        self.num_envs = num_envs
        mode = check_autoreset(autoreset)
        self.metadata = {**Env.metadata, "autoreset_mode": mode}
        self.render_mode = check_render_mode(render_mode)
        self.single_observation_space = observation_space(self.game.spec, obs, mask)
        self.single_action_space = spaces.Discrete(self.game.spec.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._obs, self._mask, self._copy = obs, mask, copy
        self._same_step = mode is AutoresetMode.SAME_STEP
        self.batch = make_batch(
            self.game, num_envs, obs, opponent=opponent, seat=seat, autoreset=AUTORESET[mode], max_plies=max_plies,
            random_plies=random_plies, starts=starts, illegal=illegal, threads=threads, first_slot=first_slot,
        )  # fmt: skip
        self._all = np.ones(num_envs, np.bool_)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins an episode in each environment, or in those of ``options["reset_mask"]``, bool ``(n,)``."""
        super().reset(seed=seed)
        mask = (options or {}).get("reset_mask")
        if mask is not None and seed is not None:
            raise ValueError("reset_mask and seed exclude each other: a seed resets every environment")
        begin(self.batch, seed, self.np_random, self._all if mask is None else mask)
        return self._observe(), self._infos(self._all if mask is None else mask)

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        batch = self.batch
        batch.step(actions)
        infos = self._infos(self._all)
        ended = batch.terminated | batch.truncated
        if ended.any():
            self._end(infos, ended)
        # Gymnasium's rewards are float64.
        rewards = batch.learner_reward.astype(np.float64)
        return self._observe(), rewards, batch.terminated.copy(), batch.truncated.copy(), infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns the legal actions as bool ``(n, A)``."""
        return unpack_mask(self.batch.mask, self.game.spec.actions).view(np.bool_)

    def render(self) -> tuple[Any, ...] | None:
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode; give one to gymnasium.make_vec")
            return None
        return tuple(picture(self.batch, i, self.render_mode) for i in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        # Gymnasium also closes an environment whose arguments were refused.
        if hasattr(self, "batch"):
            self.batch.close()

    def _observe(self) -> Any:
        mask = unpack_mask(self.batch.mask, self.game.spec.actions) if self._mask == "obs" else None
        observation = observe(self.batch, self._obs, mask)
        return copied(observation) if self._copy else observation

    def _infos(self, rows: NDArray[np.bool_]) -> dict[str, Any]:
        if self._mask != "info":
            return {}
        return {"action_mask": unpack_mask(self.batch.mask, self.game.spec.actions), "_action_mask": rows.copy()}

    def _end(self, infos: dict[str, Any], ended: NDArray[np.bool_]) -> None:
        """Adds what describes the episodes that the last step ended."""
        batch, actions = self.batch, self.game.spec.actions
        reasons = np.full(self.num_envs, None, object)
        for i in np.flatnonzero(ended):
            reasons[i] = self.game.spec.reasons[batch.final_reason[i]]
        end = {
            "reason": reasons,
            "plies": np.where(ended, batch.final_plies, 0),
            "seat": np.where(ended, batch.final_seat, 0).astype(np.int64),
        }
        end.update({"_" + name: ended for name in tuple(end)})
        if not self._same_step:
            infos.update(end)
            return
        none = np.zeros((self.num_envs, actions), np.int8)
        if self._mask == "info":
            end.update(action_mask=none, _action_mask=ended)
        final = observe(batch, self._obs, none if self._mask == "obs" else None, final=True)
        infos["final_obs"] = copied(final) if self._copy else final
        infos["_final_obs"] = infos["_final_info"] = ended
        infos["final_info"] = end


def begin(batch: Batch, seed: int | None, random: np.random.Generator, mask: NDArray[np.bool_]) -> None:
    """Begins a sequence of episodes, or the next episode of the slots of the mask if a sequence runs."""
    if seed is None and batch.started:
        batch.reset_slots(mask)
        return
    batch.reset(int(random.integers(2**63)) if seed is None else seed)


def picture(batch: Batch, slot: int, mode: str) -> Any:
    state = batch.state(slot)
    return str(state) if mode == "ansi" else state.rgb_array()


def check_autoreset(autoreset: str | AutoresetMode) -> AutoresetMode:
    for mode, name in AUTORESET.items():
        if autoreset in (mode, mode.value, name):
            return mode
    raise ValueError(f'autoreset is {autoreset!r}, must be "next_step", "same_step", "disabled" or an AutoresetMode')


def check_render_mode(mode: str | None) -> str | None:
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f'render_mode is {mode!r}, must be "ansi", "rgb_array" or None')
    return mode


for _name, _variant in DEFAULTS.items():
    gymnasium.register(
        id=_name,
        entry_point="sandtable.gym:Env",
        vector_entry_point="sandtable.gym:VecEnv",
        kwargs={"variant": _variant},
    )
