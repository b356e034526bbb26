#!/bin/sh
# Demonstrations: recorded drives as HDF5 in three layouts, read with h5py, and replayed from them to the same bits.
. "$(dirname "$0")/common.inc"
python=/usr/bin/python3
"$python" -c 'import h5py, numpy' 2>/dev/null || { echo "hdf5.sh: python3-h5py is missing; tests/run.sh installs it" && exit 1; }

# check FILE: the Python lines on stdin, with the open file as f.
check() {
    { printf 'import h5py, json, numpy as np\nf = h5py.File("%s", "r")\n' "$1" && cat; } >check.py
    "$python" check.py >out 2>err || wrong "$1: $(tail -n 3 err)"
}

# Drives with orders of an instructor, of a trainee; one takes another one over.
printf 't,fault,part,value\n0.5,valve,boom,1\n1,pressure,,0.5\n1.5,valve,boom,0\n' >orders.csv
good run trench --headless --operator auto --seconds 3 --threads 2 --orders orders.csv --trainee Anna --results r.db --record a.spade
good resume a.spade --at 2 --headless --operator auto --seconds 1 --threads 2 --record b.spade
good run dozing --headless --operator auto --seconds 0.2 --threads 2 --record c.spade

# The layout of its own: shapes, names and units, and the levers exactly as they were recorded.
good export a.spade --hdf5 a.hdf5 --heights 16,0.2 --threads 2 --json
grep -q '"samples": 180' out || wrong "the number of samples is not told: $(cat out)"
[ ! -e a.hdf5.part ] || wrong "a.hdf5.part is left behind"
good export a.spade --csv a.csv
check a.hdf5 <<'END'
T = 180
assert f.attrs["complete"] and f.attrs["num_samples"] == T and f.attrs["layout"] == "spadework"
assert f.attrs["scene"] == "trench" and f.attrs["driver"] == "auto" and f.attrs["format"] >= 14 and abs(f.attrs["dt"] * 60 - 1) < 1e-12
assert len(f.attrs["seal"]) == 64 and "ODE" in f.attrs["computer"] and f.attrs["seed"].dtype == np.uint64
assert "trainee" not in f.attrs and b"Anna" not in open("a.hdf5", "rb").read()
shapes = {"action": (7,), "observations/qpos": (4,), "observations/qvel": (4,), "observations/pressure": (4,), "observations/tool_force": (3,),
          "observations/tip": (3,), "observations/track_slip": (2,), "task/score": (2,), "heights/ground": (16, 16), "heights/mask": (16, 16)}
for name, shape in shapes.items():
    assert f[name].shape == (T,) + shape, (name, f[name].shape)
for name in list(shapes)[:8]:
    assert len(f[name].attrs["names"]) == len(f[name].attrs["units"]) == f[name].shape[1], name
assert list(f["observations/qpos"].attrs["names"]) == ["swing", "boom", "stick", "bucket"] and set(f["observations/qpos"].attrs["units"]) == {"rad"}
assert "spilled_kg" in f["task/metrics"].attrs["names"] and (f["time/tick"][:] == np.arange(T)).all()
controls = f["replay/controls"][:]
assert controls.dtype == np.int16 and controls.shape == (T, 26) and f["replay/hash"].shape == (T + 1,)
axes = [list(f["replay/controls"].attrs["names"]).index(n) for n in f["action"].attrs["names"]]
assert (f["action"][:] == (controls[:, axes] / 32767.0).astype(np.float32)).all()
# A sample is the state before its action: the telemetry's row of the tick, which is one later, agrees.
import csv
rows = list(csv.DictReader(open("a.csv")))
for k in (1, 57, 179):
    row = rows[k - 1]
    assert int(row["tick"]) == f["time/tick"][k]
    for column, value in zip(("swing", "boom", "stick", "bucket", "tip_x", "tip_z", "tool_fz", "payload", "left_slip"),
                             [*f["observations/qpos"][k], f["observations/tip"][k][0], f["observations/tip"][k][2],
                              f["observations/tool_force"][k][2], f["observations/payload"][k][0], f["observations/track_slip"][k][0]]):
        assert abs(float(row[column]) - value) <= 1e-6 * max(1.0, abs(value)), (k, column, row[column], value)
