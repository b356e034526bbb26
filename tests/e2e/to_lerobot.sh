#!/bin/sh
# docs/examples/to_lerobot.py: demonstrations become a LeRobot data set. A module lerobot of the tests takes its place: it keeps what
# is written and refuses what the published one refuses.
. "$(dirname "$0")/common.inc"
python=/usr/bin/python3 # Debian's, which has its packages
$python -c 'import h5py, numpy' 2>/dev/null || { echo "$script: python3-h5py is missing; tests/run.sh installs it" && exit 1; }
convert() {
    $python -B "$root/docs/examples/to_lerobot.py" "$@" >out 2>err
    code=$?
}
# bad CODE TEXT ARGS...: must end with CODE and one line on stderr that holds TEXT, and make no folder.
bad() {
    wanted=$1
    text=$2
    shift 2
    convert "$@" --out never
    [ $code -eq "$wanted" ] || wrong "$*: exit $code, $wanted expected: $(cat err)"
    [ "$(wc -l <err)" -eq 1 ] && grep -q -F -e "$text" err || wrong "$*: '$text' is not in: $(cat err)"
    [ ! -e never ] || wrong "$*: leaves a folder"
}

# Files as export --hdf5 writes them (docs/demonstrations.md), whose every number says where it stands.
$python -B - <<'MAKE' || exit 1
import h5py, numpy as np
def make(name, samples, rate=20, machine="digger", layout="spadework", complete=True, camera="cab", columns=("swing", "boom")):
    with h5py.File(name, "w") as file:
        file.attrs.update(layout=layout, complete=complete, rate=rate, tick_rate=60, machine=machine, scene="trench", title="Dig a trench")
        step = 60 // rate
        def put(path, width, base, names):
            file[path] = (base + np.arange(samples * width, dtype=np.float32)).reshape(samples, width)
            file[path].attrs["names"] = list(names)
        put("action", len(columns), 0, columns)
        put("observations/qpos", 2, 1000, ("swing", "boom"))
        put("observations/qvel", 2, 2000, ("swing", "boom"))
        put("observations/payload", 1, 3000, ("payload",))
        put("task/score", 2, 4000, ("score", "held"))
        file["time/tick"] = np.arange(samples, dtype=np.int64) * step
        file["heights/ground"] = np.arange(samples * 16, dtype=np.float32).reshape(samples, 4, 4)
        file["heights/design"] = -np.arange(samples * 16, dtype=np.float32).reshape(samples, 4, 4)
        if camera:
            taken = np.arange(0, samples * step, 6)
            file["pictures/tick"] = taken
            file["pictures/" + camera] = np.broadcast_to(taken.astype(np.uint8)[:, None, None, None], (len(taken), 2, 3, 3))
make("a.hdf5", 300)
make("b.hdf5", 7)
make("rate.hdf5", 7, rate=10)
make("machine.hdf5", 7, machine="other")
make("camera.hdf5", 7, camera=None)
make("columns.hdf5", 7, columns=("swing", "boom", "stick"))
make("act.hdf5", 7, layout="act")
make("cut.hdf5", 7, complete=False)
make("broken.hdf5", 7)
with h5py.File("broken.hdf5", "a") as file:
    del file["observations/qvel"]
    file["observations/qvel"] = np.zeros((3, 2), np.float32)
MAKE

if ! $python -c 'import lerobot' 2>/dev/null; then
    bad 4 'the Python package lerobot is missing' a.hdf5
fi
mkdir -p old/lerobot/datasets && touch old/lerobot/__init__.py old/lerobot/datasets/__init__.py
echo 'class LeRobotDataset: pass' >old/lerobot/datasets/lerobot_dataset.py
PYTHONPATH=$work/old
export PYTHONPATH
bad 4 'lerobot is too old' a.hdf5
PYTHONPATH=$root/tests/support/lerobot_stand_in
convert a.hdf5 b.hdf5 --out set --heights
[ $code -eq 0 ] && grep -q '^set: 2 episodes, 307 samples$' out || wrong "exit $code: $(cat out err)"
$python -B - <<'CHECK' || result=1
import json, sys, numpy as np
calls = json.load(open("set/calls.json"))
frames = np.load("set/frames.npz")
def expect(what, condition):
    if not condition:
        print("to_lerobot.sh:", what)
        sys.exit(1)
