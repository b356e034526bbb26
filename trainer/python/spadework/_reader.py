"""Reads TOML files whose keys, types and ranges are checked.

An error names the file, the key, what was read and what is allowed.
"""

import difflib
import math
import os
import pathlib
import tomllib

FOLDER = pathlib.Path(__file__).resolve().parent


class BadTask(ValueError):
    """A task's, a randomisation's or an expert's file is wrong."""


def names(folder):
    """Names of the files that the package ships in a folder."""
    return sorted(path.stem for path in (FOLDER / folder).glob("*.toml"))


def read(folder, file):
    """A table of a shipped file's name, of a path, or of a table itself."""
    if isinstance(file, dict):
        return Table(file, f"{folder} (a dict)")
    text = os.fspath(file)
    path = FOLDER / folder / (text + ".toml")
    if os.sep in text or text.endswith(".toml"):
        path = pathlib.Path(text)
    try:
        with open(path, "rb") as stream:
            return Table(tomllib.load(stream), str(path))
    except FileNotFoundError:
        raise BadTask(f"{text!r} is neither a path of a file (*.toml) nor one of {', '.join(names(folder))}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadTask(f"{path}: not TOML: {error}") from None
    except OSError as error:
        raise BadTask(f"{path}: {error.strerror}") from None


class Table:
    """A table of a file. Each key is taken once; finish() refuses what is left."""

    def __init__(self, values, where):
        self.values = dict(values)
        self.where = where
        self.taken = []

    def fail(self, key, problem):
        raise BadTask(f"{self.where}: {key}: {problem}")

    def take(self, key, default=...):
        self.taken.append(key)
        if key in self.values:
            return self.values.pop(key)
        if default is ...:
            alike = difflib.get_close_matches(key, [str(other) for other in self.values], 1)
            self.fail(key, f"is missing; '{alike[0]}' is unknown" if alike else "is missing")
        return default

    def has(self, key):
        return key in self.values

    def number(self, key, low=-math.inf, high=math.inf, default=...):
        value = self.take(key, default)
        return value if value is None else self.as_number(key, value, low, high)

    def as_number(self, key, value, low, high):
        right = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not right or not math.isfinite(value) or not low <= value <= high:
            allowed = "a number" if low == -math.inf and high == math.inf else f"a number from {low:g} to {high:g}"
            self.fail(key, f"{value!r}; allowed is {allowed}")
        return float(value)

    def whole(self, key, low, high, default=...):
        value = self.take(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            self.fail(key, f"{value!r}; allowed is a whole number from {low} to {high}")
        return value

    def text(self, key, default=..., choices=None):
        value = self.take(key, default)
        if value is None and default is None:
            return None
        if not isinstance(value, str) or (choices is not None and value not in choices):
            self.fail(
                key, f"{value!r}; allowed is " + ("a text" if choices is None else " or ".join(map(repr, choices)))
            )
        return value

    def flag(self, key, default):
        value = self.take(key, default)
        if not isinstance(value, bool):
            self.fail(key, f"{value!r}; allowed is true or false")
        return value

    def texts(self, key, default=...):
        value = self.take(key, default)
        if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
            self.fail(key, f"{value!r}; allowed is a list of texts")
        if len(set(value)) != len(value):
            self.fail(key, f"{next(text for text in value if value.count(text) > 1)!r} is there twice")
        return value

    def span(self, key, low=-math.inf, high=math.inf, default=...):
        """[LOW, HIGH] of two numbers in order."""
        value = self.take(key, default)
        if value is None and default is None:
            return None
        if not isinstance(value, (list, tuple)) or len(value) != 2:
            self.fail(key, f"{value!r}; allowed is [LOW, HIGH]")
        first, last = (self.as_number(key, number, low, high) for number in value)
        if first > last:
            self.fail(key, f"{value!r}; the first number exceeds the second")
        return first, last

    def table(self, key, default=...):
        value = self.take(key, default)
        if value is None and default is None:
            return None
        if not isinstance(value, dict):
            self.fail(key, f"{value!r}; allowed is a table")
        return Table(value, f"{self.where}: {key}")

    def tables(self, key):
        value = self.take(key, [])
        if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
            self.fail(key, f"{value!r}; allowed are tables, each under [[{key}]]")
        return [Table(row, f"{self.where}: {key} {k + 1}") for k, row in enumerate(value)]

    def finish(self):
        for key in self.values:
            near = difflib.get_close_matches(key, self.taken, 1)
            hint = f"; did you mean {near[0]}?" if near else ""
            self.fail(key, f"unknown key{hint} Allowed: {', '.join(self.taken)}" if not near else f"unknown key{hint}")
