"""Domain randomisation: ranges in a file, drawn anew for each episode and reproducible by the environment's seed.

    ranges = spadework.randomise.load("dig")       # a name of names(), the path of a file, or a dict
    print(ranges.draw(numpy.random.default_rng(1)))

randomisation/dig.toml shows every key:
    [scene."KEY"]        an override of the scene: low, high, and steps (how many values in between; 0: any), or values
    [delay]              ticks = [LOW, HIGH] by which the levers act later
    [levers]             gain = [LOW, HIGH], drawn for each lever; levers are multiplied and cut at -1 and 1
    [faults]             FAULT = [LOW, HIGH]: an order at the start, of those of info()["faults"] that have no parts
    [noise]              PART = [LOW, HIGH]: standard deviation of what is added to a part of the observation (-1 to 1)
"""

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from . import _reader
from ._reader import BadTask

__all__ = ["BadTask", "Draw", "Randomisation", "load", "names"]

MOST_DELAY = 600


@dataclass(frozen=True)
class Range:
    """What an override of the scene is drawn from."""

    key: str
    low: float = 0.0
    high: float = 0.0
    steps: int = 0  # 0: any number between low and high
    values: Optional[Tuple[Any, ...]] = None

    def draw(self, rng):
        if self.values is not None:
            return self.values[int(rng.integers(len(self.values)))]
        if self.steps > 1:
            return float(self.low + (self.high - self.low) * int(rng.integers(self.steps)) / (self.steps - 1))
        return float(rng.uniform(self.low, self.high))


@dataclass(frozen=True)
class Draw:
    """What was drawn for an episode."""

    overrides: Dict[str, Any] = field(default_factory=dict)
    delay: int = 0  # ticks
    gain: Optional[np.ndarray] = None  # of each lever; None: 1
    faults: Dict[str, float] = field(default_factory=dict)  # value by fault
    noise: Dict[str, float] = field(default_factory=dict)  # standard deviation, by the observation's part


@dataclass(frozen=True)
class Randomisation:
    """Ranges. Everything is drawn in the file's order, so that one seed gives one sequence of episodes."""

    scene: Tuple[Range, ...] = ()
    delay: Tuple[int, int] = (0, 0)  # ticks
    gain: Tuple[float, float] = (1.0, 1.0)
    faults: Dict[str, Tuple[float, float]] = field(default_factory=dict)
    noise: Dict[str, Tuple[float, float]] = field(default_factory=dict)

    def draw(self, rng, levers=0) -> Draw:
        """Draws an episode. levers: how many there are."""
        overrides = {row.key: row.draw(rng) for row in self.scene}
        delay = int(rng.integers(self.delay[0], self.delay[1] + 1)) if self.delay[1] > 0 else 0
        gain = rng.uniform(self.gain[0], self.gain[1], levers) if self.gain != (1.0, 1.0) else None
        faults = {fault: float(rng.uniform(low, high)) for fault, (low, high) in self.faults.items()}
        noise = {part: float(rng.uniform(low, high)) for part, (low, high) in self.noise.items()}
        return Draw(overrides, delay, gain, faults, noise)


def names() -> List[str]:
    """Names of the randomisations that the package ships."""
    return _reader.names("randomisation")


def load(ranges) -> Randomisation:
    """Reads ranges: None (there are none), a name, the path of a TOML file, a dict, or a Randomisation.

    BadTask: they are wrong.
    """
    if ranges is None:
        return Randomisation()
    if isinstance(ranges, Randomisation):
        return ranges
    table = _reader.read("randomisation", ranges)
    scene = table.table("scene", {})
    rows = tuple(_range(scene, key) for key in list(scene.values))
    delay, levers = table.table("delay", {}), table.table("levers", {})
    faults, noise = table.table("faults", {}), table.table("noise", {})
    ticks = delay.span("ticks", 0, MOST_DELAY, [0, 0])
    if any(number != int(number) for number in ticks):
        delay.fail("ticks", f"{list(ticks)}; allowed are whole numbers")
    loaded = Randomisation(
        scene=rows,
        delay=(int(ticks[0]), int(ticks[1])),
        gain=levers.span("gain", 0.1, 10.0, [1.0, 1.0]),
        faults={key: faults.span(key) for key in list(faults.values)},
        noise={key: noise.span(key, 0.0, 1.0) for key in list(noise.values)},
    )
    for part in (delay, levers, faults, noise, table):
        part.finish()
    return loaded


def _range(scene, key):
    row = scene.table(key)
    if row.has("values"):
        values = row.take("values")
        if not isinstance(values, list) or not values or not all(isinstance(v, (str, int, float)) for v in values):
            row.fail("values", f"{values!r}; allowed is a list of texts or numbers with at least one of them")
        drawn = Range(key, values=tuple(values))
    else:
        drawn = Range(key, row.number("low"), row.number("high"), row.whole("steps", 0, 10000, 0))
        if drawn.low > drawn.high:
            row.fail("high", f"{drawn.high:g} is less than low, {drawn.low:g}")
    row.finish()
    return drawn
