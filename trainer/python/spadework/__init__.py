"""Spadework for programs: sessions of the excavator and bulldozer simulator, environments, tasks and a scripted expert.

    import spadework
    with spadework.Session("trench") as site: ...     # the simulator, as spadework.h has it
    env = spadework.Env("dig")                        # the Gymnasium API; needs no Gymnasium
    envs = spadework.VectorEnv("dig", num_envs=16, threads=8)
    expert = spadework.expert.Expert(env)             # a policy that digs and loads

docs/programs.md is the introduction.
"""

from . import spaces
from ._library import (
    DESIGNED,
    GRAINS,
    ON_SITE,
    BadArgument,
    BadFile,
    BadState,
    Busy,
    Cannot,
    Closed,
    Failed,
    LibraryMissing,
    NoMemory,
    NotNow,
    SpadeworkError,
)
from .session import Event, File, Heights, Session, abi, step_many
from . import randomise, tasks
from .tasks import BadTask
from .env import Env
from .vector import VectorEnv
from . import expert
from ._register import register

__version__ = "0.1"
__all__ = [
    "DESIGNED",
    "GRAINS",
    "ON_SITE",
    "BadArgument",
    "BadFile",
    "BadState",
    "BadTask",
    "Busy",
    "Cannot",
    "Closed",
    "Env",
    "Event",
    "Failed",
    "File",
    "Heights",
    "LibraryMissing",
    "NoMemory",
    "NotNow",
    "Session",
    "SpadeworkError",
    "VectorEnv",
    "abi",
    "expert",
    "randomise",
    "register",
    "spaces",
    "step_many",
    "tasks",
]

register()
