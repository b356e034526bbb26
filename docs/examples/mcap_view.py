"""Draws what the layout foxglove-layout.json shows of an exported drive, as SVG. Foxglove itself is not used.

    spadework run trench --headless --operator auto --seconds 60 --record R.spade
    spadework export R.spade --mcap R.mcap --rate 10
    python3 mcap_view.py [--at SECONDS] R.mcap [FILE.svg]

Panels, their arrangement, topics, colours and camera come from the layout; numbers, frames, heights and events from the
messages. Needs numpy and the command zstd.
"""

import argparse
import base64
import json
import math
import pathlib
import struct
import subprocess
import textwrap
import zlib
from html import escape

import numpy as np

LAYOUT = pathlib.Path(__file__).with_name("foxglove-layout.json")
WIDTH, HEIGHT, TITLE = 1200, 780, 24
COLOURS = ("#4e98e2", "#f5774d", "#f7df71", "#5cd6a9")
AXES = (("#ff4d4d", 0), ("#4dff4d", 1), ("#5a8cff", 2))
AXIS_LENGTH = 0.154  # m, of a frame's axis at scale 1
LEVELS = {1: "DEBUG", 2: "INFO", 3: "WARN", 4: "ERROR", 5: "FATAL"}
# The colour map "turbo" as polynomials: red, green, blue.
TURBO = np.array([
    [0.13572138, 4.6153926, -42.66032258, 132.13108234, -152.94239396, 59.28637943],
    [0.09140261, 2.19418839, 4.84296658, -14.18503333, 4.27729857, 2.82956604],
    [0.1066733, 12.64194608, -60.58204836, 110.36276771, -89.90310912, 27.34824973],
])  # fmt: skip


# ---- reading MCAP --------------------------------------------------------------------------------------------------


def records(data):
    """Opcode and content of each record."""
    at = 0
    while at + 9 <= len(data):
        opcode, size = struct.unpack_from("<BQ", data, at)
        yield opcode, data[at + 9 : at + 9 + size]
        at += 9 + size


def read_chunk(content):
    """The records of a chunk."""
    size = struct.unpack_from("<I", content, 28)[0]
    packed = content[32 + size + 8 :]
    if content[32 : 32 + size] != b"zstd":
        return packed
    return subprocess.run(["zstd", "-dqc"], input=packed, capture_output=True, check=True).stdout


def read(path):
    """For each topic: (s, JSON as bytes) in order of time."""
    data = pathlib.Path(path).read_bytes()
    if data[:8] != b"\x89MCAP0\r\n":
        raise SystemExit(f"{path}: it does not begin as MCAP does; give the file of spadework export --mcap")
    topics, names = {}, {}
    for outer, content in records(data[8:-8]):
        for opcode, record in records(read_chunk(content)) if outer == 6 else ():
            if opcode == 4:
                number, _, length = struct.unpack_from("<HHI", record)
                names[number] = record[8 : 8 + length].decode()
                topics.setdefault(names[number], [])
            elif opcode == 5:
                number, _, logged = struct.unpack_from("<HIQ", record)
                topics[names[number]].append((logged / 1e9, record[22:]))
    return topics


def latest(rows, at):
    """The last message until `at`, s; None without one."""
    found = [row for row in rows if row[0] <= at + 1e-9]
    return json.loads(found[-1][1]) if found else None


# ---- panels ----------------------------------------------------------------------------------------------------------


