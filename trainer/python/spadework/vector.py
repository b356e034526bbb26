"""Environments of one task that are stepped together, on several threads and without Python's lock.

    envs = spadework.VectorEnv("dig", num_envs=16, threads=8)
    observations, infos = envs.reset(seed=1)
    observations, rewards, terminations, truncations, infos = envs.step(envs.action_space.sample())
"""

from typing import Any, Dict, Mapping, Optional, Sequence, Union

import numpy as np

from . import _own_env, spaces
from ._episode import Site
from ._library import BadArgument
from .session import step_many, whole

if spaces.gymnasium is not None and hasattr(getattr(spaces.gymnasium, "vector", None), "VectorEnv"):
    _Base = spaces.gymnasium.vector.VectorEnv
    _next_step = getattr(getattr(spaces.gymnasium.vector, "AutoresetMode", None), "NEXT_STEP", "NextStep")
else:
    _Base, _next_step = _own_env.VectorEnv, "NextStep"


class VectorEnv(_Base):
    """num_envs environments of a task. Arguments as of Env; threads: on which they are stepped, 1 to 256.

    An environment whose episode has ended is reset in the next step, whose action it ignores: observation and info are
    then those of the reset, the reward is 0 (metadata["autoreset_mode"]: NEXT_STEP). The last observation and info of
    an episode come with its last step.

    reset(seed=s) gives environment k the seed s + k, with which Env has the same episodes.
    """

    metadata: Dict[str, Any] = {"render_modes": ["rgb_array"], "autoreset_mode": _next_step}

    def __init__(
        self,
        task="dig",
        num_envs: int = 1,
        render_mode: Optional[str] = None,
        *,
        threads: int = 1,
        overrides: Optional[Mapping[str, Any]] = None,
        randomise=None,
        seconds: Optional[float] = None,
        ticks: Optional[int] = None,
        size=(320, 240),
        camera: Optional[str] = None,
        library=None,
        data=None,
    ):
        if render_mode not in (None, "rgb_array"):
            raise BadArgument(f"render_mode: {render_mode!r}; allowed are None and 'rgb_array'")
        self.num_envs, self.render_mode = whole(num_envs, "num_envs", 1, 4096), render_mode
        self._threads = whole(threads, "threads", 1, 256)
        self._sites = []
        for _ in range(num_envs):
            self._sites.append(Site(task, overrides, randomise, seconds, ticks, 1, library, data))
        self._size, self._camera = size, camera if camera is not None else self._sites[0].task.camera
        self.single_action_space = self._sites[0].action_space
        self.single_observation_space = self._sites[0].observation_space
        self.action_space = spaces.batch(self.single_action_space, self.num_envs)
        self.observation_space = spaces.batch(self.single_observation_space, self.num_envs)
        self.metadata = {**self.metadata, "render_fps": max(1, round(1.0 / self._sites[0].dt))}
        self._generators = [None] * self.num_envs
        self._done = np.zeros(self.num_envs, bool)

    @property
    def sessions(self):
        """The sessions of the episodes, one an environment."""
        return [site.session for site in self._sites]

    def reset(
        self, *, seed: Union[int, Sequence[Optional[int]], None] = None, options: Optional[Dict[str, Any]] = None
    ):
        """Begins an episode in each environment: observations, infos.

        seed     one number, of which environment k takes seed + k; or one for each
        options  as of Env.reset; "reset_mask" [num_envs]: only these are reset
        """
        seeds = self._seeds(seed)
        options = dict(options or {})
        mask = np.asarray(options.pop("reset_mask", np.ones(self.num_envs, bool)))
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
            raise BadArgument(f"options: reset_mask: allowed is a bool array of {self.num_envs} with one that is true")
        if any(site_is_new(site) for site in np.array(self._sites, object)[~mask]):
            raise BadArgument(
                "options: reset_mask: an environment that is left out has no episode yet; reset all first"
            )
        observations, infos = [], {}
        for k, site in enumerate(self._sites):
            if mask[k]:
                if seeds[k] is not None or self._generators[k] is None:
                    self._generators[k] = spaces.np_random(seeds[k])[0]
                observation, info = site.begin(self._generators[k], options)
                self._last[k] = observation
                self._add(infos, info, k)
                self._done[k] = False
            observations.append(self._last[k])
        return self._stack(observations), infos

    def step(self, actions):
        """Moves the levers of each environment: observations, rewards, terminations, truncations, infos."""
        actions = np.asarray(actions)
        if actions.shape != self.action_space.shape:
            raise BadArgument(f"actions: an array of shape {actions.shape}; allowed is {self.action_space.shape}")
        stepped = [k for k in range(self.num_envs) if not self._done[k]]
        self._move({k: self._sites[k].levers(actions[k]) for k in stepped})
        rewards, infos = np.zeros(self.num_envs), {}
        terminations, truncations = np.zeros(self.num_envs, bool), np.zeros(self.num_envs, bool)
        for k, site in enumerate(self._sites):
            if self._done[k]:
                self._last[k], info = site.begin(self._generators[k])
            else:
                self._last[k], rewards[k], terminations[k], truncations[k], info = site.after()
            self._add(infos, info, k)
        self._done = terminations | truncations
        return self._stack(self._last), rewards, terminations, truncations, infos

    def _move(self, stretches):
        """Steps sessions together by the ticks that all of them share until one's levers change."""
        sessions = [self._sites[k].session for k in stretches]
        rows = list(stretches.values())
        ends = sorted({sum(ticks for ticks, _ in row[: k + 1]) for row in rows for k in range(len(row))})
        done = 0
        for end in ends:
            levers = [row[0][1] if end <= row[0][0] else row[1][1] for row in rows]
            step_many(sessions, levers, end - done, self._threads)
            done = end

    def render(self):
        """Pictures of all environments, or None without a render mode."""
        if self.render_mode is None:
            return None
        return tuple(session.render(self._camera, self._size) for session in self.sessions)

    def close_extras(self, **arguments):
        for site in self._sites:
            site.close()

    def __del__(self):
        try:
            self.close()
        except Exception:  # the interpreter ends
            pass

    def _seeds(self, seed):
        if seed is None or isinstance(seed, (int, np.integer)):
            _Base.reset(self, seed=None if seed is None else int(seed))
            return [None if seed is None else int(seed) + k for k in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise BadArgument(
                f"seed: {len(seed)} numbers; allowed is one, or one for each of {self.num_envs} environments"
            )
        return list(seed)

    @property
    def _last(self):
        if not hasattr(self, "_observations"):
            self._observations = [None] * self.num_envs
        return self._observations

    def _stack(self, observations):
        return {name: np.stack([row[name] for row in observations]) for name in self.single_observation_space.spaces}

    def _add(self, infos, info, k):
        """Adds an environment's info: arrays by key, and under "_KEY" which environments have it."""
        for key, value in info.items():
            if isinstance(value, dict):
                infos[key] = self._add(infos.get(key, {}), value, k)
            else:
                if key not in infos:
                    kind = type(value) if isinstance(value, (bool, int, float)) else object
                    infos[key] = np.zeros(self.num_envs, kind) if kind is not object else np.full(self.num_envs, None)
                infos[key][k] = value
            infos.setdefault("_" + key, np.zeros(self.num_envs, bool))[k] = True
        return infos


def site_is_new(site):
    """True before an environment's first episode."""
    return not site._begun
