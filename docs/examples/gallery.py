"""Two pictures of the task "dig", made by the simulator's own renderer and written as PNG with the standard library.

    python3 gallery.py [--quick] trench [FILE.png]     a policy's trench beside the expert's, after 120 s (simulated)
    python3 gallery.py [--quick] sixteen [FILE.png]    sixteen environments that dig at once

The policy is the one that clone_expert.py trains. Pictures need libspadework-render0; a display and a graphics card are
not needed.
"""

import argparse
import struct
import zlib

import clone_expert
import numpy as np
import spadework
from spadework.expert import Expert

# Letters of 5 x 7 points: a byte a column, the lowest bit on top.
LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz.,- "
COLUMNS = bytes.fromhex(
    "3e5149453e 00427f4000 4261514946 2141454b31 1814127f10 2745454539 3c4a494930 0171090503 3649494936 064949291e"
    "2054545478 7f48444438 3844444420 384444487f 3854545418 087e090102 0c5252523e 7f08040478 00447d4000 2040443d00"
    "7f10284400 00417f4000 7c04180478 7c08040478 3844444438 7c14141408 081414187c 7c08040408 4854545420 043f444020"
    "3c4040207c 1c2040201c 3c4030403c 4428102844 0c5050503c 4464544c44 0060600000 0050300000 0808080808 0000000000"
)
INK, PAPER = (32, 36, 40), (255, 255, 255)
AIR, SOIL, DESIGN, LEVEL = (226, 232, 238), (134, 104, 78), (214, 58, 46), (150, 150, 150)
SHOWN = 7.0  # m of the trench in a profile
MARGIN = 8  # pixels between pictures


def write_text(words, width, scale=2):
    """A line of text as a picture [height][width][3]; only what LETTERS has."""
    columns = b"".join(COLUMNS[5 * LETTERS.index(one) :][:5] + b"\0" for one in words)
    points = np.array([[column >> row & 1 for column in columns] for row in range(8)], bool)
    points = points.repeat(scale, 0).repeat(scale, 1)[:, :width]
    line = np.full((8 * scale + 6, width, 3), PAPER, np.uint8)
    line[3 : 3 + 8 * scale, : points.shape[1]][points] = INK
    return line


def mosaic(rows):
    """Rows of equally high pictures as one picture, with margins."""

    def joined(parts, axis):
        shape = list(parts[0].shape)
        shape[axis] = MARGIN
        gap = np.full(shape, PAPER, np.uint8)
        return np.concatenate([gap] + [one for part in parts for one in (part, gap)], axis)

    return joined([joined(row, 1) for row in rows], 0)


def choose_palette(picture, count=256):
    """Colours [count][3] and each pixel's number of one, by median cut of the colours with 6 bits a channel."""
    coarse = (picture.reshape(-1, 3) >> 2).astype(np.int64)
    codes, where, often = np.unique(coarse @ (4096, 64, 1), return_inverse=True, return_counts=True)
    colours = np.stack([codes >> 12, codes >> 6 & 63, codes & 63], 1)

    def weigh(box):
        return np.ptp(colours[box], 0).max() * often[box].sum() ** 0.5

    boxes = [np.arange(len(codes))]
    weights = [weigh(boxes[0])]
    while len(boxes) < min(count, len(codes)):
        k = int(np.argmax(weights))
        box = boxes[k]
        box = box[np.argsort(colours[box, np.ptp(colours[box], 0).argmax()], kind="stable")]
        middle = np.searchsorted(np.cumsum(often[box]), often[box].sum() / 2)
        cut = min(max(int(middle), 1), len(box) - 1)
        boxes[k : k + 1] = box[:cut], box[cut:]
        weights[k : k + 1] = weigh(box[:cut]), weigh(box[cut:])
    number = np.zeros(len(codes), np.uint8)
    for k, box in enumerate(boxes):
        number[box] = k
    chosen = [np.rint(np.average(colours[box] * 4 + 2, axis=0, weights=often[box])) for box in boxes]
    return np.array(chosen, np.uint8), number[where.reshape(picture.shape[:2])]


