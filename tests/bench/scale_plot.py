"""Plots time a particle against the number of particles: bench run scale --json | python3 tests/bench/scale_plot.py >FILE.svg

One line for each number of threads, in ns of wall time a particle and frame; both axes are logarithmic."""

import json
import math
import sys

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 420, 70, 150, 40, 60
COLOURS = ["#1f6f8b", "#c8553d", "#5b8c3e", "#7a5195"]
MOST_LINES = len(COLOURS)


def read_rows(stream):
    """{threads: [(particles, ns a particle), ...]} of the rows `scale`."""
    try:
        rows = json.load(stream)
    except json.JSONDecodeError as error:
        sys.exit(f"scale_plot.py: standard input is not JSON (line {error.lineno}); it takes what `bench run scale --json` prints")
    lines = {}
    for row in rows if isinstance(rows, list) else []:
        if isinstance(row, dict) and row.get("name") == "scale":
            lines.setdefault(row["threads"], []).append((row["n"], row["ns_per_particle"]))
    if not lines:
        sys.exit("scale_plot.py: no row `scale` in standard input; it takes what `bench run scale --json` prints")
    if len(lines) > MOST_LINES:
        sys.exit(f"scale_plot.py: {len(lines)} numbers of threads, allowed 1 to {MOST_LINES}")
    return {threads: sorted(points) for threads, points in sorted(lines.items())}


def steps_between(low, high):
    """1, 2 and 5 times powers of ten from `low` to `high`, and one beyond on either side."""
    marks = [m * 10.0**e for e in range(-1, 9) for m in (1, 2, 5)]
    first = max(k for k, mark in enumerate(marks) if mark <= low)
    last = min(k for k, mark in enumerate(marks) if mark >= high)
    return marks[first:last + 1]


def plot(lines):
    points = [point for line in lines.values() for point in line]
    across = steps_between(min(n for n, _ in points), max(n for n, _ in points))
    up = steps_between(min(ns for _, ns in points), max(ns for _, ns in points))

    def place(value, marks, start, end):
        share = math.log(value / marks[0]) / math.log(marks[-1] / marks[0]) if marks[-1] > marks[0] else 0.5
        return round(start + share * (end - start), 1)

    def at(point):
        return place(point[0], across, LEFT, WIDTH - RIGHT), place(point[1], up, HEIGHT - BOTTOM, TOP)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>']
    for mark in across:
        x = place(mark, across, LEFT, WIDTH - RIGHT)
        parts.append(f'<path d="M{x} {TOP}V{HEIGHT - BOTTOM}" stroke="#dddddd"/>'
                     f'<text x="{x}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{mark:,.0f}</text>')
    for mark in up:
        y = place(mark, up, HEIGHT - BOTTOM, TOP)
        parts.append(f'<path d="M{LEFT} {y}H{WIDTH - RIGHT}" stroke="#dddddd"/>'
                     f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end">{mark:,.0f}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 16}" text-anchor="middle">particles</text>'
                 f'<text x="{LEFT}" y="{TOP - 16}" text-anchor="start">ns a particle and frame of 1/60 s</text>')
    for colour, (threads, line) in zip(COLOURS, lines.items()):
        places = [at(point) for point in line]
        path = "M" + "L".join(f"{x} {y}" for x, y in places)
        parts.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x}" cy="{y}" r="3.5" fill="{colour}"/>' for x, y in places]
        x, y = places[-1]
        name = f"{threads} thread" + ("s" if threads > 1 else "")
        parts.append(f'<text x="{x + 10}" y="{y + 4}" fill="{colour}">{name}, {line[-1][1]:.0f} ns</text>')
    parts.append("</svg>")
    return "\n".join(parts)


print(plot(read_rows(sys.stdin)))
