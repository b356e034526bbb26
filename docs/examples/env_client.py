#!/usr/bin/env python3
"""A client of the environment server (docs/environment-server.md) in Python, with numpy alone.

    spadework env --listen unix:/tmp/site.sock      in another terminal
    python3 env_client.py unix:/tmp/site.sock

With HOST:PORT the token, which the server prints, comes behind the address.
"""

import json
import socket
import struct
import sys

import numpy as np


class EnvError(Exception):
    """The server has refused a call. `code` says what kind of fault it is: "bad-argument", "closed", ..."""

    def __init__(self, answer):
        super().__init__(answer["error"])
        self.code = answer["code"]


class Env:
    """A connection to the server. Its sessions end with it."""

    def __init__(self, address, token=None):
        if address.startswith("unix:"):
            self._socket = socket.socket(socket.AF_UNIX)
            self._socket.connect(address[len("unix:") :])
        else:
            host, port = address.rsplit(":", 1)
            self._socket = socket.create_connection((host.strip("[]"), int(port)))
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._file = self._socket.makefile("rb")
        self._id = 0
        if token is not None:
            self.call("hello", token=token)

    def close(self):
        self._file.close()
        self._socket.close()

    def call(self, name, arrays=None, **keys):
        """Calls the server, and returns the answer: its keys, and its arrays by their names."""
        self._id += 1
        arrays = {key: np.ascontiguousarray(value) for key, value in (arrays or {}).items()}
        keys.update(
            id=self._id,
            call=name,
            arrays=[{"name": key, "dtype": value.dtype.name, "shape": value.shape} for key, value in arrays.items()],
        )
        head = json.dumps(keys).encode()
        self._socket.sendall(
            struct.pack("<I", len(head)) + head + b"".join(value.tobytes() for value in arrays.values())
        )
        answer = json.loads(self._read(struct.unpack("<I", self._read(4))[0]))
        for row in answer.get("arrays", []):
            kind = np.dtype(row["dtype"])
            count = int(np.prod(row["shape"], dtype=int))
            answer[row["name"]] = np.frombuffer(self._read(count * kind.itemsize), kind).reshape(row["shape"])
        if not answer["ok"]:
            raise EnvError(answer)
        return answer

    def _read(self, size):
        data = self._file.read(size)
        if len(data) < size:
            raise ConnectionError("the server has ended the connection")
        return data


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: env_client.py unix:PATH | HOST:PORT [TOKEN]")
    env = Env(*sys.argv[1:3])
    made = env.call("create", scene="trench", seed=5)
    site, info = made["session"], made["info"]
    actions = [action["name"] for action in info["actions"]]
    names = [number["name"] for number in info["observation"]]

    def step(ticks, **levers):
        values = np.array([levers.get(name, 0.0) for name in actions])
        return dict(zip(names, env.call("step", {"levers": values}, session=site, ticks=ticks)["observation"]))

    step(60, boom=-0.4)  # lower the boom for a second
    state = env.call("save", session=site)["state"]
    for curl in (0.0, 0.5, 1.0):  # three futures of the same moment
        seen = step(120, stick=0.6, bucket=curl)
        tick = env.call("observe", session=site)["tick"]
        print(
            f"curl {curl}: after tick {tick} the tip is {seen['tip_height']:.2f} m high, {seen['payload']:.0f} kg in "
            f"the bucket, state {env.call('hash', session=site)['hash']}"
        )
        env.call("restore", {"state": state}, session=site)
    ground = env.call("heights", session=site, frame="tool", rows=16, columns=16, spacing=0.25)["ground"]
    print(f"ground round the tip: {ground.min():.2f} to {ground.max():.2f} m")
    env.close()


if __name__ == "__main__":
    main()
