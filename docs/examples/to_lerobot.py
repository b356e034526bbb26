#!/usr/bin/env python3
"""Converts demonstrations that `spadework export R.spade --hdf5 F.hdf5` wrote to a LeRobot data set (format v3).

    python3 to_lerobot.py F.hdf5... --out FOLDER [options]

Each file is an episode; all must be of one machine, rate and choice of cameras. Needs numpy, h5py and lerobot 0.4 or
later (https://github.com/huggingface/lerobot), which writes the data set.

    --out FOLDER      of the data set; must not be there yet
    --repo-id NAME    OWNER/NAME of the data set (default: local/ and the folder's name)
    --task TEXT       what was done, in words (default: the title of each recording's scene)
    --state A,B,...   arrays that observation.state is put together of, in this order (default: qpos,qvel)
    --heights         with the patches of heights
    --images          pictures as images, and not as films

Features: `action`; `observation.state`; `observation.images.CAMERA`; every other array of the file as `spadework.NAME`,
which policies do not read by themselves. A sample has the newest picture that was taken at or before its tick.

Ends with 0; 1: a file is wrong; 2: the command line is; 4: lerobot is missing or too old.
"""
import argparse
import os
import sys

import h5py
import numpy as np

BLOCK = 256  # samples read at once


class Wrong(Exception):
    """What is wrong, as one line, and the exit code."""

    def __init__(self, text, code=1):
        super().__init__(text)
        self.code = code


def plain(value):
    """An attribute as h5py's versions give it: text or a list of texts, or a number."""
    if isinstance(value, bytes):
        return value.decode("utf-8")
    if isinstance(value, np.ndarray):
        return [plain(one) for one in value.tolist()]
    return value


class Episode:
    """A file of demonstrations that is open."""

    def __init__(self, path):
        self.path = path
        try:
            self.file = h5py.File(path, "r")
        except OSError as error:
            raise Wrong(f"{path}: cannot be read: {error}") from None
        self.facts = {name: plain(value) for name, value in self.file.attrs.items()}
        if self.facts.get("layout") != "spadework":
            raise Wrong(f"{path}: has the layout {self.facts.get('layout')}, wanted spadework: export it without --layout")
        if not self.facts.get("complete"):
            raise Wrong(f"{path}: is not complete: its export was ended before it was done; export it again")
        for name in ("action", "observations", "task", "time/tick"):
            if name not in self.file:
                raise Wrong(f"{path}: has no {name}")
        self.length = len(self.file["action"])
        self.ticks = self.file["time/tick"][:]
        self.arrays = {name: self.file[group][name] for group in ("observations", "task") for name in self.file[group]}
        self.cameras = [name for name in self.file.get("pictures", {}) if name != "tick"]
        self.newest = self.find_pictures() if self.cameras else None
        for name, array in list(self.arrays.items()) + [("time/tick", self.ticks)]:
            if len(array) != self.length:
                raise Wrong(f"{path}: {name} has {len(array)} rows, and action {self.length}")

    def find_pictures(self):
        """Index of the newest picture at or before each sample."""
        taken = self.file["pictures/tick"][:]
        newest = np.searchsorted(taken, self.ticks, side="right") - 1
        if len(taken) == 0 or newest.min() < 0:
            raise Wrong(f"{self.path}: has no picture at its first sample")
        for camera in self.cameras:
            if len(self.file["pictures"][camera]) < len(taken):
                raise Wrong(f"{self.path}: has fewer pictures of {camera} than ticks of pictures")
        return newest

    def names(self, name):
        array = self.file["action"] if name == "action" else self.arrays[name]
        return list(plain(array.attrs["names"]))


def feature(array, names):
    """A feature of numbers. Shapes are tuples: LeRobot compares them with those of numpy's arrays."""
    return {"dtype": "float32", "shape": tuple(array.shape[1:]), "names": names}


