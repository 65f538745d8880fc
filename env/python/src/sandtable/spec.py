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
class ActionFactor:
    """One part of an action, such as the start square or the direction."""

    name: str
    description: str
    """What the numbers mean."""
    size: int
    """The numbers are 0 to ``size - 1``."""
    squares: tuple[int, ...]
    """The square of each number in the mover's frame; empty if the numbers are not squares."""


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
    action_factors: tuple[ActionFactor, ...]
    """The parts of an action; ``action_tuples`` has their numbers. The first says which piece or house acts."""
    slot_planes: tuple[int, ...]
    """The observation plane of each number of the first factor, 1 on the square where that piece of the viewer stands,
    alive or as a wreck. It is empty if the first factor has ``squares``."""

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
    def action_tuples(self) -> NDArray[np.int64]:
        """The numbers of each action's factors, ``(A, F)``; -1 for actions without factors."""
        sizes = [factor.size for factor in self.action_factors]
        factored = int(np.prod(sizes))
        table = np.full((self.actions, len(sizes)), -1, np.int64)
        table[:factored] = np.stack(np.unravel_index(np.arange(factored), sizes), axis=1)
        return table

    @property
    def observation_shape(self) -> tuple[int, int, int]:
        """The shape ``(P, H, W)`` of the observation planes."""
        return len(self.planes), self.height, self.width
