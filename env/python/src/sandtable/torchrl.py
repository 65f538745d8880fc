"""The games as a batched TorchRL environment.

    from sandtable.torchrl import SandtableEnv

    env = SandtableEnv("ntxuva/basic", 64, opponent="random")
    data = env.rollout(100, break_when_any_done=False)

The entry ``action_mask`` goes to `torchrl.modules.MaskedCategorical`. The action spec has
the same mask, so that ``env.rand_action`` and a rollout without a policy play legal
actions. `torchrl.envs.utils.RandomPolicy` copies the spec and does not: give a collector
a policy that reads ``action_mask``.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tensordict import TensorDict, TensorDictBase
from torchrl.data import Binary, Bounded, Categorical, Composite, Unbounded
from torchrl.envs import EnvBase

from .batch import Batch
from .game import Game, load

__all__ = ["SandtableEnv"]


class SandtableEnv(EnvBase):  # type: ignore[misc]
    """A batch of ``num_envs`` games, with tensordicts of batch size ``(num_envs,)``.

    ==================  =======================  ==========================================
    entry               type, shape              meaning
    ==================  =======================  ==========================================
    ``observation``     uint8, (P, H, W)        the board as ``player`` sees it
    ``action_mask``     bool, (A,)               the legal actions, none after the end
    ``player``          int8, (1,)               the player whose view the observation is
    ``action``          int64, ()                the action of the player to move
    ``reward``          float32, (1,)            +1, -1 or 0 for the player who acted
    ==================  =======================  ==========================================

    Args:
        variant: A variant such as ``"trench/standard"``, or a `Game`.
        overrides: Changes of rule parameters, as for `sandtable.load`.
        num_envs: The number of games.
        opponent: ``"random"`` or an agent string such as ``"alphabeta:depth=2"``. A step is
            then the learner's ply and the replies to it. None means that the caller
            plays both sides; ``player`` says which of them is to move.
        device: The device of the tensors. The games run on the CPU.
        options: The other options of `Batch`, such as ``seat``, ``max_plies``,
            ``starts`` and ``random_plies``.
    """

    def __init__(
        self,
        variant: str | Game,
        num_envs: int,
        *,
        overrides: Mapping[str, Any] | None = None,
        opponent: str | None = "random",
        device: torch.device | str = "cpu",
        **options: Any,
    ) -> None:
        super().__init__(device=torch.device(device), batch_size=torch.Size([num_envs]))
        # A finished game waits for the reset that TorchRL asks for. Should TorchRL step
        # it nevertheless, as break_when_all_done does, this mode ignores the action.
        self.batch = Batch(
            load(variant, overrides),
            num_envs,
            outputs=("obs", "mask", "turns", "reward"),
            opponent=opponent,
            autoreset="next_step",
            **options,
        )
        self.game = self.batch.game
        spec = self.game.spec
        high = torch.tensor([plane.maximum for plane in spec.planes], dtype=torch.uint8)
        high = high.view(-1, 1, 1).expand(num_envs, *spec.observation_shape)
        self.observation_spec = Composite(
            observation=Bounded(torch.zeros_like(high), high, high.shape, dtype=torch.uint8, device=self.device),
            action_mask=Binary(spec.actions, (num_envs, spec.actions), dtype=torch.bool, device=self.device),
            player=Bounded(0, 1, (num_envs, 1), dtype=torch.int8, device=self.device),
            shape=(num_envs,),
        )
        self.action_spec = Categorical(spec.actions, (num_envs,), dtype=torch.int64, device=self.device)
        self.reward_spec = Unbounded((num_envs, 1), dtype=torch.float32, device=self.device)
        done = Categorical(2, (num_envs, 1), dtype=torch.bool, device=self.device)
        self.full_done_spec = Composite(done=done, terminated=done.clone(), truncated=done.clone(), shape=(num_envs,))
        self._next_seed: int | None = secrets.randbits(63)

    def _tensor(self, values: NDArray[Any]) -> torch.Tensor:
        """Returns a copy of an output of the batch on the device."""
        return torch.tensor(values, device=self.device)

    def _observe(self) -> dict[str, torch.Tensor]:
        """Returns the entries of an observation, and makes `action_spec` draw legal actions."""
        batch = self.batch
        words = batch.mask.view(np.uint8)
        actions = self.game.spec.actions
        mask = self._tensor(np.unpackbits(words, axis=1, count=actions, bitorder="little")).bool()
        self.action_spec.update_mask(mask | ~mask.any(-1, keepdim=True))
        return {
            "observation": self._tensor(batch.obs),
            "action_mask": mask,
            "player": self._tensor(batch.viewer[:, None]),
        }

    def _reset(self, tensordict: TensorDictBase | None = None, **_: Any) -> TensorDictBase:
        chosen = None if tensordict is None else tensordict.get("_reset", None)
        if self._next_seed is not None:
            self.batch.reset(self._next_seed)
            self._next_seed = None
        elif chosen is None:
            self.batch.reset_slots(np.ones(self.batch.n, bool))
        else:
            self.batch.reset_slots(chosen.cpu().numpy().reshape(-1))
        flags = self.full_done_spec.zero()
        return TensorDict({**self._observe(), **flags}, self.batch_size, device=self.device)

    def _step(self, tensordict: TensorDictBase) -> TensorDictBase:
        batch = self.batch
        rows = np.arange(batch.n)
        actors = batch.to_move.copy()
        batch.step(tensordict["action"].cpu().numpy())
        reward = batch.reward[rows, np.maximum(actors, 0)]
        terminated = self._tensor(batch.terminated[:, None])
        truncated = self._tensor(batch.truncated[:, None])
        return TensorDict(
            {
                **self._observe(),
                "reward": self._tensor(reward[:, None]),
                "terminated": terminated,
                "truncated": truncated,
                "done": terminated | truncated,
            },
            self.batch_size,
            device=self.device,
        )

    def _set_seed(self, seed: int | None) -> None:
        self._next_seed = seed

    def close(self, *, raise_if_closed: bool = True) -> None:
        """Releases the games."""
        super().close(raise_if_closed=raise_if_closed)
        self.batch.close()