expect("the calls", (calls["repo_id"], calls["fps"], calls["robot_type"], calls["use_videos"], calls["episodes"], calls["finalized"]) ==
       ("local/set", 20, "digger", True, [300, 7], 1) and set(calls["tasks"]) == {"Dig a trench"})
features = calls["features"]
expect("the features", sorted(features) == ["action", "observation.images.cab", "observation.state", "spadework.heights_design",
                                            "spadework.heights_ground", "spadework.payload", "spadework.score"])
expect("names of the state", features["observation.state"]["names"] == ["qpos.swing", "qpos.boom", "qvel.swing", "qvel.boom"])
expect("the camera", features["observation.images.cab"] == {"dtype": "video", "shape": [2, 3, 3], "names": ["height", "width", "channels"]})
for row in (0, 1, 255, 256, 299, 300, 306):
    sample = row if row < 300 else row - 300
    expect(f"action {row}", list(frames["action"][row]) == [2 * sample, 2 * sample + 1])
    expect(f"state {row}", list(frames["observation.state"][row]) == [base + 2 * sample + k for base in (1000, 2000) for k in (0, 1)])
    expect(f"payload {row}", frames["spadework.payload"][row] == 3000 + sample)
    expect(f"heights {row}", frames["spadework.heights_ground"][row][1][2] == 16 * sample + 6)
    newest = 6 * (3 * sample // 6)
    expect(f"picture {row}", (frames["observation.images.cab"][row] == newest % 256).all())
CHECK
convert b.hdf5 --out images --images --state payload,qpos --task 'Empty the truck' --repo-id me/digs
[ $code -eq 0 ] || wrong "exit $code: $(cat err)"
grep -q '"names": \["payload.payload", "qpos.swing", "qpos.boom"\]' images/calls.json || wrong "--state: $(cat images/calls.json)"
grep -q '"repo_id": "me/digs"' images/calls.json && grep -q 'Empty the truck' images/calls.json && grep -q '"dtype": "image"' images/calls.json ||
    wrong "options: $(cat images/calls.json)"

bad 1 'nosuch.hdf5: cannot be read' nosuch.hdf5
bad 1 'act.hdf5: has the layout act, wanted spadework' act.hdf5
bad 1 'cut.hdf5: is not complete' cut.hdf5
bad 1 'broken.hdf5: qvel has 3 rows, and action 7' broken.hdf5
bad 1 'rate.hdf5: rate 10, and a.hdf5 has 20' a.hdf5 rate.hdf5
bad 1 'machine.hdf5: machine other, and a.hdf5 has digger' a.hdf5 machine.hdf5
bad 1 'camera.hdf5: has other arrays, columns or cameras than a.hdf5' a.hdf5 camera.hdf5
bad 1 'columns.hdf5: has other arrays, columns or cameras than a.hdf5' a.hdf5 columns.hdf5
bad 2 '--state torque: is not in a.hdf5, which has payload, qpos, qvel, score' a.hdf5 --state qpos,torque
convert b.hdf5 --out images
[ $code -eq 2 ] && grep -q 'images: exists; choose another folder' err || wrong "a folder that is there: $code: $(cat err)"

# What the program itself writes.
if "$spadework" export --help | grep -q -e --hdf5; then
    run run trench --headless --operator auto --seconds 1 --threads 1 --record r.spade
    run export r.spade --hdf5 r.hdf5 --rate 20
    convert r.hdf5 --out drive --heights
    [ $code -eq 0 ] && grep -q '^drive: 1 episodes, 20 samples$' out || wrong "a real drive: exit $code: $(cat out err)"
fi
[ $result -eq 0 ] && echo "$script: demonstrations become episodes of a LeRobot data set"
exit $result
