"""Single positions, to be played one action at a time."""

from __future__ import annotations

from collections.abc import Iterable
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _lib
from .game import Game

_CHUNK = 4096  # actions of a call of play


def _check(code: int) -> None:
    """Raises the exception of a negative result of the library."""
    if code < 0:
        raise _lib.error(code)


class State:
    """One position with its history.

    Players are 0 and 1; player 0 moves first. An action is a number in the mover's frame: the second player sees the
    board turned by 180 degrees. A state must not be used by two threads at the same time.

    >>> import copy, sandtable
    >>> state = sandtable.load("trench/standard").new_state()
    >>> action = int(state.legal_actions()[0])
    >>> state.action_text(action)
    'd1-e2'
    >>> twin = copy.deepcopy(state)
    >>> state.apply(action)
    >>> state.player, twin.player
    (1, 0)
    """

    __slots__ = ("__weakref__", "_game", "_handle", "_list", "_pointer", "_status")

    def __init__(self, game: Game, position: str | None = None) -> None:
        text = None if position is None else position.encode()
        self._adopt(game, _lib.open("new_state", game._handle.number, text))

    def _adopt(self, game: Game, handle: _lib.Handle) -> None:
        self._game = game
        self._handle = handle
        self._status: int = _lib.call("status", handle.number)
        # The array into which the library writes the legal actions, with its address and length.
        self._list: tuple[NDArray[np.int32], int, int] | None = None

    @classmethod
    def _of(cls, game: Game, handle: _lib.Handle) -> State:
        state = cls.__new__(cls)
        state._adopt(game, handle)
        return state

    @property
    def game(self) -> Game:
        """The game of the state."""
        return self._game

    @property
    def player(self) -> int:
        """The player to move, 0 or 1; -1 when the game is over."""
        return (self._status & 3) - 1

    @property
    def terminal(self) -> bool:
        """Whether the game is over."""
        return not self._status & 3

    @property
    def result(self) -> float | None:
        """What player 0 has: 1.0 for a win, 0.5 for a draw, 0.0 for a loss; None while the game runs."""
        return None if self._status & 3 else (self._status >> 2 & 3) / 2

    def returns(self) -> tuple[float, float]:
        """Returns +1.0, 0.0 or -1.0 for each player; zeros while the game runs."""
        if self._status & 3:
            return 0.0, 0.0
        first = float((self._status >> 2 & 3) - 1)
        return first, 0.0 - first

    @property
    def reason(self) -> str | None:
        """Why the game ended, one of ``Spec.reasons``; None while it runs."""
        return None if self._status & 3 else self._game.spec.reasons[self._status >> 4 & 255]

    @property
    def plies(self) -> int:
        """Plies played since the position was set up."""
        return self._status >> 12

    @property
    def hash(self) -> int:
        """A 64-bit key of the position without its counters and repetitions."""
        key = np.zeros(1, np.uint64)
        _check(_lib.lib.st_hash(self._handle.number, _lib.address(key)))
        return int(key[0])

    @property
    def points(self) -> tuple[int, int] | None:
        """The points of each player; None if the game does not count points."""
        if not self._game.spec.has_score:
            return None
        points = np.zeros(2, np.int64)
        _check(_lib.lib.st_points(self._handle.number, _lib.address(points)))
        return int(points[0]), int(points[1])

    def apply(self, action: int) -> None:
        """Plays an action. It raises ``IllegalActionError`` if the action is not legal; the state is then unchanged."""
        status = _lib.lib.st_apply(self._handle.number, index(action))
        if status < 0:
            raise _lib.error(status)
        self._status = status

    def legal_actions(self) -> NDArray[np.int32]:
        """Returns the legal actions in ascending order, int32 ``(k,)``; empty when the game is over."""
        if self._list is None:
            array = np.empty(self._game.spec.list_size, np.int32)
            self._list = array, _lib.address(array), array.size
        array, address, size = self._list
        count = _lib.lib.st_legal(self._handle.number, address, size)
        if count < 0:
            raise _lib.error(count)
        return array[:count].copy()

    def legal_mask(self) -> NDArray[np.int8]:
        """Returns the legal actions as int8 ``(A,)``: 1 for a legal action, else 0."""
        mask = np.empty(self._game.spec.actions, np.int8)
        _check(_lib.lib.st_mask(self._handle.number, mask.ctypes.data, mask.size))
        return mask

    def observe(self, viewer: int | None = None) -> NDArray[np.uint8]:
        """Returns the observation planes, uint8 ``(P, H, W)``.

        Args:
            viewer: The player who looks. None means the player to move and, when the game is over, the opponent of
                the player who moved last.
        """
        planes = np.empty(self._game.spec.observation_shape, np.uint8)
        seen_by = -1 if viewer is None else index(viewer)
        _check(_lib.lib.st_observe(self._handle.number, seen_by, planes.ctypes.data, planes.size))
        return planes

    def observe_bits(self, viewer: int | None = None) -> tuple[NDArray[np.uint64], NDArray[np.uint8]]:
        """Returns the packed observation: words, uint64 ``(W,)``, and scalars, uint8 ``(S,)``."""
        spec = self._game.spec
        bits, scalars = np.empty(spec.bit_words, np.uint64), np.empty(spec.scalars, np.uint8)
        _lib.call("observe_bits", self._handle.number, -1 if viewer is None else viewer, bits, scalars)
        return bits, scalars

    def play(self, actions: Iterable[int], bits: bool = False) -> dict[str, NDArray[Any]]:
        """Plays actions and returns what each mover saw; ``Game.replay`` describes the arrays."""
        spec = self._game.spec
        moves = np.array(list(actions) if not isinstance(actions, np.ndarray) else actions, np.int32)
        n = len(moves)
        out: dict[str, NDArray[Any]] = {
            "player": np.empty(n, np.int8),
            "mask": np.empty((n, spec.mask_words), np.uint64),
        }
        if bits:
            out["bits"] = np.empty((n, spec.bit_words), np.uint64)
            out["scalars"] = np.empty((n, spec.scalars), np.uint8)
        else:
            out["obs"] = np.empty((n, *spec.observation_shape), np.uint8)
        for begin in range(0, n, _CHUNK):
            part = slice(begin, begin + _CHUNK)
            memory = [out[name][part] if name in out else None for name in ("player", "obs", "bits", "scalars", "mask")]
            self._status = _lib.call("play", self._handle.number, moves[part], memory)
        return out

    def action_text(self, action: int) -> str:
        """Returns the move text of a legal action."""
        return _lib.read("action_text", self._handle.number, action).decode()

    def parse_action(self, text: str) -> int:
        """Returns the legal action of a move text. The ``ValueError`` for another text states what is wrong with it."""
        return _lib.call("parse_action", self._handle.number, text.encode())

    def image(self, symmetry: int, actions: Iterable[int]) -> NDArray[np.int32]:
        """Returns the images of legal actions under ``spec.symmetries[symmetry]``, int32."""
        images = np.array(list(actions), np.int32)
        _lib.call("image", self._handle.number, symmetry, images)
        return images

    def position(self) -> str:
        """Returns the position as one line of text, without its history."""
        return _lib.read("position", self._handle.number).decode()

    def set_position(self, text: str) -> None:
        """Sets up the position of a text, with a history that begins there."""
        self._status = _lib.call("set_position", self._handle.number, text.encode())

    def clone(self) -> State:
        """Returns a copy with the same history."""
        return State._of(self._game, _lib.open("clone", self._handle.number))

    def copy_from(self, other: State) -> None:
        """Makes this state equal to another state of the same game. It is faster than ``clone``."""
        self._status = _lib.call("copy_from", self._handle.number, other._handle.number)

    def snapshot(self) -> bytes:
        """Returns the state with its history as bytes. They have a version, and a checksum."""
        return _lib.read("snapshot", self._handle.number)

    @classmethod
    def restore(cls, game: Game, data: bytes) -> State:
        """Returns the state of a snapshot. ``game`` must have the rules with which it was made."""
        return cls._of(game, _lib.open("restore", game._handle.number, data))

    def svg(self, width: int | None = None, viewer: int = 0, bare: bool = False) -> str:
        """Returns a picture of the position as SVG.

        Args:
            width: In pixels; None means the natural width.
            viewer: The player at whose side the board is seen.
            bare: Whether to leave out coordinates, legend and captions.
        """
        return _lib.read("svg", self._handle.number, width or 0, viewer, int(bare)).decode()

    def rgb_array(self, size: int | None = None, viewer: int = 0, bare: bool = False) -> NDArray[np.uint8]:
        """Returns a picture of the position, uint8 ``(height, size, 3)``.

        Args:
            size: Width in pixels; None means 512.
            viewer: The player at whose side the board is seen.
            bare: Whether to leave out coordinates, legend and captions.
        """
        width = 512 if size is None else size
        if not 1 <= width <= 8192:
            raise ValueError(f"size is {size}, must be 1 to 8192")
        # Most boards are less than twice as high as wide.
        pixels = np.empty(6 * width * width, np.uint8)
        while (length := _lib.call("pixels", self._handle.number, width, viewer, int(bare), pixels)) > pixels.size:
            pixels = np.empty(length, np.uint8)
        return pixels[:length].reshape(-1, width, 3)

    def __str__(self) -> str:
        return _lib.read("text", self._handle.number).decode()

    def __repr__(self) -> str:
        return f"<sandtable.State {self._game.variant} {self.position()}>"

    def _repr_svg_(self) -> str:
        return self.svg()

    def __copy__(self) -> State:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> State:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        return State.restore, (self._game, self.snapshot())
