"""MaskablePPO of sb3-contrib learns to beat a random player."""

import argparse
import sys

import numpy as np
import torch
from sb3_contrib import MaskablePPO

from sandtable.sb3 import VecEnv


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
parser.add_argument("--steps", type=int, default=1_500_000)
parser.add_argument("--quick", action="store_true", help="a quarter of the steps; the bar is 75 %%")
args = parser.parse_args()
steps, bar = (args.steps // 4, 0.75) if args.quick else (args.steps, 0.95)

torch.set_num_threads(1)
envs = VecEnv(args.variant, 64, opponent="random", seed=1)
network = {"net_arch": [128, 128], "activation_fn": torch.nn.ReLU}
options = {"n_steps": 128, "batch_size": 1024, "n_epochs": 4, "learning_rate": 1e-3, "gamma": 0.997, "ent_coef": 0.01}
model = MaskablePPO("MlpPolicy", envs, policy_kwargs=network, seed=1, **options).learn(steps)
rate = win_rate(model, args.variant, games=1000, seed=2)
print(f"{args.variant}: {rate:.1%} of 1000 games won against a random player, {bar:.0%} needed")
sys.exit(int(rate < bar))
