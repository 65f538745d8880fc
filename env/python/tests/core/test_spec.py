"""The factors of action numbers and the planes of slots, against games."""

from __future__ import annotations

import numpy as np
import pytest

import sandtable


@pytest.mark.parametrize("variant", sandtable.games())
def test_tuples_number_the_actions(variant):
    spec = sandtable.load(variant).spec
    tuples = spec.action_tuples
    assert tuples.shape == (spec.actions, len(spec.action_factors))
    free = (tuples < 0).any(axis=1)
    assert (tuples[free] == -1).all()
    assert len(np.unique(tuples[~free], axis=0)) == (~free).sum()
    assert (tuples.max(axis=0) == [factor.size - 1 for factor in spec.action_factors]).all()


@pytest.mark.parametrize("variant", ["tankchess/16x16", "tankchess/lakes"])
def test_slot_planes_show_where_the_pieces_stand(variant):
    game = sandtable.load(variant)
    spec, rng = game.spec, np.random.default_rng(3)
    slots = spec.action_tuples[:, 0]
    state = game.new_state()
    while not state.terminal and state.plies < 60:
        legal = state.legal_actions()
        planes = state.observe()[list(spec.slot_planes)]
        movable = np.unique(slots[legal])
        assert (planes[movable[movable >= 0]].sum(axis=(1, 2)) == 1).all()
        state.apply(int(rng.choice(legal)))


def test_houses_and_squares_need_no_slots():
    for variant in ("trench/standard", "ntxuva/basic"):
        spec = sandtable.load(variant).spec
        first = spec.action_factors[0]
        assert not spec.slot_planes
        assert (np.array(first.squares)[spec.action_tuples[:, 0]] == spec.action_cells[:, 1]).all()
