"""A session of the simulator: one machine on one site, stepped as fast as the computer can.

    import spadework
    with spadework.Session("trench") as site:
        site.step({"boom": 0.3, "stick": -0.5}, ticks=60)
        print(dict(zip(site.observation_names, site.observe())))

World: x east, y north, z up, origin in the middle of the site; m, rad, s, kg, N, Pa. The same scene, overrides, seed,
levers and orders give the same bits on every x86-64 computer. Any thread may use any session, one at a time for each
session. A process that fork made cannot use sessions of its parent: create them in the worker, or start it by "spawn".
"""

import ctypes
import json
import os
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _library
from ._library import (
    ERRORS,
    FRAMES,
    GOOD,
    MOST_TICKS,
    NAME,
    PARTICLE,
    TEXT,
    BadArgument,
    Closed,
    SpadeworkError,
)

Levers = Union[Mapping[str, float], Sequence[float], np.ndarray]

_forks = 0


def _forked():
    global _forks
    _forks += 1


os.register_at_fork(after_in_child=_forked)


class File(NamedTuple):
    """A text that a session was made of."""

    kind: str  # folder under the data: "scenes", "machines", "soils" ...
    name: str  # without folder and suffix
    text: bytes


class Event(NamedTuple):
    """What happened: a touch, a fault, points lost."""

    tick: int
    time: float  # s
    kind: str
    part: str  # what acts, or ""
    thing: str  # what it meets, or ""
    points: float  # that it gave, or took (below 0)
    numbers: Dict[str, float]  # by the names of info()["event_numbers"]; what an event is not about is 0
    text: str  # in English


class Heights(NamedTuple):
    """A patch of ground: three fresh arrays [rows][columns]."""

    ground: np.ndarray  # float32, m, world z: with the moving grains on it
    design: np.ndarray  # float32, m, world z: what is asked for; the ground's own height elsewhere
    mask: np.ndarray  # uint8: ON_SITE | DESIGNED | GRAINS


def _encode(text, what: str) -> bytes:
    data = os.fsencode(text) if isinstance(text, os.PathLike) else str(text).encode("utf-8", "surrogateescape")
    if b"\0" in data:
        raise BadArgument(f"{what}: {text!r} holds a zero byte; give a text without")
    return data


def _strings(texts) -> Tuple[Any, int]:
    count = len(texts)
    return ((ctypes.c_char_p * count)(*texts) if count else None), count


def _override_texts(overrides) -> List[bytes]:
    """ "KEY=VALUE" of a mapping of keys, or of an iterable of such texts."""
    if overrides is None:
        return []
    if isinstance(overrides, str):
        raise BadArgument(f"overrides: {overrides!r} is one text; give a dict or a list of texts KEY=VALUE")
    if isinstance(overrides, Mapping):
        return [_encode(f"{key}={_value_text(value)}", "overrides") for key, value in overrides.items()]
    return [_encode(text, "overrides") for text in overrides]


def _value_text(value) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    return str(value)


