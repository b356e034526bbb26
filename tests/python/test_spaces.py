"""Spaces, tasks and randomisations: what needs no library."""

import copy
import pathlib
import pickle
import tempfile
import tomllib
import unittest

import numpy as np
from spadework import _own_spaces as own
from spadework import _reader, expert, randomise, spaces, tasks
from support import Case


def shipped(folder, name):
    return tomllib.loads((pathlib.Path(_reader.FOLDER) / folder / f"{name}.toml").read_text())


class Spaces(Case):
    def test_box(self):
        box = own.Box(-1.0, 2.0, (2, 3))
        self.assertEqual((box.shape, box.dtype), ((2, 3), np.float32))
        self.assertEqual((box.low.shape, box.low.dtype, float(box.high.max())), ((2, 3), np.float32, 2.0))
        for value in (np.full((2, 3), -1.0, np.float32), np.full((2, 3), 2, np.int8), [[0, 0, 0], [0, 0, 2]]):
            self.assertIn(value, box)
        for value in (
            np.full((2, 3), 2.1, np.float32),
            np.full((3, 2), 0.0, np.float32),
            np.full((2, 3), np.nan, np.float32),
            np.zeros((2, 3), np.float64),
            "x",
            None,
        ):
            self.assertNotIn(value, box)
        self.assertEqual(own.Box(np.zeros(2), 1.0).shape, (2,))
        self.assertTrue(box.is_bounded() and not own.Box(0.0, np.inf, (1,)).is_bounded())
        whole = own.Box(0, 255, (400,), np.uint8)
        drawn = whole.sample()
        self.assertEqual((drawn.dtype, int(drawn.max()) > 200), (np.uint8, True))
        for low, high in ((1.0, 0.0), (np.nan, 1.0)):
            with self.refuses(ValueError, "low"):
                own.Box(low, high, (1,))
        with self.refuses(ValueError, "no bound"):
            own.Box(0.0, np.inf, (1,)).sample()

    def test_discrete(self):
        space = own.Discrete(3, start=-1)
        self.assertEqual({int(space.sample()) for _ in range(60)}, {-1, 0, 1})
        self.assertTrue(
            -1 in space and np.int32(1) in space and 2 not in space and 0.5 not in space and True not in space
        )
        for number in (0, 1.5, True):
            with self.refuses(ValueError, "n:"):
                own.Discrete(number)

    def test_dict(self):
        space = own.Dict({"b": own.Box(-1.0, 1.0, (2,)), "a": own.Discrete(2)})
        self.assertEqual(list(space), ["a", "b"])
        value = space.sample()
        self.assertIn(value, space)
        self.assertNotIn({"a": 0}, space)
        self.assertNotIn({**value, "c": 1}, space)
        self.assertEqual((len(space), space["a"]), (2, own.Discrete(2)))
        with self.refuses(ValueError, "no space"):
            own.Dict(a=3)

    def test_seeds_equality_and_copies(self):
        for space, other in (
            (own.Box(-1.0, 1.0, (4,)), own.Box(-1.0, 1.5, (4,))),
            (own.Discrete(1000), own.Discrete(999)),
            (
                own.Dict(a=own.Box(0.0, 1.0, (2,)), b=own.Discrete(9)),
                own.Dict(a=own.Box(0.0, 1.0, (3,)), b=own.Discrete(9)),
            ),
        ):
            space.seed(7)
            drawn = [space.sample() for _ in range(3)]
            space.seed(7)
            for before in drawn:
                self.assertSame(before, space.sample())
            twin = pickle.loads(pickle.dumps(space))
            self.assertEqual(twin, space)
            self.assertEqual(copy.deepcopy(space), space)
            self.assertNotEqual(space, other)
            self.assertSame(twin.sample(), space.sample())
            self.assertIn(type(space).__name__, repr(space))
        for seed in (-1, 1.5, True, "x"):
            with self.refuses(ValueError, "seed"):
                own.Discrete(2).seed(seed)

    def test_batch_and_flat(self):
        space = own.Dict(b=own.Box(-1.0, 1.0, (2, 2)), a=own.Box(0.0, 3.0, (1,)))
        many = spaces.batch(space, 5)
        self.assertEqual((many["b"].shape, many["a"].shape, float(many["a"].high.max())), ((5, 2, 2), (5, 1), 3.0))
        value = {"b": np.array([[1, 2], [3, 4]], np.float32), "a": np.array([9], np.float32)}
        self.assertEqual(spaces.flatten(space, value).tolist(), [9.0, 1.0, 2.0, 3.0, 4.0])
        self.assertEqual(spaces.flat_size(space), 5)


