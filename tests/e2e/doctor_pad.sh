#!/bin/sh
# The doctor on a display of its own with a pad plugged in: a drive in the window can run, and every map drives with the pad.
#   SPADEWORK  the program (default: build/release/bin/spadework)
# Ends with 77 (skipped) where umockdev cannot work.
set -u
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd -P)}
spadework=${SPADEWORK:-$root/build/release/bin/spadework}
. "$root/tests/e2e/pad.inc"
prepare Xvfb python3
make_pad
event 1 000000 3 0 0 >"$work/pad.events"
try_testbed
open_display 640x360
# What umockdev itself says is not the doctor's: without /sys it cannot announce its devices.
in_testbed sh -c '"$0" doctor --json --quality low >"$1/out" 2>"$1/err"' "$spadework" "$work" 2>"$work/testbed.err"
code=$?
[ $code -eq 0 ] && [ ! -s "$work/err" ] || { echo "doctor_pad.sh: exit $code: $(cat "$work/out" "$work/err")" && exit 1; }
python3 - "$work/out" <<'END' || exit 1
import json, sys
whole = json.load(open(sys.argv[1]))
def values(about):
    return [finding["values"] for finding in whole["findings"] if finding["about"] == about]
pad, display = values("device"), values("display")
wrong = []
if not whole["window"]:
    wrong.append("no window can be opened")
if len(pad) != 1 or not pad[0]["sdl_mapping"] or pad[0]["usb"] != "045e:028e":
    wrong.append("the pad is not known: %s" % pad)
if len(display) != 1 or (display[0]["width"], display[0]["height"], display[0]["driver"]) != (640, 360, "x11"):
    wrong.append("the display is not known: %s" % display)
if not values("pictures")[0]["low"]:
    wrong.append("no picture was timed")
wrong += ["a look crashed: %s" % finding["text"] for finding in whole["findings"] if "crashed" in finding["text"]]
for fault in wrong:
    print("doctor_pad.sh: " + fault)
sys.exit(1 if wrong else 0)
END
echo "doctor_pad.sh: display and pad are found"
