#!/bin/sh
# test: long
# Windows beside the main one, driven as persons would: keys drive in each, the mouse turns its own camera, digits choose
# it; each is sized, minimised and closed by itself, and opened again.
#   SPADEWORK  the program (default: build/release/bin/spadework)   KEEP  a folder to keep the pictures in
set -u
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd -P)}
spadework=${SPADEWORK:-$root/build/release/bin/spadework}
script=windows.sh
. "$root/tests/e2e/window.inc"
command -v ffmpeg >/dev/null || { echo "$script: ffmpeg is missing; tests/run.sh installs it" && exit 1; }

# count NAME: windows of that name.
count() {
    xdotool search --name "$1" 2>/dev/null | wc -l
}
wait_for_count() {
    for _ in $(seq 60); do
        [ "$(count "$1")" -eq "$2" ] && return
        sleep 0.5
    done
    wrong "there are $(count "$1") windows called \"$1\", not $2: $(cat "$work/err")"
}
# look NAME: a picture of what a window at the screen's lower right corner shows.
look() {
    ffmpeg -loglevel error -y -f x11grab -video_size 640x360 -i "$DISPLAY+640,360" -frames:v 1 "$keep/$1.png" </dev/null ||
        wrong "no picture of the screen"
}
# unlike A B: how much two of these pictures differ, 0 (not at all) to 1000.
unlike() {
    ffmpeg -hide_banner -i "$keep/$1.png" -i "$keep/$2.png" -lavfi ssim -f null - 2>&1 </dev/null |
        sed -n 's/.*All:\([0-9.]*\).*/\1/p' | awk '{ printf "%d", 1000 * (1 - $1) }'
}

# 1. Two windows from the command line. The second lies at the right edge, not under the first.
start "Sandbox" run free --no-briefing --record "$work/drive.spade" --quality low --threads 1 --window around --window plan
wait_for_count "Spadework: around" 1
wait_for_count "Spadework: plan" 1
around=$(xdotool search --name "Spadework: around" | head -n 1)
plan=$(xdotool search --name "Spadework: plan" | head -n 1)
xdotool windowmove "$window" 0 0 windowmove "$plan" 0 360 windowmove "$around" 640 360 windowsize "$around" 640 360
wait_for_ticks "$work/drive.spade" 120
sleep 2
look before

# 2. The mouse turns the camera of the window that it is in.
xdotool mousemove 900 500 mousedown 1
for x in 930 960 990 1020 1050; do
    xdotool mousemove $x 500
    sleep 0.1
done
xdotool mouseup 1 mousemove 10 10
for _ in $(seq 20); do # a computer that is busy draws other windows seldom
    sleep 1
    look turned
    [ "$(unlike before turned)" -gt 50 ] && break
done
[ "$(unlike before turned)" -gt 50 ] || wrong "the mouse did not turn the other window's camera: $(unlike before turned)"

# 3. With the keyboard in another window the levers move; a digit changes that window's camera.
xdotool windowfocus "$around"
sleep 1
hold k 1
hold d 1
press 6
wait_for_count "Spadework: around" 0
wait_for_count "Spadework: plan" 2
press 1
wait_for_count "Spadework: around" 1
levers=$(ask "$work/drive.spade" "select count(distinct controls) from input")
[ "${levers:-0}" -ge 3 ] || wrong "keys in another window moved no levers: $levers different controls"

# 4. Small, flat, put away and back: the drive goes on.
for size in "1 1" "600 3" put_away "640 360"; do
    case $size in
    put_away) xdotool windowunmap "$around" ;;
    # shellcheck disable=SC2086
    *) xdotool windowmap "$around" windowsize "$around" $size windowmove "$around" 640 360 ;;
    esac
    wait_for_ticks "$work/drive.spade" $(($(ask "$work/drive.spade" "select count(*) from input") + 60))
done
for _ in $(seq 20); do # as above
    sleep 1
    look again
    [ "$(unlike turned again)" -le 900 ] && break
done
[ "$(unlike turned again)" -gt 900 ] && wrong "the window that was put away is not drawn again"

# 5. N closes them all, and opens them again; one that is closed by its cross ends nothing.
xdotool windowfocus "$window"
sleep 1
press n
wait_for_count "Spadework: " 0
press n
wait_for_count "Spadework: around" 1
wait_for_count "Spadework: plan" 1
wait_for_ticks "$work/drive.spade" $(($(ask "$work/drive.spade" "select count(*) from input") + 60))
xdotool windowfocus "$window"
press Escape Up Return
sleep 1
press Return
sleep 2
press Return
finish 30 "leaving with other windows open"
"$spadework" replay "$work/drive.spade" --verify >"$work/verify" 2>&1 || wrong "what was driven does not replay: $(cat "$work/verify")"

# 6. A window that fills a display, and a display that is not there.
start "Sandbox" run free --no-briefing --no-record --quality low --threads 1 --operator auto --seconds 3 --window behind@1
finish 120 "a window that fills the display"
"$spadework" run free --no-record --seconds 1 --window behind@9 >"$work/out" 2>"$work/err"
code=$?
[ $code -eq 4 ] || wrong "a display that is not there: exit $code"
grep -q 'behind@9: there is no such display; allowed is @1 to @1' "$work/err" || wrong "it is told so: $(cat "$work/err")"

# 7. Of the settings a display that is not there is told, and the drive goes on.
mkdir -p "$XDG_CONFIG_HOME/spadework"
printf 'kind: settings\nwindow: {windows: "plan@9, around"}\n' >"$XDG_CONFIG_HOME/spadework/settings.yaml"
start "Sandbox" run free --no-briefing --no-record --quality low --threads 1 --operator auto --seconds 5
wait_for_count "Spadework: around" 1
finish 120 "settings with a display that is not there"
grep -q 'plan@9: there is no such display' "$work/err" || wrong "settings with a display that is not there: $(cat "$work/err")"
[ $result -eq 0 ] && echo "windows.sh: other windows are drawn, turned, sized and closed by themselves"
exit $result
