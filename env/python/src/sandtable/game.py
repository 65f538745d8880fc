"""Games: loaded rule sets."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import numpy as np

from . import _lib
from .errors import Error
from .spec import ActionFactor, End, PieceType, Plane, Spec, Symmetry

if TYPE_CHECKING:
    from .state import State


def games() -> tuple[str, ...]:
    """Returns the variants that the package contains, the default of each game first.

    >>> import sandtable
    >>> sandtable.games()[0]
    'trench/standard'
    """
    return tuple(json.loads(_lib.read("games")))


def load(variant: str | os.PathLike[str] | Game, overrides: Mapping[str, Any] | None = None) -> Game:
    """Returns the game of a variant.

    Args:
        variant: A name of ``games()``, the path of a rule file, the JSON text of a rule file, or a game.
        overrides: Rule parameters to change, as a JSON merge patch (RFC 7396): members of objects within the rules are
            merged, and None removes a member.

    >>> import sandtable
    >>> sandtable.load("trench/standard").spec.actions
    2560
    >>> sandtable.load("trench/standard", {"target_points": 20}).variant
    'trench/standard{"target_points":20}'
    """
    if isinstance(variant, Game):
        return variant if not overrides else _open(rules=variant.rules, overrides=dict(overrides))
    changes = {"overrides": dict(overrides)} if overrides else {}
    text = os.fspath(variant)
    if text.lstrip().startswith("{"):
        return _open(rules=text, **changes)
    if isinstance(variant, os.PathLike) or text.endswith(".json"):
        text = "@" + text.removeprefix("@")
    return _open(variant=text, **changes)


_opened: WeakValueDictionary[tuple[str, str], Game] = WeakValueDictionary()


def _open(**source: Any) -> Game:
    handle = _lib.open("load", json.dumps(source).encode())
    description = json.loads(_lib.read("describe", handle.number))
    # The states of a game can be copied to each other only if they share its handle.
    key = (description["variant"], description["digest"])
    return _opened.setdefault(key, Game(handle, description))


def _reload(variant: str, rules: str, digest: str) -> Game:
    """Returns the game of a pickle. A rule file may be elsewhere, so the pickle has the rules too."""
    for source in ({"variant": variant}, {"rules": rules}):
        try:
            game = _open(**source)
        except ValueError:
            continue
        if game.digest == digest:
            return game
    raise Error(f"this version of sandtable plays {variant} differently from the version that wrote the pickle")


class Game:
    """A rule set. It is immutable; ``load`` returns it, and any number of threads may use it.

    Games are equal if their digests are, which means that they play by the same rules.
    """

    variant: str
    """The variant, in its shortest form."""
    title: str
    """The name of the game, such as ``"Trench"``."""
    digest: str
    """``"sha256:"`` and a hash of the rules."""
    rules: str
    """The complete rules as JSON text."""

    def __init__(self, handle: _lib.Handle, description: dict[str, Any]) -> None:
        self._handle = handle
        self._description = description
        self.variant = description["variant"]
        self.title = description["title"]
        self.digest = description["digest"]
        self.rules = json.dumps(description["rules"])

    @cached_property
    def spec(self) -> Spec:
        """The static facts of the rule set."""
        return _spec(self._description)

    def new_state(self, position: str | None = None) -> State:
        """Returns a state at the start, or at the position of a text.

        >>> import sandtable
        >>> state = sandtable.load("ntxuva/basic").new_state()
        >>> state.apply(state.legal_actions()[0])
        >>> state.player
        1
        """
        from .state import State

        return State(self, position)

    def replay(
        self, actions: Iterable[int], start: str | None = None, bits: bool = False
    ) -> dict[str, np.ndarray[Any, Any]]:
        """Plays actions and returns what the player to move sees before each of the n actions.

        Args:
            actions: The actions, which must be legal.
            start: Text of the start position; None means the start of the game.
            bits: Whether the observations are packed.

        Returns:
            ``player`` int8 ``(n,)``, ``mask`` uint64 ``(n, mask_words)`` with a bit for each legal action, and either
            ``obs`` uint8 ``(n, P, H, W)`` or ``bits`` uint64 ``(n, W)`` and ``scalars`` uint8 ``(n, S)``.
        """
        from .state import State

        return State(self, start).play(actions, bits)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"<sandtable.Game {self.variant}>"

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _reload, (self.variant, self.rules, self.digest)


def _spec(d: dict[str, Any]) -> Spec:
    cells = np.array(d["action_cells"], np.int16).reshape(-1, 2)
    cells.flags.writeable = False
    return Spec(
        game=d["game"],
        name=d["variant"],
        description=d["description"],
        source=d["source"],
        players=tuple(d["players"]),
        height=d["height"],
        width=d["width"],
        start=d["start"],
        has_score=d["has_score"],
        actions=d["actions"],
        encoding=d["encoding"],
        max_legal=d["max_legal"],
        list_size=d["list_size"],
        mask_words=d["mask_words"],
        action_planes=tuple(d["action_planes"]),
        action_cells=cells,
        action_factors=tuple(
            ActionFactor(f["name"], f["description"], f["size"], tuple(f["squares"])) for f in d["action_factors"]
        ),
        slot_planes=tuple(d["slot_planes"]),
        planes=tuple(Plane(p["name"], p["description"], p["maximum"], p["uniform"]) for p in d["planes"]),
        bit_words=d["bit_words"],
        scalars=d["scalars"],
        pieces=tuple(
            PieceType(p["name"], p["symbol"], tuple(p["count"]), p["turns"], p["attributes"]) for p in d["pieces"]
        ),
        ends=tuple(End(e["reason"], e["description"], e["house_rule"]) for e in d["ends"]),
        reasons=tuple(d["reasons"]),
        symmetries=tuple(Symmetry(s["name"], tuple(s["squares"]), tuple(s["planes"])) for s in d["symmetries"]),
    )
