"""Batches: many games of one rule set that are stepped together."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _lib
from ._abi import PENDING
from .game import Game, load
from .state import State

OUTPUTS = ("obs", "bits", "list", "mask", "turns", "reward", "final_obs", "final_info")
"""The groups of outputs that a batch can fill."""


class Batch:
    """n games side by side.

    Its outputs are arrays that are allocated once. They are read-only, and the next call overwrites them, so copy what
    you keep. Slot i has row i. Attributes of groups that ``outputs`` leaves out are None.

    A batch is used by one thread at a time. It can be pickled and deep-copied; the copy continues identically.

    >>> import sandtable
    >>> batch = sandtable.Batch("ntxuva/basic", 8, opponent="random")
    >>> batch.reset(seed=1)
    >>> for _ in range(100):
    ...     batch.step(batch.sample())
    >>> batch.obs.shape
    (8, 7, 4, 6)

    Args:
        game: A game, or a variant for ``load``.
        n: Number of slots.
        outputs: The groups of outputs to fill, out of ``"obs"`` (obs), ``"bits"`` (bits, scalars), ``"list"``
            (legal_offsets, legal_actions), ``"mask"`` (mask), ``"turns"`` (to_move, viewer), ``"reward"`` (reward,
            learner_reward), ``"final_obs"`` and ``"final_info"``. None means all. ``terminated`` and ``truncated``
            are always filled.
        autoreset: ``"next_step"``: the step after the end of an episode ignores the slot's action and begins the next
            episode. ``"same_step"``: the step that ends an episode begins the next one. ``"disabled"``:
            ``reset_slots`` begins it.
        max_plies: Plies of both players after which an episode is truncated; None means no limit.
        starts: Position texts. Each episode draws one; empty means the start of the game.
        random_plies: Uniformly random plies before an episode begins.
        opponent: Agent string of the player of the other seat; a step is then the learner's ply and the replies to it.
            None means that the caller plays both seats.
        seat: The learner's seat against an opponent: ``"first"``, ``"second"`` or ``"random"``.
        illegal: What an illegal action does: ``"error"`` raises ``IllegalActionError`` and leaves the batch unchanged;
            ``"loses"`` ends the episode as a loss.
        threads: Number of threads of Go; 0 means that the batch measures whether several are faster. The results do
            not depend on it.
        first_slot: Number of the first slot among those of a larger batch. Slot i plays as slot ``first_slot + i`` of a
            batch with the same seed, so that several processes can share the slots of one.
    """

    obs: NDArray[np.uint8]
    """Observation planes as ``viewer`` sees them: ``(n, P, H, W)``."""
    bits: NDArray[np.uint64]
    """Packed observations: ``(n, W)``."""
    scalars: NDArray[np.uint8]
    """Values of the uniform planes: ``(n, S)``."""
    legal_offsets: NDArray[np.int32]
    """The legal actions of slot i are ``legal_actions[legal_offsets[i]:legal_offsets[i + 1]]``: ``(n + 1,)``."""
    mask: NDArray[np.uint64]
    """Legal actions as bits, ``(n, mask_words)``: bit ``a % 64`` of word ``a // 64`` stands for action a."""
    to_move: NDArray[np.int8]
    """The player to move, -1 in a finished slot: ``(n,)``."""
    viewer: NDArray[np.int8]
    """The player whose view the observation is: ``(n,)``. It is the learner if there is an opponent."""
    reward: NDArray[np.float32]
    """Reward of each player for the last step: ``(n, 2)``."""
    learner_reward: NDArray[np.float32]
    """The learner's column of ``reward``: ``(n,)``. None without an opponent."""
    terminated: NDArray[np.bool_]
    """Whether the rules ended the episode in the last step: ``(n,)``."""
    truncated: NDArray[np.bool_]
    """Whether ``max_plies`` ended it: ``(n,)``."""
    final_obs: NDArray[np.uint8]
    """The last observation of the last episode that ended in the slot, in the shape of ``obs``. All attributes that
    begin with ``final_`` describe that episode, in every autoreset mode."""
    final_bits: NDArray[np.uint64]
    """The same, in the shape of ``bits``."""
    final_scalars: NDArray[np.uint8]
    """The same, in the shape of ``scalars``."""
    final_viewer: NDArray[np.int8]
    """The player whose view the last observation is: ``(n,)``."""
    final_result: NDArray[np.int8]
    """+1, 0 or -1 for player 0: ``(n,)``."""
    final_reason: NDArray[np.uint8]
    """Index in ``Spec.reasons``, 0 if the episode was truncated: ``(n,)``."""
    final_return: NDArray[np.float32]
    """Sum of each player's rewards: ``(n, 2)``."""
    final_plies: NDArray[np.int32]
    """Number of plies, random ones included: ``(n,)``."""
    final_steps: NDArray[np.int32]
    """Number of steps: ``(n,)``."""
    final_seat: NDArray[np.int8]
    """The learner's seat, -1 without an opponent: ``(n,)``."""
    final_episode: NDArray[np.int64]
    """Number of the episode among those of the slot, from 0: ``(n,)``."""

    _legal: NDArray[np.int32]

    def __init__(
        self,
        game: Game | str,
        n: int,
        *,
        outputs: Iterable[str] | None = None,
        autoreset: Literal["next_step", "same_step", "disabled"] | str = "next_step",
        max_plies: int | None = 2000,
        starts: Sequence[str] = (),
        random_plies: int = 0,
        opponent: str | None = None,
        seat: Literal["random", "first", "second"] | str = "random",
        illegal: Literal["error", "loses"] | str = "error",
        threads: int = 0,
        first_slot: int = 0,
    ) -> None:
        self._started = False
        self.game = load(game)
        self._options: dict[str, Any] = {
            "outputs": None if outputs is None else list(outputs), "autoreset": autoreset, "max_plies": max_plies,
            "starts": list(starts), "random_plies": random_plies, "opponent": opponent, "seat": seat,
            "illegal": illegal, "threads": threads, "first_slot": first_slot,
        }  # fmt: skip
        self.n = n
        options = json.dumps({
            **self._options, "n": n, "max_plies": -1 if max_plies is None else max_plies, "opponent": opponent or "",
        }).encode()  # fmt: skip
        layout = json.loads(_lib.read("layout", self.game._handle.number, options))
        arrays = {array["name"]: np.zeros(array["shape"], array["dtype"]) for array in layout}
        self._handle = _lib.open("batch", self.game._handle.number, options, list(arrays.values()))
        self._actions = np.zeros(n, np.int32)
        self._address = _lib.address(self._actions)
        self._count = 0
        for name in _NAMES:
            view = None
            if name in arrays:
                view = arrays[name].view()
                view.flags.writeable = False
            setattr(self, "_legal" if name == "legal_actions" else name, view)

    @property
    def legal_actions(self) -> NDArray[np.int32]:
        """The legal actions of all slots, one slot after another and ascending within a slot: int32 ``(k,)``."""
        return self._legal[: self._count]

    @property
    def started(self) -> bool:
        """Whether the batch was reset or loaded."""
        return self._started

    def reset(self, seed: int) -> None:
        """Begins episode 0 of every slot. Slot i's k-th episode depends only on the seed, i and k."""
        self._count = _lib.call("reset", self._handle.number, seed)
        self._started = True

    def reset_slots(self, mask: ArrayLike) -> None:
        """Begins the next episode of the slots whose element of the mask, bool ``(n,)``, is true."""
        marked = np.ascontiguousarray(mask, np.uint8)
        self._count = _lib.call("reset_slots", self._handle.number, marked)

    def step(self, actions: ArrayLike) -> None:
        """Plays an action in each slot.

        Args:
            actions: Integers ``(n,)``. Under ``"next_step"``, the action of a finished slot is ignored.
        """
        self._take(actions)
        count = _lib.lib.st_step(self._handle.number, self._address, self.n)
        if count < 0:
            raise _lib.error(count)
        self._count = count if count != PENDING else _lib.wait(self._handle.number)

    def send(self, actions: ArrayLike) -> None:
        """Begins a step and returns at once; ``recv`` waits for its end. No other call is allowed in between.

        With two batches, one steps while a network evaluates the observations of the other.
        """
        self._take(actions)
        _lib.begin("send", self._handle.number, self._actions)

    def recv(self) -> None:
        """Waits for the step that ``send`` began. The outputs then describe it."""
        self._count = _lib.wait(self._handle.number)

    def _take(self, actions: ArrayLike) -> None:
        given = np.asarray(actions)
        if given.shape != self._actions.shape:
            raise ValueError(f"actions have shape {given.shape}, must have {self._actions.shape}")
        np.copyto(self._actions, given, casting="same_kind")
        if given.dtype != np.int32 and not np.array_equal(self._actions, given):
            raise ValueError("actions must be at least -2**31 and less than 2**31")

    def sample(self, out: NDArray[np.int32] | None = None) -> NDArray[np.int32]:
        """Returns uniformly random legal actions, int32 ``(n,)``; 0 in a finished slot.

        Args:
            out: A C-contiguous array to fill and return.
        """
        if out is None:
            out = np.empty(self.n, np.int32)
        elif out.dtype != np.int32 or not out.flags.writeable:
            raise ValueError("out must be a writable array of dtype int32")
        _lib.call("sample", self._handle.number, out)
        return out

    def save(self) -> bytes:
        """Returns positions with their histories, random streams and counters as bytes. They have a checksum."""
        return _lib.read("save", self._handle.number, -1)

    def load(self, data: bytes) -> None:
        """Restores what ``save`` returned, in a batch of the same game, size and opponent."""
        self._count = _lib.call("load_batch", self._handle.number, -1, data)
        self._started = True

    def save_slot(self, slot: int) -> bytes:
        """Returns one slot as bytes."""
        return _lib.read("save", self._handle.number, slot)

    def load_slot(self, slot: int, data: bytes) -> None:
        """Restores in a slot what ``save_slot`` returned for this slot or another one."""
        self._count = _lib.call("load_batch", self._handle.number, slot, data)

    def set(self, slot: int, position: str) -> None:
        """Begins the next episode of a slot at a position."""
        self._count = _lib.call("set", self._handle.number, slot, position.encode())

    def state(self, slot: int) -> State:
        """Returns a copy of the position of a slot."""
        return State._of(self.game, _lib.open("slot_state", self._handle.number, slot))

    def close(self) -> None:
        """Frees the batch. The arrays keep their values."""
        self._handle.close()

    def __len__(self) -> int:
        return self.n

    def __enter__(self) -> Batch:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<sandtable.Batch {self.n} x {self.game.variant}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.game, self.n, self._options, self.save() if self._started else None)


_NAMES = (
    "obs", "bits", "scalars", "legal_offsets", "legal_actions", "mask", "to_move", "viewer", "reward", "learner_reward",
    "terminated", "truncated", "final_obs", "final_bits", "final_scalars", "final_viewer", "final_result",
    "final_reason", "final_return", "final_plies", "final_steps", "final_seat", "final_episode",
)  # fmt: skip


def _restore(game: Game, n: int, options: Mapping[str, Any], saved: bytes | None) -> Batch:
    batch = Batch(game, n, **options)
    if saved is not None:
        batch.load(saved)
    return batch
