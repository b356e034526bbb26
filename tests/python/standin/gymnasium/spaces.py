"""Spaces of the stand-in."""

import numpy as np


class Space:
    def __init__(self, shape, dtype, seed=None):
        self.shape, self.dtype = shape, dtype
        self.seed(seed)

    def seed(self, seed=None):
        self.random = np.random.default_rng(seed)
        return seed

    def __contains__(self, value):
        return self.contains(value)


class Box(Space):
    def __init__(self, low, high, shape=None, dtype=np.float32, seed=None):
        shape = np.shape(low) if shape is None else shape
        super().__init__(shape, np.dtype(dtype), seed)
        self.low, self.high = (np.broadcast_to(bound, shape).astype(dtype) for bound in (low, high))

    def sample(self):
        return self.random.uniform(self.low, self.high).astype(self.dtype)

    def contains(self, value):
        return (
            value.shape == self.shape
            and value.dtype == self.dtype
            and bool(np.all((value >= self.low) & (value <= self.high)))
        )


class Discrete(Space):
    def __init__(self, n, seed=None, start=0):
        super().__init__((), np.int64, seed)
        self.n, self.start = n, start


class Dict(Space):
    def __init__(self, spaces, seed=None):
        self.spaces = dict(sorted(spaces.items()))
        super().__init__(None, None, seed)

    def contains(self, value):
        return value.keys() == self.spaces.keys() and all(value[name] in space for name, space in self.spaces.items())
