"""Sessions, as a user of the package sees them."""

import ctypes
import multiprocessing
import os
import pathlib
import pickle
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

import numpy as np
import spadework
from spadework import _library
from support import Case

HEADER = pathlib.Path(os.environ["SOURCE_DIR"]) / "trainer" / "api" / "spadework.h"
LEVERS = {"boom": -0.6, "stick": 0.4}


def hash_of(files, seed):
    """In a process of its own: a session made again, and stepped."""
    with spadework.Session(files=files, seed=seed) as site:
        site.step(LEVERS, 90)
        return site.hash()


class Structs(Case):
    def test_sizes_are_those_of_the_header(self):
        compiler = shutil.which("cc")
        if compiler is None:
            self.skipTest("there is no C compiler")
        rows = []
        for struct, name in (
            (_library.Params, "Params"),
            (_library.Patch, "Patch"),
            (_library.Event, "Event"),
            (_library.Picture, "Picture"),
            (_library.File, "File"),
        ):
            rows.append((f"sizeof(Spadework{name})", ctypes.sizeof(struct)))
            rows += [
                (f"offsetof(Spadework{name}, {field})", getattr(struct, field).offset) for field, _ in struct._fields_
            ]
        for name in ("TEXT", "NAME", "SENTENCE", "NUMBERS", "PARTICLE", "MOST_TICKS", "ABI_MAJOR", "ABI_MINOR"):
            rows.append((f"SPADEWORK_{name}", getattr(_library, name)))
        rows += [(f"SPADEWORK_{name}", getattr(_library, name)) for name in ("ON_SITE", "DESIGNED", "GRAINS")]
        rows += [(f"SPADEWORK_{name.upper()}", number) for name, number in _library.FRAMES.items()]
        results = {
            "BadArgument": "BAD_ARGUMENT",
            "BadFile": "BAD_FILE",
            "BadState": "BAD_STATE",
            "NoMemory": "NO_MEMORY",
            "NotNow": "NOT_NOW",
        }
        for number, error in _library.ERRORS.items():
            rows.append((f"SPADEWORK_{results.get(error.__name__, error.__name__.upper())}", number))
        checks = "\n".join(f'_Static_assert({name} == {value}, "{name}");' for name, value in rows)
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "sizes.c"
            program.write_text(f'#include <stddef.h>\n#include "{HEADER}"\n{checks}\n')
            subprocess.run([compiler, "-std=c17", "-fsyntax-only", str(program)], check=True)

    def test_every_function_is_declared(self):
        text = HEADER.read_text()
        for name in _library.FUNCTIONS:
            self.assertIn(f"spadework_{name}(", text)
        self.assertEqual(text.count("\nSPADEWORK_API "), len(_library.FUNCTIONS))


class Finding(Case):
    def test_nothing_there(self):
        with self.refuses(spadework.LibraryMissing, "/nowhere/lib.so", "the argument", "libspadework0"):
            spadework.Session("trench", library="/nowhere/lib.so")
        self.assertTrue(issubclass(spadework.LibraryMissing, ImportError))

    def test_another_library(self):
        with self.refuses(spadework.LibraryMissing, "no function spadework_abi"):
            spadework.Session("trench", library=ctypes.util.find_library("c"))

    def test_another_version(self):
        handle = ctypes.CDLL(os.environ["SPADEWORK_LIBRARY"])
        before, _library.ABI_MINOR = _library.ABI_MINOR, 99
        try:
            with self.refuses(spadework.LibraryMissing, "interface 0.", "needs 0.99"):
                _library.Library(handle, "this library")
        finally:
            _library.ABI_MINOR = before
        self.assertEqual(spadework.abi(), (0, 1))


