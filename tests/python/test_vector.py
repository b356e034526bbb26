"""VectorEnv: the episodes of Env, together; and workers that are started by "spawn"."""

import multiprocessing
import unittest

import numpy as np
import spadework
from support import Case, arrays

RANGES = {"delay": {"ticks": [0, 9]}, "noise": {"state": [0.0, 0.1]}, "levers": {"gain": [0.8, 1.0]}}


def first_observation(env, seed):
    """In a process of its own."""
    observation, info = env.reset(seed=seed)
    return observation, env.step(np.ones(4, np.float32))[1], info["scene_seed"]


class Vectors(Case):
    def test_same_episodes_as_env(self):
        env = spadework.Env("dig", randomise=RANGES, seconds=0.7)
        envs = spadework.VectorEnv("dig", 3, randomise=RANGES, seconds=0.7, threads=2)
        observations, infos = envs.reset(seed=11)
        observation, info = env.reset(seed=12)
        rng = np.random.default_rng(1)
        over = False
        for _ in range(20):
            self.assertSame(observation, {name: part[1] for name, part in observations.items()})
            self.assertIn(observations, envs.observation_space)
            actions = rng.uniform(-1.0, 1.0, (3, 4)).astype(np.float32)
            if over:
                (observation, info), reward, terminated, truncated = env.reset(), 0.0, False, False
            else:
                observation, reward, terminated, truncated, info = env.step(actions[1])
            over = terminated or truncated
            observations, rewards, terminations, truncations, infos = envs.step(actions)
            self.assertEqual((rewards[1], terminations[1], truncations[1]), (reward, terminated, truncated))
            self.assertEqual(infos["time"][1], info["time"])
            for name, value in info["work"].items():
                self.assertEqual(infos["work"][name][1], value)
            self.assertEqual("reward_terms" in infos, "reward_terms" in info)
            self.assertEqual("scene_seed" in infos, "scene_seed" in info)
        envs.close()
        envs.close()
        env.close()

    def test_spaces_and_metadata(self):
        envs = spadework.VectorEnv("load", 2)
        self.assertEqual((envs.num_envs, envs.action_space.shape, envs.single_action_space.shape), (2, (2, 4), (4,)))
        self.assertEqual(envs.observation_space["ground"].shape, (2, 11, 20))
        self.assertEqual(getattr(envs.metadata["autoreset_mode"], "value", envs.metadata["autoreset_mode"]), "NextStep")
        envs.reset(seed=1)
        results = envs.step(envs.action_space.sample())
        self.assertEqual(
            [(r.dtype, r.shape) for r in results[1:4]], [(np.float64, (2,)), (np.bool_, (2,)), (np.bool_, (2,))]
        )
        self.assertIsNone(envs.render())
        envs.close()

    def test_resets(self):
        envs = spadework.VectorEnv("dig", 3)
        with self.refuses(spadework.NotNow, "reset()"):
            envs.step(np.zeros((3, 4)))
        with self.refuses(spadework.BadArgument, "reset all first"):
            envs.reset(options={"reset_mask": np.array([True, False, True])})
        _, infos = envs.reset(seed=[5, None, 7])
        self.assertEqual(len(set(infos["scene_seed"].tolist())), 3)
        before, _, _, _, _ = envs.step(np.ones((3, 4), np.float32))
        after, infos = envs.reset(seed=[5, 5, 5], options={"reset_mask": np.array([False, True, False])})
        self.assertEqual(infos["_scene_seed"].tolist(), [False, True, False])
        for name in before:
            self.assertEqual(before[name][0].tobytes(), after[name][0].tobytes())
        again, _ = envs.reset(seed=[5, 5, 5])
        for name in again:
            self.assertEqual(again[name][0].tobytes(), again[name][1].tobytes())
        for words, call in (
            (["reset_mask", "3"], lambda: envs.reset(options={"reset_mask": np.zeros(3, bool)})),
            (["seed", "2"], lambda: envs.reset(seed=[1, 2])),
            (["actions", "(3, 4)"], lambda: envs.step(np.zeros((3, 3)))),
            (["action"], lambda: envs.step(np.full((3, 4), np.nan))),
            (["num_envs", "0"], lambda: spadework.VectorEnv("dig", 0)),
            (["render_mode"], lambda: spadework.VectorEnv("dig", 1, render_mode="human")),
            (["threads", "0"], lambda: spadework.VectorEnv("dig", 1, threads=0)),
        ):
            with self.refuses(spadework.BadArgument, *words):
                call()
        envs.close()

    def test_observations_are_fresh(self):
        envs = spadework.VectorEnv("dig", 2)
        held = [envs.reset(seed=2)[0]]
        before = [[array.tobytes() for array in arrays(held[0])]]
        for k in range(4):
            held.append(envs.step(np.full((2, 4), 0.2 * k, np.float32))[0])
            before.append([array.tobytes() for array in arrays(held[-1])])
        self.assertEqual(before, [[array.tobytes() for array in arrays(observation)] for observation in held])
        envs.close()

    def test_spawned_workers(self):
        env = spadework.Env("dig", randomise=RANGES)
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            found = pool.starmap(first_observation, [(env, 3), (env, 4)])
        for seed, (observation, reward, scene_seed) in zip((3, 4), found):
            here, info = env.reset(seed=seed)
            self.assertSame(here, observation)
            self.assertEqual((env.step(np.ones(4, np.float32))[1], info["scene_seed"]), (reward, scene_seed))
        env.close()


if __name__ == "__main__":
    unittest.main()
