"""Runs Gymnasium's own checker and vector environments, where Gymnasium is installed; says "skipped" otherwise.

    PYTHONPATH=trainer/python SPADEWORK_LIBRARY=build/release/lib/libspadework.so.0 python3 tests/python/gymnasium_real.py
"""

import functools
import sys
import warnings

import numpy as np


def check(gymnasium, spadework, make, name):
    """check_env of one environment; prints every warning."""
    from gymnasium.utils.env_checker import check_env

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        env = make()
        check_env(env.unwrapped, skip_render_check="--pictures" not in sys.argv)
        env.close()
    for warning in told:
        print(f"  {name}: {warning.category.__name__}: {warning.message}")
    print(f"check_env {name}: passed, {len(told)} warnings")


def compare(gymnasium, spadework, context):
    """SyncVectorEnv, AsyncVectorEnv and VectorEnv give the same episodes; the environments truncate after 8 steps."""
    make = functools.partial(spadework.Env, "dig", seconds=0.8, randomise="dig")
    kinds = {
        "SyncVectorEnv": gymnasium.vector.SyncVectorEnv([make] * 3),
        "AsyncVectorEnv, spawn": gymnasium.vector.AsyncVectorEnv([make] * 3, context=context),
        "spadework.VectorEnv": spadework.VectorEnv("dig", 3, seconds=0.8, randomise="dig", threads=2),
    }
    found = {}
    for name, envs in kinds.items():
        rng, seen = np.random.default_rng(3), []
        seen.append(envs.reset(seed=21)[0])
        for _ in range(20):
            result = envs.step(rng.uniform(-1.0, 1.0, (3, 4)).astype(np.float32))
            seen += [result[0], result[1], result[2], result[3]]
        assert seen[0] in envs.observation_space
        found[name] = b"".join(
            array.tobytes() for row in seen for array in (row.values() if isinstance(row, dict) else [row])
        )
        envs.close()
    first = next(iter(found.values()))
    for name, bits in found.items():
        assert bits == first, f"{name} differs"
        print(f"{name}: 3 environments, 20 steps with resets: {len(bits)} bytes equal")


def main():
    try:
        import gymnasium
        from gymnasium.utils import env_checker  # a stand-in has none
    except ImportError as error:
        print(f"skipped: {error}")
        return 77
    import spadework

    print(f"Gymnasium {getattr(gymnasium, '__version__', '?')}, {env_checker.__file__}")
    for name in spadework.tasks.names():
        check(gymnasium, spadework, functools.partial(spadework.Env, name), f"Env({name!r})")
        check(
            gymnasium, spadework, functools.partial(spadework.Env, name, randomise=name), f"Env({name!r}), randomised"
        )
        check(
            gymnasium,
            spadework,
            functools.partial(gymnasium.make, f"Spadework/{name.capitalize()}-v0"),
            f"make({name!r})",
        )
    compare(gymnasium, spadework, "spawn")
    return 0


if __name__ == "__main__":
    sys.exit(main())
