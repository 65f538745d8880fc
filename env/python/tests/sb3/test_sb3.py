"""The Stable-Baselines3 VecEnv against `sandtable.Batch`, and under MaskablePPO."""

import gymnasium
import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.vec_env import VecMonitor, VecNormalize

import sandtable
from sandtable.sb3 import VecEnv

torch.set_num_threads(1)
VARIANTS = ["trench/standard", "ntxuva/basic", "tankbattle/standard", "tankchess/16x16"]


def legal(masks, rng):
    """Draws a legal action for each row."""
    return np.array([rng.choice(np.flatnonzero(row)) for row in masks])


# Stable-Baselines3 takes planes of uint8 for a picture.
@pytest.mark.filterwarnings("ignore::UserWarning:stable_baselines3")
@pytest.mark.parametrize("variant", ["Sandtable/Trench-v0", "Sandtable/Ntxuva-v0"])
def test_check_env(variant):
    check_env(gymnasium.make(variant).unwrapped)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("scale", [True, False])
def test_steps_equal_the_batch(variant, scale):
    n, rng = 5, np.random.default_rng(1)
    options = {"opponent": "random", "max_plies": 30}
    envs = VecEnv(variant, n, seed=9, scale=scale, **options)
    batch = sandtable.Batch(variant, n, autoreset="same_step", **options)
    batch.reset(9)
    maxima = np.array([max(1, p.maximum) for p in batch.game.spec.planes], np.float32)[:, None, None]
    expected = (lambda planes: planes / maxima) if scale else np.copy

    observation, ended = envs.reset(), 0
    for _ in range(60):
        np.testing.assert_array_equal(observation, expected(batch.obs))
        assert observation.dtype == envs.observation_space.dtype
        assert all(envs.observation_space.contains(row) for row in observation)
        masks = envs.action_masks()
        for i in range(n):
            actions = batch.legal_actions[batch.legal_offsets[i] : batch.legal_offsets[i + 1]]
            np.testing.assert_array_equal(np.flatnonzero(masks[i]), actions)
        actions = legal(masks, rng)
        previous = observation.copy()
        observation, rewards, dones, infos = envs.step(actions)
        assert not np.shares_memory(observation, previous)
        batch.step(actions.astype(np.int32))
        np.testing.assert_array_equal(rewards, batch.learner_reward)
        np.testing.assert_array_equal(dones, batch.terminated | batch.truncated)
        for i, info in enumerate(infos):
            assert bool(info) == dones[i]
            if not info:
                continue
            ended += 1
            np.testing.assert_array_equal(info["terminal_observation"], expected(batch.final_obs[i]))
            assert info["TimeLimit.truncated"] == batch.truncated[i]
            assert info["episode"] == {"r": rewards[i], "l": batch.final_steps[i]}
    assert ended > n
    envs.close()


def test_masks_reach_maskable_ppo():
    envs = VecEnv("ntxuva/basic", 3, seed=1)
    envs.reset()
    assert is_masking_supported(envs)
    masks = get_action_masks(envs)
    assert masks.dtype == bool
    assert masks.shape == (3, 12)
    np.testing.assert_array_equal(envs.env_method("action_masks", indices=1)[0], masks[1])
    assert not envs.has_attr("no_such_attribute")


@pytest.mark.parametrize("wrapper", [lambda envs: envs, VecMonitor, VecNormalize])
def test_maskable_ppo_learns_and_predicts(wrapper):
    envs = wrapper(VecEnv("ntxuva/basic", 8, seed=1))
    model = MaskablePPO("MlpPolicy", envs, n_steps=32, batch_size=64, n_epochs=1, seed=1)
    model.learn(512)
    assert model.ep_info_buffer
    rewards, lengths = evaluate_policy(model, envs, n_eval_episodes=8, return_episode_rewards=True, warn=False)
    assert len(rewards) == len(lengths) == 8


def test_seeds_determine_the_games():
    def rewards(seed):
        envs, rng = VecEnv("ntxuva/basic", 16, seed=seed), np.random.default_rng(1)
        envs.reset()
        return [envs.step(legal(envs.action_masks(), rng))[1].tolist() for _ in range(80)]

    assert rewards(1) == rewards(1)
    assert rewards(1) != rewards(2)


def test_attributes_are_shared():
    envs = VecEnv("ntxuva/basic", 4)
    envs.set_attr("label", "x")
    assert envs.get_attr("label", indices=[0, 2]) == ["x", "x"]
    assert envs.env_is_wrapped(gymnasium.Wrapper) == [False] * 4
    with pytest.raises(ValueError, match="indices is 1, must be None"):
        envs.set_attr("label", "y", indices=1)
