"""Finds libspadework and declares its functions and structs, as spadework.h gives them."""

import ctypes
import ctypes.util
import os
import pathlib
import sys
import threading

ABI_MAJOR = 0
ABI_MINOR = 1
TEXT = 1024
NAME = 64
SENTENCE = 400
NUMBERS = 32
PARTICLE = 9
MOST_TICKS = 1000000
FILE_NAME = "libspadework.so.0"

GOOD = 0
FRAMES = {"world": 0, "machine": 1, "house": 2, "tool": 3}
ON_SITE = 1
GRAINS = 2
DESIGNED = 4


class SpadeworkError(Exception):
    """A call failed. The text says what was read, what is allowed and what to do; `result` is the library's number."""

    result = -1

    def __init__(self, text, result=None):
        super().__init__(text)
        if result is not None:
            self.result = result


class BadArgument(SpadeworkError, ValueError):
    """A length, a range, a name, or a number that is not finite."""

    result = 1


class BadFile(SpadeworkError, ValueError):
    """A scene, an override or a file that it names is wrong."""

    result = 2


class BadState(SpadeworkError, ValueError):
    """Bytes that are no state, or one of another scene or version."""

    result = 3


class Closed(SpadeworkError, ValueError):
    """The session is closed."""

    result = 4


class Busy(SpadeworkError, RuntimeError):
    """Another thread's call on this session has not returned."""

    result = 5


class NoMemory(SpadeworkError, MemoryError):
    """Memory or threads lack."""

    result = 6


class Failed(SpadeworkError, RuntimeError):
    """Memory lacked in a tick: restore, reset or close the session."""

    result = 7


class Cannot(SpadeworkError, OSError):
    """The computer lacks something: a disk's room, OpenGL, the library for it."""

    result = 8


class NotNow(SpadeworkError, RuntimeError):
    """The session records, or does not."""

    result = 9


class LibraryMissing(SpadeworkError, ImportError):
    """No library of this version was found."""


ERRORS = {
    kind.result: kind for kind in (BadArgument, BadFile, BadState, Closed, Busy, NoMemory, Failed, Cannot, NotNow)
}


class File(ctypes.Structure):
    _fields_ = [
        ("kind", ctypes.c_char_p),
        ("name", ctypes.c_char_p),
        ("text", ctypes.c_char_p),
        ("size", ctypes.c_size_t),
    ]


class Params(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("scene", ctypes.c_char_p),
        ("overrides", ctypes.POINTER(ctypes.c_char_p)),
        ("override_count", ctypes.c_size_t),
        ("files", ctypes.POINTER(File)),
        ("file_count", ctypes.c_size_t),
        ("seed", ctypes.c_int64),
        ("threads", ctypes.c_int32),
        ("questions", ctypes.c_int32),
        ("actions", ctypes.POINTER(ctypes.c_char_p)),
        ("action_count", ctypes.c_size_t),
        ("data_folder", ctypes.c_char_p),
    ]


class Patch(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("frame", ctypes.c_int32),
        ("rows", ctypes.c_int32),
        ("columns", ctypes.c_int32),
        ("x", ctypes.c_double),
        ("y", ctypes.c_double),
        ("heading", ctypes.c_double),
        ("spacing", ctypes.c_double),
    ]


class Event(ctypes.Structure):
    _fields_ = [
        ("tick", ctypes.c_int64),
        ("time", ctypes.c_double),
        ("points", ctypes.c_double),
        ("numbers", ctypes.c_double * NUMBERS),
        ("kind", ctypes.c_char * NAME),
        ("part", ctypes.c_char * NAME),
        ("thing", ctypes.c_char * NAME),
        ("text", ctypes.c_char * SENTENCE),
    ]


class Picture(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("camera", ctypes.c_char_p),
        ("width", ctypes.c_int32),
        ("height", ctypes.c_int32),
        ("quality", ctypes.c_int32),
        ("panels", ctypes.c_int32),
    ]


_handle = ctypes.c_uint64
_doubles = ctypes.c_void_p
_size = ctypes.c_size_t
_text = ctypes.c_char_p
_int32s = ctypes.c_void_p
_int64s = ctypes.POINTER(ctypes.c_int64)
_bytes = ctypes.c_void_p