def make_features(episode, options):
    unknown = [name for name in options.state if name not in episode.arrays]
    if unknown:
        raise Wrong(f"--state {unknown[0]}: is not in {episode.path}, which has {', '.join(episode.arrays)}", 2)
    state = [f"{name}.{column}" for name in options.state for column in episode.names(name)]
    features = {"action": feature(episode.file["action"], episode.names("action")),
                "observation.state": {"dtype": "float32", "shape": (len(state),), "names": state}}
    for name, array in episode.arrays.items():
        if name not in options.state:
            features[f"spadework.{name}"] = feature(array, episode.names(name))
    if options.heights:
        if "heights" not in episode.file:
            raise Wrong(f"{episode.path}: has no heights: leave --heights out, or export it without --heights 0")
        for name in ("ground", "design"):
            features[f"spadework.heights_{name}"] = feature(episode.file["heights"][name], ["row", "column"])
    for camera in episode.cameras:
        features[f"observation.images.{camera}"] = {"dtype": "image" if options.images else "video",
                                                    "shape": tuple(episode.file["pictures"][camera].shape[1:]),
                                                    "names": ["height", "width", "channels"]}
    return features


def read_block(episode, options, begin):
    """The samples from `begin` on, a dictionary of arrays whose rows are samples; pictures are left out."""
    rows = slice(begin, min(begin + BLOCK, episode.length))
    block = {"action": episode.file["action"][rows].astype(np.float32)}
    block["observation.state"] = np.concatenate([episode.arrays[name][rows] for name in options.state], axis=1).astype(np.float32)
    for name, array in episode.arrays.items():
        if name not in options.state:
            block[f"spadework.{name}"] = array[rows].astype(np.float32)
    if options.heights:
        for name in ("ground", "design"):
            block[f"spadework.heights_{name}"] = episode.file["heights"][name][rows].astype(np.float32)
    return block


def add_episode(dataset, episode, options):
    task = options.task or episode.facts.get("title") or episode.facts["scene"]
    last, pictures = -1, {}
    for begin in range(0, episode.length, BLOCK):
        block = read_block(episode, options, begin)
        for row in range(len(block["action"])):
            sample = begin + row
            frame = {name: np.ascontiguousarray(values[row]) for name, values in block.items()}
            if episode.cameras and episode.newest[sample] != last:
                last = episode.newest[sample]
                pictures = {f"observation.images.{camera}": episode.file["pictures"][camera][last] for camera in episode.cameras}
            dataset.add_frame({**frame, **pictures, "task": task})
    dataset.save_episode()


def load_lerobot():
    try:
        from lerobot.datasets.lerobot_dataset import LeRobotDataset
    except ImportError as error:
        raise Wrong(f"the Python package lerobot is missing ({error}); see https://github.com/huggingface/lerobot", 4) from None
    if not hasattr(LeRobotDataset, "finalize"):
        raise Wrong("the Python package lerobot is too old: data sets of format v3 need 0.4 or later", 4)
    return LeRobotDataset


def check_alike(episodes, features, options):
    first = episodes[0]
    for other in episodes[1:]:
        for name in ("rate", "machine"):
            if other.facts[name] != first.facts[name]:
                raise Wrong(f"{other.path}: {name} {other.facts[name]}, and {first.path} has {first.facts[name]}")
        if make_features(other, options) != features:
            raise Wrong(f"{other.path}: has other arrays, columns or cameras than {first.path}")


def convert(options):
    episodes = [Episode(path) for path in options.files]
    features = make_features(episodes[0], options)
    check_alike(episodes, features, options)
    if os.path.exists(options.out):
        raise Wrong(f"{options.out}: exists; choose another folder", 2)
    dataset = load_lerobot().create(repo_id=options.repo_id or "local/" + os.path.basename(os.path.abspath(options.out)),
                                    fps=int(episodes[0].facts["rate"]), features=features, root=options.out,
                                    robot_type=episodes[0].facts["machine"], use_videos=not options.images)
    try:
        for episode in episodes:
            add_episode(dataset, episode, options)
    finally:
        dataset.finalize()  # closes the files; without it the last rows are lost
    print(f"{options.out}: {len(episodes)} episodes, {sum(episode.length for episode in episodes)} samples")


def main(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="F.hdf5")
    parser.add_argument("--out", required=True, metavar="FOLDER")
    parser.add_argument("--repo-id", metavar="NAME")
    parser.add_argument("--task", metavar="TEXT")
    parser.add_argument("--state", default="qpos,qvel", metavar="A,B,...", type=lambda text: text.split(","))
    parser.add_argument("--heights", action="store_true")
    parser.add_argument("--images", action="store_true")
    try:
        convert(parser.parse_args(words))
        return 0
    except Wrong as wrong:
        print(f"to_lerobot.py: {wrong}", file=sys.stderr)
        return wrong.code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
