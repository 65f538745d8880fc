"""Measures the speed of the package: ``python -m sandtable.bench``.

All measurements take turns in one run on one core, so that they meet the same machine. Each figure is the median of the
rounds, with the slowest and the fastest round.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

import sandtable

SLOTS = 1024
"""Games of a batch."""

Work = Callable[[], int]
"""Does a small piece of work and returns how many units it did."""


@dataclass(frozen=True)
class Row:
    """A figure of one subject, in units per second."""

    subject: str
    unit: str
    median: float
    slowest: float
    fastest: float


class MissingError(Exception):
    """A competitor is not installed."""


def load(module: str, distribution: str) -> Any:
    """Imports a competitor, or says what to install."""
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingError(f"{module} cannot be imported ({error}): pip install {distribution}") from error


def batch(variant: str) -> Work:
    """Random plies of both players in a batch with packed observations, lists and masks."""
    games = sandtable.Batch(variant, SLOTS, outputs=("bits", "list", "mask", "turns", "reward"), threads=1)
    games.reset(seed=1)
    actions = np.zeros(SLOTS, np.int32)

    def step() -> int:
        games.sample(actions)
        games.step(actions)
        return SLOTS

    return step


def vec_env(variant: str) -> Work:
    """Random steps of a Gymnasium VecEnv with packed observations against a random opponent."""
    load("gymnasium", "gymnasium")
    envs = import_module("sandtable.gym").VecEnv(variant, SLOTS, obs="bits", copy=False, threads=1)
    envs.reset(seed=1)

    def step() -> int:
        envs.step(envs.batch.sample())
        return SLOTS

    return step


def state(variant: str) -> Work:
    """Apply and the list of legal actions of a single state, in random games."""
    game, draw = sandtable.load(variant), np.random.default_rng(1)
    numbers = draw.random(1 << 12).tolist()
    current = game.new_state()

    def play() -> int:
        nonlocal current
        for number in numbers:
            legal = current.legal_actions()
            current.apply(int(legal[int(number * len(legal))]))
            if current.terminal:
                current = game.new_state()
        return len(numbers)

    return play


def turns(env: Any) -> Work:
    """Random turns of an environment of PettingZoo."""
    env.reset(seed=1)
    draw = np.random.default_rng(1)

    def play() -> int:
        for turn in range(200):
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                return turn + 1
            env.step(int(draw.choice(np.flatnonzero(observation["action_mask"]))))
        return 200

    return play


def ours_pettingzoo(variant: str) -> Work:
    """Random turns of the package's environment for PettingZoo."""
    load("pettingzoo", "pettingzoo")
    return turns(import_module("sandtable.pettingzoo").env(variant))


def loader(folder: str) -> Work:
    """Positions of the training loader."""
    batches = iter(import_module("sandtable.data").Loader(folder, batch=4096, threads=1))

    def draw() -> int:
        return len(next(batches).value)

    return draw


def against_pettingzoo() -> dict[str, Work]:
    chess = load("pettingzoo.classic.chess_v6", "'pettingzoo[classic]'")
    return {"PettingZoo chess_v6": turns(chess.env())}


def against_envpool() -> dict[str, Work]:
    envpool = load("envpool", "envpool==1.2.5")
    return {f"EnvPool {task}": envpool_steps(envpool, task) for task in ("Chess-v1", "Othello-v1")}


def envpool_steps(envpool: Any, task: str) -> Work:
    envs = envpool.make(task, env_type="gymnasium", num_envs=128, num_threads=1)
    _, first = envs.reset()
    info, draw = first, np.random.default_rng(1)

    def step() -> int:
        nonlocal info
        mask = info["legal_action_mask"]
        actions = np.argmax(draw.random(mask.shape, np.float32) * (mask > 0), axis=1)
        info = envs.step(actions.astype(np.int32))[4]
        return len(actions)

    return step


def against_pgx() -> dict[str, Work]:
    jax, pgx = load("jax", "jax"), load("pgx", "pgx")
    return {f"Pgx {name}": pgx_steps(jax, pgx, name) for name in ("chess", "othello")}


def pgx_steps(jax: Any, pgx: Any, name: str) -> Work:
    game, n = pgx.make(name), 128
    reset = jax.jit(jax.vmap(game.init))
    again = import_module("pgx.experimental").auto_reset(game.step, game.init)

    @jax.jit  # type: ignore[untyped-decorator]
    def step(states: Any, key: Any) -> Any:
        scores = jax.numpy.where(states.legal_action_mask, 0.0, -jax.numpy.inf)
        actions = jax.random.categorical(key, scores, axis=1)
        return jax.vmap(again)(states, actions, jax.random.split(key, n))

    key = jax.random.PRNGKey(1)
    states = reset(jax.random.split(key, n))

    def run() -> int:
        nonlocal key, states
        key, now = jax.random.split(key)
        states = jax.block_until_ready(step(states, now))
        return n

    return run


