"""Data sets: a training loader, tables of episodes and plies, and exports.

A data set is a folder that the command ``sandtable farm`` has written: a manifest and Parquet files with a row for each
episode and for each ply. ``Loader`` replays its games in Go and returns shuffled batches for training. ``load_dataset``
returns the tables; it needs the package pyarrow or polars.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _lib
from .game import Game, load
from .spec import Spec

Folder = str | os.PathLike[str]


@dataclass(frozen=True)
class Newest:
    """A window of the newest episodes."""

    episodes: int


@dataclass(frozen=True)
class KataGo:
    """The growing window of KataGo: of N plies, the newest ``c * (1 + b * ((N / c) ** a - 1) / a)`` take part.

    ``a`` is ``alpha``, ``b`` is ``beta`` and ``c`` is ``plies``. While N is less, all plies take part. The window
    has whole episodes.
    """

    plies: int = 250_000
    alpha: float = 0.75
    beta: float = 0.4


@dataclass(frozen=True, eq=False)
class Rows:
    """A batch of B positions. Everything is from the view of the player to move, the mover.

    The lists of the rows follow one another: those of row i are elements ``offsets[i]`` to ``offsets[i + 1]``.
    """

    bits: NDArray[np.uint64]
    """Packed observations: ``(B, W)``. ``unpack`` and ``sandtable.torch.Unpack`` make planes of them."""
    scalars: NDArray[np.uint8]
    """Values of the uniform planes: ``(B, S)``."""
    legal_offsets: NDArray[np.int32]
    """``(B + 1,)``."""
    legal_actions: NDArray[np.int32]
    """Legal actions, ascending in each row: ``(L,)``."""
    policy: NDArray[np.float32]
    """Policy target of each legal action: ``(L,)``. A row adds up to its ``policy_weight``."""
    policy_weight: NDArray[np.float32]
    """1, or 0 if the position has no policy target: ``(B,)``."""
    value: NDArray[np.float32]
    """1 for a win, -1 for a loss, 0 for a draw or an unknown result: ``(B,)``."""
    value_weight: NDArray[np.float32]
    """1, or 0 if the game was truncated: ``(B,)``."""
    wdl: NDArray[np.uint8]
    """Class of the result: 0 won, 1 drawn or unknown, 2 lost: ``(B,)``."""
    score: NDArray[np.float32]
    """Own minus enemy points at the end; 0 in games without points: ``(B,)``."""
    search_value: NDArray[np.float32]
    """Value that the search of the agent found, -1 to 1; NaN if there is none: ``(B,)``."""
    next_offsets: NDArray[np.int32]
    """``(B + 1,)``."""
    next_actions: NDArray[np.int32]
    """The opponent's reply: actions in the opponent's frame, ``(N,)``. A row has none if the game ended there."""
    next_policy: NDArray[np.float32]
    """Policy target of each of them: ``(N,)``."""
    weight: NDArray[np.float32]
    """Importance weight; 1 unless ``correction`` is positive: ``(B,)``."""
    episode: NDArray[np.int64]
    """Number of the episode within its data set: ``(B,)``."""
    set: NDArray[np.int32]
    """Index of the data set: ``(B,)``."""
    ply: NDArray[np.int32]
    """Plies before the position: ``(B,)``."""
    symmetry: NDArray[np.uint8]
    """0, or 1 + the index in ``Spec.symmetries`` of the symmetry that the row went through: ``(B,)``."""

    def __len__(self) -> int:
        return len(self.value)

    @staticmethod
    def empty(spec: Spec, rows: int, legal: int, replies: int) -> Rows:
        """Returns rows with undefined content."""
        f4, i4, u1 = np.float32, np.int32, np.uint8
        return Rows(
            np.empty((rows, spec.bit_words), np.uint64), np.empty((rows, spec.scalars), u1),
            np.empty(rows + 1, i4), np.empty(legal, i4), np.empty(legal, f4), np.empty(rows, f4),
            np.empty(rows, f4), np.empty(rows, f4), np.empty(rows, u1), np.empty(rows, f4), np.empty(rows, f4),
            np.empty(rows + 1, i4), np.empty(replies, i4), np.empty(replies, f4),
            np.empty(rows, f4), np.empty(rows, np.int64), np.empty(rows, i4), np.empty(rows, i4), np.empty(rows, u1),
        )  # fmt: skip

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Returns the arrays by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


class Loader:
    """Shuffled batches of positions from one or several data sets of one rule set.

    Go draws episodes, replays them and shuffles their positions in a bounded buffer, in its own threads. The stream
    depends on the data sets and the arguments, and not on ``threads`` or ``batch``. ``save`` and ``restore`` resume it
    exactly. A loader must not be used by two threads at the same time.

    >>> import sandtable.data  # doctest: +SKIP
    >>> for rows in sandtable.data.Loader("runs/trench", batch=256, epochs=1, symmetry=True):  # doctest: +SKIP
    ...     train(rows.bits, rows.scalars, rows.policy, rows.value)

    Args:
        folders: A data set or several, oldest first.
        batch: Number of rows; the last batch of the epochs may have fewer.
        window: Which episodes take part: all, the newest ones, or those of KataGo's growing window.
        shuffle: Positions that are shuffled together, at least. Two such blocks are in memory: a row of Trench takes
            about 0.4 KB, and one of Tank Chess 3 KB.
        positions: Positions of each drawn episode, chosen uniformly; None takes all.
        min_ply: Leaves out the positions before this ply.
        openings: Keeps positions in which the opening was played. They have no policy target.
        drop_fast: Leaves out positions whose search a playout cap shortened. Otherwise they have no policy target.
        keep_truncated: Keeps the games without a result. They have no value target.
        symmetry: Replaces each position by its image under a random symmetry of the game.
        epochs: Draws each episode this often, in random order, and ends. None draws with replacement, without end.
        correction: Exponent of the importance weights of weighted draws, from 0 to 1.
        seed: Seed of all random choices.
        rank, world: Of all draws, this loader takes those with number ``rank`` modulo ``world``.
        threads: Threads that replay; 0 means all cores. The stream does not depend on it.
    """

    def __init__(
        self,
        folders: Folder | Sequence[Folder],
        batch: int = 4096,
        *,
        window: Newest | KataGo | None = None,
        shuffle: int = 65_536,
        positions: int | None = None,
        min_ply: int = 0,
        openings: bool = False,
        drop_fast: bool = False,
        keep_truncated: bool = False,
        symmetry: bool = False,
        epochs: int | None = None,
        correction: float = 0.0,
        seed: int = 0,
        rank: int = 0,
        world: int = 1,
        threads: int = 0,
    ) -> None:
        self.folders = tuple(str(f) for f in _folders(folders))
        self.batch = batch
        limits: dict[str, Any] = {}
        if isinstance(window, Newest):
            limits["episodes"] = window.episodes
        elif isinstance(window, KataGo):
            limits["growing"] = {"plies": window.plies, "alpha": window.alpha, "beta": window.beta}
        elif window is not None:
            raise ValueError(f"window is {window!r}, must be Newest, KataGo or None")
        if positions is not None and positions < 1:
            raise ValueError(f"positions is {positions}, must be 1 or more, or None for all")
        if epochs is not None and epochs < 1:
            raise ValueError(f"epochs is {epochs}, must be 1 or more, or None for a stream without end")
        self._options: dict[str, Any] = {
            "shuffle": shuffle, "window": limits, "positions": positions or 0, "min_ply": min_ply,
            "openings": openings, "drop_fast": drop_fast, "keep_truncated": keep_truncated, "symmetry": symmetry,
            "epochs": epochs or 0, "correction": correction, "seed": str(seed), "rank": rank, "world": world,
            "threads": threads,
        }  # fmt: skip
        self._open()

    def _open(self) -> None:
        text = json.dumps({"dirs": self.folders, "options": self._options}).encode()
        self._handle = _lib.open("loader", text)
        self._sizes = np.zeros(3, np.int64)
        description = json.loads(_lib.read("loader_describe", self._handle.number))
        self.game = load(json.dumps(description["rules"]))

    def next(self) -> Rows | None:
        """Returns the next batch in new arrays, or None at the end of the epochs."""
        number = self._handle.number
        if _lib.call("loader_prepare", number, self.batch) == 0:
            return None
        _lib.call("loader_sizes", number, self._sizes)
        rows = Rows.empty(self.game.spec, *self._sizes.tolist())
        _lib.call("loader_fill", number, list(rows.arrays().values()))
        return rows

    def __iter__(self) -> Iterator[Rows]:
        while (rows := self.next()) is not None:
            yield rows

    def save(self) -> bytes:
        """Returns the place in the stream, as JSON text."""
        return _lib.read("loader_save", self._handle.number)

    def restore(self, state: bytes) -> None:
        """Moves to a place that ``save`` returned, of a loader with equal arguments."""
        _lib.call("loader_restore", self._handle.number, state)

    def refresh(self) -> int:
        """Looks for new episodes and returns the number of all. They take part from the block after the next one."""
        return _lib.call("loader_refresh", self._handle.number)

    def episodes(self) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Returns the data set and the number of every episode, oldest first."""
        n = _lib.call("loader_episodes", self._handle.number, None, None)
        sets, numbers = np.empty(n, np.int32), np.empty(n, np.int64)
        if n:
            _lib.call("loader_episodes", self._handle.number, sets, numbers)
        return sets, numbers

    def set_weights(self, weights: ArrayLike | None) -> None:
        """Sets the weights with which episodes are drawn, in the order of ``episodes``.

        Episodes that ``refresh`` finds later have the greatest weight. None makes all weights equal.
        """
        array = np.ascontiguousarray(() if weights is None else weights, np.float64)
        _lib.call("loader_weights", self._handle.number, array)

    def close(self) -> None:
        """Ends the threads and frees the memory of the loader. A second call does nothing."""
        self._handle.close()

    def __enter__(self) -> Loader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __getstate__(self) -> dict[str, Any]:
        return {"folders": self.folders, "batch": self.batch, "_options": self._options, "state": self.save()}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        place = saved.pop("state")
        self.__dict__.update(saved)
        self._open()
        self.restore(place)

    def __repr__(self) -> str:
        return f"<sandtable.data.Loader {self.game.variant} {', '.join(self.folders)}>"


