"""The dm_env environment against dm_env's own tests and against `sandtable.Batch`."""

import numpy as np
from absl.testing import absltest
from dm_env import StepType, test_utils

import sandtable
from sandtable.dm import Environment


class TestContract(test_utils.EnvironmentTestMixin, absltest.TestCase):
    """The tests that dm_env provides, with legal actions over several games."""

    def make_object_under_test(self):
        self.rng = np.random.default_rng(1)
        return Environment("ntxuva/basic", max_plies=30, seed=1)

    def make_action(self):
        legal = np.flatnonzero(self.last.observation["action_mask"])
        return int(self.rng.choice(legal)) if len(legal) else 0

    def make_action_sequence(self):
        for _ in range(100):
            yield self.make_action()

    def assertValidStep(self, step):
        self.last = step
        super().assertValidStep(step)

    def step_environment(self, action=None):
        if not hasattr(self, "last"):
            action = 0
        return super().step_environment(action)


def test_steps_equal_the_batch():
    rng = np.random.default_rng(1)
    game = Environment("ntxuva/basic", max_plies=40, seed=3)
    batch = sandtable.Batch("ntxuva/basic", 1, opponent="random", max_plies=40, autoreset="disabled")
    batch.reset(3)
    ends = {"terminated": 0, "truncated": 0}
    for _ in range(30):
        step = game.reset()
        batch.reset_slots(np.ones(1, bool))
        while not step.last():
            legal = np.flatnonzero(step.observation["action_mask"])
            np.testing.assert_array_equal(legal, batch.legal_actions[: batch.legal_offsets[1]])
            action = int(rng.choice(legal))
            step = game.step(action)
            batch.step(np.array([action], np.int32))
            np.testing.assert_array_equal(step.observation["observation"], batch.obs[0])
            assert step.reward == batch.learner_reward[0]
            assert step.last() == (batch.terminated[0] or batch.truncated[0])
            assert step.discount == (0.0 if batch.terminated[0] else 1.0)
        ends["terminated"] += batch.terminated[0]
        ends["truncated"] += batch.truncated[0]
        assert not step.observation["action_mask"].any()
    assert all(ends.values())


def test_a_step_after_the_last_begins_a_game():
    game = Environment("ntxuva/basic", max_plies=1, seed=1)
    assert game.reset().step_type is StepType.FIRST
    step = game.reset()
    while not step.last():
        step = game.step(int(np.argmax(step.observation["action_mask"])))
    assert game.step(0).step_type is StepType.FIRST
