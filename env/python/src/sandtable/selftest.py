"""Checks an installation in a few seconds: ``python -m sandtable.selftest``."""

from __future__ import annotations

import copy
import pickle
import sys
import time

import numpy as np

import sandtable


def main() -> None:
    """Plays every variant in several ways, compares them, and prints what was checked."""
    begin = time.perf_counter()
    print(f"sandtable {sandtable.__version__}, Python {sys.version.split()[0]}, numpy {np.__version__}")
    for variant in sandtable.games():
        game = sandtable.load(variant)
        plies = check_state(game)
        steps = check_batch(game)
        print(f"  {variant}: {plies} plies of a state, {steps} steps of a batch")
    check_agent()
    print("  agents: greedy beats random on ntxuva/basic")
    print(f"all checks passed in {time.perf_counter() - begin:.1f} s")


def check(holds: bool, what: str) -> None:
    if not holds:
        sys.exit(f"sandtable.selftest: failed: {what}")


def check_state(game: sandtable.Game) -> int:
    """Plays a game at random; its views must agree, and its copies must continue identically."""
    generator = np.random.default_rng(1)
    state = game.new_state()
    while not state.terminal and state.plies < 60:
        actions = state.legal_actions()
        check(np.array_equal(np.flatnonzero(state.legal_mask()), actions), f"{game.variant}: legal list and mask agree")
        action = int(generator.choice(actions))
        check(state.parse_action(state.action_text(action)) == action, f"{game.variant}: move texts are read back")
        state.apply(action)
    for twin in (copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        check(twin.hash == state.hash and twin.position() == state.position(), f"{game.variant}: copies are equal")
        check(np.array_equal(twin.observe(), state.observe()), f"{game.variant}: copies look the same")
    check("<svg" in state.svg(), f"{game.variant}: pictures are made")
    return state.plies


def check_batch(game: sandtable.Game, n: int = 8, steps: int = 40) -> int:
    """Plays a batch against a random opponent; a saved batch must continue identically."""
    with sandtable.Batch(game, n, opponent="random", threads=1) as batch:
        batch.reset(1)
        for _ in range(steps):
            batch.step(batch.sample())
        with copy.deepcopy(batch) as twin:
            for _ in range(steps):
                batch.step(batch.sample())
                twin.step(twin.sample())
            check(np.array_equal(batch.obs, twin.obs), f"{game.variant}: a copied batch continues identically")
            check(batch.save() == twin.save(), f"{game.variant}: saved batches are equal")
    return 2 * n * steps


def check_agent() -> None:
    result = sandtable.match("ntxuva/basic", "greedy", "random", pairs=20)
    check(result.score > 0.5, f"greedy scores {result.score} against random")


if __name__ == "__main__":
    main()
