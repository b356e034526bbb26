"""Plots the force of the soil on the bucket against the edge's travel through the ground, as SVG.

    python3 force_plot.py [--quick] [FILE.svg]

The scripted expert digs three strokes of the task "dig" (one with --quick). Force and travel are those of the drag, before
the bucket is curled, and are read from the session.
"""

import argparse

import numpy as np
import spadework
from spadework.expert import Expert

COLOURS = ("#1f6fb2", "#c4572b", "#3d8c40")
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 420, 70, 30, 40, 60


def strokes(count):
    """For each stroke: m of the edge's travel, kN on the bucket."""
    env = spadework.Env("dig", ticks=2, seconds=600.0)
    observation, _ = env.reset(seed=1)
    expert, found, rows = Expert(env), [], []
    while len(found) < count:
        observation, _, terminated, truncated, _ = env.step(expert(observation))
        seen = dict(zip(env.session.observation_names, env.session.observe()))
        if expert.phase == "dig":
            edge = np.array([seen["tip_x"], seen["tip_y"], seen["tip_z"]])
            rows.append((edge, np.linalg.norm([seen["tool_fx"], seen["tool_fy"], seen["tool_fz"]]) / 1000.0))
        elif rows:
            places = np.array([row[0] for row in rows])
            travel = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(places, axis=0), axis=1))])
            found.append((travel, np.array([row[1] for row in rows])))
            print(f"stroke {len(found)}: {travel[-1]:.1f} m, at most {found[-1][1].max():.0f} kN", flush=True)
            rows = []
    env.close()
    return found


def ticks(most):
    """About five round numbers from 0 to at least `most`."""
    step = next(size for size in (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 1e9) if most / size <= 6.0)
    return np.arange(0.0, most + step, step)


def draw(curves):
    """The SVG's text."""
    across, up = ticks(max(x[-1] for x, _ in curves)), ticks(max(y.max() for _, y in curves))

    def place(x, y):
        right = LEFT + x / across[-1] * (WIDTH - LEFT - RIGHT)
        return right, HEIGHT - BOTTOM - y / up[-1] * (HEIGHT - TOP - BOTTOM)

    def text(x, y, words, more=""):
        return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{words}</text>'

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        text(LEFT, 24, "Force of the soil on the bucket, three strokes in loam"[: None if len(curves) > 1 else 31],
             'font-size="15"'),
    ]  # fmt: skip
    for x in across:
        at, bottom = place(x, 0.0)
        out.append(f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{TOP}" y2="{bottom}" stroke="#ddd"/>')
        out.append(text(at, bottom + 18, f"{x:g}", 'text-anchor="middle"'))
    for y in up:
        left, at = place(0.0, y)
        out.append(f'<line x1="{left}" x2="{WIDTH - RIGHT}" y1="{at:.1f}" y2="{at:.1f}" stroke="#ddd"/>')
        out.append(text(left - 8, at + 4, f"{y:g}", 'text-anchor="end"'))
    out.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 16, "travel of the edge, m", 'text-anchor="middle"'))
    out.append(text(20, HEIGHT / 2, "force, kN", f'text-anchor="middle" transform="rotate(-90 20 {HEIGHT / 2})"'))
    for k, (x, y) in enumerate(curves):
        colour = COLOURS[k % len(COLOURS)]
        points = " ".join(f"{px:.1f},{py:.1f}" for px, py in (place(*point) for point in zip(x, y)))
        out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        right = WIDTH - RIGHT - 70 * (len(curves) - 1 - k)
        out.append(text(right, 24, f"stroke {k + 1}", f'fill="{colour}" text-anchor="end"'))
    return "\n".join(out + ["</svg>", ""])


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--quick", action="store_true", help="one stroke")
    options.add_argument("file", nargs="?", default="force_plot.svg")
    asked = options.parse_args()
    with open(asked.file, "w", encoding="utf-8") as file:
        file.write(draw(strokes(1 if asked.quick else 3)))
    print(f"wrote {asked.file}")


if __name__ == "__main__":
    main()
