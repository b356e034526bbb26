"""Spaces of actions and observations for computers without Gymnasium: what its Box, Discrete and Dict do, in short."""

import numpy as np


def np_random(seed=None):
    """A generator and the seed that it began from; None: one from the system's entropy."""
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0):
        raise ValueError(f"seed: {seed!r}; give a whole number of 0 or more")
    sequence = np.random.SeedSequence(None if seed is None else int(seed))
    return np.random.Generator(np.random.PCG64(sequence)), sequence.entropy


class Space:
    """A set of values. shape and dtype are None where it has none."""

    def __init__(self, shape=None, dtype=None, seed=None):
        self._shape = None if shape is None else tuple(int(size) for size in shape)
        self.dtype = None if dtype is None else np.dtype(dtype)
        self._np_random = None
        if seed is not None:
            self.seed(seed)

    @property
    def shape(self):
        return self._shape

    @property
    def np_random(self):
        if self._np_random is None:
            self.seed()
        return self._np_random

    def seed(self, seed=None):
        """Seeds what sample() draws; returns the seed."""
        self._np_random, used = np_random(seed)
        return used

    def sample(self):
        """A random value of the space."""
        raise NotImplementedError

    def contains(self, x):
        """True for a value of the space."""
        raise NotImplementedError

    def __contains__(self, x):
        return self.contains(x)


class Box(Space):
    """Arrays between low and high, both included."""

    def __init__(self, low, high, shape=None, dtype=np.float32, seed=None):
        kind = np.dtype(dtype)
        if kind.kind not in "fiu":
            raise ValueError(f"dtype: {kind}; give a type of whole or real numbers")
        shape = np.broadcast(np.asarray(low), np.asarray(high)).shape if shape is None else tuple(shape)
        super().__init__(shape, kind, seed)
        self.low = np.broadcast_to(np.asarray(low, kind), shape).copy()
        self.high = np.broadcast_to(np.asarray(high, kind), shape).copy()
        if np.any(np.isnan(self.low)) or np.any(np.isnan(self.high)) or np.any(self.low > self.high):
            raise ValueError(f"low: {low!r} exceeds high: {high!r}, or one is not a number")

    def sample(self):
        if self.dtype.kind == "f":
            if not (np.all(np.isfinite(self.low)) and np.all(np.isfinite(self.high))):
                raise ValueError(f"{self!r} has no bound on a side; nothing can be drawn")
            low, high = self.low.astype(np.float64), self.high.astype(np.float64)
            drawn = self.np_random.uniform(low, high).astype(self.dtype)
            return np.clip(drawn, self.low, self.high)
        return self.np_random.integers(self.low, self.high, endpoint=True, dtype=self.dtype)

    def contains(self, x):
        if not isinstance(x, np.ndarray):
            try:
                x = np.asarray(x, dtype=self.dtype)
            except (TypeError, ValueError):
                return False
        fits = np.can_cast(x.dtype, self.dtype) and x.shape == self.shape
        return bool(fits and np.all(x >= self.low) and np.all(x <= self.high))

    def is_bounded(self, manner="both"):
        """True where every number has a finite bound "below", "above" or "both"."""
        below, above = np.all(np.isfinite(self.low)), np.all(np.isfinite(self.high))
        return bool({"below": below, "above": above, "both": below and above}[manner])

    def __eq__(self, other):
        return (
            isinstance(other, Box)
            and self.shape == other.shape
            and self.dtype == other.dtype
            and np.array_equal(self.low, other.low)
            and np.array_equal(self.high, other.high)
        )

    def __repr__(self):
        def short(values):
            return str(values.min() if values.size and values.min() == values.max() else values.ravel()[:4].tolist())

        return f"Box({short(self.low)}, {short(self.high)}, {self.shape}, {self.dtype})"


class Discrete(Space):
    """Whole numbers start .. start + n - 1."""

    def __init__(self, n, seed=None, start=0):
        if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 1:
            raise ValueError(f"n: {n!r}; give a whole number of 1 or more")
        super().__init__((), np.int64, seed)
        self.n, self.start = np.int64(n), np.int64(start)

    def sample(self):
        return np.int64(self.start + self.np_random.integers(self.n))

    def contains(self, x):
        whole = isinstance(x, (int, np.integer)) or (
            isinstance(x, np.ndarray) and x.shape == () and x.dtype.kind in "iu"
        )
        return bool(whole and not isinstance(x, bool) and self.start <= x < self.start + self.n)

    def __eq__(self, other):
        return isinstance(other, Discrete) and self.n == other.n and self.start == other.start

    def __repr__(self):
        return f"Discrete({self.n})" if self.start == 0 else f"Discrete({self.n}, start={self.start})"


class Dict(Space):
    """Spaces by name, in the order of the names. Values are dicts with the same keys."""

    def __init__(self, spaces=None, seed=None, **more):
        self.spaces = dict(sorted({**(spaces or {}), **more}.items()))
        for name, space in self.spaces.items():
            if not isinstance(space, Space):
                raise ValueError(f"{name}: {space!r} is no space")
        super().__init__(None, None, seed)

    def seed(self, seed=None):
        generator, used = np_random(seed)
        self._np_random = generator
        for space in self.spaces.values():
            space.seed(int(generator.integers(2**31)))
        return used

    def sample(self):
        return {name: space.sample() for name, space in self.spaces.items()}

    def contains(self, x):
        return (
            isinstance(x, dict)
            and x.keys() == self.spaces.keys()
            and all(space.contains(x[name]) for name, space in self.spaces.items())
        )

    def keys(self):
        return self.spaces.keys()

    def values(self):
        return self.spaces.values()

    def items(self):
        return self.spaces.items()

    def __getitem__(self, name):
        return self.spaces[name]

    def __iter__(self):
        return iter(self.spaces)

    def __len__(self):
        return len(self.spaces)

    def __eq__(self, other):
        return isinstance(other, Dict) and self.spaces == other.spaces

    def __repr__(self):
        return "Dict(" + ", ".join(f"{name!r}: {space!r}" for name, space in self.spaces.items()) + ")"