# The patch lies round the tip; the ground changes where it digs, and the trench's floor is asked for somewhere.
assert np.allclose(f["heights/place"][:, :2], f["observations/tip"][:, :2], atol=1e-5)
assert (f["heights/mask"][:] & 4).any() and (f["heights/mask"][:] & 1).all() and np.isfinite(f["heights/ground"][:]).all()
same = (f["heights/mask"][:] & 4) == 0
assert (f["heights/ground"][:][same] == f["heights/design"][:][same]).all()
assert [k.decode() for k in f["replay/orders/fault"][:]] == ["valve", "pressure", "valve"] and list(f["replay/orders/tick"][:]) == [30, 60, 90]
kinds = [k.decode() for k in f["events/kind"][:]]
assert kinds.count("fault") == 3 and f["events/numbers"].shape == (len(kinds), 25) and all(f["events/text"][:])
assert {f["replay/files"][k].attrs["kind"] for k in f["replay/files"]} >= {"scenes", "machines", "soils"}
END
good export a.spade --hdf5 a.hdf5 --heights 0 --trainee-names --rate 20 # over an older one
check a.hdf5 <<'END'
assert f.attrs["trainee"] == "Anna" and "heights" not in f and f.attrs["rate"] == 20
axes = [list(f["replay/controls"].attrs["names"]).index(n) for n in f["action"].attrs["names"]]
mean = f["replay/controls"][:][:, axes].reshape(60, 3, 7).mean(axis=1) / 32767.0
assert np.allclose(f["action"][:], mean, atol=1e-6) and (f["time/tick"][:] == 3 * np.arange(60)).all()
END
good replay a.hdf5 --verify --json
grep -q '"verified": true' out && grep -q '"ticks": 180' out || wrong "the levers of a.hdf5 do not give the recorded states: $(cat out)"

# ACT: what its loader asks for, in files of the names it asks for; a drive that begins in another one, too.
good export a.spade b.spade --hdf5 episodes --layout act --rate 10 --heights 0 --cameras cab --picture-size 32x24 --threads 2
for k in 0 1; do
    good replay episodes/episode_$k.hdf5 --verify
done
check episodes/episode_1.hdf5 <<'END'
is_sim, shape = f.attrs["sim"], f["/action"].shape
assert is_sim is np.True_ or is_sim == True
assert shape == (10, 7) and f["/observations/qpos"].shape == f["/observations/qvel"].shape == (10, 4)
picture = f["/observations/images/cab"]
assert picture.shape == (10, 24, 32, 3) and picture.dtype == np.uint8 and picture.chunks == (1, 24, 32, 3)
assert len(np.unique(picture[0])) > 20 and f.attrs["first_tick"] == 120 and f["observations/tick"][0] == 120
END
# robomimic: any number of drives in one file.
good export a.spade b.spade --hdf5 all.hdf5 --layout robomimic --rate 10 --heights 4
good replay all.hdf5 --verify
grep -q 'verified 240 ticks of 2 drives' out || wrong "not both drives are verified: $(cat out)"
check all.hdf5 <<'END'
demos = sorted(f["data"].keys())
assert demos == ["demo_0", "demo_1"] == [d.decode("utf-8") for d in f["mask/train"][:]]
env = json.loads(f["data"].attrs["env_args"])
assert set(env) == {"env_name", "env_type", "env_kwargs"} and f["data"].attrs["total"] == 40
for demo, length in zip(demos, (30, 10)):
    d = f["data"][demo]
    assert d.attrs["num_samples"] == length
    for name in ("actions", "rewards", "dones", "states"):
        assert d[name].shape[0] == length, name
    assert set(d["obs"]) == set(d["next_obs"]) and "heights_ground" in d["obs"]
    for name in d["obs"]:
        assert d["obs"][name].shape == d["next_obs"][name].shape and len(d["obs"][name]) == length, name
        assert (d["obs"][name][1:] == d["next_obs"][name][:-1]).all(), name
    assert list(d["dones"][:]) == [0] * (length - 1) + [1]
    score = np.append(d["obs/score"][:, 0], d["next_obs/score"][-1, 0])
    assert np.allclose(np.diff(score), d["rewards"][:], atol=1e-4)
