"""Tasks of environments: a file says the scene, what is observed, what is rewarded, and when an episode ends.

    task = spadework.tasks.load("dig")           # a name of names(), the path of a file, or a dict
    print(spadework.tasks.names(), task.reward)

tasks/dig.toml shows every key; docs/programs.md has the table of them.
"""

from dataclasses import dataclass
from typing import Any, Dict, Optional, Tuple, Union

from . import _reader
from ._library import FRAMES, MOST_TICKS
from ._reader import BadTask

__all__ = ["BadTask", "End", "Numbers", "Patch", "Places", "Reward", "Task", "load", "names"]

REWARD_KINDS = ("gain", "level", "events", "time", "levers", "changes")


@dataclass(frozen=True)
class Numbers:
    """Numbers, each from its low to its high as -1 to 1, cut there."""

    name: str
    # "NAME" of observe(), "work.NAME" of exercise(), "sin NAME" or "cos NAME" of an angle of observe(): low, high
    numbers: Dict[str, Tuple[float, float]]


@dataclass(frozen=True)
class Places:
    """Where places lie: for each how far ahead and to the left, `range` m as 1, cut at -1 and 1.

    Counted from the middle of the tracks along `direction`: where the boom points ("house") or the tracks ("machine").
    """

    name: str
    places: Tuple[Tuple[float, float], ...]  # m, world
    direction: str
    range: float  # m


@dataclass(frozen=True)
class Patch:
    """Heights of the ground, or of the ground over the design, `range` m as 1, cut at -1 and 1."""

    name: str
    design: bool  # the ground's height less the design's, 0 where there is no design
    frame: str
    rows: int
    columns: int
    spacing: float  # m
    ahead: float  # m, of the patch's middle in the frame
    left: float  # m
    heading: float  # rad, in the frame
    above: Optional[str]  # number of observe() that heights are counted from; None: the site's level
    range: float  # m


@dataclass(frozen=True)
class Reward:
    """A term: its weight times what `kind` says.

    gain     how much `term` of exercise() has grown in the step
    level    `term` times the step's seconds
    events   how many events of kind `term` came in the step
    time     the step's seconds
    levers   the mean square of the levers times the step's seconds
    changes  the mean square of the levers' change since the step before
    """

    name: str
    kind: str
    weight: float
    term: Optional[str] = None


@dataclass(frozen=True)
class End:
    """The episode terminates when `term` of exercise() reaches a bound, or an event of kind `event` comes."""

    name: str
    reward: float
    term: Optional[str] = None
    at_least: Optional[float] = None
    at_most: Optional[float] = None
    event: Optional[str] = None


@dataclass(frozen=True)
class Task:
    """What an environment does."""

    name: str
    title: str
    scene: str
    overrides: Dict[str, Any]
    actions: Tuple[str, ...]
    ticks: int  # of a step
    seconds: float  # after which an episode is truncated
    camera: Optional[str]  # of pictures; None: the operator's
    observation: Tuple[Union[Numbers, Places, Patch], ...]
    reward: Tuple[Reward, ...]
    end: Tuple[End, ...]
    expert: Optional[Dict[str, Any]] = None  # the table [expert], which spadework.expert reads


def names():
    """Names of the tasks that the package ships."""
    return _reader.names("tasks")