def write_png(path, picture):
    """Writes a picture [height][width][3] as PNG with 256 colours."""
    palette, numbers = choose_palette(picture)
    height, width = numbers.shape
    lines = np.hstack([np.zeros((height, 1), np.uint8), numbers])  # each line: no filter, then its pixels
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", palette.tobytes()),
        (b"IDAT", zlib.compress(lines.tobytes(), 9)),
        (b"IEND", b""),
    )
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        for kind, data in parts:
            file.write(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)))
    print(f"wrote {path}, {width} x {height}")


def draw_profile(session, width):
    """The ground along the middle of the trench, true to scale, with the design as a line; heights at its edge in m."""
    info, scale = session.info()["design"], SHOWN / width
    middle = (np.array(info["low"]) + info["high"])[:2] / 2
    ground, design, mask = session.heights(1, width, scale, middle[0], middle[1], frame="world")
    top, bottom = 0.8, info["low"][2] - 0.4
    heights = np.arange(top, bottom, -scale)[:, None]
    picture = np.where((heights < ground)[..., None], SOIL, AIR).astype(np.uint8)
    asked = (np.abs(heights - design) <= 1.2 * scale) & ((mask & spadework.DESIGNED) != 0)
    picture[asked] = DESIGN
    for level in (0.0, -1.0):
        row, words = int((top - level) / scale), write_text(f"{level:.0f} m", width)
        picture[row, ::4] = LEVEL
        words = words[:, : 12 * len(f"{level:.0f} m") + 4]
        row -= words.shape[0] // 2
        picture[row : row + words.shape[0], -words.shape[1] :] = words
    return picture


def draw_trench(quick):
    """A policy's trench beside the expert's: the site, and the ground along the middle of the trench."""
    seconds, plan = (12.0, (1, 0, 300)) if quick else (120.0, (6, 3, 6000))
    size, quality = ((160, 100), 0) if quick else ((464, 300), 2)
    env = spadework.Env("dig", seconds=seconds)
    expert = Expert(env)
    clone = clone_expert.learn(env, expert, np.random.default_rng(1), *plan)
    sides = []
    for name, policy in (("policy", clone), ("scripted expert", expert)):
        clone_expert.drive(env, policy, 1000)
        dumped = env.session.exercise()["dumped_kg"]
        print(f"{name}: {dumped:.0f} kg on the dump after {seconds:.0f} s", flush=True)
        pictures = env.session.render("around", size, quality=quality), draw_profile(env.session, size[0])
        sides.append([*pictures, write_text(f"{name}, {dumped:.0f} kg on the dump", size[0])])
    env.close()
    return mosaic(zip(*sides))


class Seat:
    """What an Expert needs of environment `number` of a VectorEnv."""

    def __init__(self, envs, number, task):
        self.unwrapped, self.envs, self.number, self.task = self, envs, number, task
        self.dt = task.ticks * self.session.dt

    @property
    def session(self):
        return self.envs.sessions[self.number]


def draw_sixteen(quick):
    """Environments with other soils, places, delays and faults, each with its expert, after some seconds."""
    across, seconds = (2, 4.0) if quick else (4, 19.0)
    size, quality = ((160, 100), 0) if quick else ((224, 150), 2)
    envs = spadework.VectorEnv("dig", num_envs=across**2, threads=2, randomise="dig")
    observations, _ = envs.reset(seed=1)
    task = spadework.tasks.load("dig")
    experts = [Expert(Seat(envs, k, task)) for k in range(envs.num_envs)]
    for _ in range(round(seconds / experts[0].dt)):
        envs.step(np.array([expert(observations) for expert in experts]))
    tiles = []
    for session in envs.sessions:
        soil, load = session.info()["site"]["soils"][-1], session.exercise()["payload_now"]
        words = write_text(f"{soil}, {load:.0f} kg", size[0])
        tiles.append(np.concatenate([session.render("around", size, quality=quality), words]))
        print(f"{soil}: {load:.0f} kg in the bucket after {seconds:.0f} s", flush=True)
    envs.close()
    return mosaic([tiles[k : k + across] for k in range(0, len(tiles), across)])


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--quick", action="store_true", help="a small picture with less training")
    options.add_argument("picture", choices=("trench", "sixteen"))
    options.add_argument("file", nargs="?", help="default: PICTURE.png")
    asked = options.parse_args()
    draw = {"trench": draw_trench, "sixteen": draw_sixteen}[asked.picture]
    write_png(asked.file or asked.picture + ".png", draw(asked.quick))


if __name__ == "__main__":
    main()