END

# Pictures at a rate of their own.
good export b.spade --hdf5 pictures.hdf5 --heights 0 --cameras around,cab --picture-rate 4 --picture-size 32x24
check pictures.hdf5 <<'END'
assert f["action"].shape[0] == 60 and f["pictures/cab"].shape == f["pictures/around"].shape == (5, 24, 32, 3)
assert list(f["pictures/tick"][:]) == [120, 135, 150, 165, 180] and (f["pictures/cab"][0] != f["pictures/around"][0]).any()
END

# A killed export leaves what was flushed; one that is asked to stop, what it had.
for signal in KILL TERM; do
    rm -f k.hdf5.part
    "$spadework" export a.spade --hdf5 k.hdf5 --cameras cab --picture-rate 60 --picture-size 16x16 >out 2>err &
    program=$!
    HDF5_USE_FILE_LOCKING=FALSE "$python" -c '
import h5py, time
for _ in range(400):
    try:
        if h5py.File("k.hdf5.part", "r").attrs["num_samples"] >= 60: break
    except Exception: pass
    time.sleep(0.05)'
    kill -$signal $program 2>/dev/null
    wait $program 2>/dev/null
    code=$?
    program=
    [ $code -gt 128 ] || wrong "kill -$signal: the export was done before: exit $code"
    check k.hdf5.part <<'END'
n = int(f.attrs["num_samples"])
assert n >= 60 and not f.attrs["complete"] and len(f["action"]) >= n and (f["time/tick"][:n] == np.arange(n)).all()
assert f["pictures/cab"][:n].any(axis=(1, 2, 3)).all() and f["heights/ground"][:n].any()
END
    good replay k.hdf5.part --verify
done
[ ! -e k.hdf5 ] || wrong "a killed export is called whole"