class Sessions(Case):
    @classmethod
    def setUpClass(cls):
        cls.site = spadework.Session("trench")

    @classmethod
    def tearDownClass(cls):
        cls.site.close()

    def setUp(self):
        self.site.reset()

    def test_names_and_info(self):
        info = self.site.info()
        self.assertEqual(self.site.action_names, ("swing", "stick", "boom", "bucket", "left_track", "right_track"))
        self.assertEqual(
            (info["scene"]["name"], info["machine"], self.site.dt), ("trench", "excavator-22t", 1.0 / 60.0)
        )
        self.assertEqual(self.site.observe().shape, (len(self.site.observation_names),))
        self.assertEqual(list(self.site.exercise()), list(self.site.exercise_names))
        self.assertEqual([row["name"] for row in info["observation"] + info["exercise"] if not row.get("phrase")], [])
        for row, value in zip(info["observation"], self.site.observe()):
            self.assertLessEqual(row["low"], value, row["name"])
            self.assertGreaterEqual(row["high"], value, row["name"])

    def test_steps(self):
        before = self.site.observe()
        self.site.step({"boom": -0.6, "stick": 0.4}, 30)
        by_name = self.site.hash()
        self.assertEqual((self.site.tick, self.site.tick), (30, 30))
        self.assertNotEqual(before.tobytes(), self.site.observe().tobytes())
        self.site.reset()
        self.assertEqual(before.tobytes(), self.site.observe().tobytes())
        self.site.step([0.0, 0.4, -0.6, 0.0, 0.0, 0.0], 30)
        self.assertEqual(by_name, self.site.hash())

    def test_arrays_are_fresh(self):
        first, terms, heights = self.site.observe(), self.site.exercise_values(), self.site.heights(4, 4)
        kept = [array.copy() for array in (first, terms, *heights)]
        self.site.step({"boom": -1.0, "swing": 1.0}, 60)
        for array, before, now in zip(
            (first, terms, *heights), kept, (self.site.observe(), self.site.exercise_values(), *self.site.heights(4, 4))
        ):
            self.assertEqual(array.tobytes(), before.tobytes())
            self.assertFalse(np.shares_memory(array, now))

    def test_wrong_arguments(self):
        state = self.site.hash()
        for words, call in (
            (["'bom'", "swing, stick"], lambda: self.site.step({"bom": 1.0})),
            (["'up'", "-1 to 1"], lambda: self.site.step({"boom": "up"})),
            (["None", "-1 to 1"], lambda: self.site.step(None)),
            (["str", "save()"], lambda: self.site.restore("abc")),
            (["640", "height"], lambda: self.site.render("cab", 640)),
            (["no Session"], lambda: spadework.step_many(["a"], np.zeros((1, 6)))),
            (["twice"], lambda: spadework.step_many([self.site, self.site], np.zeros((2, 6)))),
            (["levers", "2", "6"], lambda: self.site.step([0.0, 1.0])),
            (["boom", "nan"], lambda: self.site.step([0.0, 0.0, np.nan, 0.0, 0.0, 0.0])),
            (["boom", "1.5"], lambda: self.site.step([0.0, 0.0, 1.5, 0.0, 0.0, 0.0])),
            (["shape (1, 6)"], lambda: self.site.step(np.zeros((1, 6)))),
            (["ticks", "0", "1 to 1000000"], lambda: self.site.step({}, 0)),
            (["ticks", "1.5"], lambda: self.site.step({}, 1.5)),
            (["seed", "-3"], lambda: self.site.reset(-3)),
            (["frame", "'sky'", "house"], lambda: self.site.heights(frame="sky")),
            (["rows", "0"], lambda: self.site.heights(rows=0)),
            (["spacing"], lambda: self.site.heights(spacing=0.0)),
            (["nothing"], lambda: self.site.order("nothing", value=1.0)),
            (["start", "-1"], lambda: self.site.events(-1)),
            (["quality", "3"], lambda: self.site.render(quality=3)),
            (["width", "15"], lambda: self.site.render(size=(15, 64))),
        ):
            with self.refuses(spadework.BadArgument, *words):
                call()
        self.assertEqual(state, self.site.hash())

    def test_wrong_sessions(self):
        for error, words, arguments in (
            (spadework.BadArgument, ["scene"], {}),
            (spadework.BadArgument, ["/nowhere"], {"scene": "trench", "data": "/nowhere"}),
            (spadework.BadFile, ["nothing"], {"scene": "nothing"}),
            (spadework.BadFile, ["machine.x"], {"scene": "trench", "overrides": {"machine.x": "far"}}),
            (spadework.BadFile, ["machine.z"], {"scene": "trench", "overrides": ["machine.z=3"]}),
            (spadework.BadArgument, ["KEY=VALUE"], {"scene": "trench", "overrides": "machine.x=3"}),
            (spadework.BadArgument, ["'lever'", "swing"], {"scene": "trench", "actions": ["lever"]}),
            (spadework.BadArgument, ["actions", "empty"], {"scene": "trench", "actions": []}),
            (spadework.BadArgument, ["threads", "0"], {"scene": "trench", "threads": 0}),
            (spadework.BadArgument, ["seed", "True"], {"scene": "trench", "seed": True}),
            (spadework.BadArgument, ["scene", "zero byte"], {"scene": "a\0b"}),
        ):
            with self.refuses(error, *words):
                spadework.Session(**arguments)

    def test_overrides_seeds_and_actions(self):
        with spadework.Session(
            "trench", {"machine.x": -5.5, "ground.layers.1.soil": "clay"}, seed=3, actions=["boom"]
        ) as site:
            self.assertEqual(
                (site.seed, site.action_names, site.info()["site"]["soils"]), (3, ("boom",), ["topsoil", "clay"])
            )
            self.assertAlmostEqual(dict(zip(site.observation_names, site.observe()))["base_x"], -5.5, 2)
            first = site.heights(frame="world").ground
            site.reset(4)
            self.assertEqual(site.seed, 4)
            self.assertNotEqual(first.tobytes(), site.heights(frame="world").ground.tobytes())
            site.reset(3)
            self.assertEqual(first.tobytes(), site.heights(frame="world").ground.tobytes())

    def test_heights(self):
        patch = self.site.heights(3, 5, 0.5, 1.8, 0.0, frame="world")
        self.assertEqual([a.shape for a in patch], [(3, 5)] * 3)
        self.assertEqual([str(a.dtype) for a in patch], ["float32", "float32", "uint8"])
        self.assertTrue(np.all(patch.mask == spadework.ON_SITE | spadework.DESIGNED))
        self.assertTrue(np.allclose(patch.design, -1.5) and np.all(np.abs(patch.ground) < 0.1))
        self.assertTrue(np.all(self.site.heights(2, 2, 1.0, 500.0, 0.0, frame="world").mask == 0))

    def test_particles_and_events(self):
        self.assertEqual(self.site.particles().shape, (0, 9))
        self.assertEqual((list(self.site.events()), self.site.event_count()), ([], 0))
        self.site.order("heat", value=5.0)
        self.site.step({"boom": -1.0}, 120)
        grains = self.site.particles()
        self.assertTrue(len(grains) > 10 and np.all(grains[:, 3] > 0.0) and np.all(grains[:, 7] > 0.0))
        events = list(self.site.events())
        self.assertEqual(
            (events[0].kind, events[0].numbers["heat"], len(events)), ("fault", 5.0, self.site.event_count())
        )
        self.assertIn("oil", events[0].text.lower())
        self.assertEqual(list(self.site.events(len(events))), [])
        self.assertEqual(list(self.site.events(1)), events[1:])

    def test_states(self):
        self.site.step(LEVERS, 60)
        state, before = self.site.save(), self.site.hash()
        self.site.step(LEVERS, 30)
        after = self.site.hash()
        self.site.restore(state)
        self.assertEqual(self.site.hash(), before)
        with self.site.clone() as twin, pickle.loads(pickle.dumps(self.site)) as other:
            for site in (self.site, twin, other):
                site.step(LEVERS, 30)
                self.assertEqual(site.hash(), after)
        for bad in (b"", b"nothing", state[:-1], state[:100] + b"\xff" * 50 + state[150:]):
            with self.assertRaises(spadework.BadState):
                self.site.restore(bad)
        self.assertEqual(self.site.hash(), after)
        with spadework.Session("pad") as pad, self.refuses(spadework.BadState):
            pad.restore(state)

    def test_files_make_it_again_in_another_process(self):
        files = self.site.files()
        self.assertEqual([f.kind for f in files], ["soils", "soils", "machines", "scenes"])
        self.site.step(LEVERS, 90)
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            self.assertEqual(pool.apply(hash_of, (files, 1)), self.site.hash())

    def test_many_together(self):
        sites = [spadework.Session("trench", seed=k) for k in range(3)]
        levers = np.random.default_rng(1).uniform(-1.0, 1.0, (3, 6))
        spadework.step_many(sites, levers, 20, threads=2)
        for k, site in enumerate(sites):
            self.site.reset(k)
            self.site.step(levers[k], 20)
            self.assertEqual(site.hash(), self.site.hash())
        bad = levers.copy()
        bad[1, 0] = 7.0
        with self.refuses(spadework.BadArgument, "session 1 of 3", "swing"):
            spadework.step_many(sites, bad, 1)
        self.assertEqual([site.tick for site in sites], [21, 20, 21])
        with self.refuses(spadework.BadArgument, "shape (3,)"):
            spadework.step_many(sites, [0.0] * 3)
        spadework.step_many([], np.zeros((0, 6)))
        for site in sites:
            site.close()
        with self.assertRaises(spadework.Closed):
            spadework.step_many(sites, levers)

    def test_closed(self):
        site = spadework.Session("trench")
        site.close()
        site.close()
        self.assertTrue(site.closed)
        self.assertIn("closed", repr(site))
        for call in (site.observe, site.reset, site.save, lambda: site.step({}), lambda: site.tick):
            with self.assertRaises(spadework.Closed):
                call()

    def test_busy(self):
        found = []

        def step():
            try:
                self.site.step({}, 600)
            except spadework.Busy as error:
                found.append(error)

        threads = [threading.Thread(target=step) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(self.site.tick, 600 * (4 - len(found)))

    def test_fork(self):
        process = os.fork()
        if process == 0:
            code = 1
            try:
                self.site.observe()
            except spadework.BadArgument as error:
                code = 0 if "spawn" in str(error) else 2
            os._exit(code)
        self.assertEqual(os.waitpid(process, 0)[1], 0)
        self.assertEqual(self.site.tick, 0)

    def test_pictures(self):
        try:
            rgb, depth = self.site.render("behind", (64, 48), depth=True)
        except spadework.Cannot as error:
            self.assertIn("libspadework-render", str(error))
            self.skipTest(str(error))
        self.assertEqual((rgb.shape, rgb.dtype, depth.shape, depth.dtype), ((48, 64, 3), np.uint8, (48, 64), np.float32))
        self.assertTrue(rgb.std() > 5.0 and np.all(depth > 0.0))
        self.assertEqual(self.site.render("behind", (64, 48)).tobytes(), rgb.tobytes())
        with self.refuses(spadework.BadArgument, "moon"):
            self.site.render("moon", (64, 48))

    def test_recording(self):
        with tempfile.TemporaryDirectory() as folder, spadework.Session("trench") as site:
            path = pathlib.Path(folder) / "episode.spade"
            with self.assertRaises(spadework.NotNow):
                site.record_end()
            site.record(path, "policy 3")
            with self.assertRaises(spadework.NotNow):
                site.restore(site.save())
            site.step(LEVERS, 60)
            site.record_end()
            program = os.environ["SPADEWORK"]
            ended = subprocess.run([program, "replay", str(path), "--verify"], capture_output=True, text=True)
            self.assertEqual(ended.returncode, 0, ended.stderr)
            with self.assertRaises(spadework.SpadeworkError):
                site.record(path)


if __name__ == "__main__":
    unittest.main()
