"""MaskablePPO of sb3-contrib learns to beat a random player.

    python maskable_ppo.py --variant ntxuva/basic
"""

import argparse
import sys

import numpy as np
import torch
from sandtable.sb3 import VecEnv
from sb3_contrib import MaskablePPO


def win_rate(model, variant, games, seed):
    """Returns the share of games, one in each environment, that the greedy policy wins."""
    envs = VecEnv(variant, games, opponent="random", seed=seed)
    observation, result = envs.reset(), np.full(games, np.nan)
    while np.isnan(result).any():
        actions, _ = model.predict(observation, action_masks=envs.action_masks(), deterministic=True)
        observation, rewards, dones, _ = envs.step(actions)
        result = np.where(np.isnan(result) & dones, rewards, result)
    return (result > 0).mean()


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--variant", default="ntxuva/basic")
parser.add_argument("--steps", type=int, default=400_000)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--quick", action="store_true", help="train for a tenth of the steps; the bar is 75 %%")
args = parser.parse_args()
steps, bar = (args.steps // 10, 0.75) if args.quick else (args.steps, 0.95)

torch.set_num_threads(1)
envs = VecEnv(args.variant, 64, opponent="random", seed=args.seed)
model = MaskablePPO("MlpPolicy", envs, n_steps=128, batch_size=1024, n_epochs=4, seed=args.seed)
model.learn(steps)
rate = win_rate(model, args.variant, games=1000, seed=args.seed + 1)
print(f"{args.variant}: {rate:.1%} of 1000 games won against a random player, {bar:.0%} needed")
sys.exit(rate < bar)
