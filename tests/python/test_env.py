"""Environments: the checks of Gymnasium's check_env restated, for all tasks and bases, and what they leave out."""

import copy
import functools
import inspect
import math
import pickle
import unittest

import numpy as np
import spadework
from spadework import randomise, spaces, tasks
from support import Case, arrays


def actions(env, count, seed=0):
    env.action_space.seed(seed)
    return [env.action_space.sample() for _ in range(count)]


def for_each(test):
    """Runs a test for every environment of the class."""

    @functools.wraps(test)
    def run(self):
        for env in self.envs:
            with self.subTest(task=env.task.name, randomised=env._arguments["randomise"] is not None):
                test(self, env)

    return run


class Checks(Case):
    """Each test runs for every task, and for two with their randomisation."""

    @classmethod
    def setUpClass(cls):
        cls.envs = [spadework.Env(name) for name in tasks.names()]
        cls.envs += [spadework.Env(name, randomise=name) for name in ("dig", "grade")]

    @classmethod
    def tearDownClass(cls):
        for env in cls.envs:
            env.close()
            env.close()

    @for_each
    def test_spaces_are_finite_and_symmetric(self, env):
        self.assertIsInstance(env.action_space, spaces.Box)
        self.assertIsInstance(env.observation_space, spaces.Dict)
        for space in (env.action_space, *env.observation_space.spaces.values()):
            self.assertIsInstance(space, spaces.Space)
            self.assertEqual((space.low.shape, space.high.shape, space.dtype), (space.shape, space.shape, np.float32))
            self.assertTrue(np.all(space.low == -1.0) and np.all(space.high == 1.0))

    @for_each
    def test_metadata(self, env):
        self.assertEqual(env.metadata["render_modes"], ["rgb_array", "depth_array"])
        self.assertIsInstance(env.metadata["render_fps"], int)
        self.assertEqual((env.metadata["render_fps"], env.render_mode, env.spec), (10, None, None))
        self.assertIs(env.unwrapped, env)
        parameters = inspect.signature(env.reset).parameters
        self.assertEqual((list(parameters), parameters["seed"].default), (["seed", "options"], None))
        self.assertFalse(hasattr(env, "seed"))
        self.assertIsNone(env.render())

    @for_each
    def test_reset(self, env):
        result = env.reset()
        self.assertIsInstance(result, tuple)
        observation, info = result
        self.assertIn(observation, env.observation_space)
        self.assertIsInstance(info, dict)
        for name, part in env.observation_space.spaces.items():
            self.assertEqual((type(observation[name]), observation[name].dtype), (np.ndarray, part.dtype))

    @for_each
    def test_seeds(self, env):
        first = env.reset(seed=123)
        generator = copy.deepcopy(env.np_random.bit_generator.state)
        second = env.reset()
        self.assertSame(first, env.reset(seed=123))
        self.assertEqual(generator, env.np_random.bit_generator.state)
        self.assertSame(second, env.reset())
        self.assertNotEqual(first[1]["scene_seed"], second[1]["scene_seed"])
        other = env.reset(seed=456)
        self.assertNotEqual(generator, env.np_random.bit_generator.state)
        self.assertNotEqual(first[1]["scene_seed"], other[1]["scene_seed"])
        self.assertEqual(env.np_random_seed, 456)

    @for_each
    def test_options(self, env):
        first = env.reset(seed=5, options={})
        self.assertSame(first, env.reset(seed=5, options=None))
        with self.refuses(spadework.BadArgument, "'nothing'", "state, scene_seed"):
            env.reset(options={"nothing": 1})
        self.assertEqual(env.reset(options={"scene_seed": 77})[1]["scene_seed"], 77)

    @for_each
    def test_step(self, env):
        env.reset(seed=1)
        result = env.step(actions(env, 1)[0])
        self.assertEqual((type(result), len(result)), (tuple, 5))
        observation, reward, terminated, truncated, info = result
        self.assertIn(observation, env.observation_space)
        self.assertEqual((type(reward), type(terminated), type(truncated)), (float, bool, bool))
        self.assertTrue(math.isfinite(reward))
        self.assertEqual((truncated, type(info)), (False, dict))
        self.assertAlmostEqual(reward, sum(info["reward_terms"].values()), 12)
        self.assertEqual(set(info["reward_terms"]), {row.name for row in env.task.reward})

    @for_each
    def test_steps_are_deterministic(self, env):
        runs = []
        for _ in range(2):
            env.reset(seed=9)
            runs.append([env.step(action) for action in actions(env, 4)])
        self.assertEqual(len({tuple(run[k][0]["state"].tobytes() for k in range(4)) for run in runs}), 1)
        for first, second in zip(*runs):
            self.assertSame(first[0], second[0])
            self.assertSame(first[4], second[4])
            self.assertEqual(first[1:4], second[1:4])

    @for_each
    def test_observations_are_fresh(self, env):
        held = [env.reset(seed=2)[0]]
        before = [[array.tobytes() for array in arrays(held[0])]]
        for action in actions(env, 6):
            held.append(env.step(action)[0])
            before.append([array.tobytes() for array in arrays(held[-1])])
        held.append(env.reset()[0])
        env.step(actions(env, 1)[0])
        self.assertEqual(before, [[array.tobytes() for array in arrays(o)] for o in held[:-1]])
        kept = [array for observation in held for array in arrays(observation)]
        for k, array in enumerate(kept):
            self.assertTrue(array.flags.owndata or array.base is None or array.base.flags.owndata)
            for other in kept[k + 1 :]:
                self.assertFalse(np.shares_memory(array, other))

    @for_each
    def test_pickle(self, env):
        twin = pickle.loads(pickle.dumps(env))
        self.assertEqual((twin.observation_space, twin.action_space), (env.observation_space, env.action_space))
        self.assertSame(twin.reset(seed=4), env.reset(seed=4))
        twin.close()