class Session:
    """One machine on one site.

    scene      a name (`spadework list scenes`) or the path of a scene's file
    overrides  {"KEY": value} of the scene, keys dotted: {"machine.x": 2.5}; or texts "KEY=VALUE"
    seed       0 or more; None: the scene's own
    actions    names of the levers that step() is given, in their order; None: all that act, but throttle and horn
    threads    1 to 256, of the soil; no result depends on it
    questions  False: the exercise's questions are answered before the session is handed over
    files      texts of another session's files(), in place of scene and overrides
    library    path of libspadework.so.0; None: $SPADEWORK_LIBRARY, beside the package, the linker's path
    data       folder of scenes, machines, soils; None: $SPADEWORK_DATA, else beside the library. The first session of
               a process that gives one sets it for all
    """

    def __init__(
        self,
        scene: Union[str, os.PathLike, None] = None,
        overrides: Union[Mapping[str, Any], Sequence[str], None] = None,
        seed: Optional[int] = None,
        actions: Optional[Sequence[str]] = None,
        threads: int = 1,
        questions: bool = False,
        files: Optional[Sequence[File]] = None,
        library=None,
        data: Union[str, os.PathLike, None] = None,
    ):
        self._handle = 0
        self._forks = _forks
        self._library = _library.load(library)
        if scene is None and not files:
            raise BadArgument("scene: nothing is given; give a scene's name, as of `spadework list scenes`, or files")
        self._made = {"actions": actions, "threads": threads, "questions": questions, "library": library, "data": data}
        self._handle = self._create(scene, overrides, seed, actions, threads, questions, files, data)
        self._info = self._read_info()
        self.action_names: Tuple[str, ...] = tuple(action["name"] for action in self._info["actions"])
        self.observation_names: Tuple[str, ...] = tuple(row["name"] for row in self._info["observation"])
        self.exercise_names: Tuple[str, ...] = tuple(row["name"] for row in self._info["exercise"])
        self._event_numbers = tuple(row["name"] for row in self._info["event_numbers"])
        self.dt: float = self._info["dt"]  # s of a tick
        self.seed: int = self._info["scene"]["seed"]

    # ---- life --------------------------------------------------------------------------------------------------------

    def _create(self, scene, overrides, seed, actions, threads, questions, files, data) -> int:
        params = _library.Params(size=ctypes.sizeof(_library.Params), seed=_seed_number(seed))
        params.threads, params.questions = whole(threads, "threads", 1, 256), 1 if questions else 0
        params.scene = None if scene is None else _encode(scene, "scene")
        params.data_folder = None if data is None else _encode(data, "data")
        if actions is not None and len(actions) == 0:
            raise BadArgument("actions: the list is empty; name the levers that a step is given, or leave it out")
        kept = [_strings(_override_texts(overrides)), _strings([_encode(name, "actions") for name in actions or ()])]
        (params.overrides, params.override_count), (params.actions, params.action_count) = kept
        rows = [
            _library.File(_encode(f[0], "files"), _encode(f[1], "files"), bytes(f[2]), len(f[2])) for f in files or ()
        ]
        if rows:
            params.files, params.file_count = (_library.File * len(rows))(*rows), len(rows)
        handle, text = ctypes.c_uint64(), ctypes.create_string_buffer(TEXT)
        result = self._library.create(ctypes.byref(params), ctypes.byref(handle), text)
        if result != GOOD:
            raise _error(result, text.value.decode("utf-8", "replace"))
        return handle.value

    def close(self) -> None:
        """Ends a recording and frees the session. A second call does nothing. Cannot: the recording lost something."""
        handle, self._handle = self._handle, 0
        if handle and self._forks == _forks:
            text = ctypes.create_string_buffer(TEXT)
            result = self._library.close(handle)
            if result not in (GOOD, Closed.result):
                self._library.error(handle, text, TEXT)
                raise _error(result, text.value.decode("utf-8", "replace") or "the session's end failed")

    @property
    def closed(self) -> bool:
        return not self._handle

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *error) -> None:
        self.close()

    def __del__(self):
        try:
            self.close()
        except Exception:  # the interpreter ends, or a recording's disk is full: nobody is there to be told
            pass

    def __repr__(self) -> str:
        state = "closed" if self.closed else f"seed {self.seed}"
        return (
            f"<spadework.Session {self._info['scene']['name']!r}, {state}>" if hasattr(self, "_info") else "<Session>"
        )

    def __reduce__(self):
        return _remade, (self.files(), self.seed, self._made, self.save())

    def clone(self) -> "Session":
        """Another session of the same files in the same state: plan in it while this one works or records."""
        twin = Session(files=self.files(), seed=self.seed, **self._made)
        twin.restore(self.save())
        return twin

    def _use(self) -> int:
        if not self._handle:
            raise Closed("the session is closed; create another one")
        if self._forks != _forks:
            raise BadArgument(
                "the session was created before this process was forked; create it in the worker, or start workers by "
                'multiprocessing.get_context("spawn")'
            )
        return self._handle

    def _check(self, result: int) -> None:
        if result != GOOD:
            raise self._fault(result)

    def _fault(self, result: int) -> SpadeworkError:
        text = ctypes.create_string_buffer(TEXT)
        self._library.error(self._handle, text, TEXT)
        return _error(result, text.value.decode("utf-8", "replace"))

    def _read_info(self) -> Dict[str, Any]:
        size = self._library.info(self._use(), None, 0)
        text = ctypes.create_string_buffer(max(size, 1))
        if size == 0 or self._library.info(self._use(), text, size) == 0:
            raise self._fault(BadArgument.result)
        return json.loads(text.value.decode("utf-8"))

    def info(self) -> Dict[str, Any]:
        """What the session is: names, units and limits of actions, observation and exercise, scene, dt, versions."""
        return self._read_info()

    def files(self) -> List[File]:
        """The texts that the session was made of: Session(files=...) makes it again anywhere."""
        found: List[File] = []
        kind, name = ctypes.create_string_buffer(NAME), ctypes.create_string_buffer(NAME)
        while True:
            size = self._library.file(self._use(), len(found), kind, name, None, 0)
            if size == 0:
                return found
            text = ctypes.create_string_buffer(size)
            self._library.file(self._use(), len(found), kind, name, text, size)
            found.append(File(kind.value.decode(), name.value.decode(), text.raw[:size]))

    # ---- stepping ----------------------------------------------------------------------------------------------------

    def reset(self, seed: Optional[int] = None) -> None:
        """Puts the session to its start. Another seed gives what a new session with it would. Ends a recording."""
        number = None if seed is None else ctypes.c_int64(_seed_number(seed))
        self._check(self._library.reset(self._use(), None if number is None else ctypes.byref(number)))
        if number is not None:
            self.seed = number.value

    def levers(self, levers: Levers) -> np.ndarray:
        """Lever positions in the order of action_names; of a mapping those that are missing are neutral."""
        if isinstance(levers, Mapping):
            unknown = [name for name in levers if name not in self.action_names]
            if unknown:
                raise BadArgument(
                    f"levers: {unknown[0]!r} is none of this session's: {', '.join(self.action_names)}; "
                    f"Session(actions=[...]) chooses others"
                )
            neutral = {action["name"]: action.get("neutral", 0.0) for action in self._info["actions"]}
            return _numbers([levers.get(name, neutral[name]) for name in self.action_names])
        return _numbers(levers)

    def step(self, levers: Levers, ticks: int = 1) -> None:
        """Makes ticks (1 to 1,000,000) of `dt` s with these levers, -1 to 1; observe() gives the state after them."""
        values = self.levers(levers)
        if values.ndim != 1:
            raise BadArgument(f"levers: an array of shape {values.shape}; give one of ({len(self.action_names)},)")
        self._check(
            self._library.step(self._use(), values.ctypes.data, len(values), whole(ticks, "ticks", 1, MOST_TICKS))
        )

    def order(self, fault: str, part: str = "", *, value: float) -> None:
        """Gives an order, as info()["faults"] lists them: a fault of the machine, a driver who stops, a walker."""
        self._check(self._library.order(self._use(), _encode(fault, "fault"), _encode(part, "part"), float(value)))

    # ---- reading -----------------------------------------------------------------------------------------------------

    @property
    def tick(self) -> int:
        """Ticks since the scene's beginning."""
        tick = ctypes.c_int64()
        self._check(self._library.tick(self._use(), ctypes.byref(tick)))
        return tick.value

    def observe(self) -> np.ndarray:
        """Machine, tool and loads: a fresh float64 array in the order of observation_names."""
        values = np.empty(len(self.observation_names))
        self._check(self._library.observe(self._use(), values.ctypes.data, len(values)))
        return values

    def exercise_values(self) -> np.ndarray:
        """The terms of the work: a fresh float64 array in the order of exercise_names."""
        values = np.empty(len(self.exercise_names))
        self._check(self._library.exercise(self._use(), values.ctypes.data, len(values)))
        return values

    def exercise(self) -> Dict[str, float]:
        """The terms of the work by name; info()["exercise"] has their units, phrases, and which are live."""
        return dict(zip(self.exercise_names, self.exercise_values().tolist()))

    def heights(
        self,
        rows: int = 64,
        columns: int = 64,
        spacing: float = 0.1,
        x: float = 0.0,
        y: float = 0.0,
        heading: float = 0.0,
        frame: str = "house",
    ) -> Heights:
        """Heights of a patch of points, `spacing` (m, 0.01 to 10) apart, whose middle lies at x ahead, y to the left.

        frame    "world"; "machine": the tracks and their heading; "house": the same, where the boom points; "tool":
                 below the tool's edge, where the boom points
        heading  rad, in that frame; columns lie along it, rows across it from right to left
        """
        if frame not in FRAMES:
            raise BadArgument(f"frame: {frame!r}; there are {', '.join(FRAMES)}")
        patch = _library.Patch(
            ctypes.sizeof(_library.Patch),
            FRAMES[frame],
            whole(rows, "rows", 1, 512),
            whole(columns, "columns", 1, 512),
            x,
            y,
            heading,
            spacing,
        )
        ground, design = np.empty((rows, columns), np.float32), np.empty((rows, columns), np.float32)
        mask = np.empty((rows, columns), np.uint8)
        self._check(
            self._library.heights(
                self._use(), ctypes.byref(patch), ground.ctypes.data, design.ctypes.data, mask.ctypes.data
            )
        )
        return Heights(ground, design, mask)

    def particles(self) -> np.ndarray:
        """The moving grains [count][9]: x, y, z, radius (m), vx, vy, vz (m/s), mass (kg), soil (of the scene's)."""
        count = ctypes.c_size_t()
        self._check(self._library.particles(self._use(), None, 0, ctypes.byref(count)))
        values = np.empty((count.value, PARTICLE))
        if count.value:
            self._check(self._library.particles(self._use(), values.ctypes.data, count.value, ctypes.byref(count)))
        return values

    def event_count(self) -> int:
        """Events since the start."""
        count = ctypes.c_size_t()
        self._check(self._library.events(self._use(), 0, None, 0, ctypes.byref(count)))
        return count.value

    def events(self, start: int = 0) -> Iterator[Event]:
        """Events from number `start` (0: the first since the session's start) on, in order of time."""
        count = ctypes.c_size_t()
        start = whole(start, "start", 0, 2**31)
        self._check(self._library.events(self._use(), start, None, 0, ctypes.byref(count)))
        rows = (_library.Event * max(count.value, 1))()
        if count.value:
            self._check(self._library.events(self._use(), start, rows, count.value, ctypes.byref(count)))
        return iter([_event(rows[k], self._event_numbers) for k in range(count.value)])

    # ---- states ------------------------------------------------------------------------------------------------------

    def save(self) -> bytes:
        """The whole state, for any session of the same scene, overrides and version, in any process."""
        needed = ctypes.c_size_t()
        self._check(self._library.save(self._use(), None, 0, ctypes.byref(needed)))
        state = ctypes.create_string_buffer(needed.value)
        self._check(self._library.save(self._use(), state, needed.value, ctypes.byref(needed)))
        return state.raw[: needed.value]

    def restore(self, state: bytes) -> None:
        """Continues from a state, bit for bit. Refused while a session records: plan in a clone()."""
        if not isinstance(state, (bytes, bytearray, memoryview)):
            raise BadArgument(f"state: a {type(state).__name__}; give the bytes of save()")
        data = bytes(state)
        self._check(self._library.restore(self._use(), data, len(data)))

    def hash(self) -> int:
        """Hash of the state, 64 bits: equal when the state is, as recordings hold it for every tick."""
        value = ctypes.c_uint64()
        self._check(self._library.hash(self._use(), ctypes.byref(value)))
        return value.value

    # ---- recording and pictures --------------------------------------------------------------------------------------

    def record(self, path: Union[str, os.PathLike], operator: Optional[str] = None) -> None:
        """Begins a recording (`.spade`, a new file) that `spadework replay`, `report` and `export` read.

        The session must stand at its start. operator: who moves the levers ("policy 3").
        """
        name = None if operator is None else _encode(operator, "operator")
        self._check(self._library.record(self._use(), _encode(path, "path"), name))

    def record_end(self) -> None:
        """Ends the recording."""
        self._check(self._library.record_end(self._use()))

    def render(
        self,
        camera: Optional[str] = None,
        size: Tuple[int, int] = (320, 240),
        depth: bool = False,
        quality: int = 0,
        panels: bool = False,
    ):
        """A picture [height][width][3] uint8, top row first; with depth also [height][width] float32, m along the axis.

        camera   of info()["cameras"]; None: the operator's
        size     width, height: 16 to 8192 pixels
        quality  0 low, 1 medium, 2 high
        panels   with gauges
        """
        if not isinstance(size, Sequence) or len(size) != 2:
            raise BadArgument(f"size: {size!r}; give (width, height) in pixels, 16 to 8192 each")
        width, height = whole(size[0], "width", 16, 8192), whole(size[1], "height", 16, 8192)
        name = None if camera is None else _encode(camera, "camera")
        picture = _library.Picture(
            ctypes.sizeof(_library.Picture), name, width, height, whole(quality, "quality", 0, 2), 1 if panels else 0
        )
        rgb = np.empty((height, width, 3), np.uint8)
        far = np.empty((height, width), np.float32) if depth else None
        self._check(
            self._library.render(
                self._use(), ctypes.byref(picture), rgb.ctypes.data, None if far is None else far.ctypes.data
            )
        )
        return (rgb, far) if depth else rgb


