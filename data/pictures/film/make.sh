#!/bin/sh
# Makes a film of a minute: start-up, the way to a trench's edge, a change of the bucket, a wall that fails behind the
# spoil, a tiltrotator that grades a slope: sh data/pictures/film/make.sh FILM.mp4
#   SPADEWORK  the program (default: build/release/bin/spadework)
#   QUALITY    of the pictures (default: high; medium takes a third of the time where there is no graphics card)
#   FPS, SIZE  pictures a second, pixels (default: 25, 1280x720)
#   SHOTS      folder that keeps drives and shots; those that are there are not made again (default: none is kept)
# Needs ffmpeg and the font of fonts-dejavu-core.
set -eu
[ $# -eq 1 ] || { echo "usage: sh data/pictures/film/make.sh FILM.mp4" && exit 2; }
here=$(cd "$(dirname "$0")" && pwd -P)
spadework=${SPADEWORK:-$here/../../../build/release/bin/spadework}
font=/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf
film=$1
for need in ffmpeg "$spadework"; do
    command -v "$need" >/dev/null || { echo "film: $need is missing" && exit 4; }
done
[ -r $font ] || { echo "film: $font is missing (Debian: apt install fonts-dejavu-core)" && exit 4; }
shots=${SHOTS:-}
if [ -z "$shots" ]; then
    shots=$(mktemp -d)
    trap 'rm -rf "$shots"' EXIT
fi
mkdir -p "$shots"

# drive NAME SECONDS SCENE ARGS...: a drive of a scripted operator.
drive() {
    drive=$shots/$1.spade
    seconds=$2
    shift 2
    [ -e "$drive" ] || "$spadework" run "$@" --headless --seconds "$seconds" --record "$drive" >"$shots/out" 2>&1 ||
        { cat "$shots/out" && exit 1; }
}

# shot NAME FROM TO CAMERA CAPTION: seconds of the last drive, with its caption at the foot.
shot() {
    [ -e "$shots/$1.mp4" ] || "$spadework" export "$drive" --video "$shots/$1.mp4" --from "$2" --to "$3" --camera "$4" \
        --quality "${QUALITY:-high}" --fps "${FPS:-25}" --size "${SIZE:-1280x720}" >"$shots/out" 2>&1 ||
        { cat "$shots/out" && exit 1; }
    printf %s "$5" >"$shots/$1.txt"
    ffmpeg -v error -y -i "$shots/$1.mp4" -vf "drawtext=expansion=none:fontfile=$font:textfile=$shots/$1.txt:fontsize=h/26:\
fontcolor=white:box=1:boxcolor=black@0.55:boxborderw=10:x=h/24:y=h-h/12" -an "$shots/$1-told.mp4" </dev/null
    echo "file '$1-told.mp4'" >>"$shots/list"
}

rm -f "$shots/list"
drive start-up 60 walk-round --operator expert
shot start-up 45.6 57.6 cab 'Start-up: key, horn, safety lever, then the levers work'
drive edge 90 trench-collapse --set machine.x=-15.5 --operator "expert:$here/to-the-edge.yaml"
shot edge 3.5 15.5 free=2.6,-5.6,2.3,-6,0.4,0.8 'To the edge of the trench'
drive change 50 change-bucket --operator expert
shot change 32 44 free=8.2,1.2,1.4,5.3,4.4,0.7 'Change of the bucket: hook, curl in, lock'
drive=$shots/edge.spade
shot wall 70 82 free=7.6,-3.6,1.9,3.0,0.7,-0.7 'A wall that fails behind the spoil'
drive slope 90 slope-tilt --operator expert
shot slope 72 84 free=1.9,4.0,1.9,-1.5,0,-0.3 'A tiltrotator grades a crossfall of 16 %'
ffmpeg -v error -y -f concat -i "$shots/list" -c copy -movflags +faststart "$film" </dev/null
echo "$film"
