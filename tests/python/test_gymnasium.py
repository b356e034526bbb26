"""With Gymnasium: its classes are the bases, and its tasks have names. Needs a module `gymnasium`, if only standin/."""

import unittest

import gymnasium
import numpy as np
import spadework
from spadework import spaces
from support import Case


class Bases(Case):
    def test_classes(self):
        self.assertTrue(spaces.has_gymnasium())
        self.assertTrue(issubclass(spadework.Env, gymnasium.Env))
        self.assertTrue(issubclass(spadework.VectorEnv, gymnasium.vector.VectorEnv))
        self.assertIs(spaces.Box, gymnasium.spaces.Box)

    def test_environment(self):
        with spadework.Env("dig") as env:
            self.assertIsInstance(env.action_space, gymnasium.spaces.Box)
            self.assertIsInstance(env.observation_space, gymnasium.spaces.Dict)
            first, info = env.reset(seed=5)
            self.assertIn(first, env.observation_space)
            self.assertIs(env.np_random, env._np_random)
            self.assertSame(first, env.reset(seed=5)[0])
            env.action_space.seed(1)
            self.assertEqual(len(env.step(env.action_space.sample())), 5)

    def test_vector(self):
        envs = spadework.VectorEnv("dig", 2)
        self.assertIsInstance(envs.single_observation_space, gymnasium.spaces.Dict)
        self.assertIn(envs.reset(seed=5)[0], envs.observation_space)
        with spadework.Env("dig") as env:
            observation = env.reset(seed=6)[0]
        self.assertSame(observation, {name: part[1] for name, part in envs.reset(seed=5)[0].items()})
        envs.step(np.zeros((2, 4), np.float32))
        envs.close()

    def test_names(self):
        names = ["Spadework/Dig-v0", "Spadework/Doze-v0", "Spadework/Grade-v0", "Spadework/Load-v0"]
        self.assertEqual(spadework.register(), names)
        for name in names:
            self.assertIn(name, gymnasium.registry)
        env = gymnasium.make("Spadework/Load-v0")
        self.assertEqual(env.unwrapped.task.name, "load")
        env.close()


if __name__ == "__main__":
    unittest.main()