def text(x, y, words, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{escape(words)}</text>'


def line(points, colour, width=1.5):
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    look = f'fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"'
    return f'<polyline points="{path}" {look}/>'


def ticks(low, high, most):
    """Round numbers from low to high, at most so many."""
    step = 10.0 ** math.floor(math.log10(max(high - low, 1e-9) / most))
    while (high - low) / step > most:
        step *= 2.0 if f"{step:e}"[0] in "15" else 2.5
    return np.arange(math.ceil(low / step), math.floor(high / step) + 1) * step


def draw_plot(config, topics, at, box):
    """Lines over time, with a cursor at `at`."""
    x, y, width, height = box[0] + 80, box[1] + 24, box[2] - 104, box[3] - 48
    lines = []
    for path in config["paths"]:
        topic, *keys = path["value"].split(".")
        rows = []
        for time, message in topics[topic]:
            value = json.loads(message)
            for key in keys:
                value = value[key]
            rows.append((time, value))
        lines.append(np.array(rows))
    times, values = (np.concatenate([one[:, k] for one in lines]) for k in (0, 1))
    begin, end, low, high = times.min(), times.max(), min(values.min(), 0.0), values.max()
    high = high if high > low else low + 1.0

    def place(rows):
        across = x + (rows[:, 0] - begin) / max(end - begin, 1e-9) * width
        return np.stack([across, y + (high - rows[:, 1]) / (high - low) * height], 1)

    out = []
    for value in ticks(low, high, 6):
        row = place(np.array([[begin, value]]))[0, 1]
        out.append(line([(x, row), (x + width, row)], "#383840", 1))
        out.append(text(x - 6, row + 4, f"{value:,.0f}", 'text-anchor="end"'))
    for time in ticks(begin, end, 8):
        column = place(np.array([[time, low]]))[0, 0]
        out.append(line([(column, y), (column, y + height)], "#2a2a31", 1))
        out.append(text(column, y + height + 16, f"{time:g} s", 'text-anchor="middle"'))
    for k, (path, rows) in enumerate(zip(config["paths"], lines)):
        out.append(line(place(rows), COLOURS[k % len(COLOURS)], 1.2))
        value = rows[np.searchsorted(rows[:, 0], at + 1e-9) - 1, 1]
        words = f"{path['label']} {value:,.0f}"
        out.append(text(box[0] + 12 + k * box[2] / 4, y - 8, words, f'fill="{COLOURS[k % len(COLOURS)]}"'))
    cursor = place(np.array([[at, low]]))[0, 0]
    return out + [line([(cursor, y), (cursor, y + height)], "#ffffff", 1)]


def draw_log(config, topics, at, box):
    """Messages until `at`, the newest below."""
    rows = []
    for time, message in topics[config["topicToRender"]]:
        value = json.loads(message)
        if time <= at and value["level"] >= config["minLogLevel"]:
            words = f"{LEVELS[value['level']]:5} {time:7.3f} s  {value['message']}"
            rows += textwrap.wrap(words, int((box[2] - 16) / 6.7), subsequent_indent=" " * 17)
    rows = rows[-int((box[3] - 12) / 16) :]
    return [text(box[0] + 8, box[1] + 18 + 16 * k, row, 'class="m"') for k, row in enumerate(rows)]


def draw_raw(config, topics, at, box):
    """A message's fields."""
    rows = [config["topicPath"]]
    for name, value in latest(topics[config["topicPath"]], at).items():
        if isinstance(value, dict):
            rows += [f"{name}:"] + [f"  {key}: {json.dumps(one)}" for key, one in value.items()]
        else:
            rows.append(f"{name}: {json.dumps(value)}")
    rows = rows[: int((box[3] - 8) / 14)]
    return [text(box[0] + 8, box[1] + 16 + 14 * k, row, 'class="m"') for k, row in enumerate(rows)]


def turn(q):
    """The matrix of a quaternion."""
    x, y, z, w = q["x"], q["y"], q["z"], q["w"]
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip


def vector(v):
    return np.array([v["x"], v["y"], v["z"]])


class Camera:
    """The panel's camera: where it is, which way right, up and back are."""

    def __init__(self, state, box):
        phi, theta = math.radians(state["phi"]), -math.radians(state["thetaOffset"])
        self.back = np.array([math.sin(phi) * math.sin(theta), -math.sin(phi) * math.cos(theta), math.cos(phi)])
        self.right = np.array([math.cos(theta), math.sin(theta), 0.0])
        self.up = np.cross(self.back, self.right)
        self.place = np.array(state["targetOffset"]) + state["distance"] * self.back
        self.box, self.focus = box, box[3] / 2 / math.tan(math.radians(state["fovy"]) / 2)

    def project(self, point):
        seen = point - self.place
        scale = self.focus / -(seen @ self.back)
        x, y, width, height = self.box
        return x + width / 2 + seen @ self.right * scale, y + height / 2 - seen @ self.up * scale


def draw_ground(config, message, camera):
    """The grid: a flat picture at its pose, each cell coloured by its height."""
    width, height = round(camera.box[2]), round(camera.box[3])
    across, down = np.meshgrid(np.arange(width) + 0.5 - width / 2, np.arange(height) + 0.5 - height / 2)
    rays = (camera.right * across[..., None] - camera.up * down[..., None]) / camera.focus - camera.back
    corner, cell = vector(message["pose"]["position"]), message["cell_size"]
    far = (corner[2] - camera.place[2]) / np.minimum(rays[..., 2], -1e-9)
    points = (camera.place + rays * far[..., None] - corner)[..., :2] / (cell["x"], cell["y"])
    cells = np.frombuffer(base64.b64decode(message["data"]), "<f4").reshape(-1, message["column_count"])
    column, row = np.floor(np.clip(points, -1.0, 1e6)).astype(int).transpose(2, 0, 1)
    inside = (column >= 0) & (row >= 0) & (column < cells.shape[1]) & (row < cells.shape[0]) & (rays[..., 2] < 0.0)
    heights = cells[np.where(inside, row, 0), np.where(inside, column, 0)]
    share = np.clip((heights - config["minValue"]) / (config["maxValue"] - config["minValue"]), 0.0, 1.0)
    share = np.rint(share * 250) / 250
    colours = np.clip(share[..., None] ** np.arange(6) @ TURBO.T, 0.0, 1.0) * 255 * inside[..., None]
    picture = np.concatenate([np.rint(colours), 255.0 * inside[..., None]], 2).astype(np.uint8)
    lines = np.hstack([np.zeros((height, 1), np.uint8), picture.reshape(height, -1)])
    png = b"\x89PNG\r\n\x1a\n"
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    for kind, data in ((b"IHDR", header), (b"IDAT", zlib.compress(lines.tobytes(), 9)), (b"IEND", b"")):
        png += struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    place = f'x="{camera.box[0]}" y="{camera.box[1]}" width="{width}" height="{height}"'
    return f'<image {place} href="data:image/png;base64,{base64.b64encode(png).decode()}"/>'


def draw_scene(config, topics, at, box):
    """The 3D panel: grids, then the frames with their axes, names and lines to their parents."""
    camera, look = Camera(config["cameraState"], box), config["scene"]["transforms"]
    out = []
    for topic, grid in config["topics"].items():
        out.append(draw_ground(grid, latest(topics[topic], at), camera))
    frames = {"world": (np.eye(3), np.zeros(3))}
    for one in latest(topics["/tf"], at)["transforms"]:
        turned, moved = frames[one["parent_frame_id"]]
        place = moved + turned @ vector(one["translation"])
        frames[one["child_frame_id"]] = turned @ turn(one["rotation"]), place
        out.append(line([camera.project(moved), camera.project(place)], look["lineColor"], look["lineWidth"]))
    for name, (turned, place) in frames.items():
        for colour, k in AXES:
            tip = place + turned[:, k] * AXIS_LENGTH * look["axisScale"]
            out.append(line([camera.project(place), camera.project(tip)], colour, 3))
        x, y = camera.project(place + (0.0, 0.0, 0.45))
        out.append(text(x + 8, y, name, 'class="f"'))
    return out + draw_scale(config["topics"], box)


def draw_scale(grids, box):
    """The colours of the heights, m."""
    grid = next(iter(grids.values()))
    x, y = box[0] + 16, box[1] + box[3] - 38
    out = [f'<rect x="{x - 8}" y="{y - 6}" width="198" height="36" fill="#15151a" rx="4"/>']
    for k in range(60):
        red, green, blue = np.rint(np.clip((k / 59) ** np.arange(6) @ TURBO.T, 0.0, 1.0) * 255)
        colour = f"rgb({red:.0f},{green:.0f},{blue:.0f})"
        out.append(f'<rect x="{x + 3 * k}" y="{y}" width="3.5" height="10" fill="{colour}"/>')
    for share, anchor in ((0.0, "start"), (0.5, "middle"), (1.0, "end")):
        value = grid["minValue"] + share * (grid["maxValue"] - grid["minValue"])
        out.append(text(x + 180 * share, y + 24, f"{value:.1f} m", f'text-anchor="{anchor}"'))
    return out


PANELS = {"3D": draw_scene, "Plot": draw_plot, "RosOut": draw_log, "RawMessages": draw_raw}


# ---- the arrangement -------------------------------------------------------------------------------------------------


def arrange(node, box):
    """Yields each panel's name and box (x, y, width, height) of a layout's tree."""
    if isinstance(node, str):
        yield node, box
        return
    x, y, width, height = box
    share = node.get("splitPercentage", 50) / 100
    if node["direction"] == "row":
        first, second = (x, y, width * share, height), (x + width * share, y, width * (1 - share), height)
    else:
        first, second = (x, y, width, height * share), (x, y + height * share, width, height * (1 - share))
    yield from arrange(node["first"], first)
    yield from arrange(node["second"], second)


def draw(layout, topics, at):
    """The SVG's text."""
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif"',
        ' font-size="12" fill="#cfcfd6"><style>.m {font: 11px monospace; white-space: pre}',
        ".f {font-size: 13px; fill: white; paint-order: stroke; stroke: #15151a; stroke-width: 3px}</style>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#0c0c10"/>',
    ]
    for k, (name, (x, y, width, height)) in enumerate(arrange(layout["layout"], (0, 0, WIDTH, HEIGHT))):
        config = layout["configById"][name]
        box = (round(x) + 2, round(y) + TITLE, round(width) - 4, round(height) - TITLE - 2)
        back = config.get("scene", {}).get("backgroundColor", "#15151a")
        frame = f'x="{box[0]}" y="{box[1]}" width="{box[2]}" height="{box[3]}"'
        out.append(f'<rect x="{box[0]}" y="{y + 2:.0f}" width="{box[2]}" height="{TITLE}" fill="#27272f"/>')
        out.append(text(box[0] + 8, y + 17, config["foxglovePanelTitle"], 'fill="white"'))
        out.append(f'<rect {frame} fill="{back}"/><clipPath id="c{k}"><rect {frame}/></clipPath>')
        out.append(f'<g clip-path="url(#c{k})">')
        out += PANELS[name.split("!")[0]](config, topics, at, box) + ["</g>"]
    return "\n".join(out + ["</svg>", ""])


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--at", type=float, help="s of the drive; default: its end")
    options.add_argument("mcap")
    options.add_argument("file", nargs="?", default="mcap_view.svg")
    asked = options.parse_args()
    topics = read(asked.mcap)
    begin, end = topics["/tf"][0][0], topics["/tf"][-1][0]
    at = end if asked.at is None else asked.at
    if not begin <= at <= end:
        raise SystemExit(f"--at {at:g}: the drive has {begin:g} to {end:g} s")
    layout = json.loads(LAYOUT.read_text(encoding="utf-8"))
    pathlib.Path(asked.file).write_text(draw(layout, topics, at), encoding="utf-8")
    print(f"wrote {asked.file}, {len(topics)} topics at {at:g} s")


if __name__ == "__main__":
    main()
