"""Board games of manoeuvre for reinforcement learning, at the speed of their Go engines.

``load`` returns a ``Game``; ``State`` is one position, ``Batch`` plays thousands of games side by side, ``Agent`` and
``match`` play them. The modules ``gym``, ``pettingzoo``, ``sb3``, ``torchrl``, ``openspiel``, ``data`` and ``torch``
need the packages of the extra with the same name.

The library of the package is loaded by the first call, not by the import.
"""

from importlib.metadata import PackageNotFoundError, version

from ._platform import check as _check_platform
from .agents import Agent, MatchResult, match
from .batch import Batch
from .errors import (
    BusyError,
    ClosedError,
    Error,
    ForkedError,
    IllegalActionError,
    UnsupportedPlatformError,
)
from .game import Game, games, load
from .spec import Spec
from .state import State

_check_platform()

try:
    __version__ = version("sandtable")
except PackageNotFoundError:  # used from a checkout without an install
    __version__ = "0"

__all__ = [
    "Agent",
    "Batch",
    "BusyError",
    "ClosedError",
    "Error",
    "ForkedError",
    "Game",
    "IllegalActionError",
    "MatchResult",
    "Spec",
    "State",
    "UnsupportedPlatformError",
    "games",
    "load",
    "match",
]