# Disks that are full, files that are something else, rates that do not fit.
(
    ulimit -f 500 # blocks of 512 bytes
    "$spadework" export a.spade --hdf5 full.hdf5 >out 2>err
)
code=$?
[ $code -eq 4 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q 'full.hdf5.part: cannot be written: File too large' err ||
    wrong "a full disk: exit $code: $(cat err)"
cp orders.csv mine.hdf5
bad 4 'mine.hdf5: exists and is not an HDF5 file' export a.spade --hdf5 mine.hdf5
cmp -s orders.csv mine.hdf5 || wrong "what was no HDF5 file was written over"
bad 4 'episodes: exists and is not empty' export a.spade b.spade --hdf5 episodes --layout act
bad 4 'No such file' export a.spade --hdf5 nowhere/a.hdf5
bad 1 'nosuch.spade' export nosuch.spade --hdf5 never.hdf5
bad 2 'does not divide the 60 ticks a second' export a.spade --hdf5 never.hdf5 --rate 7
bad 2 '--picture-rate 9: does not divide' export a.spade --hdf5 never.hdf5 --cameras cab --picture-rate 9
bad 2 'other levers' export a.spade c.spade --hdf5 never.hdf5 --layout robomimic --heights 0
bad 2 'each sample of layout act' export a.spade --hdf5 never.hdf5 --layout act --cameras cab --picture-rate 5
bad 2 'spadework, act or robomimic' export a.spade --hdf5 never.hdf5 --layout lerobot
bad 2 '--heights 513' export a.spade --hdf5 never.hdf5 --heights 513
bad 2 '--heights N, 0' export a.spade --hdf5 never.hdf5 --heights 64,0
bad 2 '--cameras cab,nowhere' export a.spade --hdf5 never.hdf5 --cameras cab,nowhere
bad 2 'cab is there twice' export a.spade --hdf5 never.hdf5 --cameras cab,cab
bad 2 '--picture-size 8x8' export a.spade --hdf5 never.hdf5 --cameras cab --picture-size 8x8
bad 2 'goes with --cameras' export a.spade --hdf5 never.hdf5 --picture-rate 5
bad 2 'goes with --hdf5' export a.spade --csv never.csv --rate 10
bad 2 '--hdf5 goes alone' export a.spade --csv never.csv --hdf5 never.hdf5
bad 2 'b.spade is one too many' export a.spade b.spade --csv never.csv
bad 2 'is the same file as REC' export a.spade b.spade --hdf5 b.spade
bad 2 '--signed goes with a recording' replay a.hdf5 --verify --signed
for left in never.hdf5 never.hdf5.part never.csv full.hdf5 full.hdf5.part mine.hdf5.part nowhere; do
    [ ! -e $left ] || wrong "$left is left behind"
done

# Files that are not as they were written: each is refused with what is wrong, or found by the replay.
"$python" - <<'END' || wrong "no damaged files could be made"
import h5py, numpy as np, shutil
def damaged(number, change):
    shutil.copy("a.hdf5", f"bad{number}.hdf5")
    with h5py.File(f"bad{number}.hdf5", "a") as f:
        change(f, f["replay"])
def put(group, name, data):
    del group[name]
    group[name] = data
def lever(f, r):
    r["controls"][40, 1] -= 900
def far(f, r):
    r["controls"][7, 0] = -32768
def many(f, r):
    for k in range(30):
        r.require_dataset(f"files/{k + 100}", (1,), np.uint8)
def kind(f, r):
    r["files/0"].attrs["kind"] = "secrets"
def fault(f, r):
    put(r["orders"], "fault", np.array([b"valve", b"weather", b"valve"], "S16"))
changes = [lever, far, lambda f, r: put(r, "hash", r["hash"][:-1]), lambda f, r: put(r, "controls", r["controls"][:, :13]),
           lambda f, r: put(r, "controls", r["controls"][:].astype(np.int32)), many, kind, fault,
           lambda f, r: put(r["orders"], "tick", np.array([30, 60, 900], np.int64)), lambda f, r: r.attrs.modify("seed", -1),
           lambda f, r: r.attrs.modify("solver", "best"), lambda f, r: r.attrs.modify("format", np.int64(9)),
           lambda f, r: f.__delitem__("replay"), lambda f, r: put(r["files"], "0", r["files/0"][:100]),
           lambda f, r: r.attrs.modify("tick_rate", np.int64(50)), lambda f, r: r.attrs.modify("first_tick", np.int64(60)),
           lambda f, r: put(r["orders"], "value", np.array([1.0, np.nan, 0.0]))]
for number, change in enumerate(changes):
    damaged(number, change)
open("bad_cut.hdf5", "wb").write(open("a.hdf5", "rb").read()[:40000])
END
bad 3 'the replay differs at tick 41' replay bad0.hdf5 --verify
bad 1 'controls: swing of row 7 is -32768; allowed are -32767 to 32767' replay bad1.hdf5 --verify
bad 1 'hash: has 180 rows; 181 are needed' replay bad2.hdf5 --verify
bad 1 'controls: has another shape' replay bad3.hdf5 --verify
bad 1 'controls: holds another kind of values' replay bad4.hdf5 --verify
bad 1 'allowed are 1 to 24' replay bad5.hdf5 --verify
bad 1 'files/0@kind: is secrets' replay bad6.hdf5 --verify
bad 1 'orders/fault: row 1 is weather' replay bad7.hdf5 --verify
bad 1 'orders/tick: row 2 is 900; allowed are 60 to 179' replay bad8.hdf5 --verify
bad 1 '@seed: is 18446744073709551615; allowed are 0' replay bad9.hdf5 --verify
bad 1 '@solver: is best' replay bad10.hdf5 --verify
bad 1 '@format: is 9' replay bad11.hdf5 --verify
bad 1 'holds no drive' replay bad12.hdf5 --verify
bad 1 'bad13.hdf5: /replay' replay bad13.hdf5 --verify
bad 1 '@tick_rate: is 50; its scene has 60' replay bad14.hdf5 --verify
bad 1 '/replay/orders/tick: row 0 is 30; allowed are 60' replay bad15.hdf5 --verify
bad 1 'orders: row 1' replay bad16.hdf5 --verify
bad 1 'cannot be opened as an HDF5 file' replay bad_cut.hdf5 --verify
[ $result -eq 0 ] && echo "hdf5.sh: demonstrations are read by h5py and replay to the same bits"
exit $result
