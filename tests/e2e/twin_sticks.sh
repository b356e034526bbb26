#!/bin/sh
# test: long
# Two equal joysticks keep their sides by socket or serial number, whatever nodes they get and in whatever order they come; a map
# that says neither goes by the order of the sockets. The doctor names both, and the calibration writes what tells them apart.
#   SPADEWORK  the program (default: build/release/bin/spadework)
# Ends with 77 (skipped) where umockdev cannot work.
. "$(dirname "$0")/boxes.inc"
prepare sqlite3 python3
export SDL_VIDEODRIVER=dummy

# make_twins NAME LEFT RIGHT ARGUMENT...: NAME-left as event LEFT in socket 3.2, NAME-right as event RIGHT in socket 3.10. The
# left one's second axis goes all the way and back, again and again, once the program has had time to open both.
make_twins() {
    twins=$1 left=$2 right=$3
    shift 3
    {
        event 0 0 3 1 8192
        second=$first
        while [ $second -lt 100 ]; do
            event $second 0 3 1 16383
            event $((second + 1)) 0 3 1 8192
            second=$((second + 2))
        done
    } >"$work/$twins-left.events"
    axes=0:8192:0:16383,1:8192:0:16383,5:128:0:255
    make_box "$twins-left" "$left" "Twin Stick 16" 044f:b10a --axes $axes --keys 0x120-0x12b --socket 3.2 --joystick "$@" \
        ${serials:+--serial L1}
    make_box "$twins-right" "$right" "Twin Stick 16" 044f:b10a --axes $axes --keys 0x120-0x12b --socket 3.10 --joystick "$@" \
        ${serials:+--serial R1}
}
serials=
make_twins early 5 6 --phys
make_twins late 6 5 --phys
make_twins tree 6 5 # the place in the tree of USB alone
serials=yes
make_twins serial 6 5 --phys
try_boxes early-left

# write_map NAME LEFT RIGHT: a map in which the left one moves the stick and the right one the boom
write_map() {
    cat >"$work/$1.yaml" <<END
kind: controls
title: Twin sticks
pattern: iso
devices:
  - {id: right, name: twin stick$3}
  - {id: left, name: twin stick$2}
bindings:
  - {source: joystick_axis, input: 'left:1', axis: stick, scale: 1}
  - {source: joystick_axis, input: 'right:1', axis: boom, scale: 1}
actions: []
END
}
write_map port ', port: usb-0000:00:14.0-3.2' ', port: usb-0000:00:14.0-3.10/input0'
write_map serial ', serial: L1' ', serial: R1'
write_map half '' ', port: usb-0000:00:14.0-3.10'
write_map none '' '' # its list begins with the right one: that in the lower socket is `right` then
drive() { # NAME HOW TWINS MAP
    with_boxes "$2" "$3-left" "$3-right" -- "$spadework" run free --headless --operator gamepad --controls "$work/$4.yaml" \
        --seconds $((first + 5)) --threads 1 --record "$work/$1.spade" >"$work/$1.out" 2>"$work/$1.err"
}
# drive_all HOW TWINS:MAP...
drive_all() {
    by=$1 drives=
    shift
    for pair in "$@"; do
        drive "$by-${pair%:*}-${pair#*:}" "$by" "${pair%:*}" "${pair#*:}" &
        drives="$drives $!"
    done
    # shellcheck disable=SC2086 # one number each
    wait $drives
    for pair in "$@"; do
        name=$by-${pair%:*}-${pair#*:}
        found=$(levers_moved "$work/$name.spade") || fail "$name: $(cat "$work/$name.err")"
        expected=stick
        [ "${pair#*:}" != none ] || expected=boom
        [ "$found" = $expected ] || fail "$name: the left one moved \"$found\", not \"$expected\": $(cat "$work/$name.err")"
    done
}
drive_all direct early:port late:port tree:port serial:serial late:half early:none late:none
drive_all udev early:port late:port serial:serial late:none

# The calibration: the left one's axis is asked for first, then everything is skipped. Its other way is never moved.
drives=
for twins in late serial; do
    (sleep $((first + 8)); yes "" | head -n 200) | with_boxes direct $twins-left $twins-right -- \
        "$spadework" calibrate "$work/made-$twins.yaml" >"$work/calibrate-$twins" 2>&1 &
    drives="$drives $!"
done

# The doctor.
for twins in tree serial; do
    with_boxes udev $twins-left $twins-right -- "$spadework" doctor --json >"$work/doctor" 2>"$work/doctor.err"
    python3 - "$work/doctor" $twins <<'END' || fail "$(cat "$work/doctor" "$work/doctor.err")"
import json, sys
alike = [row for row in json.load(open(sys.argv[1]))["findings"] if row["about"] == "device_alike"]
ports = sorted(row["values"]["port"] for row in alike)
wanted = ["usb-0000:00:14.0-3.10/input0", "usb-0000:00:14.0-3.2/input0"]
serials = sorted(row["values"]["serial"] or "" for row in alike)
sys.exit(ports != wanted or serials != (["L1", "R1"] if sys.argv[2] == "serial" else ["", ""]))
END
done

# shellcheck disable=SC2086 # one number each
wait $drives
for twins in late serial; do
    "$spadework" check "$work/made-$twins.yaml" >"$work/check" 2>&1 || fail "$(cat "$work/check" "$work/calibrate-$twins")"
done
grep -q "port: 'usb-0000:00:14.0-3.2/input0'" "$work/made-late.yaml" || fail "no socket in $(cat "$work/made-late.yaml")"
grep -q "serial: 'L1'" "$work/made-serial.yaml" || fail "no serial number in $(cat "$work/made-serial.yaml")"
if grep -q "port:.*usb-" "$work/made-serial.yaml"; then
    fail "socket beside serial number in $(cat "$work/made-serial.yaml")"
fi
echo "twin_sticks.sh: two equal joysticks keep their sides by socket and serial number, with and without udev"