def _numbers(values) -> np.ndarray:
    try:
        if values is None:
            raise TypeError
        return np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadArgument(f"levers: {values!r}; give numbers from -1 to 1") from None


def step_many(sessions: Sequence[Session], levers, ticks: int = 1, threads: int = 1) -> None:
    """Steps different sessions by the same ticks on `threads` threads, without Python's lock.

    levers  [sessions][levers], each in the order of its session's action_names
    The first error is raised; the other sessions are stepped all the same.
    """
    count = len(sessions)
    if count == 0:
        return
    wrong = [session for session in sessions if not isinstance(session, Session)]
    if wrong:
        raise BadArgument(f"sessions: {wrong[0]!r} is no Session")
    if len({id(session) for session in sessions}) < count:
        raise BadArgument("sessions: one stands twice; each is stepped once in a call")
    values = _numbers(levers)
    if values.ndim != 2 or values.shape[0] != count:
        raise BadArgument(f"levers: an array of shape {values.shape}; give one of ({count}, levers of a session)")
    library = sessions[0]._library
    handles = (ctypes.c_uint64 * count)(*[session._use() for session in sessions])
    results = np.zeros(count, np.int32)
    result = library.step_many(
        handles,
        count,
        values.ctypes.data,
        values.shape[1],
        whole(ticks, "ticks", 1, MOST_TICKS),
        whole(threads, "threads", 1, 256),
        results.ctypes.data,
    )
    if result != GOOD:
        failed = np.flatnonzero(results)
        fault = sessions[int(failed[0])]._fault(result) if len(failed) else _error(result, "")
        raise type(fault)(f"session {int(failed[0]) if len(failed) else '?'} of {count}: {fault}", result)