def _folders(folders: Folder | Sequence[Folder]) -> list[Path]:
    if isinstance(folders, (str, os.PathLike)):
        return [Path(folders)]
    return [Path(f) for f in folders]


def unpack(spec: Spec, bits: NDArray[np.uint64], scalars: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Returns the observation planes uint8 ``(B, P, H, W)`` of packed observations."""
    rows, squares = len(bits), spec.height * spec.width
    words = -(-squares // 64)
    flat = np.unpackbits(bits.astype("<u8", copy=False).view(np.uint8), axis=1, bitorder="little")
    flat = flat.reshape(rows, -1, words * 64)[:, :, :squares]
    planes = np.zeros((rows, len(spec.planes), squares), np.uint8)
    bit = scalar = 0
    for i, plane in enumerate(spec.planes):
        if plane.uniform:
            planes[:, i] = scalars[:, scalar, None]
            scalar += 1
            continue
        for j in range(plane.maximum.bit_length()):
            planes[:, i] |= flat[:, bit] << j
            bit += 1
    return planes.reshape(rows, *spec.observation_shape)


def replay(
    game: Game | str, actions: Sequence[int], start: str | None = None, bits: bool = False
) -> dict[str, NDArray[Any]]:
    """Plays the actions of an episode and returns the observations before each of them; see ``Game.replay``.

    ``actions`` and ``start`` are columns of the table of episodes.
    """
    return load(game).replay(actions, start, bits)


class DataSet:
    """The manifest of a data set.

    Args:
        folder: The folder of the data set.
    """

    def __init__(self, folder: Folder) -> None:
        self.folder = Path(folder)
        try:
            text = (self.folder / "manifest.json").read_text(encoding="utf-8")
        except FileNotFoundError:
            raise ValueError(f"{self.folder} is not a data set: it has no manifest.json") from None
        self.manifest: dict[str, Any] = json.loads(text)
        if (version := self.manifest.get("schema_version")) != 2:
            raise ValueError(f"{self.folder}: schema_version is {version}, this package reads 2")
        self.settings: dict[str, Any] = self.manifest["settings"]
        self.run: str = self.manifest["run"]
        self.variant: str = self.settings["variant"]
        self.digest: str = self.settings["digest"]
        self.agents: tuple[str, str] = tuple(self.settings["agents"])
        self.complete: bool = self.manifest["complete"]

    @cached_property
    def game(self) -> Game:
        """The game by whose rules the episodes were played."""
        return load(json.dumps(self.settings["rules"]))

    @property
    def episodes(self) -> int:
        """Number of episodes."""
        return sum(int(s["episodes"]["rows"]) for s in self.manifest["shards"])

    @property
    def plies(self) -> int:
        """Number of plies."""
        return sum(int(s["steps"]["rows"]) for s in self.manifest["shards"])

    def files(self, table: Literal["episodes", "steps"]) -> list[Path]:
        """Returns the Parquet files of a table."""
        if table not in ("episodes", "steps"):
            raise ValueError(f'table is {table!r}, must be "episodes" or "steps"')
        return [self.folder / s[table]["file"] for s in self.manifest["shards"]]

    def __repr__(self) -> str:
        return f"<sandtable.data.DataSet {self.folder}: {self.episodes} episodes of {self.variant}>"


def load_dataset(
    folder: Folder | Sequence[Folder],
    table: Literal["episodes", "steps"] = "episodes",
    *,
    columns: Sequence[str] | None = None,
    frame: Literal["pyarrow", "polars"] = "pyarrow",
) -> Any:
    """Returns a table of a data set, or of several, in the order of their files.

    Args:
        folder: A data set or several.
        table: ``"episodes"`` has a row for each game, with its actions as a list; ``"steps"`` one for each ply.
        columns: Names of the columns to read; None means all.
        frame: ``"pyarrow"`` returns a ``pyarrow.Table``, ``"polars"`` a ``polars.DataFrame``.
    """
    files = [file for one in _folders(folder) for file in DataSet(one).files(table)]
    if not files:
        raise ValueError(f"{folder} has no episodes")
    names = None if columns is None else list(columns)
    if frame == "polars":
        import polars

        return polars.concat([polars.read_parquet(file, columns=names) for file in files], how="diagonal_relaxed")
    if frame != "pyarrow":
        raise ValueError(f'frame is {frame!r}, must be "pyarrow" or "polars"')
    import pyarrow
    import pyarrow.parquet

    tables = [pyarrow.parquet.read_table(file, columns=names) for file in files]
    return pyarrow.concat_tables(tables, promote_options="default")


def card(folder: Folder, license: str = "unknown") -> str:
    """Returns a data set card: the text of a README.md in the form that the Hugging Face Hub reads.

    Args:
        folder: The data set, which must have episodes.
        license: Identifier of the licence of the data, such as ``"cc-by-4.0"``.
    """
    data = DataSet(folder)
    table = load_dataset(folder, columns=["plies", "result", "reason", "truncated"]).to_pydict()
    lengths = np.array(table["plies"])
    n = len(lengths)
    results = Counter({1: "won by the first player", 0: "drawn", -1: "won by the second player"}.get(r, "truncated")
                      for r in table["result"])  # fmt: skip
    size = next((name for limit, name in _SIZES if data.plies < limit), "n>1T")
    start = f"{data.settings['opening_plies']} plies of opening" if data.settings["opening_plies"] else "no opening"
    limit = f"{data.settings['max_plies']} plies" if data.settings["max_plies"] else "none"
    lines = [
        "---",
        f"license: {license}",
        f"pretty_name: {json.dumps(f'{data.game.title}: games of run {data.run}')}",
        "task_categories:",
        "- reinforcement-learning",
        "tags:",
        "- board-games",
        "- sandtable",
        f"- {data.game.spec.game}",
        "size_categories:",
        f"- {size}",
        "configs:",
        "- config_name: episodes",
        "  data_files: episodes/*.parquet",
        "  default: true",
        "- config_name: steps",
        "  data_files: steps/*.parquet",
        "---",
        "",
        f"# {data.game.title}: games of run {data.run}",
        "",
        f"{n:,} games with {data.plies:,} plies of `{data.variant}`, played by Sandtable.",
        "",
        f"{data.game.spec.description}",
        "",
        "| | |",
        "| --- | --- |",
        f"| rules | `{data.digest}` |",
        f"| player 0 and player 1 | `{data.agents[0]}`, `{data.agents[1]}` |",
        f"| before the agents play | {start} |",
        f"| limit | {limit} |",
        f"| seed | {data.settings['seed']} |",
        f"| plies of a game | median {np.median(lengths):.0f}, from {lengths.min()} to {lengths.max()} |",
        *(f"| {name} | {count:,} ({count / n:.1%}) |" for name, count in results.most_common()),
        "",
        "## Reasons for the end",
        "",
        "| reason | games |",
        "| --- | --- |",
        *(f"| {reason} | {count:,} |" for reason, count in Counter(table["reason"]).most_common()),
        "",
        "## Tables",
        "",
        "`episodes` has a row for each game: agents, start, actions, the result for player 0, and the reason.",
        "`steps` has a row for each ply: the action, and what the search of the agent found. An action number is in",
        f"the frame of its mover: {data.game.spec.encoding}",
        "",
        "```python",
        "import sandtable.data",
        "",
        'for rows in sandtable.data.Loader("FOLDER", batch=4096, epochs=1):',
        "    ...  # rows.bits, rows.policy, rows.value",
        "```",
        "",
    ]
    return "\n".join(lines)


_SIZES = (
    (10**3, "n<1K"), (10**4, "1K<n<10K"), (10**5, "10K<n<100K"), (10**6, "100K<n<1M"), (10**7, "1M<n<10M"),
    (10**8, "10M<n<100M"), (10**9, "100M<n<1B"), (10**10, "1B<n<10B"), (10**11, "10B<n<100B"), (10**12, "100B<n<1T"),
)  # fmt: skip


def to_minari(folder: Folder, name: str, *, episodes: int | None = None, **arguments: Any) -> Any:
    """Writes a data set as one of Minari and returns it.

    A step is a ply of either player: the observation is the mover's, and the reward is 0 except after the last ply,
    where it is the result for its mover. The info ``player`` has the mover of each step, and -1 after the last one. The
    observations are planes, so export small data sets, or a part of one.

    Args:
        folder: The data set.
        name: Id of the new data set, such as ``"trench/random-v0"``.
        episodes: How many episodes to write; None means all.
        arguments: Further arguments of ``minari.create_dataset_from_buffers``, such as ``author``.
    """
    import minari
    from gymnasium import spaces
    from minari.data_collector import EpisodeBuffer

    data = DataSet(folder)
    spec = data.game.spec
    highs = np.array([p.maximum for p in spec.planes], np.uint8)[:, None, None]
    high = np.broadcast_to(highs, spec.observation_shape)
    columns = ["start", "actions", "result", "terminated", "seed"]
    table = load_dataset(folder, columns=columns).slice(0, episodes)
    buffers: list[Any] = []
    for row in table.to_pylist():
        state = data.game.new_state(row["start"])
        seen, players = [], []
        for action in row["actions"]:
            seen.append(state.observe())
            players.append(state.player)
            state.apply(action)
        n = len(players)
        if n == 0:
            continue
        seen.append(state.observe(1 - players[-1]))
        rewards = np.zeros(n, np.float32)
        if row["result"] is not None:
            rewards[-1] = row["result"] * (1 - 2 * players[-1])
        ends = np.zeros(n, bool)
        ends[-1] = True
        buffers.append(
            EpisodeBuffer(
                id=len(buffers),
                seed=int(row["seed"]),
                observations=np.stack(seen),
                actions=np.array(row["actions"], np.int64),
                rewards=rewards.tolist(),
                terminations=(ends & row["terminated"]).tolist(),
                truncations=(ends & (not row["terminated"])).tolist(),
                infos={"player": np.array([*players, -1], np.int8)},
            )
        )
    about = f"{len(buffers)} games of {data.variant}, played by Sandtable (run {data.run})."
    arguments.setdefault("description", about)
    return minari.create_dataset_from_buffers(
        name, buffers, action_space=spaces.Discrete(spec.actions),
        observation_space=spaces.Box(np.zeros_like(high), high, dtype=np.uint8), jpeg_encoding=False, **arguments,
    )  # fmt: skip
