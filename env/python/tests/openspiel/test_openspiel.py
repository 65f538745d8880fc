"""The OpenSpiel game against OpenSpiel's own test and algorithms."""

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import exploitability, mcts, minimax
from open_spiel.python.observation import make_observation

import sandtable
from sandtable.openspiel import load_game

VARIANTS = ["trench/standard", "ntxuva/basic", "tankbattle/standard", "tankchess/16x16"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_random_games_with_serialisation(variant):
    # The test replays the game for each ply, so a limit keeps it short.
    pyspiel.random_sim_test(load_game(variant, max_plies=40), num_sims=2, serialize=True, verbose=False)


def test_random_games_to_their_ends():
    pyspiel.random_sim_test(load_game("ntxuva/4"), num_sims=2, serialize=True, verbose=False)


def test_max_plies_ends_a_game_as_a_draw():
    state = load_game("trench/standard", max_plies=3).new_initial_state()
    for _ in range(3):
        assert not state.is_terminal()
        state.apply_action(state.legal_actions()[0])
    assert state.is_terminal()
    assert state.legal_actions() == []
    assert state.returns() == [0.0, 0.0]


def test_a_game_equals_the_state():
    rng = np.random.default_rng(1)
    game = load_game("trench/standard")
    state, position = game.new_initial_state(), sandtable.load("trench/standard").new_state()
    observation = make_observation(game)
    maxima = np.array([max(1, plane.maximum) for plane in position.game.spec.planes])[:, None, None]
    while not position.terminal:
        assert state.current_player() == position.player
        assert state.legal_actions() == position.legal_actions().tolist()
        assert state.legal_actions(1 - position.player) == []
        for player in (0, 1):
            observation.set_from(state, player)
            np.testing.assert_allclose(observation.dict["observation"], position.observe(player) / maxima, rtol=1e-6)
        action = int(rng.choice(position.legal_actions()))
        assert state.action_to_string(position.player, action) == position.action_text(action)
        state.apply_action(action)
        position.apply(action)
    assert state.is_terminal()
    assert state.current_player() == pyspiel.PlayerId.TERMINAL
    assert state.returns() == list(position.returns())


def test_clones_are_independent():
    state = load_game("ntxuva/basic").new_initial_state()
    clone = state.clone()
    clone.apply_action(clone.legal_actions()[0])
    assert state.position.plies == 0
    assert clone.position.plies == 1
    assert state.history() == []


def test_a_game_is_loaded_by_its_text():
    game = load_game("ntxuva/basic", max_plies=30, columns=3, singles="always")
    again = pyspiel.load_game(str(game))
    assert again.num_distinct_actions() == 6
    assert again.max_game_length() == 30
    assert again.game == game.game
    assert again.game != load_game("ntxuva/basic", columns=3).game


def test_bad_overrides_are_refused():
    with pytest.raises(ValueError, match="overrides has 'columns', must be NAME:VALUE"):
        pyspiel.load_game("sandtable", {"variant": "ntxuva/basic", "overrides": "columns"})


def test_mcts_beats_random():
    game = load_game("ntxuva/4")
    rng = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    bot = mcts.MCTSBot(game, 1.4, 20, evaluator, random_state=rng)
    results = []
    for seat in (0, 1, 0, 1):
        state = game.new_initial_state()
        while not state.is_terminal():
            mine = state.current_player() == seat
            state.apply_action(bot.step(state) if mine else rng.choice(state.legal_actions()))
        results.append(state.returns()[seat])
    assert sum(results) >= 2


@pytest.fixture(scope="module")
def tiny():
    """A game with a tree that is small enough to walk."""
    return load_game("ntxuva/4", max_plies=4)


def tree_value(state):
    """Returns the value of a state for player 0 by full search."""
    if state.is_terminal():
        return state.returns()[0]
    values = [tree_value(state.child(action)) for action in state.legal_actions()]
    return max(values) if state.current_player() == 0 else min(values)


def test_alpha_beta_finds_the_value(tiny):
    value, action = minimax.alpha_beta_search(tiny, maximizing_player_id=0)
    state = tiny.new_initial_state()
    assert value == tree_value(state)
    assert tree_value(state.child(action)) == value


def expected_value(state):
    """Returns the value of a state for player 0 if both players play uniformly at random."""
    if state.is_terminal():
        return state.returns()[0]
    return np.mean([expected_value(state.child(action)) for action in state.legal_actions()])


def best_response_values(state):
    """Returns each player's value of a best response to a uniformly random opponent."""

    def value(state, player):
        if state.is_terminal():
            return state.returns()[player]
        values = [value(state.child(action), player) for action in state.legal_actions()]
        return max(values) if state.current_player() == player else np.mean(values)

    return [value(state, player) for player in (0, 1)]


def test_exploitability_of_a_uniform_policy(tiny):
    value = expected_value(tiny.new_initial_state())
    best = best_response_values(tiny.new_initial_state())
    uniform = policy.UniformRandomPolicy(tiny)
    assert exploitability.nash_conv(tiny, uniform) == pytest.approx(sum(best))
    assert best[0] >= value >= -best[1]
