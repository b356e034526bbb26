#!/bin/sh
# test: long
# Pedals that rest pressed, which neither SDL nor a control map knows, move nothing: in the window, beside a known gamepad, with
# and without udev. A map that is wrong about where they rest moves nothing by them either, and the program says why.
#   SPADEWORK  the program (default: build/release/bin/spadework)
# Ends with 77 (skipped) where umockdev cannot work.
. "$(dirname "$0")/boxes.inc"
prepare Xvfb sqlite3 python3

# press_pedal CODE: from 255 to 0 and back within two seconds, and again by a leap.
press_pedal() {
    event 0 0 3 "$1" 255 # the first one comes at once
    for step in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        value=$((step < 10 ? 255 - 25 * step : step == 10 ? 0 : 5 + 25 * (step - 10)))
        event $((first + step / 10)) $((step % 10 * 100000)) 3 "$1" $value
    done
    event $((first + 3)) 0 3 "$1" 0
    event $((first + 3)) 500000 3 "$1" 255
}
# Three axes and a button that is no gamepad's; two axes, of which SDL makes up where they begin; and two with the numbers of a
# maker of arcade sticks, which SDL takes for a gamepad whose directional pad the axes are.
make_box pedals 7 "Foot Pedal Set" 046d:c24f --axes 0:255:0:255,1:255:0:255,2:255:0:255 --keys 0x120 --joystick
make_box two 8 "Two pedals" 1209:beef --axes 0:255:0:255,1:255:0:255 --keys 0x120 --joystick
make_box arcade 9 "Copied pedals" 16c0:05e1 --axes 0:255:0:255,1:255:0:255 --keys 0x120 --joystick
make_box pad 5 "Test pad" 045e:028e --keys 0x130-0x13e --joystick --axes \
    0:0:-32768:32767,1:0:-32768:32767,2:0:0:255,3:0:-32768:32767,4:0:-32768:32767,5:0:0:255,16:0:-1:1,17:0:-1:1
press_pedal 0 >"$work/pedals.events"
press_pedal 0 >"$work/two.events"
{
    event 0 0 3 1 255
    event $first 0 3 1 140 # less than half: the other way of the directional pad would be a press
    event $first 500000 3 1 255
} >"$work/arcade.events"
try_boxes pedals
open_display 640x360

# drive NAME HOW FILE... -- ARGUMENT...: leaves NAME.spade
drive() {
    name=$1
    shift
    boxes=
    how=$1
    shift
    while [ "$1" != -- ]; do
        boxes="$boxes $1"
        shift
    done
    shift
    # shellcheck disable=SC2086 # one argument each
    with_boxes "$how" $boxes -- "$spadework" run free --seconds $((first + 5)) --threads 1 --record "$work/$name.spade" "$@" \
        >"$work/$name.out" 2>"$work/$name.err"
}
# moved NAME LEVERS: these and no others were moved
moved() {
    found=$(levers_moved "$work/$1.spade") || fail "$1: $(cat "$work/$1.err")"
    [ "$found" = "$2" ] || fail "$1: moved \"$found\", not \"$2\": $(cat "$work/$1.err")"
}

# Alone in the window.
for how in direct udev; do
    drive window-$how $how pedals two arcade -- --no-briefing --mute --quality low &
    drives="${drives-} $!"
done
# Beside a gamepad, which moves the boom meanwhile.
{
    event 0 0 3 4 0
    event $first 0 3 4 32767
    event $((first + 1)) 0 3 4 0
} >"$work/pad.events"
for how in direct udev; do
    drive pad-$how $how pedals two arcade pad -- --headless --operator gamepad &
    drives="$drives $!"
done
# shellcheck disable=SC2086 # one number each; the display is not waited for
wait $drives
for how in direct udev; do
    moved window-$how ""
    moved pad-$how boom
done

# Without a gamepad there is nothing to drive with: the devices are named, and what to do.
drive alone direct pedals -- --headless --operator gamepad
[ $? -eq 4 ] || fail "a stranger alone: $(cat "$work/alone.err")"
grep -q "Foot Pedal Set moves nothing: .*spadework calibrate" "$work/alone.err" || fail "$(cat "$work/alone.err")"

# A map that names them: one that is right about their rest drives by them, one that is wrong does not, and it is said.
for rest in 1 -1; do
    cat >"$work/rest$rest.yaml" <<END
kind: controls
title: Pedals
pattern: iso
devices:
  - {id: feet, name: pedal}
bindings:
  - {source: joystick_axis, input: 'feet:0', axis: left_track, scale: -1, low: -1, rest: $rest, high: 1}
actions: []
END
done
drives=
for how in direct udev; do
    for box in pedals two; do
        drive right-$box-$how $how $box -- --headless --operator gamepad --controls "$work/rest1.yaml" &
        drives="$drives $!"
        drive wrong-$box-$how $how $box -- --headless --operator gamepad --controls "$work/rest-1.yaml" &
        drives="$drives $!"
    done
done
# shellcheck disable=SC2086
wait $drives
for how in direct udev; do
    for box in pedals two; do
        moved right-$box-$how left_track
        moved wrong-$box-$how ""
        grep -q "feet axis 0 came at +1.00 and rests at -1.00: let it go and pause once" "$work/wrong-$box-$how.err" ||
            fail "wrong-$box-$how: $(cat "$work/wrong-$box-$how.err")"
    done
done
echo "strangers.sh: pedals that nothing names, and those that a map is wrong about, move nothing, with and without udev"
