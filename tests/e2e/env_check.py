#!/usr/bin/env python3
"""Clients of the environment server; run by env.sh: env_check.py PART ADDRESS [TOKEN or FILE]. Ends with 1 and a line for
each fault."""
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/examples"))
import env_client  # noqa: E402

faults = []


def wrong(text):
    print("env_check.py:", text)
    faults.append(text)


def levers(info, **named):
    return {"levers": np.array([named.get(action["name"], 0.0) for action in info["actions"]])}


def refused(env, code, name, arrays=None, **keys):
    """The call is refused with this code."""
    try:
        answer = env.call(name, arrays, **keys)
        wrong(f"{name} {keys} was not refused: {answer}")
    except env_client.EnvError as error:
        if error.code != code or len(str(error)) < 20:
            wrong(f"{name} {keys}: {error.code}: {error}, wanted {code}")


def dig(env, **keys):
    """A session after the levers of env.sh, one call a tick in the first second."""
    made = env.call("create", scene="trench", **keys)
    site, info = made["session"], made["info"]
    return site, info


def drive(address, path):
    env = env_client.Env(address)
    site, info = dig(env)
    env.call("record", session=site, path=path, operator="env.sh")
    for tick in range(60):
        seen = env.call("step", levers(info, boom=-0.4, stick=0.2), session=site)
        if seen["tick"] != tick + 1:
            wrong(f"tick {seen['tick']} after {tick + 1} steps")
    seen = env.call("step", levers(info, swing=0.3, stick=0.6, bucket=0.5), session=site, ticks=60)
    names = [number["name"] for number in info["observation"]]
    if len(names) != len(seen["observation"]) or abs(seen["observation"][names.index("time")] - 2.0) > 1e-9:
        wrong(f"2 s are {seen['observation'][0]}")
    env.call("record_end", session=site)
    env.call("close", session=site)
    refused(env, "closed", "hash", session=site)
    env.close()


def states(address):
    """A state goes back, and into another session; files make the same session; each reader answers."""
    env = env_client.Env(address)
    site, info = dig(env)
    push = levers(info, boom=-0.5, stick=0.5)
    env.call("step", push, session=site, ticks=40)
    state = env.call("save", session=site)["state"]
    env.call("step", push, session=site, ticks=40)
    after = env.call("hash", session=site)["hash"]
    seen = env.call("restore", {"state": state}, session=site)
    if seen["tick"] != 40:
        wrong(f"restored to tick {seen['tick']}")
    env.call("step", push, session=site, ticks=40)
    if env.call("hash", session=site)["hash"] != after:
        wrong("another hash after a restore")
    files = [env.call("file", session=site, index=k) for k in range(len(info["scene"]["files"]))]
    made = env.call("create", {f"file.{k}": file["text"] for k, file in enumerate(files)},
                    files=[{"kind": file["kind"], "name": file["name"]} for file in files])
    other = made["session"]
    env.call("restore", {"state": state}, session=other)
    many = env.call("step_many", {"levers": np.tile(push["levers"], (2, 1))}, sessions=[other, site], ticks=40, threads=2)
    if many["codes"] != ["good", "good"] or many["ticks"] != [80, 120] or len(many["observation"]) != 2:
        wrong(f"step_many: {many}")
    if env.call("hash", session=other)["hash"] != after:
        wrong("another hash after step_many")
    refused(env, "bad-state", "restore", {"state": state[:-1]}, session=other)
    refused(env, "bad-state", "restore", {"state": np.zeros(100, np.uint8)}, session=other)
    heights = env.call("heights", session=site, rows=3, columns=5)
    if heights["ground"].shape != (3, 5) or heights["mask"].dtype != np.uint8 or not np.isfinite(heights["ground"]).all():
        wrong(f"heights: {heights}")
    names = [number["name"] for number in info["exercise"]]
    if len(env.call("exercise", session=site)["exercise"]) != len(names):
        wrong("other numbers of the exercise than info lists")
    if env.call("particles", session=site)["particles"].shape[1:] != (9,):
        wrong("particles have other numbers")
    env.call("order", session=site, fault="pressure", value=0.5)
    events = env.call("events", session=site)
    if events["count"] < 1 or "text" not in events["events"][-1]:
        wrong(f"no event of an order: {events}")
    if env.call("reset", session=site)["tick"] != 0:
        wrong("reset does not go to the start")
    env.call("reset", session=site, seed=9)
    env.call("close", session=other)
    other = env.call("create", scene="trench", seed=9)["session"]
    if env.call("hash", session=site)["hash"] != env.call("hash", session=other)["hash"]:
        wrong("reset with a seed is not create with it")
    refused(env, "bad-argument", "render", session=site, width=8192, height=8192)
    env.close()


