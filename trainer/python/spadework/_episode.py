"""Episodes of a task: what an environment draws at a reset, observes, and is rewarded for.

Env holds one Site, VectorEnv several, which are stepped together.
"""

import math
from collections import OrderedDict, deque

import numpy as np

from . import randomise, spaces, tasks
from ._library import MOST_TICKS, BadArgument, NotNow
from .session import Session, whole

OPTIONS = ("state", "scene_seed")


class Sessions:
    """The last few sessions of a scene with overrides, so that equal draws need no new one."""

    def __init__(self, most, make):
        self._most = most
        self._make = make
        self._kept = OrderedDict()

    def get(self, overrides):
        key = tuple(sorted((name, str(value)) for name, value in overrides.items()))
        session = self._kept.pop(key, None)
        if session is None:
            while len(self._kept) >= self._most:
                self._kept.popitem(last=False)[1].close()
            session = self._make(overrides)
        self._kept[key] = session
        return session

    def close(self):
        while self._kept:
            self._kept.popitem()[1].close()


def _known(name, names, where):
    if name not in names:
        raise tasks.BadTask(f"{where}: no {name!r}; there are {', '.join(names)}")
    return names.index(name)


class _Numbers:
    """Reads a part of kind "numbers"."""

    def __init__(self, part, session, where):
        where = f"{where}: {part.name}"
        self.low = np.array([low for low, _ in part.numbers.values()])
        self.scale = 2.0 / (np.array([high for _, high in part.numbers.values()]) - self.low)
        self.seen, self.work, self.turned = [], [], []
        for k, key in enumerate(part.numbers):
            way, _, name = key.rpartition(" ")
            if way not in ("", "sin", "cos"):
                raise tasks.BadTask(f"{where}: {key!r}; allowed are NAME, work.NAME, sin NAME and cos NAME")
            if name.startswith("work."):
                self.work.append((k, _known(name[5:], session.exercise_names, where)))
            else:
                self.seen.append((k, _known(name, session.observation_names, where)))
            if way:
                self.turned.append((k, np.sin if way == "sin" else np.cos))
        self.seen, self.work = (
            np.array(self.seen or np.empty((0, 2)), int).T,
            np.array(self.work or np.empty((0, 2)), int).T,
        )
        self.space = spaces.Box(-1.0, 1.0, (len(part.numbers),), np.float32)

    def read(self, site):
        values = np.empty(len(self.low))
        values[self.seen[0]] = site.seen[self.seen[1]]
        values[self.work[0]] = site.work[self.work[1]]
        for k, function in self.turned:
            values[k] = function(values[k])
        return (values - self.low) * self.scale - 1.0


class _Places:
    """Reads a part of kind "places"."""

    def __init__(self, part, session, where):
        names = session.observation_names
        self.where = [names.index(name) for name in ("base_x", "base_y", "yaw")]
        self.swing = names.index("swing_angle") if part.direction == "house" and "swing_angle" in names else None
        self.places, self.range = np.array(part.places), part.range
        self.space = spaces.Box(-1.0, 1.0, (2 * len(part.places),), np.float32)

    def read(self, site):
        x, y, heading = site.seen[self.where]
        heading -= 0.0 if self.swing is None else site.seen[self.swing]
        away = self.places - (x, y)
        cos, sin = math.cos(heading), math.sin(heading)
        return np.stack([away @ (cos, sin), away @ (-sin, cos)], 1).ravel() / self.range


class _Patch:
    """Reads a part of kind "heights" or "error"."""

    def __init__(self, part, session, where):
        self.part = part
        self.above = (
            None if part.above is None else _known(part.above, session.observation_names, f"{where}: {part.name}")
        )
        self.space = spaces.Box(-1.0, 1.0, (part.rows, part.columns), np.float32)

    def read(self, site):
        part = self.part
        patch = site.session.heights(
            part.rows, part.columns, part.spacing, part.ahead, part.left, part.heading, part.frame
        )
        if part.design:
            return (patch.ground - patch.design) / part.range
        return (patch.ground - (0.0 if self.above is None else site.seen[self.above])) / part.range


_READERS = {tasks.Numbers: _Numbers, tasks.Places: _Places, tasks.Patch: _Patch}


