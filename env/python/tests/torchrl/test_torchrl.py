"""The TorchRL environment against TorchRL's own checks and against `sandtable.Batch`."""

import numpy as np
import pytest
import torch
from torchrl.envs import ActionMask, TransformedEnv
from torchrl.envs.libs.pettingzoo import PettingZooWrapper
from torchrl.envs.utils import check_env_specs

import sandtable
from sandtable.pettingzoo import env as pettingzoo_env
from sandtable.torchrl import SandtableEnv

torch.set_num_threads(1)
VARIANTS = ["trench/standard", "ntxuva/basic", "tankbattle/standard", "tankchess/16x16"]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("opponent", ["random", None])
def test_specs(variant, opponent):
    # A limit of two plies ends episodes within the three steps of the check.
    for max_plies in (2, 2000):
        env = SandtableEnv(variant, 3, opponent=opponent, max_plies=max_plies)
        check_env_specs(env, seed=1, break_when_any_done="both")
        env.close()


def test_specs_with_the_action_mask_transform():
    check_env_specs(TransformedEnv(SandtableEnv("ntxuva/basic", 3), ActionMask()))


@pytest.mark.filterwarnings("ignore:PettingZoo in TorchRL is tested using version")
def test_specs_of_the_pettingzoo_environment():
    check_env_specs(PettingZooWrapper(pettingzoo_env("ntxuva/basic"), use_mask=True))


@pytest.mark.parametrize("opponent", ["random", None])
def test_a_rollout_equals_the_batch(opponent):
    n, steps = 4, 150
    env = SandtableEnv("ntxuva/basic", n, opponent=opponent, max_plies=50)
    env.set_seed(5)
    torch.manual_seed(1)
    data = env.rollout(steps, break_when_any_done=False)
    assert data.shape == (n, steps)

    batch = sandtable.Batch("ntxuva/basic", n, opponent=opponent, max_plies=50, autoreset="disabled")
    batch.reset(5)
    episodes = 0
    for t in range(steps):
        step = data[:, t]
        np.testing.assert_array_equal(step["observation"].numpy(), batch.obs)
        np.testing.assert_array_equal(step["player"].numpy()[:, 0], batch.viewer)
        for i in range(n):
            legal = batch.legal_actions[batch.legal_offsets[i] : batch.legal_offsets[i + 1]]
            np.testing.assert_array_equal(step["action_mask"][i].nonzero()[:, 0].numpy(), legal)
        actors = batch.to_move.copy()
        batch.step(step["action"].numpy().astype(np.int32))
        after = step["next"]
        np.testing.assert_array_equal(after["observation"].numpy(), batch.obs)
        np.testing.assert_array_equal(after["reward"].numpy()[:, 0], batch.reward[np.arange(n), actors])
        np.testing.assert_array_equal(after["terminated"].numpy()[:, 0], batch.terminated)
        np.testing.assert_array_equal(after["truncated"].numpy()[:, 0], batch.truncated)
        done = batch.terminated | batch.truncated
        np.testing.assert_array_equal(after["done"].numpy()[:, 0], done)
        episodes += done.sum()
        if done.any():
            batch.reset_slots(done)
    assert episodes > n


def test_seeds_determine_rollouts():
    def rollout(seed):
        env = SandtableEnv("ntxuva/basic", 4)
        env.set_seed(seed)
        torch.manual_seed(seed)
        return env.rollout(60, break_when_any_done=False)

    assert (rollout(1) == rollout(1)).all()
    assert not (rollout(1) == rollout(2)).all()


def test_a_rollout_until_all_games_are_over():
    env = SandtableEnv("ntxuva/basic", 4, max_plies=60)
    data = env.rollout(100, break_when_any_done=False, break_when_all_done=True)
    assert data["next", "done"].any(1).all()
    assert data.shape[1] < 100


@pytest.mark.parametrize("wrapper", [lambda env: env, lambda env: TransformedEnv(env, ActionMask())])
def test_random_actions_are_legal(wrapper):
    env = wrapper(SandtableEnv("trench/standard", 4))
    data = env.rollout(50, break_when_any_done=False)
    chosen = data["action_mask"].gather(-1, data["action"].unsqueeze(-1))
    assert chosen.all()
