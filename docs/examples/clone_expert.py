"""Behaviour cloning with numpy alone: a small network learns the scripted expert's levers, then digs by itself.

    python3 clone_expert.py [--quick]

The expert works in phases (lower, dig, curl, lift ...) that an observation does not show. So two networks are trained: one
says the next phase from the observation and the phase before, the other the levers from the observation and the phase; both
see how long that phase has lasted. While the expert is watched, its levers are disturbed, so that the data also show the way back from a mistake.
"""

import argparse

import numpy as np
import spadework
from spadework.expert import PHASES, Expert


def features(observation):
    """What the networks see: gauges, where trench and dump are, and the ground along the boom."""
    middle = observation["ground"].shape[0] // 2
    lines = [observation[part][middle] for part in ("ground", "error")]
    return np.concatenate([observation["state"], observation["places"], *lines])


def with_phase(seen, phase, steps):
    """Adds the phase, as one of six, and for how many steps of 0.1 s it has lasted."""
    lasted = np.minimum(np.asarray(steps) / 25.0, 2.0)[..., None]
    return np.concatenate([seen, np.eye(len(PHASES))[np.asarray(phase)], lasted], axis=-1)


class Network:
    """Two layers with tanh between, trained by Adam."""

    def __init__(self, inputs, outputs, rng, hidden=64):
        self.weights = [
            rng.normal(0.0, inputs**-0.5, (inputs, hidden)), np.zeros(hidden),
            rng.normal(0.0, hidden**-0.5, (hidden, outputs)), np.zeros(outputs),
        ]  # fmt: skip

    def __call__(self, x):
        return np.tanh(x @ self.weights[0] + self.weights[1]) @ self.weights[2] + self.weights[3]

    def train(self, x, slope, rng, rounds):
        """slope(output, rows) is the loss's slope by the output."""
        first, second = [np.zeros_like(w) for w in self.weights], [np.zeros_like(w) for w in self.weights]
        for t in range(1, rounds + 1):
            rows = rng.integers(len(x), size=256)
            hidden = np.tanh(x[rows] @ self.weights[0] + self.weights[1])
            out = slope(hidden @ self.weights[2] + self.weights[3], rows) / len(rows)
            back = (out @ self.weights[2].T) * (1.0 - hidden**2)
            rate = 3e-3 * (1.0 - t / (rounds + 1.0))
            for k, gradient in enumerate((x[rows].T @ back, back.sum(0), hidden.T @ out, out.sum(0))):
                first[k] = 0.9 * first[k] + 0.1 * gradient
                second[k] = 0.999 * second[k] + 0.001 * gradient**2
                step = (first[k] / (1.0 - 0.9**t)) / (np.sqrt(second[k] / (1.0 - 0.999**t)) + 1e-8)
                self.weights[k] -= rate * step


class Clone:
    """The two networks as a policy."""

    def __init__(self, data, rng, rounds):
        seen, before, steps, phase, levers = (np.array(column) for column in zip(*data))
        self.mean, self.spread = seen.mean(0), seen.std(0) + 0.05
        seen = (seen - self.mean) / self.spread
        right = np.eye(len(PHASES))[phase]
        old, new = with_phase(seen, before, steps), with_phase(seen, phase, np.where(before == phase, steps, 0))
        self.phases = Network(old.shape[1], len(PHASES), rng)
        self.levers = Network(new.shape[1], levers.shape[1], rng)
        rare = np.where(before != phase, 4.0, 1.0)[:, None]  # the moments between phases count more

        def phase_slope(out, rows):
            share = np.exp(out - out.max(1, keepdims=True))
            return rare[rows] * (share / share.sum(1, keepdims=True) - right[rows])

        def lever_slope(out, rows):
            moved = np.tanh(out)
            return 4.0 * (moved - levers[rows]) * (1.0 - 0.98 * moved**2)

        self.phases.train(old, phase_slope, rng, rounds)
        self.levers.train(new, lever_slope, rng, rounds)
        self.reset()

    def reset(self):
        self.phase, self.steps = 0, 0

    def __call__(self, observation):
        seen = (features(observation) - self.mean) / self.spread
        phase = int(np.argmax(self.phases(with_phase(seen, self.phase, self.steps))))
        self.phase, self.steps = phase, self.steps + 1 if phase == self.phase else 0
        return np.tanh(self.levers(with_phase(seen, self.phase, self.steps)))


def watch(env, expert, seed, rng, data, clone=None):
    """An episode of the expert, disturbed; or of the clone, with what the expert would have done."""
    observation, _ = env.reset(seed=seed)
    expert.reset()
    if clone is not None:
        clone.reset()
    before, steps, push, over = 0, 0, np.zeros(4), False
    while not over:
        levers = expert(observation)
        phase = PHASES.index(expert.phase)
        data.append((features(observation), before, steps, phase, levers))
        push = 0.8 * push + rng.normal(0.0, 0.12, 4)
        moved = levers + push if clone is None else clone(observation)
        observation, _, terminated, truncated, info = env.step(moved)
        before, steps, over = phase, steps + 1 if phase == before else 0, terminated or truncated
    return info["work"]["dumped_kg"]


def drive(env, policy, seed):
    """kg on the dump after an episode."""
    observation, info = env.reset(seed=seed)
    policy.reset()
    over = False
    while not over:
        observation, _, terminated, truncated, info = env.step(policy(observation))
        over = terminated or truncated
    return info["work"]["dumped_kg"]


def learn(env, expert, rng, watched, corrected, rounds):
    """A clone of the expert, after so many episodes watched, then corrected, and rounds of training each time."""
    data = []
    for k in range(watched):
        kg = watch(env, expert, k, rng, data)
        print(f"episode {k + 1}, watched the expert: {kg:.0f} kg on the dump, {len(data)} samples", flush=True)
    clone = Clone(data, rng, rounds)
    for k in range(corrected):
        kg = watch(env, expert, 100 + k, rng, data, clone)
        print(f"episode {watched + k + 1}, the expert corrected the clone: {kg:.0f} kg on the dump", flush=True)
        clone = Clone(data, rng, rounds)
    return clone


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--quick", action="store_true", help="less data and a shorter drive")
    quick = options.parse_args().quick
    seconds, watched, corrected, rounds = (45.0, 2, 0, 1500) if quick else (120.0, 6, 3, 6000)
    env = spadework.Env("dig", seconds=seconds)
    expert = Expert(env)
    clone = learn(env, expert, np.random.default_rng(1), watched, corrected, rounds)
    by_clone = drive(env, clone, 1000)
    print(f"{seconds:.0f} s, by itself: the clone put {by_clone:.0f} kg on the dump", end="")
    print("" if quick else f", the expert {drive(env, expert, 1000):.0f} kg")
    env.close()


if __name__ == "__main__":
    main()
