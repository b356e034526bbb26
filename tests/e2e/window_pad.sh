#!/bin/sh
# test: long
# A pad that is pulled out of the real window in mid-swing: the drive pauses with neutral levers and the program says so,
# plugged in again it drives on at the next key; then the window is closed while it records, and what was recorded replays.
#   SPADEWORK  the program (default: build/release/bin/spadework)
# Ends with 77 (skipped) where umockdev cannot work.
set -u
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd -P)}
spadework=${SPADEWORK:-$root/build/release/bin/spadework}
. "$root/tests/e2e/pad.inc"

# Child of umockdev-run.
if [ "${1-}" = --inside ]; then
    cd "$2" || exit 1
    "$spadework" run free --record drive.spade --no-briefing --mute --threads 1 --quality low >out 2>err &
    program=$!
    trap 'kill $program 2>/dev/null' EXIT
    # wait_for WHAT COMMAND...: until the command holds, 100 s at most
    wait_for() {
        what=$1
        shift
        tries=0
        until "$@"; do
            tries=$((tries + 1))
            [ $tries -lt 400 ] || { echo "window_pad.sh: $what does not come: $(cat err)" && exit 1; }
            kill -0 $program 2>/dev/null || { echo "window_pad.sh: the program ended before $what: $(cat err)" && exit 1; }
            sleep 0.25
        done
    }
    # The swing of the recording's last tick is 0, or not.
    swings() {
        [ "$(sqlite3 -readonly drive.spade "select hex(substr(controls, 1, 2)) <> '0000' from input order by tick desc limit 1" \
            2>/dev/null)" = "$1" ]
    }
    ticks() {
        sqlite3 -readonly drive.spade "select count(*) from input" 2>/dev/null
    }
    folder=$UMOCKDEV_DIR${node%/*}
    wait_for "the swing by the stick" swings 1
    mv "$folder/event5" "$folder/away"
    wait_for "a line about the lost pad" grep -q "spadework: .* lost: its levers are neutral" err
    # stands: the drive is paused, no tick is recorded for a second
    stands() {
        before=$(ticks) && sleep 1 && [ "$(ticks)" = "$before" ]
    }
    wait_for "a pause" stands
    mv "$folder/away" "$folder/event5"
    wait_for "a line about driving on" grep -q "spadework: driving on after a pad was lost" err
    stands || { echo "window_pad.sh: it drives on before a key was pressed" && exit 1; }
    xdotool key Return
    wait_for "neutral levers" swings 0
    wait_for "the swing by the pad that came back" swings 1
    kill -TERM $program
    wait $program
    code=$?
    trap - EXIT
    [ $code -eq 0 ] || { echo "window_pad.sh: a signal while recording: exit $code: $(cat err)" && exit 1; }
    exit 0
fi

prepare Xvfb sqlite3 xdotool

make_pad
{
    event 0 000000 3 0 0        # time goes on from the first one, which comes at once
    event 20 000000 3 0 32767   # left stick to the right, held
    event 95 000000 3 0 -32768  # to the left, long after the pad came back
} >"$work/pad.events"
try_testbed
open_display 640x360
in_testbed sh "$0" --inside "$work" || exit 1
"$spadework" replay "$work/drive.spade" --verify >"$work/verify" 2>&1 || {
    echo "window_pad.sh: what was driven does not replay: $(cat "$work/verify")"
    exit 1
}
echo "window_pad.sh: a pad that is pulled out pauses the drive with neutral levers and is told; plugged in again it drives on at a key"
