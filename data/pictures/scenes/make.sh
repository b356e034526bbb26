#!/bin/sh
# Makes the pictures that the menu and the briefing show of each scene: NAME.png of 320 x 180 pixels beside this file, as the
# scene's expert (else the scripted operator) has it after some seconds. Names as arguments: those scenes alone.
#   SPADEWORK  the program (default: build/release/bin/spadework)
set -u
here=$(cd "$(dirname "$0")" && pwd -P) || exit 1
spadework=${SPADEWORK:-$here/../../../build/release/bin/spadework}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# Where and when a scene looks like itself: seconds and camera; for what is not named here, 16 s from around.
moment() {
    case $1 in
    walk-round | controls-targets | two-functions) echo "9 around" ;;
    dam-break | soils) echo "3 around" ;;
    pad | slot-dozing | dozing | stockpile) echo "24 around" ;;
    change-bucket) echo "36 around" ;;
    travel-course | haul) echo "30 around" ;;
    backfill) echo "60 around" ;;
    sorting) echo "24 around" ;;
    slope-tilt) echo "40 around" ;;
    trench-box) echo "100 around" ;;
    *) echo "16 around" ;;
    esac
}

# In few colours where ffmpeg is there: a third of the size, the same to the eye.
pack() {
    command -v ffmpeg >/dev/null &&
        ffmpeg -loglevel error -y -i "$1" -vf "split[a][b];[a]palettegen=max_colors=128[p];[b][p]paletteuse=dither=bayer:bayer_scale=4" \
            -frames:v 1 "$2" || cp "$1" "$2"
}

[ $# -gt 0 ] || set -- $("$spadework" list scenes | sed 's/[[:space:]].*//')
for scene in "$@"; do
    # shellcheck disable=SC2046 # two words
    set -- $(moment "$scene")
    operator=auto
    grep -q '^ *expert:' "$here/../../scenes/$scene.yaml" && operator=expert
    "$spadework" run "$scene" --headless --operator $operator --seconds "$1" --camera "$2" --size 320x180 \
        --threads 1 --shot "$work/$scene.png" >"$work/out" 2>&1 || { cat "$work/out" && exit 1; }
    pack "$work/$scene.png" "$here/$scene.png"
    echo "$scene"
done
