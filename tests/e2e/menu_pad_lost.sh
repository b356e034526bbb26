#!/bin/sh
# test: long
# A pad that is pulled out in the menu: each page that shows it looks different at once, and as before when it is back: the
# tour's choice of devices, its levers, and the set-up, which goes on where it was.
#   SPADEWORK  the program (default: build/release/bin/spadework)
# Ends with 77 (skipped) where umockdev cannot work.
set -u
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd -P)}
spadework=${SPADEWORK:-$root/build/release/bin/spadework}
. "$root/tests/e2e/pad.inc"

# Child of umockdev-run.
if [ "${1-}" = --inside ]; then
    cd "$2" || exit 1
    SDL_AUDIODRIVER=none "$spadework" menu --threads 1 --quality low >out 2>err &
    program=$!
    trap 'kill -9 $program 2>/dev/null' EXIT
    press() {
        for key in "$@"; do
            xdotool keydown "$key"
            sleep 0.15
            xdotool keyup "$key"
            sleep 0.6
        done
    }
    see() {
        ffmpeg -loglevel error -y -f x11grab -video_size 640x360 -i "$DISPLAY" -frames:v 1 now.png </dev/null
        cksum <now.png
    }
    # looks PAGE same|other THAN: within 15 s
    looks() {
        for _ in $(seq 30); do
            kill -0 $program 2>/dev/null || { echo "menu_pad_lost.sh: the program ended at $1: $(cat err)" && exit 1; }
            now=$(see)
            case $2 in
            same) [ "$now" = "$3" ] && return ;;
            *) [ "$now" != "$3" ] && return ;;
            esac
            sleep 0.5
        done
        echo "menu_pad_lost.sh: $1 does not look $2"
        exit 1
    }
    # pull_out PAGE [KEY]: out and in again; the key leads back to what was selected
    pull_out() {
        sleep 2
        before=$(see)
        mv "$folder/event5" "$folder/away"
        looks "$1, with the pad away," other "$before"
        mv "$folder/away" "$folder/event5"
        sleep 2
        [ $# -lt 2 ] || press "$2"
        looks "$1, with the pad back," same "$before"
    }
    folder=$UMOCKDEV_DIR${node%/*}
    for _ in $(seq 100); do
        grep -q "no sound" err && break # it takes keys
        sleep 0.2
    done
    window=$(xdotool search --name Spadework | head -n 1)
    xdotool windowsize "$window" 640 360 windowmove "$window" 0 0 windowfocus "$window"
    sleep 2
    press Return # show me
    pull_out "the choice of devices" Up
    press Return Return # the pad, ISO
    pull_out "the page of the levers"
    press Escape Escape Escape Escape # to the first page, by who drives
    press Up Up Up Return Return # settings, and the set-up
    press Up Up Return Down Down Return # the pad, which is known, is to be set up all the same; begin
    sleep 2 # at rest
    pull_out "the set-up"
    exit 0
fi

prepare Xvfb xdotool ffmpeg

make_pad
event 600 0 3 0 0 >"$work/pad.events"
try_testbed
open_display 640x360
in_testbed sh "$0" --inside "$work" || exit 1
echo "menu_pad_lost.sh: a pad that is pulled out in the menu is told on each page, and goes on when it is back"