def clients(address):
    """Two clients at once get what each gets alone, and neither names the other's session."""
    def run(turns, out):
        env = env_client.Env(address)
        site, info = dig(env)
        for turn in range(turns):
            env.call("step", levers(info, boom=-0.3, swing=0.01 * turn), session=site, ticks=2)
        out.append(env.call("hash", session=site)["hash"])
        refused(env, "closed", "hash", session=site + 1)
        env.close()
    alone, together = [], []
    run(60, alone)
    threads = [threading.Thread(target=run, args=(60, together)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if together != 2 * alone:
        wrong(f"together {together}, alone {alone}")


def frame(head, body=b""):
    text = head if isinstance(head, bytes) else json.dumps(head).encode()
    return struct.pack("<I", len(text)) + text + body


def lost(address, data, what):
    """What is no message is answered with one error, and the connection ends; a half message is not answered."""
    link = socket.socket(socket.AF_UNIX)
    link.settimeout(20)
    link.connect(address[len("unix:"):])
    link.sendall(data)
    link.shutdown(socket.SHUT_WR)
    answer = b""
    ended = False
    while not ended:
        try:
            part = link.recv(65536)
        except ConnectionResetError:  # it closed before it had read all; what it answered before is still to be read
            continue
        ended = not part
        answer += part
    link.close()
    if what is None:
        if answer:
            wrong(f"half a message was answered: {answer}")
        return
    head = json.loads(answer[4:]) if len(answer) > 4 else {}
    if head.get("code") != "bad-message" or what not in head.get("error", "") or len(answer) != 4 + struct.unpack("<I", answer[:4])[0]:
        wrong(f"{data[:60]}: {answer[:300]}, wanted '{what}'")


def garbage(address):
    quiet = env_client.Env(address)  # is not disturbed by any of it
    site, info = dig(quiet)
    before = quiet.call("hash", session=site)["hash"]
    big = [{"name": "a", "dtype": "float64", "shape": [1 << 30]}]
    for data, what in [
            (b"\xff\xff\xff\xff", "4294967295"), (b"GET / HTTP/1.1\r\nHost: here\r\n\r\n", "length"),
            (frame(b"{"), "one JSON object"), (frame(b"[]"), "one JSON object"), (frame(b""), "one JSON object"),
            (frame(b'{"id":1,"id":2}'), "duplicate"), (frame(b"{\"a\":\"\xff\"}"), "one JSON object"),
            (frame({"arrays": [{"name": "a", "dtype": "int64", "shape": [1]}]}), "float64, float32 or uint8"),
            (frame({"arrays": [{"name": "a", "dtype": "uint8", "shape": [-1]}]}), "shape"),
            (frame({"arrays": [{"name": "a", "dtype": "uint8", "shape": [1, 1, 1, 1, 1]}]}), "0 to 4 lengths"),
            (frame({"arrays": [{"name": "a", "dtype": "uint8", "shape": [1]}] * 2}, b"xx"), "name"),
            (frame({"arrays": 7}), "list"), (frame({"arrays": big}), "shape"),
            (b"\x10", None), (frame({"call": "hello"})[:-1], None),
            (frame({"arrays": [{"name": "a", "dtype": "uint8", "shape": [9]}]}, b"half"), None)]:
        lost(address, data, what)
    wanted = levers(info)["levers"]
    for code, name, arrays, keys in [
            ("bad-argument", "fly", None, {}), ("bad-argument", "hello", None, {"x" + "\u00e4" * 30: 1}), ("bad-argument", "step", {"levers": wanted}, {"session": site, "tick": 1}),
            ("bad-argument", "step", {"levers": wanted * np.nan}, {"session": site}),
            ("bad-argument", "step", {"levers": wanted + 2}, {"session": site}),
            ("bad-argument", "step", {"levers": wanted[1:]}, {"session": site}),
            ("bad-argument", "step", {"levers": wanted.astype(np.float32)}, {"session": site}),
            ("bad-argument", "step", {"levers": wanted.reshape(1, -1)}, {"session": site}),
            ("bad-argument", "step", None, {"session": site}),
            ("bad-argument", "step", {"levers": wanted}, {"session": site, "ticks": 0}),
            ("bad-argument", "step", {"levers": wanted}, {"session": site, "ticks": 2.5}),
            ("bad-argument", "step", {"levers": wanted}, {"session": "1"}), ("closed", "hash", None, {"session": 99}),
            ("bad-argument", "step_many", {"levers": wanted.reshape(1, -1)}, {"sessions": [site, site]}),
            ("bad-argument", "heights", None, {"session": site, "rows": 513}),
            ("bad-argument", "heights", None, {"session": site, "spacing": 0}),
            ("bad-argument", "heights", None, {"session": site, "frame": "moon"}),
            ("bad-argument", "order", None, {"session": site, "fault": "rust"}),
            ("bad-argument", "create", None, {}), ("bad-file", "create", None, {"scene": "no-such-scene"}),
            ("bad-file", "create", None, {"scene": "trench", "overrides": ["machine.z=nan"]}),
            ("bad-argument", "create", None, {"scene": "trench", "overrides": [7]}),
            ("bad-argument", "create", None, {"scene": "trench", "seed": -1}),
            ("bad-argument", "create", None, {"scene": "trench", "actions": ["wings"]}),
            ("bad-argument", "record", None, {"session": site}), ("not-now", "record_end", None, {"session": site})]:
        refused(quiet, code, name, arrays, **keys)
    if quiet.call("hash", session=site)["hash"] != before:
        wrong("a refused call changed the state")
    quiet.close()


def opened(address, count):
    """Creates so many sessions, and waits for those that end elsewhere."""
    env, until = env_client.Env(address), time.monotonic() + 20
    for _ in range(count):
        while True:
            try:
                env.call("create", scene="trench")
                break
            except env_client.EnvError as error:
                if error.code != "too-many" or time.monotonic() > until:
                    raise
                time.sleep(0.02)
    return env


def limits(address):
    env = opened(address, 3)
    refused(env, "too-many", "create", scene="trench")
    others = [env_client.Env(address) for _ in range(3)]
    refused(others[0], "too-many", "create", scene="trench")
    full = env_client.Env(address)
    try:
        full.call("hello")
        wrong("a fifth connection of four was taken")
    except (env_client.EnvError, ConnectionError, BrokenPipeError) as error:
        if getattr(error, "code", "too-many") != "too-many":
            wrong(f"a fifth connection: {error}")
    env.call("close", session=1)
    others[0].call("create", scene="trench")
    for one in others + [env, full]:
        one.close()


def killed(address):
    """A client that is killed in the midst of a step frees its sessions."""
    child = subprocess.Popen([sys.executable, __file__, "hold", address], stdout=subprocess.PIPE)
    child.stdout.readline()
    child.send_signal(signal.SIGKILL)
    child.wait()
    opened(address, 3).close()


def hold(address):
    env = opened(address, 3)
    print("holds", flush=True)
    env.call("step", {"levers": np.zeros(6)}, session=3, ticks=1000000)


def forever(address, path):
    env = opened(address, 1)
    env.call("record", session=1, path=path)
    print("stepping", flush=True)
    try:
        env.call("step", {"levers": np.zeros(6)}, session=1, ticks=1000000)
        wrong("a million ticks were made")
    except (env_client.EnvError, ConnectionError):
        pass


def tcp(address, token):
    env = env_client.Env(address, token)
    hello = env.call("hello")
    if hello["protocol"] != 1:
        wrong(f"hello: {hello}")
    made = env.call("create", scene="trench")
    env.call("step", levers(made["info"], boom=0.2), session=made["session"], ticks=5)
    for guess in (token[:-1], token + "0", token[:-1] + "g", "", 1234):
        try:
            env_client.Env(address, guess)
            wrong(f"the token {guess} was taken")
        except env_client.EnvError as error:
            if error.code not in ("bad-token", "bad-argument"):
                wrong(f"the token {guess}: {error.code}")
    stranger = env_client.Env(address)
    refused(stranger, "bad-token", "create", scene="trench")
    try:
        stranger.call("hello", token=token)
        wrong("a connection goes on without a token")
    except (ConnectionError, OSError):
        pass
    env.close()


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
    sys.exit(1 if faults else 0)
