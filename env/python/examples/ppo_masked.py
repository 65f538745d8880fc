"""PPO with action masks in one file, in the style of CleanRL.

The learner plays one seat of a batch of games, the opponent the other. The rollout stores
the masks as the batch returns them, one bit an action, and unpacks them for each minibatch:
82 words instead of 21 KB a step for the 5,241 actions of tankchess/16x16.

    python ppo_masked.py --variant ntxuva/basic
"""

import argparse
import sys
import time

import numpy as np
import torch
from torch import nn

import sandtable

OUTPUTS = ("obs", "mask", "turns", "reward", "final_obs", "final_info")


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", default="ntxuva/basic")
    parser.add_argument("--opponent", default="random", help='"random" or an agent string, such as alphabeta:depth=2')
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--total-steps", type=int, default=2_000_000)
    parser.add_argument("--num-envs", type=int, default=128)
    parser.add_argument("--num-steps", type=int, default=64, help="steps of a rollout in each environment")
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--gamma", type=float, default=0.997)
    parser.add_argument("--gae-lambda", type=float, default=0.95)
    parser.add_argument("--minibatch", type=int, default=1024)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--clip", type=float, default=0.2)
    parser.add_argument("--entropy", type=float, default=0.01)
    parser.add_argument("--value-weight", type=float, default=0.5)
    parser.add_argument("--max-grad-norm", type=float, default=0.5)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--quick", action="store_true", help="train for a quarter of the steps; the bar is 75 %%")
    return parser.parse_args()


def unpack(words, actions):
    """Returns masks [..., words] of int64 as booleans [..., actions]."""
    bits = torch.arange(64, device=words.device)
    return ((words[..., None] >> bits) & 1).flatten(-2)[..., :actions].bool()


def layer(inputs, outputs, gain):
    linear = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(linear.weight, gain)
    nn.init.zeros_(linear.bias)
    return linear


class Agent(nn.Module):
    """A policy over the actions and a value, from planes of uint8."""

    def __init__(self, spec, width=128):
        super().__init__()
        self.actions = spec.actions
        maxima = torch.tensor([float(max(1, plane.maximum)) for plane in spec.planes])
        self.register_buffer("maxima", maxima[:, None, None])
        size = int(np.prod(spec.observation_shape))
        self.body = nn.Sequential(layer(size, width, 2**0.5), nn.ReLU(), layer(width, width, 2**0.5), nn.ReLU())
        self.policy = layer(width, spec.actions, 0.01)
        self.critic = layer(width, 1, 1.0)

    def forward(self, planes, masks):
        """Returns the log probabilities of the actions, 0 for illegal ones, and the values."""
        features = self.body((planes / self.maxima).flatten(1))
        logits = self.policy(features).masked_fill(~unpack(masks, self.actions), -1e8)
        return logits.log_softmax(-1), self.critic(features).squeeze(-1)

    def value(self, planes):
        return self.critic(self.body((planes / self.maxima).flatten(1))).squeeze(-1)


def tensor(array, device):
    """Returns a copy of an output of the batch. Torch has few operations on uint64."""
    return torch.tensor(array.view(np.int64) if array.dtype == np.uint64 else array, device=device)


@torch.no_grad()
def win_rate(agent, args, games=1000):
    """Returns the share of games, one in each environment, that the greedy policy wins."""
    with sandtable.Batch(args.variant, games, opponent="random", autoreset="next_step", outputs=OUTPUTS) as envs:
        envs.reset(args.seed + 1_000_000)
        result = np.full(games, np.nan)
        while np.isnan(result).any():
            log_probs, _ = agent(tensor(envs.obs, args.device), tensor(envs.mask, args.device))
            actions = log_probs.argmax(-1).cpu().numpy()
            envs.step(actions)
            done = envs.terminated | envs.truncated
            result = np.where(np.isnan(result) & done, envs.learner_reward, result)
    return (result > 0).mean()


