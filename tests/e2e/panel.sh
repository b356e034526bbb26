#!/bin/sh
# test: long
# A cab panel of 64 buttons and four hats drives by all of them, and the doctor names beside it a box of levers that the kernel has
# and SDL does not list.
#   SPADEWORK  the program (default: build/release/bin/spadework)
# Ends with 77 (skipped) where umockdev cannot work.
. "$(dirname "$0")/boxes.inc"
prepare sqlite3 python3
export SDL_VIDEODRIVER=dummy

hats=16:0:-1:1,17:0:-1:1,18:0:-1:1,19:0:-1:1,20:0:-1:1,21:0:-1:1,22:0:-1:1,23:0:-1:1
make_box panel 5 "Cab panel" 1209:0040 --axes 0:128:0:255,1:128:0:255,$hats --keys 0x120-0x12f,0x2c0-0x2ef --joystick --socket 2 --phys
{
    event 0 0 3 0 128
    event $first 0 1 2d8 1 # button 40
    event $((first + 1)) 0 1 2d8 0
    event $((first + 1)) 500000 3 17 -1 # up, of the fourth hat (ABS_HAT3Y)
    event $((first + 2)) 500000 3 17 0
    event $((first + 3)) 0 1 2ef 1 # button 63
    event $((first + 4)) 0 1 2ef 0
} >"$work/panel.events"
cat >"$work/panel.yaml" <<'END'
kind: controls
title: Cab panel
pattern: iso
devices:
  - {id: box, name: cab panel}
bindings:
  - {source: joystick_axis, input: "box:0", axis: swing, scale: 1}
  - {source: joystick_button, input: "box:40", axis: horn, scale: 1}
  - {source: joystick_button, input: "box:hat4-up", axis: boom, scale: 1}
  - {source: joystick_button, input: "box:63", axis: bucket, scale: 1}
actions:
  - {name: camera, joystick: "box:35"}
  - {name: look, joystick: "box:hat2-left"}
END
"$spadework" check "$work/panel.yaml" >"$work/check" 2>&1 || fail "$(cat "$work/check")"
# X, Y and RZ without a button: no joystick to udev, and not to SDL.
make_box levers 7 "Lever box" 16c0:05e2 --axes 0:128:0:255,1:128:0:255,5:128:0:255 --socket 4
try_boxes panel
with_boxes direct panel -- "$spadework" run free --headless --operator gamepad --controls "$work/panel.yaml" \
    --seconds $((first + 6)) --threads 1 --record "$work/panel.spade" >"$work/out" 2>"$work/err" || fail "$(cat "$work/err")"
found=$(levers_moved "$work/panel.spade")
[ "$found" = "boom bucket horn" ] || fail "moved \"$found\", not boom, bucket and horn: $(cat "$work/err")"

# unlisted BOXES...: what the doctor says of boxes that SDL does not list
unlisted() {
    with_boxes udev "$@" -- "$spadework" doctor --json >"$work/doctor" 2>"$work/err"
    python3 - "$work/doctor" <<'END'
import json, sys
rows = json.load(open(sys.argv[1]))["findings"]
print(" ".join("%s@%s" % (row["values"]["name"], row["values"]["node"]) for row in rows if row["about"] == "device_unlisted"))
print(sum(row["about"] == "device" and bool(row["values"].get("usb")) for row in rows), "listed")
END
}
expected="Lever box@/dev/input/event7"
[ "$(unlisted panel levers)" = "$expected
1 listed" ] || fail "beside a panel: $(cat "$work/doctor")"
[ "$(unlisted levers)" = "$expected
0 listed" ] || fail "alone: $(cat "$work/doctor")"
echo "panel.sh: 64 buttons and four hats move levers; a box that SDL does not list is named, beside others and alone"