def abi(library=None) -> Tuple[int, int]:
    """The library's interface: major and minor number."""
    number = _library.load(library).abi()
    return number >> 16, number & 0xFFFF


def _remade(files, seed, made, state) -> Session:
    session = Session(files=files, seed=seed, **made)
    session.restore(state)
    return session


def _event(row, names) -> Event:
    numbers = {name: row.numbers[k] for k, name in enumerate(names)}
    return Event(
        row.tick,
        row.time,
        row.kind.decode(),
        row.part.decode(),
        row.thing.decode(),
        row.points,
        numbers,
        row.text.decode("utf-8", "replace"),
    )


# What is said where no session can keep a text.
RESULTS = {
    1: "a length, a range or a number of threads is wrong",
    4: "the session is closed",
    5: "another call on this session has not returned, in another thread or in the same step_many",
    6: "memory or threads lack",
}


def _error(result: int, text: str) -> SpadeworkError:
    return ERRORS.get(result, SpadeworkError)(text or RESULTS.get(result, f"the library's result is {result}"), result)


def whole(value, what: str, low: int, high: int) -> int:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)) or not low <= value <= high:
        raise BadArgument(f"{what}: {value!r}; give a whole number from {low} to {high}")
    return int(value)


def _seed_number(seed) -> int:
    return -1 if seed is None else whole(seed, "seed", 0, 2**63 - 1)
