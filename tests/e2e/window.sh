#!/bin/sh
# test: long
# The window, driven as a person would: keys reach the levers, the pause menu holds and leaves, what was recorded replays.
#   SPADEWORK  the program (default: build/release/bin/spadework)   KEEP  a folder to keep the pictures in
set -u
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd -P)}
spadework=${SPADEWORK:-$root/build/release/bin/spadework}
script=window.sh
. "$root/tests/e2e/window.inc"

# 1. Driving with the debug view: boom and swing by keys, then pause, and leave by the menu's last item.
start "Dig a trench" run trench --no-briefing --overlay --record "$work/drive.spade" --shot "$keep/drive.png" --threads 2
wait_for_ticks "$work/drive.spade" 30
levers=0
for _ in 1 2 3 4 5; do # a computer that draws few pictures a second looks at its keys as often
    hold k 2
    hold d 2
    levers=$(ask "$work/drive.spade" "select count(distinct controls) from input")
    [ "${levers:-0}" -ge 3 ] && break
done
press c F3 F3
press Escape
at_pause=$(ask "$work/drive.spade" "select count(*) from input")
sleep 3
during_pause=$(ask "$work/drive.spade" "select count(*) from input")
[ "$during_pause" -le $((at_pause + 90)) ] || wrong "the pause does not hold: $at_pause ticks grew to $during_pause"
press Up Return
sleep 1
press Return # the question whether it is to be left
# It was left before its end: the page says so, and its way out is selected.
sleep 2
kill -0 "$program" 2>/dev/null || wrong "there was no page after a drive that was left"
press Return
finish 30 "leaving by the pause menu and the page after it"
[ -s "$keep/drive.png" ] || wrong "--shot wrote no picture from the window"
levers=$(ask "$work/drive.spade" "select count(distinct controls) from input")
[ "${levers:-0}" -ge 3 ] || wrong "keys moved no levers: $levers different controls recorded"
"$spadework" replay "$work/drive.spade" --verify >"$work/verify" 2>&1 || wrong "what was driven does not replay: $(cat "$work/verify")"

# 2. --seconds ends a run without anybody.
start "Dig a trench" run trench --operator auto --seconds 2 --threads 2
finish 120 "--seconds 2"

# 3. Watching: scrub, take over with T, drive on, leave; the new recording names its parent.
start "Dig a trench" replay "$work/drive.spade" --at 1 --ghost "$work/drive.spade"
sleep 1
press Right F3 Left plus space space comma period Next Prior Down Up v z v v l l F1 c g g
press b
xdotool type "too deep"
press Return
sleep 1
grep -q '^[0-9.]* too deep$' "$work/drive.spade.marks" || wrong "no bookmark was written: $(cat "$work/drive.spade.marks")"
"$spadework" replay "$work/drive.spade" --list-marks | grep -q "bookmark	bookmark: too deep" || wrong "--list-marks lacks the bookmark"
press t
sleep 2
hold i 1
press Escape Up Return
sleep 1
press Return # the question, and then the page of a drive that was left
sleep 2
press Return
sleep 2
press Escape
finish 30 "leaving the replay"
if [ -s "$work/drive-2.spade" ]; then
    case $(ask "$work/drive-2.spade" "select value from meta where key = 'parent'") in
    *drive.spade) ;;
    *) wrong "the recording taken over does not name its parent" ;;
    esac
    "$spadework" replay "$work/drive-2.spade" --verify >"$work/verify" 2>&1 ||
        wrong "what was taken over does not replay: $(cat "$work/verify")"
else
    wrong "taking over made no recording: $(ls "$work")"
fi

# A bookmark that is taken away is gone; what is no time of the recording is refused with its line.
start "Dig a trench" replay "$work/drive.spade"
sleep 1
press Next
while "$spadework" replay "$work/drive.spade" --list-marks | grep -q "	bookmark	" && [ "${tries:=0}" -lt 8 ]; do
    press Delete Next
    tries=$((tries + 1))
done
press Escape
finish 30 "leaving the second replay"
grep -q "too deep" "$work/drive.spade.marks" && wrong "the bookmark stays: $(cat "$work/drive.spade.marks")"
echo "1e9 later" >"$work/drive.spade.marks"
"$spadework" replay "$work/drive.spade" --list-marks >"$work/list" 2>&1 && wrong "a bookmark behind the end is accepted"
grep -q 'drive.spade.marks:1:1: read 1e9 later, allowed' "$work/list" || wrong "the bad bookmark is told so: $(cat "$work/list")"

# 4. What nobody drove ends with its page, which stays until a key.
printf 't,swing\n0,0.2\n1,0\n' >"$work/script.csv"
start "Sandbox" run free --operator "$work/script.csv" --threads 2
sleep 15
kill -0 "$program" 2>/dev/null || wrong "there was no page after a script: $(cat "$work/err")"
press Return
finish 60 "the page after a script"

# 5. Six taps of 80 ms in a picture of full size, which software draws once or twice a second: each moves the lever, and the
#    simulation keeps the clock's time.
start "Sandbox" run free --record "$work/taps.spade" --threads 1
xdotool windowsize "$window" 1280 720
wait_for_ticks "$work/taps.spade" 60
for _ in 1 2 3 4 5 6; do
    hold k 0.08
    sleep 0.6
done
from=$(date +%s%N)
ticks_from=$(ask "$work/taps.spade" "select count(*) from input")
sleep 8
ticks=$(ask "$work/taps.spade" "select count(*) from input")
took=$((($(date +%s%N) - from) / 1000000))
press Escape Up Return Return
finish 30 "leaving after the taps"
taps=$(ask "$work/taps.spade" "select count(*) from (select controls, lag(controls) over (order by tick) as before from input)
    where before = (select controls from input order by tick limit 1) and controls <> before")
echo "window.sh: six taps moved the lever $taps times; $(((ticks - ticks_from) * 100000 / took / 60)) % of the clock's time"
[ "${taps:-0}" -eq 6 ] || wrong "of six taps $taps moved the lever"
# 7. A window of one pixel, flat, moved, put away and back again drives on in all of that, and is ended by a signal while it records.
start "Sandbox" run free --no-briefing --record "$work/sizes.spade" --quality low --threads 1
wait_for_ticks "$work/sizes.spade" 60
for size in "1 1" "1200 3" put_away "640 360"; do
    case $size in
    put_away) xdotool windowunmap "$window" ;;
    # shellcheck disable=SC2086
    *) xdotool windowmap "$window" windowsize "$window" $size windowmove "$window" 50 20 ;;
    esac
    wait_for_ticks "$work/sizes.spade" $(($(ask "$work/sizes.spade" "select count(*) from input") + 60))
done
kill -TERM "$program"
finish 30 "a signal while recording"
"$spadework" replay "$work/sizes.spade" --verify >"$work/verify" 2>&1 ||
    wrong "what was ended while recording does not replay: $(cat "$work/verify")"
[ $result -eq 0 ] && echo "window.sh: the window drives, pauses, records, replays and takes over"
exit $result
