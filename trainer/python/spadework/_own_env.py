"""Bases of environments for computers without Gymnasium: what its Env and VectorEnv do, in short."""

from ._own_spaces import np_random


class _Random:
    """A generator that reset(seed=...) seeds, or the system's entropy at its first use."""

    _np_random = None
    _np_random_seed = None

    @property
    def np_random(self):
        if self._np_random is None:
            self._np_random, self._np_random_seed = np_random()
        return self._np_random

    @np_random.setter
    def np_random(self, generator):
        self._np_random, self._np_random_seed = generator, -1

    @property
    def np_random_seed(self):
        if self._np_random_seed is None:
            self._np_random, self._np_random_seed = np_random()
        return self._np_random_seed

    @property
    def unwrapped(self):
        return self


class Env(_Random):
    """One environment."""

    metadata = {"render_modes": []}
    render_mode = None
    spec = None

    def reset(self, *, seed=None, options=None):
        if seed is not None:
            self._np_random, self._np_random_seed = np_random(seed)

    def has_wrapper_attr(self, name):
        return hasattr(self, name)

    def get_wrapper_attr(self, name):
        return getattr(self, name)

    def set_wrapper_attr(self, name, value, *, force=True):
        if force or hasattr(self, name):
            setattr(self, name, value)
            return True
        return False

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()
        return False


class VectorEnv(_Random):
    """Environments that are stepped together."""

    metadata = {}
    render_mode = None
    spec = None
    closed = False

    def reset(self, *, seed=None, options=None):
        if isinstance(seed, int):
            self._np_random, self._np_random_seed = np_random(seed)

    def close(self, **arguments):
        if not self.closed:
            self.close_extras(**arguments)
            self.closed = True