def main():
    args = parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    device, steps, n = args.device, args.num_steps, args.num_envs
    total, bar = (args.total_steps // 4, 0.75) if args.quick else (args.total_steps, 0.95)

    envs = sandtable.Batch(args.variant, n, opponent=args.opponent, autoreset="same_step", outputs=OUTPUTS)
    envs.reset(args.seed)
    spec = envs.game.spec
    agent = Agent(spec).to(device)
    optimizer = torch.optim.Adam(agent.parameters(), lr=args.learning_rate, eps=1e-5)

    # The rollout: row t holds what the policy saw in step t, and what followed.
    planes = torch.zeros((steps, n, *spec.observation_shape), dtype=torch.uint8, device=device)
    masks = torch.zeros((steps, n, spec.mask_words), dtype=torch.int64, device=device)
    actions = torch.zeros((steps, n), dtype=torch.int64, device=device)
    log_probs, rewards, values, dones = (torch.zeros((steps, n), device=device) for _ in range(4))

    updates = total // (steps * n)
    began, wins, episodes = time.process_time(), 0, 0
    for update in range(updates):
        optimizer.param_groups[0]["lr"] = args.learning_rate * (1 - update / updates)
        for t in range(steps):
            planes[t], masks[t] = tensor(envs.obs, device), tensor(envs.mask, device)
            with torch.no_grad():
                policy, values[t] = agent(planes[t], masks[t])
            actions[t] = torch.multinomial(policy.exp(), 1).squeeze(-1)
            log_probs[t] = policy.gather(1, actions[t][:, None]).squeeze(-1)

            envs.step(actions[t].cpu().numpy())
            done = envs.terminated | envs.truncated
            rewards[t], dones[t] = tensor(envs.learner_reward, device), tensor(done, device)
            cut = np.flatnonzero(envs.truncated)
            if len(cut):  # The value of its last position stands for the rest of a truncated game.
                with torch.no_grad():
                    rewards[t, cut] += args.gamma * agent.value(tensor(envs.final_obs[cut], device))
            episodes += int(done.sum())
            wins += int((envs.learner_reward > 0).sum())

        with torch.no_grad():
            following = agent.value(tensor(envs.obs, device))
        advantages = torch.zeros_like(rewards)
        advantage = torch.zeros(n, device=device)
        for t in reversed(range(steps)):
            live = 1 - dones[t]
            error = rewards[t] + args.gamma * following * live - values[t]
            advantage = error + args.gamma * args.gae_lambda * live * advantage
            advantages[t], following = advantage, values[t]
        returns = advantages + values

        data = [x.flatten(0, 1) for x in (planes, masks, actions, log_probs, advantages, returns)]
        for _ in range(args.epochs):
            for rows in torch.randperm(steps * n, device=device).split(args.minibatch):
                mb_planes, mb_masks, mb_actions, mb_log_probs, mb_advantages, mb_returns = (x[rows] for x in data)
                policy, value = agent(mb_planes, mb_masks)
                ratio = (policy.gather(1, mb_actions[:, None]).squeeze(-1) - mb_log_probs).exp()
                scaled = (mb_advantages - mb_advantages.mean()) / (mb_advantages.std() + 1e-8)
                clipped = ratio.clamp(1 - args.clip, 1 + args.clip)
                policy_loss = -torch.min(ratio * scaled, clipped * scaled).mean()
                value_loss = 0.5 * (value - mb_returns).square().mean()
                entropy = -(policy.exp() * policy).sum(-1).mean()
                loss = policy_loss + args.value_weight * value_loss - args.entropy * entropy
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), args.max_grad_norm)
                optimizer.step()

        if (update + 1) % max(1, updates // 10) == 0:
            played = (update + 1) * steps * n
            speed = played / (time.process_time() - began)
            print(
                f"{played:>9,} steps, {speed:,.0f} a CPU second, {wins / max(1, episodes):.1%} of {episodes} games won"
            )
            wins = episodes = 0
    envs.close()

    rate = win_rate(agent, args)
    print(f"{args.variant}: {rate:.1%} of 1000 games won against a random player, {bar:.0%} needed")
    return int(rate < bar)


if __name__ == "__main__":
    sys.exit(main())
