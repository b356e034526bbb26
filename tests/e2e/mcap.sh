#!/bin/sh
# export --mcap: a short drive comes out as messages that a strict reader (mcap_check.py) finds by every index, equal to the
# telemetry and to the recorded maps of the ground; what is cut off by a kill can be read up to its last second. What Foxglove's
# layout (docs/examples) shows is in the messages.
. "$(dirname "$0")/common.inc"
for tool in python3 zstd sqlite3; do
    command -v $tool >/dev/null || { echo "$script: $tool is missing; tests/run.sh installs it" && exit 1; }
done
check=$root/tests/e2e/mcap_check.py

# refused CODE TEXT ARGS...: as bad, and no never.mcap is left.
refused() {
    bad "$@"
    [ ! -e never.mcap ] && [ ! -e never.mcap.part ] || wrong "$*: leaves a part"
}

# A dig with two faults that an instructor orders, by a trainee whose name stays in the recording.
printf 't,fault,part,value\n0.5,pressure,,0.5\n1.25,pressure,,1\n' >orders.csv
good run trench --headless --operator auto --seconds 5 --threads 1 --orders orders.csv --trainee 'Ada Byron' --record a.spade
good export a.spade --mcap a.mcap --csv a.csv --events a-events.csv --json
grep -q '"messages": 2[0-9][0-9][0-9]' out || wrong "the number of messages is not printed: $(cat out)"
python3 "$check" a.mcap --without 'Ada Byron' >counts || wrong "$(cat counts)"
[ ! -e a.mcap.part ] || wrong "a part is left"
PYTHONPATH=$root/tests/e2e python3 -B - "$root/docs/examples/foxglove-layout.json" <<'CHECK' || result=1
import base64, csv, json, math, sqlite3, struct, subprocess, sys
import mcap_check
faults = []
def expect(condition, what):
    faults.extend([] if condition else [what])
def close(a, b, what):
    expect(math.isclose(a, b, rel_tol=2e-8, abs_tol=1e-9), f"{what}: {a}, {b} expected")
counts = json.load(open("counts"))
messages = counts["messages"]
for topic in ("/joint_states", "/tf", "/base/pose", "/tip/pose", "/tool/wrench", "/payload", "/levers", "/hydraulics"):
    expect(messages[topic] == 301, f"{messages[topic]} messages of {topic}, 301 expected")
expect(messages["/exercise"] == 21, f"{messages['/exercise']} messages of /exercise, 21 expected")
expect(messages["/ground"] == 6 and counts["chunks"] == 6, f"not 6 maps in 6 chunks: {counts}")
expect(counts["last"] == 5 * 10**9, f"it ends at {counts['last']} ns")
origin = counts["metadata"]["spadework"]
expect(origin["scene"] == "trench" and origin["seed"] == "1" and origin["tick_rate"] == "60" and origin["seal_state"] == "whole"
       and len(origin["seal"]) == 64 and "ODE" in origin["computer"] and origin["format"].isdigit(), f"metadata: {origin}")
expect("scenes/trench.yaml" in counts["attachments"] and "machines/excavator-22t.yaml" in counts["attachments"],
       f"attachments: {counts['attachments']}")
drive = mcap_check.read("a.mcap")
def read(topic):
    return {time: value for name, time, _, value in drive.messages if name == topic}
