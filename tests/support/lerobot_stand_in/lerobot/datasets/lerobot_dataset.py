"""A LeRobotDataset (format v3, lerobot 0.4) that keeps its calls in FOLDER/calls.json and its frames in FOLDER/frames.npz."""
import json
import os

import numpy as np

OWN = {"timestamp", "frame_index", "episode_index", "index", "task_index"}  # LeRobot fills these


class LeRobotDataset:
    @classmethod
    def create(cls, repo_id, fps, features, root=None, robot_type=None, use_videos=True, **more):
        assert not more and isinstance(fps, int) and fps > 0 and "/" in repo_id
        os.makedirs(root)  # one that exists is refused
        for name, one in features.items():
            assert name not in OWN and "/" not in name, name
            assert isinstance(one["shape"], tuple) and all(isinstance(size, int) and size > 0 for size in one["shape"]), one
            assert one["dtype"] in ("float32", "image", "video") and (one["dtype"] != "video" or use_videos), one
            assert one["dtype"] == "float32" or (len(one["shape"]) == 3 and one["shape"][2] == 3), one
            assert len(one["names"]) == (one["shape"][0] if len(one["shape"]) == 1 else len(one["shape"])), one
        self = cls()
        self.root, self.features, self.frames, self.sizes = root, features, [], [0]
        self.calls = {"repo_id": repo_id, "fps": fps, "robot_type": robot_type, "use_videos": use_videos, "tasks": [],
                      "features": features, "finalized": 0}
        return self

    def add_frame(self, frame):
        assert set(frame) == set(self.features) | {"task"}, set(frame) ^ set(self.features)
        assert isinstance(frame["task"], str) and frame["task"] != ""
        for name, one in self.features.items():
            value = frame[name]
            assert isinstance(value, np.ndarray) and value.shape == one["shape"], name
            assert value.dtype == (np.float32 if one["dtype"] == "float32" else np.uint8), name
        self.frames.append({name: value.copy() for name, value in frame.items() if name != "task"})
        self.calls["tasks"].append(frame["task"])

    def save_episode(self):
        assert len(self.frames) > self.sizes[-1], "an episode without frames"
        self.sizes.append(len(self.frames))

    def finalize(self):
        self.calls["finalized"] += 1
        self.calls["episodes"] = [end - begin for begin, end in zip(self.sizes, self.sizes[1:])]
        with open(os.path.join(self.root, "calls.json"), "w", encoding="utf-8") as file:
            json.dump(self.calls, file)
        if self.frames:
            np.savez(os.path.join(self.root, "frames.npz"), **{name: np.stack([frame[name] for frame in self.frames])
                                                              for name in self.features})
