"""AlphaZero in one file: self-play with a search that a network guides, and a network that learns from it.

Many games are played at once. Each simulation takes one leaf from every game, and the
network evaluates these leaves in one batch.

    python alphazero.py --variant ntxuva/basic
"""

import argparse
import math
import sys
import time

import numpy as np
import torch
from torch import nn

import sandtable


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", default="ntxuva/basic")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--iterations", type=int, default=12)
    parser.add_argument("--games", type=int, default=64, help="games that an iteration plays at once")
    parser.add_argument("--simulations", type=int, default=24, help="simulations of each move")
    parser.add_argument("--c-puct", type=float, default=1.5)
    parser.add_argument("--noise", type=float, default=0.25, help="weight of the Dirichlet noise at the root")
    parser.add_argument(
        "--sampled-plies", type=int, default=20, help="plies that are drawn by visits, not the most visited"
    )
    parser.add_argument("--max-plies", type=int, default=400, help="plies after which a game counts as drawn")
    parser.add_argument("--window", type=int, default=8, help="iterations whose positions are learned from")
    parser.add_argument("--learning-rate", type=float, default=2e-3)
    parser.add_argument("--quick", action="store_true", help="3 iterations; the bar is 75 %%")
    return parser.parse_args()


class Network(nn.Module):
    """Planes of uint8 to the logits of all actions and the value for the viewer, in [-1, 1]."""

    def __init__(self, spec, width=128):
        super().__init__()
        maxima = torch.tensor([float(max(1, plane.maximum)) for plane in spec.planes])
        self.register_buffer("maxima", maxima[:, None, None])
        size = int(np.prod(spec.observation_shape))
        self.body = nn.Sequential(nn.Linear(size, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.policy = nn.Linear(width, spec.actions)
        self.value = nn.Sequential(nn.Linear(width, 1), nn.Tanh())

    def forward(self, planes):
        features = self.body((planes / self.maxima).flatten(1))
        return self.policy(features), self.value(features).squeeze(-1)


class Node:
    """A position with the statistics of its legal actions, the values from the mover's view."""

    def __init__(self, state):
        self.state = state
        self.player = state.player
        self.actions = state.legal_actions()
        self.priors = None  # set by evaluate
        self.visits = [0] * len(self.actions)
        self.totals = [0.0] * len(self.actions)
        self.children = [None] * len(self.actions)

    def select(self, c_puct):
        """Returns the index of the action with the highest PUCT value."""
        scale = c_puct * math.sqrt(1 + sum(self.visits))
        best, chosen = -math.inf, 0
        for i, visits in enumerate(self.visits):
            score = scale * self.priors[i] / (1 + visits)
            if visits:
                score += self.totals[i] / visits
            if score > best:
                best, chosen = score, i
        return chosen


@torch.no_grad()
def evaluate(network, nodes):
    """Sets the priors of the nodes and returns the values of their positions for their movers."""
    planes = torch.from_numpy(np.stack([node.state.observe() for node in nodes]))
    logits, values = (output.numpy() for output in network(planes))
    for node, row in zip(nodes, logits, strict=True):
        weights = np.exp(row[node.actions] - row[node.actions].max())
        node.priors = (weights / weights.sum()).tolist()
    return values.tolist()


def descend(root, c_puct):
    """Follows the tree to a leaf. Returns the path, and the node to evaluate or None after the end."""
    node, path = root, []
    while True:
        i = node.select(c_puct)
        path.append((node, i))
        child = node.children[i]
        if child is None:
            state = node.state.clone()
            state.apply(int(node.actions[i]))
            child = node.children[i] = Node(state)
            return path, None if state.terminal else child
        if child.state.terminal:
            return path, None
        node = child


def back_up(path, value, player):
    """Adds the value for the player to the actions of the path."""
    for node, i in path:
        node.visits[i] += 1
        node.totals[i] += value if node.player == player else -value


def search(network, roots, simulations, c_puct):
    """Grows the trees of the roots by a number of simulations."""
    fresh = [root for root in roots if root.priors is None]
    if fresh:
        evaluate(network, fresh)
    for _ in range(simulations):
        waiting = []
        for root in roots:
            path, leaf = descend(root, c_puct)
            if leaf is None:
                node, i = path[-1]
                back_up(path, node.children[i].state.returns()[0], 0)
            else:
                waiting.append((path, leaf))
        if waiting:
            values = evaluate(network, [leaf for _, leaf in waiting])
            for (path, leaf), value in zip(waiting, values, strict=True):
                back_up(path, value, leaf.player)


def self_play(network, game, args, rng):
    """Plays games against itself. Returns planes, policy targets and values, one row a ply."""
    planes, policies, values = [], [], []
    games = [(Node(game.new_state()), []) for _ in range(args.games)]
    while games:
        roots = [root for root, _ in games]
        fresh = [root for root in roots if root.priors is None]
        if fresh:
            evaluate(network, fresh)
        for root in roots:
            noise = rng.dirichlet([10 / len(root.actions)] * len(root.actions))
            root.priors = [(1 - args.noise) * p + args.noise * e for p, e in zip(root.priors, noise, strict=True)]
        search(network, roots, args.simulations, args.c_puct)

        running = []
        for root, history in games:
            visits = np.array(root.visits)
            policy = np.zeros(game.spec.actions, np.float32)
            policy[root.actions] = visits / visits.sum()
            history.append((root.state.observe(), policy, root.player))
            if len(history) <= args.sampled_plies:
                i = rng.choice(len(visits), p=visits / visits.sum())
            else:
                i = visits.argmax()
            child = root.children[i]
            if not child.state.terminal and len(history) < args.max_plies:
                running.append((child, history))
                continue
            result = child.state.returns()[0] if child.state.terminal else 0.0
            for observation, policy, player in history:
                planes.append(observation)
                policies.append(policy)
                values.append(result if player == 0 else -result)
        games = running
    return np.stack(planes), np.stack(policies), np.array(values, np.float32)


def learn(network, optimizer, window, rng, passes=4, batch=256):
    """Trains on the positions of the window. Returns the mean loss."""
    planes, policies, values = (torch.from_numpy(np.concatenate(parts)) for parts in zip(*window, strict=True))
    losses = []
    order = np.concatenate([rng.permutation(len(values)) for _ in range(passes)])
    for rows in np.array_split(order, math.ceil(len(order) / batch)):
        logits, value = network(planes[rows])
        policy_loss = nn.functional.cross_entropy(logits, policies[rows])
        loss = policy_loss + (value - values[rows]).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return float(np.mean(losses))


def win_rate(network, game, args, games=200):
    """Returns the shares of games against a random player that the network wins, without and with search."""
    rates = []
    for simulations in (0, args.simulations):
        rng = np.random.default_rng(args.seed + 1_000_000)
        wins, running = 0, [(game.new_state(), i % 2) for i in range(games)]
        while running:
            mine = [state for state, seat in running if state.player == seat]
            for state, seat in running:
                if state.player != seat:
                    state.apply(int(rng.choice(state.legal_actions())))
            roots = [Node(state) for state in mine]
            if roots:
                evaluate(network, roots)
                search(network, roots, simulations, args.c_puct)
            for state, root in zip(mine, roots, strict=True):
                state.apply(int(root.actions[np.argmax(root.visits if simulations else root.priors)]))
            wins += sum(state.terminal and state.returns()[seat] > 0 for state, seat in running)
            running = [(state, seat) for state, seat in running if not state.terminal]
        rates.append(wins / games)
    return rates


def main():
    args = parse_args()
    iterations, bar = (3, 0.75) if args.quick else (args.iterations, 0.95)
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    rng = np.random.default_rng(args.seed)
    game = sandtable.load(args.variant)
    network = Network(game.spec)
    optimizer = torch.optim.AdamW(network.parameters(), lr=args.learning_rate, weight_decay=1e-4)

    window = []
    for iteration in range(iterations):
        began = time.process_time()
        window = [*window, self_play(network, game, args, rng)][-args.window :]
        loss = learn(network, optimizer, window, rng)
        plies, seconds = len(window[-1][2]), time.process_time() - began
        print(f"iteration {iteration + 1:>2}: {plies:,} plies, loss {loss:.3f}, {seconds:.1f} CPU seconds")

    policy, searched = win_rate(network, game, args)
    print(
        f"{args.variant}: of 200 games against a random player, the policy wins {policy:.1%} without search "
        f"and {searched:.1%} with {args.simulations} simulations, {bar:.0%} needed with search"
    )
    return int(searched < bar)


if __name__ == "__main__":
    sys.exit(main())