def against_openspiel() -> dict[str, Work]:
    pyspiel = load("pyspiel", "open_spiel")
    return {f"OpenSpiel {name}": openspiel_plies(pyspiel.load_game(name)) for name in ("chess", "othello")}


def openspiel_plies(game: Any) -> Work:
    draw = np.random.default_rng(1).random(4096).tolist()
    current = game.new_initial_state()

    def play() -> int:
        nonlocal current
        for number in draw:
            legal = current.legal_actions()
            current.apply_action(legal[int(number * len(legal))])
            if current.is_terminal():
                current = game.new_initial_state()
        return len(draw)

    return play


COMPETITORS: dict[str, Callable[[], dict[str, Work]]] = {
    "envpool": against_envpool,
    "pettingzoo": against_pettingzoo,
    "pgx": against_pgx,
    "openspiel": against_openspiel,
}


def measure(works: dict[str, tuple[str, Work]], rounds: int, seconds: float) -> list[Row]:
    """Measures all works in turn, ``rounds`` times, for about ``seconds`` each."""
    speeds: dict[str, list[float]] = {subject: [] for subject in works}
    for _, work in works.values():
        work()  # warm up
    for _ in range(rounds):
        for subject, (_, work) in works.items():
            done, begin = 0, time.perf_counter()
            while (elapsed := time.perf_counter() - begin) < seconds:
                done += work()
            speeds[subject].append(done / elapsed)
    return [
        Row(subject, works[subject][0], statistics.median(list_), min(list_), max(list_))
        for subject, list_ in speeds.items()
    ]


def go_rows(command: str, variant: str, rounds: int, seconds: float) -> list[Row]:
    """The speed of batches in Go alone, by the command ``sandtable bench``."""
    arguments = [command, "bench", variant, "--json", "--rounds", str(rounds), "--round", f"{round(seconds * 1000)}ms"]
    result = subprocess.run(arguments, capture_output=True, text=True, env={**os.environ, "GOMAXPROCS": "1"})
    if result.returncode != 0:
        raise MissingError(f"{' '.join(arguments)}: {result.stderr.strip()}")
    rows = []
    for row in json.loads(result.stdout)["rows"]:
        if row["cores"] == 1 and row["mode"] in ("batch", "batch-bits"):
            speed = row["plies_per_second"]
            subject = f"Go {row['mode']} {variant}"
            rows.append(Row(subject, "plies", speed["estimate"], speed["low"], speed["high"]))
    return rows


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m sandtable.bench", description="Measure the speed of the package.")
    parser.add_argument("--variant", default="trench/standard", help="the game (default %(default)s)")
    parser.add_argument("--against", default="", help=f"competitors, out of {','.join(COMPETITORS)}")
    parser.add_argument("--data", help="a data set for the training loader")
    parser.add_argument("--go", help="the sandtable command, to measure Go alone; the installed one if there is one")
    parser.add_argument("--rounds", type=int, default=7, help="rounds (default %(default)s)")
    parser.add_argument("--seconds", type=float, default=0.5, help="seconds of a round (default %(default)s)")
    parser.add_argument("--json", action="store_true", help="write JSON")
    options = parser.parse_args(arguments)
    options.against = [name for name in options.against.split(",") if name]
    for name in options.against:
        if name not in COMPETITORS:
            parser.error(f'--against is "{name}", must be one of {", ".join(COMPETITORS)}')
    if options.rounds < 1 or options.seconds <= 0:
        parser.error("--rounds must be 1 or more and --seconds more than 0")
    return options


def installed_command() -> str | None:
    """Returns the path of the sandtable command beside this Python, None if there is none."""
    path = Path(sys.executable).with_name("sandtable")
    return str(path) if path.exists() else None


def run(options: argparse.Namespace) -> list[Row]:
    """Measures what the options name."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    variant = options.variant
    works: dict[str, tuple[str, Work]] = {
        f"Batch {variant}": ("plies", batch(variant)),
        f"VecEnv {variant}": ("steps", vec_env(variant)),
        f"State {variant}": ("plies", state(variant)),
        f"PettingZoo {variant}": ("turns", ours_pettingzoo(variant)),
    }
    if options.data:
        works[f"Loader {options.data}"] = ("positions", loader(options.data))
    for name in options.against:
        unit = "turns" if name == "pettingzoo" else "plies"
        works.update({subject: (unit, work) for subject, work in COMPETITORS[name]().items()})
    command = options.go or installed_command()
    rows = go_rows(command, variant, options.rounds, options.seconds) if command else []
    return rows + measure(works, options.rounds, options.seconds)


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the figures and returns the exit code."""
    options = parse(arguments)
    try:
        rows = run(options)
    except MissingError as error:
        print(f"sandtable.bench: {error}", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps([asdict(row) for row in rows], indent=2))
        return 0
    for row in rows:
        print(f"{row.subject:36} {row.median:14,.0f} {row.unit}/s   {row.slowest:,.0f} to {row.fastest:,.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
