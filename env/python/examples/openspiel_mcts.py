"""OpenSpiel's MCTS plays against a random player.

    python openspiel_mcts.py --variant trench/standard --games 4

OpenSpiel's own evaluator plays its rollouts through OpenSpiel's states. The one below plays them
on `sandtable.State`, which is several times as fast.
"""

import argparse
import sys
import time

import numpy as np
from open_spiel.python.algorithms import mcts

from sandtable.openspiel import load_game


class Rollouts(mcts.Evaluator):
    """Values a position by one random game."""

    def __init__(self, rng):
        self.rng = rng

    def evaluate(self, state):
        position = state.position.clone()
        while not position.terminal:
            legal = position.legal_actions()
            position.apply(int(legal[self.rng.randint(len(legal))]))
        return np.array(position.returns())

    def prior(self, state):
        legal = state.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", default="trench/standard")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--simulations", type=int, default=200, help="simulations of each move")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="play ntxuva/basic; the bar is 75 %%")
    args = parser.parse_args()
    variant, bar = ("ntxuva/basic", 0.75) if args.quick else (args.variant, 0.95)

    rng = np.random.RandomState(args.seed)
    game = load_game(variant)
    bot = mcts.MCTSBot(game, uct_c=1.4, max_simulations=args.simulations, evaluator=Rollouts(rng), random_state=rng)
    wins, moves, began = 0, 0, time.process_time()
    for number in range(args.games):
        seat = number % 2
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.current_player() == seat:
                state.apply_action(bot.step(state))
                moves += 1
            else:
                state.apply_action(rng.choice(state.legal_actions()))
        result = state.returns()[seat]
        wins += result > 0
        print(
            f"game {number + 1}: MCTS as player {seat} {'wins' if result > 0 else 'loses' if result < 0 else 'draws'}"
        )
    rate = wins / args.games
    seconds = (time.process_time() - began) / moves
    print(f"{variant}: {rate:.1%} of {args.games} games won, {seconds:.2f} CPU seconds a move, {bar:.0%} needed")
    return int(rate < bar)


if __name__ == "__main__":
    sys.exit(main())
