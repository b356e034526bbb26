#!/bin/sh
# test: long
# A pad of SDL's real evdev path is set up in the window: chosen by keys, its sticks moved one after the other, what it has not is
# skipped; the map is kept and chosen. A set-up that is stopped half-way leaves nothing behind.
#   SPADEWORK  the program (default: build/release/bin/spadework)
# Ends with 77 (skipped) where umockdev cannot work.
set -u
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd -P)}
spadework=${SPADEWORK:-$root/build/release/bin/spadework}
. "$root/tests/e2e/pad.inc"

# Child of umockdev-run, which makes the pad's events from the time on at which the program opens it.
if [ "${1-}" = --inside ]; then
    cd "$2" || exit 1
    SDL_AUDIODRIVER=none "$spadework" menu --trainee Ann --threads 1 --quality low >out 2>err &
    program=$!
    trap 'kill $program 2>/dev/null' EXIT
    press() {
        for key in "$@"; do
            xdotool keydown "$key"
            sleep 0.15
            xdotool keyup "$key"
            sleep 0.5
        done
    }
    for _ in $(seq 100); do
        grep -q "no sound" err && break # it takes keys
        sleep 0.2
    done
    xdotool windowfocus "$(xdotool search --name Spadework | head -n 1)"
    sleep 1
    press Up Up Up Return Return # settings, and the set-up
    press Up Up Return Down Down Return # the pad, which is known, is to be set up all the same; begin
    sleep 2 # at rest
    press Up Return # stop: the last choice above what the axes read
    [ ! -e home/config/spadework/settings.yaml ] || { echo "menu_pad.sh: half a set-up wrote settings" && exit 1; }
    press Return Up Up Return Down Down Return # once more
    for _ in $(seq 240); do # the pad's last move
        [ "$(cat moved 2>/dev/null)" = all ] && break
        sleep 0.5
    done
    for _ in $(seq 24); do # what the pad has not: the bulldozer, the switches of the cab
        grep -q "^controls:" home/config/spadework/settings.yaml 2>/dev/null && exit 0
        press Return
    done
    echo "menu_pad.sh: no map was kept: $(cat err)"
    exit 1
fi

prepare Xvfb xdotool

# Each stick's ways in the order in which they are asked for: swing, stick, boom, bucket.
make_pad
second=60
{
    event 0 0 3 0 0
    for way in "0 32767" "0 -32768" "1 32767" "1 -32768" "4 32767" "4 -32768" "3 -32768" "3 32767"; do
        # shellcheck disable=SC2086 # an axis and where it goes
        event $second 0 3 $way
        event $second 700000 3 "${way% *}" 0
        second=$((second + 2))
    done
} >"$work/pad.events"
try_testbed
open_display 1280x720
(sleep $((second + 8)) && echo all >"$work/moved") &
in_testbed sh "$0" --inside "$work" || exit 1
map=$(sed -n 's/^controls: //p' "$work/home/config/spadework/settings.yaml")
file=$work/home/data/spadework/controls/$map.yaml
[ -s "$file" ] || { echo "menu_pad.sh: there is no map $map: $(ls -R "$work/home")" && exit 1; }
"$spadework" check "$file" >"$work/check" 2>&1 || { echo "menu_pad.sh: $(cat "$work/check")" && exit 1; }
for lever in swing stick boom bucket; do
    grep -q "joystick_axis.*axis: $lever" "$file" || { echo "menu_pad.sh: $lever is not bound: $(cat "$file")" && exit 1; }
done
echo "menu_pad.sh: a pad is set up in the window, kept as $map and chosen; half a set-up leaves nothing"
