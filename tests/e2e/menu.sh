#!/bin/sh
# test: long
# The menu, as somebody meets it who starts for the first time: the tour, the settings, an exercise and its end, by keys
# and by the mouse; what was changed is there after a restart.
#   SPADEWORK  the program (default: build/release/bin/spadework)   KEEP  a folder to keep the pictures in
set -u
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd -P)}
spadework=${SPADEWORK:-$root/build/release/bin/spadework}
script=menu.sh
. "$root/tests/e2e/window.inc"
home=$work/home
settings=$home/config/spadework/settings.yaml
recordings=$home/data/spadework/recordings

# Slower than a window needs that draws as fast as it may: two keys between two looks lose their order.
press() {
    for key in "$@"; do
        hold "$key" 0.15
        sleep 0.7
    done
}
# open_menu ARGS...: until the program takes keys; before that it says that there is no such driver of sound.
export SDL_AUDIODRIVER=none
open_menu() {
    start "Spadework" menu --threads 2 "$@"
    for _ in $(seq 120); do
        grep -q "no sound" "$work/err" && break
        sleep 0.5
    done
    xdotool windowfocus "$window"
    sleep 2
}
# expect_setting TEXT WHAT: within 10 s.
expect_setting() {
    for _ in $(seq 20); do
        grep -q "$1" "$settings" 2>/dev/null && return
        sleep 0.5
    done
    wrong "$2: settings.yaml lacks \"$1\": $(cat "$settings" 2>&1)"
}
# point X Y: the mouse goes to a place, in percent of the window.
point() {
    eval "$(xdotool getwindowgeometry --shell "$window" | grep -E '^(X|Y|WIDTH|HEIGHT)=')"
    xdotool mousemove $((X + WIDTH * $1 / 100)) $((Y + HEIGHT * $2 / 100))
    sleep 0.5
}
# end_program: from the first page, by the question.
end_program() {
    press Escape
    sleep 0.5
    kill -0 "$program" 2>/dev/null || wrong "$1: the end was not asked for"
    press Return
    finish 30 "$1"
}

# 1. The first start is the tour: the keyboard, the backhoe's pattern, all levers moved, and on to the menu.
open_menu
press Return # show me
press Return # the only device: the keyboard
press Down Return # backhoe
expect_setting '^controls: bhl$' "the tour's pattern"
for key in a d w s i k j l r f t g; do
    hold $key 0.4
done
press Return Up Return # go on, and to the menu by the last item
sleep 1
end_program "after the tour"

# 2. A skipped tour does not come again, nor one that was taken: the second start asks who drives. Settings by keys and mouse.
mkdir -p "$recordings"
echo "no recording" >"$recordings/trench-2026-01-01-000000.spade"
open_menu
press Return # a new name
xdotool type "Ann Lee"
sleep 1
press Return
[ "$(cat "$home/data/spadework/last-trainee")" = "Ann Lee" ] || wrong "the trainee is not remembered"
press Up Up Up Return # settings, third from the end
press Down Down Left Left # sound
expect_setting 'volume: 0.5' "the sound by keys"
press Down Right # picture
expect_setting 'quality: high' "the picture by keys"
press Up Up Up Up Up Up Return # language, round over the end: third from it
expect_setting '^language: en$' "the language by keys"
press Escape
end_program "after the settings"
open_menu --trainee "Ann Lee"
press Up Up Up Return Down Down Left
expect_setting 'volume: 0.4' "the sound after a restart"
expect_setting 'quality: high' "the picture after a restart"
press Escape

# 3. The first exercise of a course: briefing, a start, leaving it is asked for, the page of a drive that was left, the
#    debrief, and back; then the recording from the list, by keys.
mkdir "$work/bin"
printf '#!/bin/sh\necho "$1" >"%s"\n' "$work/opened" >"$work/bin/xdg-open"
chmod +x "$work/bin/xdg-open"
PATH=$work/bin:$PATH
end_program "before the exercise"
open_menu --trainee "Ann Lee"
press Down Down Down Return # the bulldozer's course
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
sleep 1
press Down Return # the question: no, drive on
at_question=$(ask "$driven" "select count(*) from input")
wait_for_ticks "$driven" $((at_question + 60))
press Escape Up Return
sleep 1
press Return # the question: yes
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
[ "$(ask "$home/data/spadework/results.db" "select count(*) from course_progress" 2>/dev/null)" = 0 ] ||
    wrong "what was not passed counts as progress"
sleep 2
press Escape # from the course to the first page
press Down Down Down Return # recordings, behind the courses and the scenes; the newest is selected
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
press Escape # the first page

# 4. In a window of full size, where all items are in sight. The mouse: it selects what it is over, a click chooses, the wheel moves a long list, the right button goes back. The
#    settings stand three places from the end, the sound third on their page.
xdotool windowsize "$window" 1280 720
sleep 2
point 25 74
press Return # what the mouse is over: the settings
point 41 31 # the left arrow of the sound
xdotool click 1
expect_setting 'volume: 0.3' "the sound by the mouse"
point 58 31 # its right arrow
xdotool click 1
expect_setting 'volume: 0.4' "the sound by the mouse"
point 50 50
xdotool click 3 # back to the first page
sleep 1
point 25 20
xdotool click 5 click 4 # the wheel, where all is in sight
sleep 0.5
kill -0 "$program" 2>/dev/null || wrong "the wheel ended the menu: $(cat "$work/err")"
xdotool click 3 # the question before the end; its first item
sleep 1
press Return
finish 30 "leaving the menu by the mouse"
[ $result -eq 0 ] && echo "menu.sh: the tour, the settings, an exercise and its end, by keys and by the mouse"
exit $result