class Tasks(Case):
    def test_shipped(self):
        self.assertEqual(tasks.names(), ["dig", "doze", "grade", "load"])
        for name in tasks.names():
            task = tasks.load(name)
            self.assertEqual((task.name, tasks.load(task)), (name, task))
            self.assertEqual(pickle.loads(pickle.dumps(task)), task)
        for name in ("dig", "load"):
            expert.plan_of(tasks.load(name))

    def test_a_path(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "mine.toml"
            path.write_bytes((pathlib.Path(_reader.FOLDER) / "tasks" / "load.toml").read_bytes())
            self.assertEqual(tasks.load(path).name, "mine")
            path.write_text("title = ")
            with self.refuses(tasks.BadTask, "mine.toml", "not TOML"):
                tasks.load(path)
            with self.refuses(tasks.BadTask, "missing.toml", "dig, doze"):
                tasks.load(pathlib.Path(folder) / "missing.toml")
        with self.refuses(tasks.BadTask, "'nothing'", "dig, doze"):
            tasks.load("nothing")

    def refuses_change(self, words, *way_and_value):
        """A change of the shipped task dig is refused: its key path, and what it becomes (... : it is removed)."""
        *way, value = way_and_value
        task = shipped("tasks", "dig")
        at = task
        for step in way[:-1]:
            at = at[step]
        if value is ...:
            del at[way[-1]]
        else:
            at[way[-1]] = value
        with self.refuses(tasks.BadTask, *words):
            expert.plan_of(tasks.load(task))

    def test_bad_values(self):
        self.refuses_change(["scene", "missing"], "scene", ...)
        self.refuses_change(["ticks", "0", "1 to 1000000"], "ticks", 0)
        self.refuses_change(["ticks", "6.0"], "ticks", 6.0)
        self.refuses_change(["seconds", "inf"], "seconds", float("inf"))
        self.refuses_change(["actions", "empty"], "actions", [])
        self.refuses_change(["actions", "'boom'", "twice"], "actions", ["boom", "boom"])
        self.refuses_change(["overrides", "table"], "overrides", 3)
        self.refuses_change(["secnods", "did you mean seconds"], "secnods", 3)
        self.refuses_change(["observation", "none"], "observation", ...)
        self.refuses_change(["observation 1", "kind", "'words'", "'numbers'"], "observation", 0, "kind", "words")
        self.refuses_change(["payload", "exceeds"], "observation", 0, "numbers", "payload", [2.0, 1.0])
        self.refuses_change(["payload", "differ"], "observation", 0, "numbers", "payload", [1.0, 1.0])
        self.refuses_change(["payload", "nan"], "observation", 0, "numbers", "payload", [float("nan"), 1.0])
        self.refuses_change(["dump", "[X, Y]"], "observation", 1, "places", "dump", [1.0])
        self.refuses_change(["observation 3", "rows", "513"], "observation", 2, "rows", 513)
        self.refuses_change(["frame", "'sky'"], "observation", 2, "frame", "sky")
        self.refuses_change(["spacing", "0.001", "0.01 to 10"], "observation", 2, "spacing", 0.001)
        self.refuses_change(["observation", "'state'", "twice"], "observation", 1, "name", "state")
        self.refuses_change(["reward 1", "weight", "'much'"], "reward", 0, "weight", "much")
        self.refuses_change(["reward 5", "term", "no meaning"], "reward", 4, "term", "payload")
        self.refuses_change(["reward 1", "kind"], "reward", 0, "kind", "pay")
        self.refuses_change(["end 1", "at_least"], "end", 0, "at_most", 3.0)
        self.refuses_change(["end 1", "term"], "end", 0, "event", "touch")
        self.refuses_change(["expert", "lanes"], "expert", "lanes", [])
        self.refuses_change(["expert", "bite", "0.05 to 2"], "expert", "bite", 9.0)
        self.refuses_change(["full", "boom", "missing"], "expert", "full", "boom", ...)
        self.refuses_change(["no table [expert]"], "expert", ...)


class Randomisation(Case):
    def test_shipped(self):
        self.assertEqual(randomise.names(), tasks.names())
        for name in randomise.names():
            ranges = randomise.load(name)
            draws = [ranges.draw(np.random.default_rng(5), 4) for _ in range(2)]
            self.assertEqual(draws[0].overrides, draws[1].overrides)
            self.assertEqual(draws[0].gain.tolist(), draws[1].gain.tolist())
            self.assertEqual(
                (draws[0].delay, draws[0].noise, draws[0].faults), (draws[1].delay, draws[1].noise, draws[1].faults)
            )
        many = [randomise.load("dig").draw(np.random.default_rng(k), 4) for k in range(80)]
        self.assertEqual({draw.overrides["ground.layers.1.soil"] for draw in many}, {"loam", "clay", "sand"})
        self.assertEqual(
            sorted({round(draw.overrides["machine.x"], 3) for draw in many}), [-5.3, -5.2, -5.1, -5.0, -4.9]
        )
        self.assertEqual({draw.delay for draw in many}, set(range(10)))
        self.assertTrue(all(-6.0 <= draw.overrides["machine.heading_deg"] <= 6.0 for draw in many))
        self.assertTrue(all(np.all((draw.gain >= 0.85) & (draw.gain <= 1.1)) for draw in many))

    def test_none(self):
        draw = randomise.load(None).draw(np.random.default_rng(1), 4)
        self.assertEqual((draw.overrides, draw.delay, draw.gain, draw.noise), ({}, 0, None, {}))

    def test_bad_values(self):
        for words, ranges in (
            (["machine.x", "high", "less than low"], {"scene": {"machine.x": {"low": 1.0, "high": 0.0}}}),
            (["machine.x", "low", "missing"], {"scene": {"machine.x": {"high": 0.0}}}),
            (["machine.x", "steps", "-1"], {"scene": {"machine.x": {"low": 0.0, "high": 1.0, "steps": -1}}}),
            (["values", "[]"], {"scene": {"machine.x": {"values": []}}}),
            (["delay", "ticks", "601"], {"delay": {"ticks": [0, 601]}}),
            (["delay", "ticks", "whole"], {"delay": {"ticks": [0, 1.5]}}),
            (["levers", "gain", "0.1 to 10"], {"levers": {"gain": [0.0, 1.0]}}),
            (["noise", "state", "0 to 1"], {"noise": {"state": [0.0, 2.0]}}),
            (["faults", "heat", "[LOW, HIGH]"], {"faults": {"heat": 3.0}}),
            (["dealy", "delay"], {"dealy": {}}),
            (["'nothing'", "dig"], "nothing"),
        ):
            with self.refuses(randomise.BadTask, *words):
                randomise.load(ranges)


if __name__ == "__main__":
    unittest.main()