rows = list(csv.DictReader(open("a.csv")))
joints, tips, bases, hydraulics, payloads = (read(t) for t in ("/joint_states", "/tip/pose", "/base/pose", "/hydraulics", "/payload"))
frames, wrenches = read("/tf"), read("/tool/wrench")
names = ("swing", "boom", "stick", "bucket")
for row in rows:
    time = int(row["tick"]) * 10**9 // 60
    state = joints[time]
    expect(state["name"] == list(names) and state["header"]["stamp"] == {"sec": time // 10**9, "nsec": time % 10**9}, "joint names")
    for k, name in enumerate(names):
        close(state["position"][k], float(row[name]), f"{name} at {time}")
        close(hydraulics[time]["pressure"][name], float(row[name + "_pressure"]), f"pressure of {name} at {time}")
    for axis in "xyz":
        close(tips[time]["pose"]["position"][axis], float(row["tip_" + axis]), f"tip {axis} at {time}")
        close(bases[time]["pose"]["position"][axis], float(row["base_" + axis]), f"base {axis} at {time}")
    close(payloads[time]["payload"], float(row["payload"]), f"payload at {time}")
    force = wrenches[time]["wrench"]["force"]
    close(math.hypot(*force.values()), math.hypot(*(float(row["tool_f" + a]) for a in "xyz")), f"force at {time}")
    turning = sum(a * b for a, b in zip(force.values(), wrenches[time]["wrench"]["torque"].values()))
    told = sum(float(row["tool_f" + a]) * float(row["tool_m" + a]) for a in "xyz") # the same about any point of the body
    expect(math.isclose(turning, told, rel_tol=1e-6, abs_tol=1.0), f"moment at {time}: {turning}, {told} expected")
expect(sum(math.hypot(*w["wrench"]["force"].values()) > 1e3 for w in wrenches.values()) > 30, "the tool feels no soil")
# From frame to frame the bucket comes to where the tip is, and its wrench acts on the frame that is named.
def turn(q, v):
    x, y, z, w = q["x"], q["y"], q["z"], q["w"]
    t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])]
    return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2], v[2] + w * t[2] + x * t[1] - y * t[0]]
for time in sorted(frames)[::60]:
    place = {one["child_frame_id"]: one for one in frames[time]["transforms"]}
    expect(list(place) == ["undercarriage", "house", "boom", "stick", "bucket"], f"frames {list(place)}")
    expect(wrenches[time]["header"]["frame_id"] == "bucket", "frame of the wrench")
    point, frame = [0.0, 0.0, 0.0], "bucket"
    while frame != "world":
        one = place[frame]
        point = [a + b for a, b in zip(turn(one["rotation"], point), one["translation"].values())]
        frame = one["parent_frame_id"]
    tip = tips[time]["pose"]
    reach = math.dist(point, tip["position"].values())
    along = turn(tip["orientation"], [reach, 0.0, 0.0])
    for k in range(3):
        expect(abs(point[k] + along[k] - list(tip["position"].values())[k]) < 2e-6, f"tip from frames at {time}")
