#!/bin/sh
# The window, driven as a person would: keys reach the levers, the pause menu holds and leaves, what was recorded replays.
#   SPADEWORK  the program (default: build/release/bin/spadework)   KEEP  a folder to keep the pictures in
set -u
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd -P)}
spadework=${SPADEWORK:-$root/build/release/bin/spadework}
for tool in Xvfb xdotool sqlite3; do
    command -v $tool >/dev/null || { echo "window.sh: $tool is missing; tests/run.sh installs it" && exit 1; }
done
work=$(mktemp -d) || exit 1
export XDG_DATA_HOME="$work/home/data" XDG_CONFIG_HOME="$work/home/config" # a test leaves the user's results alone
keep=${KEEP:-$work}
program=
server=
tidy() {
    for process in $program $server; do
        kill "$process" 2>/dev/null
        wait "$process" 2>/dev/null
    done
    rm -rf "$work"
}
trap tidy EXIT
result=0
wrong() {
    echo "window.sh: $*"
    result=1
}

# A display of our own; the server picks its number.
unset WAYLAND_DISPLAY SDL_VIDEODRIVER
Xvfb -noreset -displayfd 3 -screen 0 1280x720x24 -nolisten tcp 3>"$work/display" >"$work/xvfb.log" 2>&1 &
server=$!
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    [ -s "$work/display" ] && break
    sleep 0.5
done
[ -s "$work/display" ] || { echo "window.sh: Xvfb did not start: $(cat "$work/xvfb.log")" && exit 1; }
DISPLAY=:$(cat "$work/display")
export DISPLAY

# start TITLE ARGS...: starts the program and waits for its window.
start() {
    title=$1
    shift
    "$spadework" "$@" >"$work/out" 2>"$work/err" &
    program=$!
    wait_for_window "$title"
}
wait_for_window() {
    for _ in $(seq 60); do
        window=$(xdotool search --name "$1" 2>/dev/null | head -n 1)
        if [ -n "$window" ]; then
            # Small, so that a computer that draws in software keeps up.
            xdotool windowsize "$window" 640 360 windowfocus "$window" 2>/dev/null
            return
        fi
        kill -0 "$program" 2>/dev/null || break
        sleep 0.5
    done
    wrong "no window called \"$1\": $(cat "$work/err")"
}
# hold KEY SECONDS, press KEY...
hold() {
    xdotool keydown "$1"
    sleep "$2"
    xdotool keyup "$1"
}
press() {
    for key in "$@"; do
        hold "$key" 0.15
        sleep 0.4
    done
}
# finish SECONDS: the program must end by itself; its exit code goes to $code.
finish() {
    for _ in $(seq $(($1 * 2))); do
        kill -0 "$program" 2>/dev/null || break
        sleep 0.5
    done
    if kill -0 "$program" 2>/dev/null; then
        wrong "$2: still runs after $1 s"
        kill "$program"
    fi
    wait "$program"
    code=$?
    program=
    [ $code -eq 0 ] || wrong "$2: exit $code: $(cat "$work/err")"
}
ask() {
    sqlite3 -readonly "$1" "$2"
}

# wait_for_ticks FILE N: until a recording holds so many, on a computer that is busy with other things, too.
wait_for_ticks() {
    for _ in $(seq 120); do
        [ "$(ask "$1" "select count(*) from input" 2>/dev/null || echo 0)" -ge "$2" ] && return
        sleep 0.5
    done
    wrong "$1 does not grow to $2 ticks: $(cat "$work/err")"
}

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

# 4. The menu: a new trainee, the first exercise of a course, its briefing, a start, the page of a drive that was left, the
#    debrief, and back; then the recording from the list, by keys, and its course by the mouse.
mkdir "$work/bin"
printf '#!/bin/sh\necho "$1" >"%s"\n' "$work/opened" >"$work/bin/xdg-open"
chmod +x "$work/bin/xdg-open"
recordings=$work/home/data/spadework/recordings
mkdir -p "$recordings"
echo "no recording" >"$recordings/trench-2026-01-01-000000.spade"
PATH=$work/bin:$PATH
start "Spadework" menu --threads 2
sleep 2
press Return
xdotool type "Ann Lee"
sleep 1
press Return
[ "$(cat "$work/home/data/spadework/last-trainee")" = "Ann Lee" ] || wrong "the trainee is not remembered"
press Down Return # the bulldozer's course
press Return # its first exercise: the briefing
sleep 3
press Return
for _ in $(seq 60); do
    driven=$(ls "$recordings"/spread-pile-*.spade 2>/dev/null)
    [ -n "$driven" ] && break
    sleep 0.5
done
wait_for_ticks "$driven" 60
hold w 2
press Escape Up Return # the pause, and out of it by its last item
sleep 3
[ -n "$driven" ] || wrong "the exercise was not recorded: $(ls "$recordings")"
press Up Up Up Return # from the way out to the debrief
for _ in $(seq 40); do
    [ -s "$work/opened" ] && break
    sleep 0.5
done
grep -q "spread-pile.*html" "$work/opened" || wrong "no debrief was opened: $(cat "$work/out" "$work/err")"
[ -s "$driven.html" ] || wrong "the debrief is not beside the recording"
press Escape
[ "$(ask "$driven" "select value from meta where key = 'trainee'")" = "Ann Lee" ] || wrong "the recording lacks the trainee"
[ "$(ask "$driven" "select count(*) from picture where length(png) > 1000")" = 1 ] || wrong "the recording has no picture"
[ "$(ask "$work/home/data/spadework/results.db" "select count(*) from course_progress" 2>/dev/null)" = 0 ] ||
    wrong "what was not passed counts as progress"
sleep 2
press Escape # from the course to the first page
press Down Down Down Down Return # recordings; the newest is selected
sleep 1
press Return
for _ in $(seq 40); do
    xdotool search --name "Spread" >/dev/null 2>&1 && break
    sleep 0.5
done
xdotool search --name "Spread" >/dev/null 2>&1 || wrong "the recording is not watched: $(cat "$work/err")"
sleep 1
press Escape
sleep 2
press Escape Up Up Up Up # the first page; the mouse opens the course, and the right button goes back
eval "$(xdotool getwindowgeometry --shell "$window" | grep -E '^(X|Y|WIDTH|HEIGHT)=')"
xdotool mousemove $((X + WIDTH / 4)) $((Y + HEIGHT * 28 / 100))
sleep 1
xdotool click 1
sleep 2
xdotool click 3
sleep 1
kill -0 "$program" 2>/dev/null || wrong "a click ended the menu: $(cat "$work/err")"
press Escape
finish 30 "leaving the menu"

# 5. What nobody drove ends with its page, which stays until a key.
printf 't,swing\n0,0.2\n1,0\n' >"$work/script.csv"
start "Sandbox" run free --operator "$work/script.csv" --threads 2
sleep 15
kill -0 "$program" 2>/dev/null || wrong "there was no page after a script: $(cat "$work/err")"
press Return
finish 60 "the page after a script"
# 6. Six taps of 80 ms in a picture of full size, which software draws once or twice a second: each moves the lever, and the
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
[ $result -eq 0 ] && echo "window.sh: the window drives, pauses, records, replays, takes over, and its menu leads there and back"
exit $result