class Environments(Case):
    def test_end_and_truncation(self):
        with spadework.Env("dig", seconds=0.5) as env:
            with self.refuses(spadework.NotNow, "reset()"):
                env.step(np.zeros(4))
            env.reset(seed=1)
            ends = [env.step(np.zeros(4, np.float32))[2:4] for _ in range(5)]
            self.assertEqual(ends, [(False, False)] * 4 + [(False, True)])
            with self.refuses(spadework.NotNow, "ended"):
                env.step(np.zeros(4))
            env.reset()
            env.step(np.zeros(4))
        with self.refuses(spadework.BadArgument, "seconds", "1 steps"):
            spadework.Env("dig", seconds=0.1)

    def test_terminates(self):
        task = tasks.load("dig")
        end = tasks.End("deep", 7.0, "payload_now", at_least=5.0)
        digging = tasks.Task(**{**task.__dict__, "end": (end,)})
        with spadework.Env(digging) as env:
            env.reset(seed=1)
            for _ in range(60):
                _, reward, terminated, truncated, info = env.step(np.array([0.0, 0.6, -1.0, 0.2], np.float32))
                if terminated:
                    break
            self.assertEqual(
                (terminated, truncated, info["end"], info["reward_terms"]["deep"]), (True, False, "deep", 7.0)
            )
            self.assertAlmostEqual(reward, sum(info["reward_terms"].values()), 12)

    def test_rewards(self):
        task = tasks.load("dig")
        rows = (
            tasks.Reward("filled", "gain", 2.0, "payload_now"),
            tasks.Reward("full", "level", 3.0, "payload_now"),
            tasks.Reward("faults", "events", -5.0, "fault"),
            tasks.Reward("time", "time", 4.0),
            tasks.Reward("levers", "levers", 1.0),
            tasks.Reward("changes", "changes", 1.0),
        )
        with spadework.Env(tasks.Task(**{**task.__dict__, "reward": rows})) as env:
            env.reset(seed=1)
            before, last = 0.0, np.zeros(4)
            for k in range(30):
                action = np.array([0.0, 0.6, -1.0, 0.2 * (k % 2)], np.float32)
                if k == 20:
                    env.session.order("heat", value=3.0)
                terms = env.step(action)[4]["reward_terms"]
                payload = env.session.exercise()["payload_now"]
                self.assertAlmostEqual(terms["filled"], 2.0 * (payload - before), 9)
                self.assertAlmostEqual(terms["full"], 3.0 * payload * 0.1, 9)
                self.assertEqual(terms["faults"], -5.0 if k == 20 else 0.0)
                self.assertAlmostEqual(terms["time"], 0.4, 12)
                self.assertAlmostEqual(terms["levers"], float(np.mean(action.astype(float) ** 2)) * 0.1, 12)
                self.assertAlmostEqual(terms["changes"], float(np.mean((action - last) ** 2)), 9)
                before, last = payload, action.astype(float)
            self.assertGreater(payload, 10.0)

    def test_wrong_arguments(self):
        with spadework.Env("dig") as env:
            env.reset(seed=1)
            for action in ([0.0, 0.0], np.zeros((1, 4)), [np.nan] * 4, [0.0, 0.0, 0.0, np.inf]):
                with self.refuses(spadework.BadArgument, "action", "4 finite numbers"):
                    env.step(action)
            state = env.session.hash()
            env.step(np.array([9.0, 0.0, 0.0, 0.0]))  # beyond the levers' ends: cut there
            far = env.session.hash()
            env.reset(seed=1)
            self.assertEqual(state, env.session.hash())
            env.step(np.array([1.0, 0.0, 0.0, 0.0]))
            self.assertEqual(far, env.session.hash())
        for words, arguments in (
            (["render_mode", "'human'"], {"render_mode": "human"}),
            (["'nothing'", "dig"], {"task": "nothing"}),
            (["ticks", "0"], {"ticks": 0}),
        ):
            with self.refuses(ValueError, *words):
                spadework.Env(**arguments)

    def test_names_that_the_session_lacks(self):
        task = tasks.load("dig")
        for words, change in (
            (["'cut_lfet'", "cut_left"], {"reward": (tasks.Reward("cut", "gain", 1.0, "cut_lfet"),)}),
            (["'explosion'", "touch"], {"reward": (tasks.Reward("cut", "events", 1.0, "explosion"),)}),
            (["'depth'", "done"], {"end": (tasks.End("done", 1.0, "depth", at_least=1.0),)}),
            (["'boom'", "boom_angle"], {"observation": (tasks.Numbers("state", {"boom": (0.0, 1.0)}),)}),
            (["'tan yaw'", "sin NAME"], {"observation": (tasks.Numbers("state", {"tan yaw": (0.0, 1.0)}),)}),
            (["'loaded'", "loaded_now"], {"observation": (tasks.Numbers("state", {"work.loaded": (0.0, 1.0)}),)}),
        ):
            with self.refuses(tasks.BadTask, "task dig", *words):
                spadework.Env(tasks.Task(**{**task.__dict__, **change}))
        with self.refuses(tasks.BadTask, "'sound'", "state"):
            spadework.Env("dig", randomise={"noise": {"sound": [0.0, 0.1]}})
        with self.refuses(tasks.BadTask, "'earthquake'", "pressure"):
            spadework.Env("dig", randomise={"faults": {"earthquake": [0.0, 0.1]}})

    def test_starts_from_a_state(self):
        with spadework.Env("dig", randomise={"scene": {"machine.x": {"low": -5.4, "high": -5.1}}}) as env:
            env.reset(seed=1)
            with spadework.Session("trench", actions=env.task.actions) as site:
                site.step({"boom": -0.6}, 90)
                state, dug = site.save(), site.hash()
            observation, info = env.reset(options={"state": state})
            self.assertEqual((env.session.hash(), info["time"]), (dug, 1.5))
            self.assertSame(observation, env.reset(options={"state": state})[0])
            env.step(np.zeros(4, np.float32))
            with self.assertRaises(spadework.BadState):
                env.reset(options={"state": b"nothing"})

    def test_observation_numbers(self):
        with spadework.Env("load") as env:
            observation, _ = env.reset(seed=1)
            seen = dict(zip(env.session.observation_names, env.session.observe()))
            numbers = env.task.observation[0].numbers
            for value, (name, (low, high)) in zip(observation["state"], numbers.items()):
                raw = {
                    "sin swing_angle": np.sin(seen["swing_angle"]),
                    "cos swing_angle": np.cos(seen["swing_angle"]),
                    "work.loaded_now": env.session.exercise()["loaded_now"],
                }.get(name, seen.get(name))
                self.assertAlmostEqual(
                    float(value), float(np.clip(2.0 * (raw - low) / (high - low) - 1.0, -1.0, 1.0)), 6
                )
            # The truck lies at (0, 6.5), the machine at (0, 0) looks 35 degrees to the left.
            ahead, left = observation["places"][2:] * 12.0
            self.assertAlmostEqual(float(ahead), 6.5 * math.sin(math.radians(35.0)), 2)
            self.assertAlmostEqual(float(left), 6.5 * math.cos(math.radians(35.0)), 2)
            heights = env.session.heights(11, 20, 0.4, 6.8).ground / 2.5
            self.assertTrue(np.allclose(observation["ground"], np.clip(heights, -1.0, 1.0)))

    def test_delay_gain_and_noise(self):
        late = {"delay": {"ticks": [9, 9]}, "levers": {"gain": [0.5, 0.5]}}
        with spadework.Env("dig", randomise=late) as env, spadework.Session("trench", actions=env.task.actions) as site:
            site.reset(env.reset(seed=3)[1]["scene_seed"])
            chosen = actions(env, 4, 1)
            for action in chosen:
                env.step(action)
            neutral = np.zeros(4)
            halves = [0.5 * action.astype(float) for action in chosen]
            for levers, ticks in ((neutral, 9), (halves[0], 6), (halves[1], 6), (halves[2], 3)):
                site.step(levers, ticks)
            self.assertEqual(site.hash(), env.session.hash())
        with spadework.Env("dig", randomise={"noise": {"ground": [0.05, 0.05]}}) as env, spadework.Env("dig") as clear:
            noisy, true = env.reset(seed=3)[0], clear.reset(seed=3)[0]
            self.assertSame(noisy["state"], true["state"])
            self.assertAlmostEqual(float(np.std(noisy["ground"] - true["ground"])), 0.05, 2)
            self.assertSame(noisy, env.reset(seed=3)[0])

    def test_sessions_are_kept(self):
        ranges = randomise.load({"scene": {"machine.x": {"low": -5.2, "high": -5.0, "steps": 2}}})
        with spadework.Env("dig", randomise=ranges) as env:
            found = set()
            for k in range(12):
                env.reset(seed=k)
                found.add(id(env.session))
            self.assertEqual(len(found), 2)

    def test_a_task_of_ones_own(self):
        mine = {
            "scene": "free",
            "actions": ["boom", "bucket"],
            "ticks": 3,
            "seconds": 1.0,
            "observation": [{"name": "state", "kind": "numbers", "numbers": {"tip_z": [-2.0, 6.0]}}],
            "reward": [{"name": "load", "kind": "level", "term": "payload_now", "weight": 1.0}],
        }
        with spadework.Env(mine) as env:
            self.assertEqual((env.metadata["render_fps"], env.action_space.shape, env.dt), (20, (2,), 0.05))
            env.reset(seed=1)
            self.assertEqual(sum(1 for _ in range(20) if not env.step(np.zeros(2))[3]), 19)


if __name__ == "__main__":
    unittest.main()
