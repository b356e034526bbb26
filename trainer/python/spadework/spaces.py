"""Spaces: Gymnasium's where it can be imported, else the package's own; and the bases of Env and VectorEnv.

    space = spadework.spaces.Box(-1.0, 1.0, (6,))
    space.seed(1); space.contains(space.sample())
"""

import numpy as np

from . import _own_spaces
from ._own_spaces import np_random

try:
    import gymnasium
    from gymnasium.spaces import Box, Dict, Discrete, Space
except ImportError:
    gymnasium = None
    from ._own_spaces import Box, Dict, Discrete, Space

__all__ = ["Box", "Dict", "Discrete", "Space", "batch", "flat_size", "flatten", "has_gymnasium", "np_random"]


def has_gymnasium():
    """True where Gymnasium's spaces and classes are the bases."""
    return gymnasium is not None


def _is_dict(space):
    return isinstance(space, (Dict, _own_spaces.Dict))


def batch(space, count):
    """The space of `count` values of a Box, or a Dict of them, one a row."""
    if _is_dict(space):
        return type(space)({name: batch(part, count) for name, part in space.spaces.items()})
    low, high = (np.repeat(bound[np.newaxis], count, axis=0) for bound in (space.low, space.high))
    return type(space)(low, high, dtype=space.dtype)


def flat_size(space):
    """Numbers of a value."""
    parts = space.spaces.values() if _is_dict(space) else [space]
    return int(sum(np.prod(part.shape) for part in parts))


def flatten(space, value):
    """A fresh float32 array of all numbers of a value of a Box, or of a Dict in the order of its parts."""
    parts = [value[name] for name in space.spaces] if _is_dict(space) else [value]
    return np.concatenate([np.asarray(part, np.float32).ravel() for part in parts])
