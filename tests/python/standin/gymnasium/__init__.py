"""Stands in for Gymnasium where it is not installed: what spadework uses of it, so that the way of the subclass is tested."""

import importlib

import numpy as np

from . import spaces, vector

registry = {}


class Env:
    metadata = {"render_modes": []}
    render_mode = None
    spec = None
    _np_random = None
    _np_random_seed = None

    def reset(self, *, seed=None, options=None):
        if seed is not None:
            self._np_random, self._np_random_seed = (
                np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed))),
                seed,
            )

    @property
    def np_random(self):
        if self._np_random is None:
            self._np_random = np.random.default_rng()
        return self._np_random

    @property
    def unwrapped(self):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()
        return False


def register(id, entry_point, vector_entry_point=None, kwargs=None):
    registry[id] = (entry_point, kwargs or {})


def make(id):
    place, kwargs = registry[id]
    module, name = place.split(":")
    return getattr(importlib.import_module(module), name)(**kwargs)
