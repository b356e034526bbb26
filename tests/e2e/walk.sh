#!/bin/sh
# A walk through the window in three languages: pages of the menu, the briefing, the panels of a drive and its pause. Each
# page is reached, and looks different in each language.
#   SPADEWORK  the program (default: build/release/bin/spadework)   KEEP  a folder to keep the pictures in
set -u
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd -P)}
spadework=${SPADEWORK:-$root/build/release/bin/spadework}
script=walk.sh
. "$root/tests/e2e/window.inc"
command -v ffmpeg >/dev/null || { echo "$script: ffmpeg is missing; tests/run.sh installs it" && exit 1; }
export SDL_AUDIODRIVER=none
languages="en de es"

press() {
    for key in "$@"; do
        hold "$key" 0.12
        sleep 0.5
    done
}
# see PAGE: a picture of the window, $keep/LANGUAGE-PAGE.png; of a page that stands still it is another one than the last.
last=
see() {
    sleep 0.8
    picture=$keep/$language-$1.png
    for _ in 1 2 3 4 5 6; do
        ffmpeg -loglevel error -y -f x11grab -video_size 640x360 -i "$DISPLAY+$place" -frames:v 1 "$picture" </dev/null ||
            wrong "$language: no picture of $1"
        now=$(cksum <"$picture")
        [ "$now" = "$last" ] || break
        sleep 1
    done
    [ "$now" != "$last" ] || wrong "$language: the page $1 is not reached: it looks like the one before"
    last=$now
}
# begin TITLE ARGS...: the program in this language, its window where pictures are taken.
begin() {
    start "$@" --language "$language"
    xdotool windowmove "$window" 0 0 windowfocus "$window"
    for _ in $(seq 60); do
        grep -q "no sound" "$work/err" && break
        sleep 0.5
    done
    sleep 2
    eval "$(xdotool getwindowgeometry --shell "$window" | grep -E '^(X|Y)=')"
    place=$X,$Y
}
# stop: at once; a signal that asks would be answered with a question.
stop() {
    kill -9 "$program" 2>/dev/null
    wait "$program" 2>/dev/null
    program=
}

# The menu of a first start: the tour, who drives, the first page, and from there its items by their order.
walk_menu() {
    rm -rf "$work/home"
    begin "Spadework" menu --threads 2
    see tour
    press Escape
    see people
    press Down Return
    see home
    press Down Return
    see course
    press Escape Down Down Return
    see scenes
    press Escape Up Up Up Up Up Up Return # round over the end: third from it
    see settings
    stop
}

# A drive: its briefing, the strip, all gauges, the axes, the figures of the soil, the pause and the question.
walk_drive() {
    begin "trench|zanja|Graben" run trench --threads 2 --quality low --no-record
    see briefing
    press Return
    see strip
    press F2
    see gauges
    press F4
    see axes
    press F4 F3
    see soil
    press F3 Escape
    see pause
    stop
}

for language in $languages; do
    last=
    walk_menu
    walk_drive
done

# The same page in two languages is never the same picture.
for picture in "$keep"/en-*.png; do
    page=${picture##*/en-}
    for other in de es; do
        [ -s "$keep/$other-$page" ] || wrong "$other-$page is missing"
        ! cmp -s "$picture" "$keep/$other-$page" || wrong "${page%.png} is the same in English and $other"
    done
    ! cmp -s "$keep/de-$page" "$keep/es-$page" || wrong "${page%.png} is the same in German and Spanish"
done
exit $result