# Name: result, arguments.
FUNCTIONS = {
    "abi": (ctypes.c_uint32, []),
    "create": (ctypes.c_int, [ctypes.POINTER(Params), ctypes.POINTER(_handle), _text]),
    "close": (ctypes.c_int, [_handle]),
    "error": (ctypes.c_int, [_handle, _text, _size]),
    "info": (_size, [_handle, _text, _size]),
    "file": (_size, [_handle, _size, _text, _text, _text, _size]),
    "reset": (ctypes.c_int, [_handle, _int64s]),
    "step": (ctypes.c_int, [_handle, _doubles, _size, ctypes.c_int64]),
    "step_many": (
        ctypes.c_int,
        [ctypes.POINTER(_handle), _size, _doubles, _size, ctypes.c_int64, ctypes.c_int32, _int32s],
    ),
    "order": (ctypes.c_int, [_handle, _text, _text, ctypes.c_double]),
    "tick": (ctypes.c_int, [_handle, _int64s]),
    "observe": (ctypes.c_int, [_handle, _doubles, _size]),
    "exercise": (ctypes.c_int, [_handle, _doubles, _size]),
    "heights": (ctypes.c_int, [_handle, ctypes.POINTER(Patch), _bytes, _bytes, _bytes]),
    "particles": (ctypes.c_int, [_handle, _doubles, _size, ctypes.POINTER(_size)]),
    "events": (ctypes.c_int, [_handle, _size, ctypes.POINTER(Event), _size, ctypes.POINTER(_size)]),
    "save": (ctypes.c_int, [_handle, _bytes, _size, ctypes.POINTER(_size)]),
    "restore": (ctypes.c_int, [_handle, _bytes, _size]),
    "hash": (ctypes.c_int, [_handle, ctypes.POINTER(ctypes.c_uint64)]),
    "record": (ctypes.c_int, [_handle, _text, _text]),
    "record_end": (ctypes.c_int, [_handle]),
    "render": (ctypes.c_int, [_handle, ctypes.POINTER(Picture), _bytes, _bytes]),
}


class Library:
    """The loaded library: its functions without their prefix, as attributes."""

    def __init__(self, handle, path):
        self.path = path
        for name, (result, arguments) in FUNCTIONS.items():
            function = getattr(handle, "spadework_" + name, None)
            if function is None:
                raise LibraryMissing(
                    f"{path} has no function spadework_{name}: it is not libspadework, or a damaged one; "
                    "install the Debian package libspadework0"
                )
            function.restype = result
            function.argtypes = arguments
            setattr(self, name, function)
        abi = self.abi()
        major, minor = abi >> 16, abi & 0xFFFF
        if major != ABI_MAJOR or minor < ABI_MINOR:
            raise LibraryMissing(
                f"{path} has the interface {major}.{minor}, this package needs {ABI_MAJOR}.{ABI_MINOR} or a "
                "higher minor number: install libspadework0 and python3-spadework of one version"
            )


_loaded = {}
_lock = threading.Lock()


def _places(path):
    """What is tried in order: path or file name, and where it comes from."""
    if path is not None:
        return [(os.fspath(path), "the argument `library`")]
    named = os.environ.get("SPADEWORK_LIBRARY")
    if named:
        return [(named, "$SPADEWORK_LIBRARY")]
    package = pathlib.Path(__file__).resolve().parent
    # In the package's folder, or in PREFIX/lib of PREFIX/lib/python3/dist-packages/spadework.
    beside = [folder / FILE_NAME for folder in (package, package.parents[2]) if (folder / FILE_NAME).exists()]
    places = [(str(path), "beside the package") for path in beside]
    return places + [(FILE_NAME, "the linker's path")]


def load(path=None):
    """Loads the library once a process: from `path`, $SPADEWORK_LIBRARY, beside this package, or the linker's path."""
    if isinstance(path, Library) or hasattr(path, "create"):
        return path
    if not sys.platform.startswith("linux"):
        raise LibraryMissing(f"the platform is {sys.platform!r}: libspadework runs on Linux")
    tried = []
    with _lock:
        for place, origin in _places(path):
            if place in _loaded:
                return _loaded[place]
            try:
                handle = ctypes.CDLL(place)
            except OSError as error:
                tried.append(f"{place} ({origin}): {error}")
                continue
            _loaded[place] = Library(handle, place)
            return _loaded[place]
    raise LibraryMissing(
        "libspadework cannot be loaded; tried "
        + "; ".join(tried)
        + ". Install the Debian package libspadework0, or name "
        "the file libspadework.so.0 in the environment variable SPADEWORK_LIBRARY"
    )
