"""The static facts of a rule set: sizes of arrays, observation planes, actions, pieces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Plane:
    """One plane of the observation."""

    name: str
    description: str
    maximum: int
    """The greatest value of an element."""
    uniform: bool
    """Whether all elements of the plane are equal in every position."""


@dataclass(frozen=True)
class PieceType:
    """One type of piece."""

    name: str
    symbol: str
    count: tuple[int, int]
    """Pieces of each player at the start."""
    turns: bool
    """Whether its pieces face a direction."""
    attributes: Mapping[str, int]
    """Numbers such as the longest move, by name."""


@dataclass(frozen=True)
class End:
    """One way in which a game can end."""

    reason: str
    description: str
    house_rule: bool
    """Whether the published rules do not have this end."""


@dataclass(frozen=True)
class Symmetry:
    """A symmetry of the rules, in the mover's frame."""

    name: str
    squares: tuple[int, ...]
    """Element ``i`` of every observation plane moves to element ``squares[i]``."""
    planes: tuple[int, ...]
    """Plane ``p`` becomes plane ``planes[p]``."""


@dataclass(frozen=True, eq=False)
class Spec:
    """The static facts of a rule set. ``Game.spec`` returns it."""

    game: str
    name: str
    description: str
    source: str
    players: tuple[str, str]
    height: int
    width: int
    start: str
    """Position text of the start."""
    has_score: bool
    """Whether ``State.points`` counts points."""

    actions: int
    """Number of actions ``A``: an action is 0 to ``A - 1``, in the mover's frame."""
    encoding: str
    """How an action number is composed."""
    max_legal: int
    """An upper bound of the number of legal actions in a position."""
    list_size: int
    """Length of an array that holds the legal actions of any position."""
    mask_words: int
    """Words of a row of packed legal actions: bit ``a % 64`` of word ``a // 64`` stands for action ``a``."""
    action_planes: tuple[str, ...]
    """Names of the planes of a convolutional policy."""
    action_cells: NDArray[np.int16]
    """Plane and square of each action in ``action_planes``, in the mover's frame: ``(A, 2)``."""

    planes: tuple[Plane, ...]
    bit_words: int
    """Words ``W`` of a packed observation."""
    scalars: int
    """Bytes ``S`` beside the words: the values of the uniform planes, in their order."""

    pieces: tuple[PieceType, ...]
    ends: tuple[End, ...]
    reasons: tuple[str, ...]
    """Names of the reasons with which a game can end, by number; 0 is ``"none"``."""
    symmetries: tuple[Symmetry, ...]
    """The symmetries besides the identity. ``State.image`` maps actions."""

    @property
    def observation_shape(self) -> tuple[int, int, int]:
        """The shape ``(P, H, W)`` of the observation planes."""
        return len(self.planes), self.height, self.width
