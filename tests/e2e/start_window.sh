#!/bin/sh
# test: long
# Walk-round and start-up in a real window, once by the keyboard alone and once by the mouse alone, as the recordings tell.
#   SPADEWORK  the program (default: build/release/bin/spadework)   KEEP  a folder to keep the pictures in
set -u
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd -P)}
spadework=${SPADEWORK:-$root/build/release/bin/spadework}
script=start_window.sh
. "$root/tests/e2e/window.inc"
export SDL_AUDIODRIVER=none
scene=$root/tests/support/walk.yaml

# told WORDS: an event of the recording tells them within 10 s.
told() {
    for _ in $(seq 20); do
        "$spadework" export "$recording" --events "$work/e.csv" >/dev/null 2>&1
        grep -q "$1" "$work/e.csv" && return
        sleep 0.5
    done
    wrong "$2: no event tells \"$1\": $(cut -d, -f1,3,5 "$work/e.csv" 2>/dev/null | tail -n 4)"
    rm -f "$work/e.csv"
}
picture() {
    ffmpeg -loglevel error -y -f x11grab -video_size 640x360 -i "$DISPLAY" -frames:v 1 "$keep/$1.png" 2>/dev/null
}
begin() {
    recording=$work/$1.spade
    start "walk round" run "$scene" --threads 1 --quality low --no-briefing --record "$recording" --set exercise.walk_round.x=-0.4
    sleep 3
    xdotool windowfocus "$window"
}
end() {
    kill -INT "$program"
    finish 30 "$1"
    "$spadework" replay "$recording" --verify >"$work/verify" 2>&1 || wrong "$1 does not replay: $(cat "$work/verify")"
}

# The keyboard alone: ahead, look closely, report, climb in, key, horn, safety lever, boom.
begin keyboard
hold w 2
picture door
sleep 1
press Return
sleep 5
picture thing
press 2
sleep 3
press 2
told "reported rightly: glass" keyboard
press Return
told "climbed in" keyboard
picture cab
xdotool keydown b
told "the engine starts" keyboard
xdotool keyup b
sleep 1
hold h 1
press v
told "safety lever down" keyboard
picture ready
hold k 1
end keyboard

# The mouse alone: the wheel walks, a click inspects and climbs in, the menu has the switches.
begin mouse
xdotool mousemove --window "$window" 320 180
for _ in 1 2 3 4; do
    xdotool click 4
    sleep 0.6
done
picture mouse-door
xdotool click 1
sleep 5
picture mouse-thing
xdotool mousemove --window "$window" 320 157 # the first answer of the page
sleep 1
xdotool click 1
told "taken for fine, but it is not: glass" mouse
sleep 2
xdotool click 1
told "climbed in" mouse
picture mouse-in
end mouse
[ $result -eq 0 ] && echo "$script: walked, looked, reported, climbed in and started by keys, walked and climbed in by mouse"
exit $result