def load(task) -> Task:
    """Reads a task: a name, the path of a TOML file, a dict of the same form, or a Task. BadTask: it is wrong."""
    if isinstance(task, Task):
        return task
    table = _reader.read("tasks", task)
    name = table.text("name", "task" if isinstance(task, dict) else str(task).rsplit("/", 1)[-1].removesuffix(".toml"))
    overrides = table.take("overrides", {})
    if not isinstance(overrides, dict):
        table.fail("overrides", f'{overrides!r}; allowed is a table of "KEY" = VALUE')
    loaded = Task(
        name=name,
        title=table.text("title", name),
        scene=table.text("scene"),
        overrides=overrides,
        actions=tuple(table.texts("actions")),
        ticks=table.whole("ticks", 1, MOST_TICKS),
        seconds=table.number("seconds", 0.01, 1e6),
        camera=table.text("camera", None),
        observation=tuple(_part(row) for row in table.tables("observation")),
        reward=tuple(_reward(row) for row in table.tables("reward")),
        end=tuple(_end(row) for row in table.tables("end")),
        expert=table.take("expert", None),
    )
    table.finish()
    if not loaded.actions:
        table.fail("actions", "the list is empty; name the levers that an action moves")
    for what in ("observation", "reward"):
        if not getattr(loaded, what):
            table.fail(what, f"there is none; add at least one [[{what}]]")
    for what in ("observation", "reward", "end"):
        found = [row.name for row in getattr(loaded, what)]
        if len(set(found)) != len(found):
            table.fail(what, f"the name {next(n for n in found if found.count(n) > 1)!r} is there twice")
    return loaded


def _part(row):
    kind = row.text("kind", choices=("numbers", "places", "heights", "error"))
    name = row.text("name")
    if kind == "numbers":
        asked = row.table("numbers")
        numbers = {key: asked.span(key) for key in list(asked.values)}
        if not numbers:
            row.fail("numbers", "there are none; add NAME = [LOW, HIGH]")
        for key, (low, high) in numbers.items():
            if low == high:
                asked.fail(key, f"{[low, high]}; the two must differ")
        part = Numbers(name, numbers)
    elif kind == "places":
        asked = row.table("places")
        places = tuple(_place(asked, key) for key in list(asked.values))
        direction = row.text("direction", "house", choices=("house", "machine"))
        part = Places(name, places, direction, row.number("range", 0.1, 1000.0))
        if not places:
            row.fail("places", "there are none; add NAME = [X, Y]")
    else:
        part = Patch(
            name=name,
            design=kind == "error",
            frame=row.text("frame", "house", choices=tuple(FRAMES)),
            rows=row.whole("rows", 1, 512),
            columns=row.whole("columns", 1, 512),
            spacing=row.number("spacing", 0.01, 10.0),
            ahead=row.number("ahead", -200.0, 200.0, 0.0),
            left=row.number("left", -200.0, 200.0, 0.0),
            heading=row.number("heading", -7.0, 7.0, 0.0),
            above=row.text("above", None),
            range=row.number("range", 0.01, 100.0),
        )
        if part.design and part.above is not None:
            row.fail("above", 'has no meaning for kind = "error"; leave it out')
    row.finish()
    return part


def _place(asked, key):
    value = asked.take(key)
    if not isinstance(value, list) or len(value) != 2:
        asked.fail(key, f"{value!r}; allowed is [X, Y], m")
    return tuple(asked.as_number(key, number, -1000.0, 1000.0) for number in value)


def _reward(row):
    kind = row.text("kind", choices=REWARD_KINDS)
    needs = kind in ("gain", "level", "events")
    if not needs and row.has("term"):
        row.fail("term", f'has no meaning for kind = "{kind}"; leave it out')
    term = row.text("term") if needs else None
    reward = Reward(name=row.text("name", term or kind), kind=kind, weight=row.number("weight", -1e6, 1e6), term=term)
    row.finish()
    return reward


def _end(row):
    event = row.text("event", None)
    term = row.text("term", None)
    if (event is None) == (term is None):
        row.fail("term", "give either `term` with `at_least` or `at_most`, or `event`")
    least, most = row.number("at_least", default=None), row.number("at_most", default=None)
    if term is not None and (least is None) == (most is None):
        row.fail("at_least", "give one of `at_least` and `at_most`")
    if event is not None and (least is not None or most is not None):
        row.fail("event", "`at_least` and `at_most` belong to `term`")
    end = End(row.text("name", event or term), row.number("reward", -1e6, 1e6, 0.0), term, least, most, event)
    row.finish()
    return end