class Site:
    """One environment's sessions and episode."""

    def __init__(
        self, task, overrides=None, randomisation=None, seconds=None, ticks=None, threads=1, library=None, data=None
    ):
        self.task = tasks.load(task)
        self.ranges = randomise.load(randomisation)
        self.overrides = {**self.task.overrides, **(overrides or {})}
        self.ticks = self.task.ticks if ticks is None else whole(ticks, "ticks", 1, MOST_TICKS)
        self._made = {"actions": self.task.actions, "threads": threads, "library": library, "data": data}
        self._sessions = Sessions(4, lambda drawn: Session(self.task.scene, {**self.overrides, **drawn}, **self._made))
        self.session = self._sessions.get({})
        self.dt = self.session.dt * self.ticks  # s of a step
        seconds = self.task.seconds if seconds is None else float(seconds)
        if not 0.0 < seconds <= 1e6:
            raise BadArgument(f"seconds: {seconds:g}; allowed is above 0 to 1e6")
        self.steps = math.ceil(seconds / self.dt - 1e-9)
        if self.steps < 2:
            raise BadArgument(
                f"seconds: an episode would have {self.steps} steps of {self.dt:g} s; give at least {2 * self.dt:g}"
            )
        self._check_terms()
        where = f"task {self.task.name}"
        self._readers = {part.name: _READERS[type(part)](part, self.session, where) for part in self.task.observation}
        self._readers = dict(sorted(self._readers.items()))  # as the space has them
        for part in self.ranges.noise:
            _known(part, list(self._readers), f"{where}: noise")
        faults = [row["name"] for row in self.session.info()["faults"] if not row["parts"]]
        for fault in self.ranges.faults:
            _known(fault, faults, f"{where}: faults")
        self.action_space = spaces.Box(-1.0, 1.0, (len(self.task.actions),), np.float32)
        self.observation_space = spaces.Dict({name: reader.space for name, reader in self._readers.items()})
        self._ended = True
        self._begun = False

    def _check_terms(self):
        names, where = self.session.exercise_names, f"task {self.task.name}"
        kinds = tuple(row["name"] for row in self.session.info()["events"])
        self._terms = {}
        for row in (*self.task.reward, *self.task.end):
            counts_events = getattr(row, "kind", None) == "events"
            event = row.term if counts_events else getattr(row, "event", None)
            if event is not None:
                _known(event, kinds, f"{where}: {row.name}")
            elif row.term is not None:
                self._terms[row.term] = _known(row.term, names, f"{where}: {row.name}")
        self._hears = any(getattr(row, "kind", None) == "events" for row in self.task.reward) or any(
            row.event for row in self.task.end
        )

    def close(self):
        self._sessions.close()
        self._ended = True

    # ---- an episode --------------------------------------------------------------------------------------------------

    def begin(self, rng, options=None):
        """Draws an episode and puts the session to its start. Returns observation and info."""
        options = options or {}
        for key in options:
            if key not in OPTIONS:
                raise BadArgument(f"options: {key!r}; allowed are {', '.join(OPTIONS)}")
        self.rng = rng
        scene_seed = int(rng.integers(2**31))
        self.draw = self.ranges.draw(rng, len(self.task.actions))
        state = options.get("state")
        self.session = self._sessions.get({} if state is not None else self.draw.overrides)
        if state is not None:
            self.session.restore(state)
        else:
            scene_seed = options.get("scene_seed", scene_seed)
            self.session.reset(scene_seed)
        for fault, value in self.draw.faults.items():
            self.session.order(fault, value=value)
        neutral = self.session.levers({})
        self._late = deque([neutral] * (self.draw.delay // self.ticks + 1))
        self._last = neutral
        self._step, self._ended, self._begun = 0, False, True
        self._events = self.session.event_count() if self._hears else 0
        self._look()
        self._before = self.work
        info = {"scene_seed": scene_seed} if state is None else {}
        return self._observation(), {**info, "time": float(self.session.tick * self.session.dt), "work": self._named()}

    def _look(self):
        self.seen = self.session.observe()
        self.work = self.session.exercise_values()

    def _named(self):
        return {name: float(self.work[k]) for name, k in self._terms.items()}

    def _observation(self):
        found = {}
        for name, reader in self._readers.items():
            values = np.asarray(reader.read(self))
            spread = self.draw.noise.get(name, 0.0)
            if spread > 0.0:
                values = values + self.rng.normal(0.0, spread, values.shape)
            found[name] = np.clip(values, -1.0, 1.0).astype(np.float32)
        return found

    def levers(self, action):
        """What the session is given for an action: [(ticks, levers)], one or, with a delay, two stretches."""
        if self._ended:
            raise NotNow(
                "the episode has ended; call reset()" if self._begun else "there is no episode yet; call reset()"
            )
        values = np.asarray(action, dtype=np.float64)
        if values.shape != self.action_space.shape or not np.all(np.isfinite(values)):
            raise BadArgument(
                f"action: {action!r}; allowed are {self.action_space.shape[0]} finite numbers from -1 to 1"
            )
        values = np.clip(values, -1.0, 1.0)
        self._moved = values if self.draw.gain is None else np.clip(values * self.draw.gain, -1.0, 1.0)
        late = self.draw.delay % self.ticks
        self._late.append(self._moved)
        old, new = self._late[0], self._late[1]
        self._late.popleft()
        return [(late, old), (self.ticks - late, new)] if late else [(self.ticks, new)]

    def step(self, action):
        """Env.step."""
        for ticks, levers in self.levers(action):
            self.session.step(levers, ticks)
        return self.after()

    def after(self):
        """What the step came to, once the session has been stepped."""
        self._step += 1
        self._look()
        heard = {}
        if self._hears:
            for event in self.session.events(self._events):
                heard[event.kind] = heard.get(event.kind, 0) + 1
                self._events += 1
        terms = {row.name: row.weight * self._term(row, heard) for row in self.task.reward}
        info = {"reward_terms": terms, "time": float(self.session.tick * self.session.dt), "work": self._named()}
        terminated = False
        for row in self.task.end:
            if self._is_end(row, heard):
                terms[row.name] = terms.get(row.name, 0.0) + row.reward
                info["end"] = row.name
                terminated = True
                break
        truncated = self._step >= self.steps
        self._ended = terminated or truncated
        self._before, self._last = self.work, self._moved
        return self._observation(), float(sum(terms.values())), terminated, truncated, info

    def _term(self, row, heard):
        if row.kind == "gain":
            index = self._terms[row.term]
            return float(self.work[index] - self._before[index])
        if row.kind == "level":
            return float(self.work[self._terms[row.term]]) * self.dt
        if row.kind == "events":
            return float(heard.get(row.term, 0))
        if row.kind == "time":
            return self.dt
        if row.kind == "levers":
            return float(np.mean(self._moved**2)) * self.dt
        return float(np.mean((self._moved - self._last) ** 2))

    def _is_end(self, row, heard):
        if row.event is not None:
            return row.event in heard
        value = self.work[self._terms[row.term]]
        return value >= row.at_least if row.at_least is not None else value <= row.at_most
