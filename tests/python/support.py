"""What the Python tests share."""

import contextlib
import unittest

import numpy as np


class Case(unittest.TestCase):
    @contextlib.contextmanager
    def refuses(self, error, *words):
        """The block must raise the error, whose text holds all the words."""
        with self.assertRaises(error) as caught:
            yield
        for word in words:
            self.assertIn(word, str(caught.exception))

    def assertSame(self, first, second, where="value"):
        """Equal to the last bit, types and shapes included."""
        self.assertIs(type(first), type(second), where)
        if isinstance(first, dict):
            self.assertEqual(list(first), list(second), where)
            for key in first:
                self.assertSame(first[key], second[key], f"{where}[{key!r}]")
        elif isinstance(first, tuple):
            self.assertEqual(len(first), len(second), where)
            for k, pair in enumerate(zip(first, second)):
                self.assertSame(*pair, f"{where}[{k}]")
        elif isinstance(first, np.ndarray):
            self.assertEqual((first.shape, first.dtype), (second.shape, second.dtype), where)
            self.assertEqual(first.tobytes(), second.tobytes(), where)
        else:
            self.assertEqual(first, second, where)


def arrays(value):
    """All arrays of an observation or an info."""
    if isinstance(value, dict):
        return [array for part in value.values() for array in arrays(part)]
    return [value] if isinstance(value, np.ndarray) else []
