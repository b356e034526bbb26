"""Vector environments of the stand-in."""

import numpy as np


class VectorEnv:
    closed = False
    _np_random = None

    def reset(self, *, seed=None, options=None):
        if seed is not None:
            self._np_random = np.random.default_rng(seed)

    def close(self, **arguments):
        if not self.closed:
            self.close_extras(**arguments)
            self.closed = True
