"""Registers the games with Gymnasium; the entry point that Gymnasium calls when it is imported."""

from __future__ import annotations

DEFAULTS = {
    "Sandtable/Trench-v0": "trench/standard",
    "Sandtable/Ntxuva-v0": "ntxuva/basic",
    "Sandtable/TankChess-v0": "tankchess/16x16",
    "Sandtable/TankBattle-v0": "tankbattle/standard",
}
"""The registered ids, each with its default variant."""


def register() -> None:
    """Registers an id for each game. Other variants of the game are chosen with the argument ``variant``."""
    # gymnasium.vector is not yet importable here, so the entry points are strings.
    from gymnasium.envs.registration import register, registry

    for name, variant in DEFAULTS.items():
        if name not in registry:
            register(
                id=name,
                entry_point="sandtable.gym:Env",
                vector_entry_point="sandtable.gym:VecEnv",
                kwargs={"variant": variant},
                # An action must be legal, so the order of calls is checked by the engine.
                order_enforce=False,
                disable_env_checker=True,
            )
