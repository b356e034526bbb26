"""Model-predictive digging: the simulator itself is the model. No law of digging is written here, only what is wanted.

    python3 plan_by_saving.py [--quick]

Before each second, the state is saved and restored into planning sessions, which try sequences of levers (cross-entropy
method): those that score best decide what is tried next, and the best one's first second is driven. First the bucket is to
be filled, then lifted and swung over the dump, and emptied there.
"""

import argparse

import numpy as np
import spadework

ACTIONS = ["swing", "stick", "boom", "bucket"]
KNOTS, TICKS = 3, 50  # a plan: KNOTS stretches of TICKS/60 s, in each of which the levers are held
DUMP = np.array([-5.0, -7.5])  # m
HELD = np.vstack([np.eye(4), -np.eye(4)])  # tried first: one lever at its end
LIFTED = 1.2  # m of the edge over the plane of the tracks, from which it may be swung


class Wish:
    """What is wanted now: a stage, and how far a state is from it."""

    def __init__(self, site):
        self.names = {name: k for k, name in enumerate(site.observation_names)}
        self.stage = "fill"

    def read(self, site):
        seen = site.observe()
        return {name: seen[k] for name, k in self.names.items()}

    def away(self, seen):
        """m of the edge from the dump's middle."""
        return float(np.hypot(seen["tip_x"] - DUMP[0], seen["tip_y"] - DUMP[1]))

    def advance(self, seen):
        if self.stage == "fill" and seen["payload"] > 650.0:
            self.stage = "carry"
        elif self.stage == "carry" and self.away(seen) < 1.8:
            self.stage = "empty"

    def score(self, seen):
        """More is better."""
        load = min(seen["payload"], 900.0) / 100.0
        if self.stage == "fill":
            high = max(seen["tip_height"] + 0.3, 0.0) if load < 1.0 else 0.0
            return load - 2.0 * high - 6.0 * max(-0.6 - seen["tip_height"], 0.0)
        if self.stage == "carry":
            low = max(LIFTED - seen["tip_height"], 0.0)
            return load - 4.0 * low - (0.5 if low > 0.6 else 1.5) * self.away(seen)
        return -load - 2.0 * max(self.away(seen) - 2.0, 0.0)


def plan(planners, state, wish, mean, rng, rounds, tries):
    """Levers [KNOTS][4] that lead from the state to the best score that was found."""
    spread, best, best_score = np.full(mean.shape, 0.6), mean, -np.inf
    for turn in range(rounds):
        scored = []
        for first in range(0, tries, len(planners)):
            for planner in planners:
                planner.restore(state)
            levers = np.clip(rng.normal(mean, spread, (len(planners), *mean.shape)), -1.0, 1.0)
            if turn == 0 and first < len(HELD):
                levers[:] = HELD[first : first + len(planners), None]
            elif first == 0:
                levers[0] = best
            total = np.zeros(len(planners))
            for knot in range(KNOTS):
                spadework.step_many(planners, levers[:, knot], TICKS, threads=2)
                total += [(knot + 1.0) * wish.score(wish.read(planner)) for planner in planners]
            scored += zip(total, levers)
        scored.sort(key=lambda pair: -pair[0])
        if scored[0][0] > best_score:
            best_score, best = scored[0]
        elite = np.array([levers for _, levers in scored[: max(tries // 4, 2)]])
        mean, spread = elite.mean(0), elite.std(0) + 0.1
    return best


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--quick", action="store_true", help="fewer tries, and no more than filling the bucket")
    quick = options.parse_args().quick
    rounds, tries, seconds = (3, 12, 8.0) if quick else (3, 16, 40.0)
    rng = np.random.default_rng(1)
    site = spadework.Session("trench", actions=ACTIONS)
    planners = [site.clone() for _ in range(4)]
    wish, mean, most = Wish(site), np.zeros((KNOTS, len(ACTIONS))), 0.0
    while site.tick * site.dt < seconds:
        best = plan(planners, site.save(), wish, mean, rng, rounds, tries)
        site.step(best[0], TICKS)
        mean = np.vstack([best[1:], best[-1:]])
        seen = wish.read(site)
        most = max(most, seen["payload"])
        wish.advance(seen)
        print(f"{site.tick * site.dt:5.1f} s  {wish.stage:5s}  {seen['payload']:5.0f} kg in the bucket, "
              f"edge {seen['tip_height']:5.2f} m high, {wish.away(seen):4.1f} m from the dump", flush=True)  # fmt: skip
        if (quick and wish.stage != "fill") or (wish.stage == "empty" and seen["payload"] < 50.0):
            break
    site.step(np.zeros(len(ACTIONS)), 120)
    moved = most if quick else site.exercise()["dumped_kg"]
    print(f"{moved:.0f} kg {'in the bucket' if quick else 'on the dump'} after {site.tick * site.dt:.0f} s")
    for session in (site, *planners):
        session.close()


if __name__ == "__main__":
    main()