# Levers are those that were recorded, the ones that led to the state.
db = sqlite3.connect("file:a.spade?mode=ro&immutable=1", uri=True)
levers = read("/levers")
expect(all(value == (32767 if name == "throttle" else 0) for name, value in levers[0]["raw"].items()), "levers before the first tick")
for tick, controls in db.execute("SELECT tick, controls FROM input"):
    raw = list(levers[(tick + 1) * 10**9 // 60]["raw"].values())
    expect(raw == list(struct.unpack(f"<{len(raw)}h", controls)), f"levers of tick {tick}")
expect(any(any(message["raw"][name] for name in ("boom", "stick")) for message in levers.values()), "no lever moves")
# Events: each row of the recording's table.
events, log = read("/events/data"), read("/events")
table = list(csv.DictReader(open("a-events.csv")))
expect(len(table) >= 2 and messages["/events"] == messages["/events/data"] == len(table), f"{messages} of {len(table)} events")
for row in table:
    time = int(row["tick"]) * 10**9 // 60
    if sum(other["tick"] == row["tick"] for other in table) == 1:
        expect(events[time]["kind"] == log[time]["name"] == row["event"], f"event {row}")
        expect(row["detail"] in log[time]["message"] and events[time]["message"] == log[time]["message"], f"words of {row}")
        close(events[time]["numbers"]["share"], float(row["share"]), f"share of {row}")
# The ground at the start is the recorded map.
ground = read("/ground")[0]
tick, grid_rows, columns, spacing, x, y, packed = db.execute(
    "SELECT tick, rows, columns, spacing, origin_x, origin_y, zstd FROM ground ORDER BY tick").fetchone()
recorded = struct.unpack(f"<{grid_rows * columns}h", subprocess.run(["zstd", "-dqc"], input=packed, capture_output=True, check=True).stdout)
cells = base64.b64decode(ground["data"], validate=True)
heights = struct.unpack(f"<{len(cells) // 4}f", cells)
expect(ground["column_count"] == columns and ground["row_stride"] == 4 * columns and len(heights) == grid_rows * columns, "size of the ground")
expect(all(abs(a - 0.001 * b) < 0.0011 for a, b in zip(heights, recorded)), "the ground is not the recorded one")
expect(max(heights) - min(heights) > 0.02, "the ground is flat")
close(ground["pose"]["position"]["x"], x - spacing / 2, "corner of the ground")
exercise = read("/exercise")
last = exercise[max(exercise)]
metrics = dict(db.execute("SELECT name, value FROM metric"))
for name, value in last["metrics"].items():
    close(value, metrics[name], f"metric {name}")
expect(len(last["rows"]) >= 3 and abs(sum(row["weight"] for row in last["rows"]) - 100) < 1e-6, "rows of the score")
# Foxglove's layout: its tree has each panel once, and each topic and path of a message that a panel shows is in the file.
layout = json.load(open(sys.argv[1]))
panels, tree = layout["configById"], [layout["layout"]]
shown, paths = [], []
while tree:
    node = tree.pop()
    if isinstance(node, str):
        shown.append(node)
    else:
        expect(node["direction"] in ("row", "column") and 0 < node["splitPercentage"] < 100, f"layout: {node}")
        tree += [node["first"], node["second"]]
expect(sorted(shown) == sorted(panels), f"layout: its tree has {sorted(shown)}, its panels are {sorted(panels)}")
for name, panel in panels.items():
    kind = name.split("!")[0]
    expect(kind in ("3D", "Plot", "RosOut", "RawMessages"), f"layout: {name} is of no known kind")
    paths += [*panel.get("topics", {})] + [one["value"] for one in panel.get("paths", [])]
    paths += [panel[key] for key in ("topicToRender", "topicPath") if key in panel]
    for topic, grid in panel.get("topics", {}).items():
        fields = [one["name"] for one in list(read(topic).values())[0]["fields"]] if topic in messages else []
        expect(grid["colorField"] in fields, f"layout: {topic} has no field {grid['colorField']}")
expect({"/ground", "/events", "/payload.payload", "/hydraulics"} <= set(paths), f"layout: it shows {paths}")
for path in paths:
    topic, *keys = path.split(".")
    value = list(read(topic).values())[0] if messages.get(topic) else None
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    expect(value is not None and (not keys or isinstance(value, (int, float))), f"layout: {path} is in no message")
for fault in faults[:10]:
    print("mcap.sh:", fault)
sys.exit(1 if faults else 0)
CHECK

# The checker finds faults, in a small file.
good run trench --headless --operator auto --seconds 0.5 --threads 1 --record b.spade
good export b.spade --mcap b.mcap --rate 10
python3 "$check" b.mcap >counts || wrong "$(cat counts)"
grep -q '"/tf": 6,' counts || wrong "ten states a second are not six in half a second: $(cat counts)"
python3 "$check" --itself b.mcap || result=1

# Of what somebody typed, the kind alone is written.
cp b.spade typed.spade
numbers=$(yes ,0.0 | head -n 25 | tr -d '\n')
sqlite3 typed.spade "INSERT INTO event VALUES(12, 'message', '', 'Ada, slow down', '', 0, '', '', 0, ''$numbers)"
"$(dirname "$spadework")/reseal" typed.spade || wrong "it cannot be sealed anew"
good export typed.spade --mcap typed.mcap --rate 1
python3 "$check" typed.mcap --without 'slow down' >counts || wrong "$(cat counts)"
python3 "$check" typed.mcap --topic /events >events
grep -q '^200000000 .*"level": 2, "message": "message", "name": "message"' events || wrong "a message is written as $(cat events)"

# A recording that took another one over begins where that ended.
good resume a.spade --at 2 --headless --operator auto --seconds 0.5 --threads 1 --record c.spade
good export c.spade --mcap c.mcap
python3 "$check" c.mcap >counts || wrong "$(cat counts)"
python3 "$check" c.mcap --topic /tf >frames
head -n 1 frames | grep -q '^2000000000 ' || wrong "the continued drive does not begin at second 2"
grep -q '"last": 2500000000' counts || wrong "the continued drive does not end at second 2.5"

# Killed: what was flushed is whole, and at most a second is missing. Asked to stop: nothing is left.
"$spadework" export a.spade --mcap killed.mcap --threads 1 >out 2>err &
program=$!
for _ in $(seq 2000); do
    [ ! -e killed.mcap.part ] || [ "$(wc -c <killed.mcap.part)" -lt 400000 ] || break
    sleep 0.01
done
kill -9 $program
{ wait $program; } 2>/dev/null
program=
[ ! -e killed.mcap ] && python3 "$check" killed.mcap.part --part >counts || wrong "what a kill leaves cannot be read: $(cat counts)"
grep -q '"last": [1-5]000000000' counts || wrong "what a kill leaves does not end at a whole second: $(cat counts)"
head -c "$(($(wc -c <a.mcap) / 2))" a.mcap >half.mcap
python3 "$check" half.mcap --part >counts || wrong "half a file cannot be read: $(cat counts)"
"$spadework" export a.spade --mcap never.mcap --threads 1 >out 2>err &
program=$!
for _ in $(seq 2000); do
    [ ! -e never.mcap.part ] || break
    sleep 0.01
done
kill $program
{ ended 143; } 2>/dev/null
[ ! -e never.mcap ] && [ ! -e never.mcap.part ] || wrong "a stop leaves a part"

# What cannot be done.
good export b.spade --mcap killed.mcap # over the part that a kill left
[ ! -e killed.mcap.part ] || wrong "an old part is left"
good export b.spade --mcap b.mcap --rate 60
refused 2 'a name that ends in .mcap is expected' export b.spade --mcap never.bag
refused 2 'rate goes with --hdf5 or --mcap' export b.spade --csv never.csv --rate 10
refused 2 'does not divide the 60 ticks a second of the scene; allowed: 1 2 3 4 5 6 10 12 15 20 30 60' export b.spade --mcap never.mcap --rate 7
refused 2 '--rate 0' export b.spade --mcap never.mcap --rate 0
refused 4 'nowhere/never.mcap: cannot write the MCAP file: No such file' export b.spade --mcap nowhere/never.mcap
cp a.csv mine.mcap
refused 4 'mine.mcap: exists and is not an MCAP file' export b.spade --mcap mine.mcap
cmp -s a.csv mine.mcap || wrong "what was no MCAP file was written over"
echo mine >b.mcap.part
refused 4 'b.mcap.part: exists and is not an MCAP file' export b.spade --mcap b.mcap
[ "$(cat b.mcap.part)" = mine ] || wrong "a file beside it was written over"
sqlite3 b.spade "UPDATE metric SET value = value + 1 WHERE name = 'score'"
refused 3 'is not what was recorded' export b.spade --mcap never.mcap
(
    ulimit -f 200 # blocks of 512 bytes
    "$spadework" export a.spade --mcap never.mcap >out 2>err
)
code=$?
[ $code -eq 4 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q 'never.mcap: cannot write the MCAP file: File too large' err ||
    wrong "a full disk: exit $code: $(cat err)"
[ ! -e never.mcap ] && [ ! -e never.mcap.part ] || wrong "a full disk leaves a part"
[ $result -eq 0 ] && echo "$script: messages are found by every index, and are what was recorded"
exit $result
