"""A task as an environment of the Gymnasium API: gymnasium.Env is the base where it can be imported, else an own one.

    env = spadework.Env("dig", render_mode="rgb_array")
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
"""

from typing import Any, Dict, Mapping, Optional, Tuple, Union

import numpy as np

from . import _own_env, spaces
from ._episode import Site
from ._library import BadArgument

_Base = spaces.gymnasium.Env if spaces.gymnasium is not None else _own_env.Env

RENDER_MODES = ("rgb_array", "depth_array")


class Env(_Base):
    """One environment.

    task         a name of spadework.tasks.names(), the path of a task's file, a dict, or a Task
    render_mode  None, "rgb_array" or "depth_array" (m along the camera's axis; the sky is infinity)
    overrides    of the scene, besides the task's
    randomise    ranges drawn for each episode: a name of spadework.randomise.names(), a path, a dict, or None
    seconds      of an episode, after which it is truncated; None: the task's
    ticks        of 1/60 s a step; None: the task's
    threads      of the soil; no result depends on it
    size         width, height of pictures, 16 to 8192 pixels
    camera       of pictures; None: the task's
    library      of libspadework.so.0; None: it is found
    data         folder of scenes, machines, soils; None: it is found

    reset(seed=s) begins the same sequence of episodes each time; reset() without a seed gives the next one.
    Observations are fresh arrays. Pickling and copying make an environment of the same arguments, which has not been
    reset. Attributes besides the API's: session, task, dt.
    """

    metadata: Dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 10}

    def __init__(
        self,
        task="dig",
        render_mode: Optional[str] = None,
        *,
        overrides: Optional[Mapping[str, Any]] = None,
        randomise=None,
        seconds: Optional[float] = None,
        ticks: Optional[int] = None,
        threads: int = 1,
        size: Tuple[int, int] = (320, 240),
        camera: Optional[str] = None,
        library=None,
        data=None,
    ):
        self._arguments = {
            "task": task,
            "render_mode": render_mode,
            "overrides": overrides,
            "randomise": randomise,
            "seconds": seconds,
            "ticks": ticks,
            "threads": threads,
            "size": size,
            "camera": camera,
            "library": library,
            "data": data,
        }
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise BadArgument(f"render_mode: {render_mode!r}; allowed are None, {', '.join(map(repr, RENDER_MODES))}")
        self.render_mode = render_mode
        self._site = Site(task, overrides, randomise, seconds, ticks, threads, library, data)
        self._size, self._camera = size, camera if camera is not None else self._site.task.camera
        self.action_space = self._site.action_space
        self.observation_space = self._site.observation_space
        self.metadata = {**self.metadata, "render_fps": max(1, round(1.0 / self._site.dt))}

    @property
    def session(self):
        """The session of the episode: read from it, save and restore it. A reset may change to another one."""
        return self._site.session

    @property
    def task(self):
        return self._site.task

    @property
    def dt(self) -> float:
        """s of a step."""
        return self._site.dt

    def reset(self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None):
        """Begins an episode: observation, info.

        options  {"state": bytes}: starts from a state that Session.save() gave, of the task's own scene;
                 {"scene_seed": number}: of the scene, in place of one that is drawn
        """
        super().reset(seed=seed)
        return self._site.begin(self.np_random, options)

    def step(self, action):
        """Moves the levers: observation, reward, terminated, truncated, info.

        info: "reward_terms" (each with its weight; their sum is the reward), "work" (the terms of the exercise that the
        task names), "time" (s), and, of an episode that terminates, "end" (which end).
        """
        return self._site.step(action)

    def render(self) -> Union[np.ndarray, None]:
        """A picture of the state, as render_mode says; None without one."""
        if self.render_mode is None:
            return None
        if self.render_mode == "depth_array":
            return self._site.session.render(self._camera, self._size, depth=True)[1]
        return self._site.session.render(self._camera, self._size)

    def close(self) -> None:
        """Closes the sessions. A second call does nothing."""
        site = getattr(self, "_site", None)
        if site is not None:
            site.close()

    def __getstate__(self):
        return self._arguments

    def __setstate__(self, arguments):
        self.__init__(**arguments)

    def __deepcopy__(self, memo):
        return type(self)(**self._arguments)
